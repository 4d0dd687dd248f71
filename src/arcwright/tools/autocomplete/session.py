"""Autocompletion session: keys that are dragged and options that are set become one edit."""

from __future__ import annotations

import copy
from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue, UnknownName
from arcwright.kinematics.feet import feet
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.sample import values_at
from arcwright.objectives.edited_clip import EditedClip, find_take
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Edit
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.solve.threads import on_one_thread
from arcwright.tools.autocomplete.chosen_model import choose_model
from arcwright.tools.autocomplete.dragged_keys import (
    dragged_pose,
    moves,
    point_place,
    retimed,
    with_pose,
)
from arcwright.tools.autocomplete.foot_paths import ground_passes
from arcwright.tools.autocomplete.key_poses import NEAR, KeyPoses, read_keys
from arcwright.tools.autocomplete.model import SPLINES, sample_times, spline
from arcwright.tools.autocomplete.notes import completion_notes
from arcwright.tools.autocomplete.options import AUTOMATIC, AutocompleteOptions
from arcwright.tools.autocomplete.overlays import (
    answer_overlays,
    frame_of,
    key_name,
    key_overlays,
)
from arcwright.tools.autocomplete.solution import Solution
from arcwright.tools.gesture import Drag, Gesture, Setting, ToolHandle
from arcwright.tools.overlay import Overlay
from arcwright.tools.shared.drags import DRAG_TOLERANCE, DragResidual
from arcwright.tools.tool import DragStatus, Note, Offer, Preview, PreviewPose

LABEL = "Complete"
CLOSE = "Keys are so close that splines and contacts complete the motion"


class AutocompleteSession:
    """Keeps the scene it began with; every result is computed from it."""

    def __init__(self, scene: Scene, target: Target, options: AutocompleteOptions) -> None:
        self.scene, self.options = scene, options
        actor, take, address = find_take(scene, target)
        self.target = replace(target, character=actor.name, take=take.name)
        still = Clip(take.name, (None,) * len(take.rig.channels), take.duration, take.rate)
        clip = take.base if isinstance(take.base, Clip) else still
        self._edited = EditedClip(actor, take, clip, (*address, "base", "curves"))
        self._read()
        self._set = False  # whether completing was asked for, apart from drags
        self._drags: dict[object, Drag] = {}
        self._of_completion: set[object] = set()  # drags of what was completed before them
        self._updates = 0
        self._solved: tuple[int, Solution | None] | None = None
        self._passing: dict[str, bool] = {}  # by the keys that are chosen

    def _read(self) -> None:
        self._undragged: Solution | None = None  # of the keys as they are, once it is needed
        take, options = self._edited.take, self.options
        self._keys = read_keys(take, options.keys, _chosen_joints(take.rig, options.joints))
        model, self._why = choose_model(self._edited.actor, take, options.model)
        automatic = options.model.strip() == AUTOMATIC
        if automatic and model is not None and model.steps and self._keys.dense:
            self._why = f"{CLOSE} (model {model.name} can be chosen)"
            model = None
        self._model = model

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """Follow a drag of a key; a drag between keys adds one."""
        if isinstance(gesture, Setting):
            return self.set_options(gesture.options)
        assert isinstance(gesture, Drag)
        drag = self._checked(gesture)
        if self._drags.pop(drag.key, None) is None and self._set:
            self._of_completion.add(drag.key)
        if moves(self._take_at(drag), self._at_key(drag)):
            self._drags[drag.key] = drag
        self._updates += 1
        return self._previewed(drag)

    @on_one_thread
    def set_options(self, options: AutocompleteOptions) -> Preview:
        """Complete with other options, with the same drags."""
        before, self.options = self.options, options
        try:
            self._read()
        except Exception:
            self.options = before
            raise
        self._set = True
        self._updates += 1
        return self._previewed(next(reversed(self._drags.values()), None))

    def finish(self) -> Edit:
        """One undo step."""
        solution = self._solution()
        return Edit(LABEL) if solution is None else self._edit(solution)

    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        return self._notes(next(reversed(self._drags.values()), None), self._solution())

    @property
    def used(self) -> dict[str, float]:
        """What became of the completion: key poses, their number a second, the largest error, m."""
        solution = self._solution()
        if solution is None:
            return {}
        count = len({*solution.task.rows.tolist(), *solution.fit.added.tolist()})
        start, end = solution.keys.range
        rate = count / (end - start)
        return {"key_poses": count, "per_second": rate, "deviation_m": solution.fit.error}

    def offer(self) -> Offer | None:
        """The next of several answers."""
        solution = self._solution()
        if solution is None or len(solution.completed.names) < 2:
            return None
        number = (solution.chosen + 1) % len(solution.completed.names)
        name = solution.completed.names[number]
        return Offer(f"Use {name}?", self._edit(solution.with_alternative(number)), 0.0)

    def rest_overlays(self) -> tuple[Overlay, ...]:
        """The keys between which the motion would be completed."""
        return key_overlays(self._edited.take, self._keys, self._shown_joints())

    def fork(self) -> AutocompleteSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other._drags, other._of_completion = dict(self._drags), set(self._of_completion)
        return other

    def _checked(self, drag: Drag) -> Drag:
        """The drag, of a point and within the keys; the handle of a key is the root's point."""
        take, keys = self._edited.take, self._keys
        if isinstance(drag.handle, ToolHandle):
            time, point = self._named_key(drag.handle)
            drag = replace(drag, handle=point, time=time)
        if self.scene.actor(drag.point.character).name != self._edited.actor.name:
            raise BadValue("Drag.handle", "a point of the completed character", drag.point.joint)
        take.rig.joint(drag.point.joint)
        start, end = keys.range if self.options.keys.strip() else (0.0, take.duration)
        frame = drag.time * take.rate
        if not start - NEAR <= drag.time <= end + NEAR:
            frames = f"frame {start * take.rate:g} to {end * take.rate:g}"
            raise BadValue("Drag.time", f"a moment of the keys, {frames}", f"frame {frame:g}")
        own = self._at_key(drag).time
        if drag.to_time is not None and keys.row(own, NEAR) is None:
            raise BadValue("Drag.to_time", "a drag of a key", f"frame {frame:g}")
        return drag

    def _named_key(self, handle: ToolHandle) -> tuple[float, Point]:
        """The time of the key that a handle names, s, and the point that moves with it."""
        frame = frame_of(handle.name)
        if frame is None:
            known = key_name(self._keys.times[0] * self._edited.take.rate)
            expected = f"a point of a character, or a key such as '{known}'"
            raise BadValue("Drag.handle", expected, handle.name)
        root = analyse(self._edited.actor, self._edited.take).root
        return frame / self._edited.take.rate, Point(self._edited.take.rig.names[root])

    def _at_key(self, drag: Drag) -> Drag:
        """The drag at the time of the key that it is of, as that was before any was moved."""
        half = 0.5 / self._edited.take.rate
        time = drag.time
        for other in self._drags.values():
            if other.to_time is not None and abs(other.to_time - time) < half:
                time = other.time
        row = self._keys.row(time, half * 0.99)
        return drag if row is None else replace(drag, time=float(self._keys.times[row]))

    def _take_at(self, drag: Drag) -> Take:
        """What is dragged: the take, or its completion where that was asked for before."""
        take, (start, end) = self._edited.take, self._keys.range
        if drag.key not in self._of_completion or not start <= drag.time <= end:
            return take
        if self._undragged is None:
            self._undragged = self._solution_of(self._keys)
        solution = self._undragged
        return Take(take.rig, Motion(take.name, solution.times, solution.values, take.rate))

    def _dragged_keys(self) -> KeyPoses:
        keys = self._keys
        poses: dict[float, list[Drag]] = {}
        takes: dict[float, Take] = {}
        moved: dict[float, float] = {}
        for drag in self._drags.values():
            own = self._at_key(drag)
            if drag.position is not None or drag.orientation is not None:
                poses.setdefault(own.time, []).append(own)
                takes.setdefault(own.time, self._take_at(drag))
            if drag.to_time is not None:
                moved[own.time] = drag.to_time
        for time, drags in poses.items():
            take = takes[time]
            pose = dragged_pose(self.scene, replace(self._edited, take=take), drags, self.options)
            whole = values_at(take, np.array([time]))[0]
            keys = with_pose(keys, pose, whole, NEAR)
        return retimed(keys, moved, self._edited.take.rate)

    def _solution(self) -> Solution | None:
        """What follows from all gestures; computed once for each update."""
        if not self._set and not self._drags:
            return None
        if self._solved is None or self._solved[0] != self._updates:
            self._solved = self._updates, self._solution_of(self._dragged_keys())
        return self._solved[1]

    def _solution_of(self, keys: KeyPoses) -> Solution:
        return Solution(self._edited, keys, self._model, self.options, self._in_place())

    def _in_place(self) -> bool:
        """Whether the motion between the keys, before any was moved, goes in place."""
        chosen = self.options.keys
        if chosen not in self._passing:
            take, keys = self._edited.take, self._keys
            times = sample_times(keys, take.rate)
            shown = Motion(take.name, times, spline(keys, times, SPLINES[0]), take.rate)
            self._passing[chosen] = ground_passes(Take(take.rig, shown))
        return self._passing[chosen]

    def _edit(self, solution: Solution) -> Edit:
        start, end = (round(each * self._edited.take.rate, 3) for each in solution.keys.range)
        return solution.edit(f"{LABEL} frames {start:g}–{end:g}")  # noqa: RUF001

    def _previewed(self, drag: Drag | None) -> Preview:
        solution, update = self._solution(), self._updates
        take = self._edited.take
        status: DragStatus | None = None
        poses: tuple[PreviewPose, ...] = ()
        if drag is not None:
            time = self._shown_time(drag)
            values = self._values(solution, time)
            poses = (PreviewPose(self.target, drag.time, values),)
            if drag.position is not None:
                place, _ = point_place(take.rig, values, drag.point)
                status = DragStatus(
                    place, drag.position, DragResidual.of(drag, place, np.eye(3)).remaining
                )
        if solution is None:
            return Preview(lambda: Edit(LABEL), poses=poses, drag=status)
        shown, joints = solution, self._shown_joints()
        return Preview(
            partial(self._edit, shown),
            lambda: self._notes(drag, shown) if update == self._updates else (),
            lambda: shown.keys.range,
            poses,
            (
                *key_overlays(take, shown.keys, joints),
                *answer_overlays(take.rig, shown.completed, shown.chosen, joints, drag is None),
            ),
            status,
        )

    def _shown_time(self, drag: Drag) -> float:
        """Where a dragged key now is, s."""
        return self._at_key(drag).time if drag.to_time is None else drag.to_time

    def _values(self, solution: Solution | None, time: float) -> Floats:
        if solution is not None:
            return solution.pose(time)
        found: Floats = values_at(self._edited.take, np.array([time]))[0]
        return found

    def _notes(self, drag: Drag | None, solution: Solution | None) -> tuple[Note, ...]:
        if solution is None:
            return ()
        found = []
        if drag is not None:
            rig, values = self._edited.take.rig, self._values(solution, self._shown_time(drag))
            residual = DragResidual.of(drag, *point_place(rig, values, drag.point))
            found = [residual.note()] if residual.size > DRAG_TOLERANCE else []
        unlike = None
        if self._model is not None:
            unlike = self._model.distance_to_examples(solution.keys.keyed)
        missed = solution.grounded.missed
        more = completion_notes(solution.fit, self.options.tolerance, missed, unlike, self._why)
        return (*found, *more)

    def _shown_joints(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The joints whose ways are drawn: the root and the feet."""
        rig = self._edited.take.rig
        shown = [analyse(self._edited.actor, self._edited.take).root]
        with suppress(BadValue):
            shown += [rig.joint(point.joint) for point in feet(rig)]
        return np.array(shown, np.int64)


def _chosen_joints(rig: Rig, text: str) -> Bools:
    """(J,) the joints of an option, by name; all where it names none."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        if name not in rig.names:
            raise UnknownName("joint", name, rig.names)
    return np.array([not names or name in names for name in rig.names])
