"""One drag on a pose: update while the drag moves, finish when it ends."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats
from arcwright.objectives.edited_clip import find_clip
from arcwright.objectives.freedom import freedom_of
from arcwright.objectives.point_tasks import TaskList, drag_task
from arcwright.objectives.pose_model import PoseModel, PreparedPose, prepare_pose
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.solve.threads import on_one_thread
from arcwright.tools.gesture import Drag, unmoved
from arcwright.tools.pose.build_edit import build_edit
from arcwright.tools.pose.model import LEAP, follow, release
from arcwright.tools.pose.span import CurvesWithKey, pose_span
from arcwright.tools.shared.drags import DRAG_TOLERANCE, DragResidual, worst
from arcwright.tools.shared.jumps import worst_jump
from arcwright.tools.tool import DragStatus, Note, Preview, PreviewPose

if TYPE_CHECKING:
    from arcwright.tools.pose.tool import PoseOptions

_Held = tuple[str, bytes]


class PoseSession:
    """Keeps the scene it began with; every result is computed from it."""

    def __init__(self, scene: Scene, target: Target, options: PoseOptions) -> None:
        self.scene, self._target = scene, target
        self.edited = find_clip(scene, target)
        self.options = options
        freedom_of(self.edited, options).prepare()
        self._drags: dict[_Held, Drag] = {}
        self._time = 0.0  # s, of the pose
        self._model: PoseModel | None = None
        self._curves: CurvesWithKey
        self._span: Callable[[], tuple[float, float]]
        self._x = np.zeros(0)
        self._moves = 0
        self._preview: tuple[_Held, Preview] | None = None
        self._ending: tuple[int, Floats] | None = None  # unknowns, after so many moves

    @on_one_thread
    def update(self, gesture: Drag) -> Preview:
        """The edit as it would be with the drag where it now is."""
        held = (gesture.point.joint, gesture.point.offset.tobytes())
        before = self._drags.get(held) if gesture.time == self._time else None
        last, preview = self._preview or (None, None)
        if preview and before and last == held and unmoved(before, gesture):
            return preview
        if gesture.time != self._time:
            self._drags = {}
        if before is None:
            self._model, self._x = None, np.zeros(0)
        self._time, self._drags[held] = gesture.time, gesture
        self._moves += 1
        model = self._modelled()
        index = list(self._drags).index(held)
        leapt = self._leapt(model, index, before)
        self._x = follow(model, self._x, leapt, DRAG_TOLERANCE)
        residual = self._residuals(model, self._x)[index]
        pose = model.values(self._x)
        place = model.places_at(self._x).position[0, index]
        preview = Preview(
            partial(self._edit, model.prepared, self._curves, pose, self._label()),
            partial(self._notes_of, self._moves, residual),
            self._span,
            poses=(PreviewPose(self._target, gesture.time, pose),),
            drag=DragStatus(place, gesture.position, residual.remaining),
        )
        self._preview = held, preview
        return preview

    def _modelled(self) -> PoseModel:
        """The model with the current drags as tasks; built where there is none yet."""
        if self._model is None:
            points = [drag.point for drag in self._drags.values()]
            free = freedom_of(self.edited, self.options, list(self._drags.values()))
            plant = self.options.plant_feet
            prepared = prepare_pose(
                self.scene, self.edited, points, self._time, free, plant_feet=plant
            )
            self._model = PoseModel(self.edited.take.rig, prepared, ())
            # Computed on demand, once for all moves.
            clip, ways = self.edited.clip, self.options
            self._curves = curves = CurvesWithKey(clip, prepared)
            span = partial(pose_span, clip, prepared, curves, auto_key=ways.auto_key)
            self._span = cache(partial(span, time_reach=ways.time_reach))
            if len(self._x) != len(prepared.channels):
                self._x = np.zeros(len(prepared.channels))
        drag_tasks = [
            drag_task(drag, index, 0)
            for index, drag in enumerate(self._drags.values())
            if drag.position is not None or drag.orientation is not None
        ]
        self._model.tasks = TaskList(drag_tasks, self._model.constraint_tasks)
        return self._model

    def _leapt(self, model: PoseModel, index: int, before: Drag | None) -> bool:
        """Whether a drag is far from where it was, or from where its point began."""
        now = list(self._drags.values())[index].position
        was = before.position if before is not None else None
        if was is None:
            was = model.jacobian(np.zeros_like(self._x)).position[0, index]
        return now is not None and bool(np.linalg.norm(now - was) > LEAP)

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step."""
        if not self._drags:
            return Edit("Pose")
        model, x = self._ended()
        return self._edit(model.prepared, self._curves, model.values(x), self._label())

    def _edit(self, held: PreparedPose, curves: CurvesWithKey, pose: Floats, label: str) -> Edit:
        auto_key, time_reach = self.options.auto_key, self.options.time_reach
        return build_edit(
            self.edited, held, curves, pose, label, auto_key=auto_key, time_reach=time_reach
        )

    def _ended(self) -> tuple[PoseModel, Floats]:
        """The result if the drag finished now; computed once for each place of the drag."""
        model = self._modelled()
        if self._ending is None or self._ending[0] != self._moves:
            self._ending = self._moves, release(model, self._x, DRAG_TOLERANCE)
        return model, self._ending[1]

    @on_one_thread
    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        if not self._drags:
            return ()
        unmet = worst(self._residuals(*self._ended()))
        return (*(() if unmet is None else (unmet.note(),)), *self._jumps())

    def _jumps(self) -> tuple[Note, ...]:
        """A note where keys beside the pose are so close that a joint jumps."""
        take, (start, end) = self.edited.take, self._span()
        after = self.finish().apply(self.scene).actor(self.edited.actor.name).take(take.name)
        room = min((side for side in (self._time - start, end - self._time) if side > 0), default=0)
        drags = list(self._drags.values())
        jump = worst_jump(take, after, (start, end), drags, [room] * len(drags))
        if jump is None:
            return ()
        frame = self._time * take.rate
        return (jump.note(f"the keys beside frame {round(frame, 1):g} are close"),)

    def _notes_of(self, moves: int, residual: DragResidual) -> tuple[Note, ...]:
        """The notes of a preview, of its end while the drag is still there."""
        if moves == self._moves:
            return self.notes()
        return (residual.note(),) if residual.size > DRAG_TOLERANCE else ()

    def fork(self) -> PoseSession:
        """A session that stands where this one does, for another thread.

        It shares no mutable state and is cheap to make.
        """
        other = copy.copy(self)
        other._drags, other._model = dict(self._drags), None
        other._preview = other._ending = None
        return other

    def _residuals(self, model: PoseModel, x: Floats) -> list[DragResidual]:
        there = model.places_at(x)
        return [
            DragResidual.of(drag, there.position[0, index], there.orientation[0, index])
            for index, drag in enumerate(self._drags.values())
        ]

    def _label(self) -> str:
        joint = next(iter(self._drags.values())).point.joint
        return f"Pose {joint} at frame {self._time * self.edited.clip.rate:g}"
