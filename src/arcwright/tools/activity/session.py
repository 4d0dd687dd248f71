"""Activity session: displaced events, scaled objects and retimed events become one edit."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.time_warp import TimeWarp
from arcwright.errors import BadValue
from arcwright.kinematics.trail import trail
from arcwright.scene.activity import ActivityEvent, Effector
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.target import Target
from arcwright.solve.threads import on_one_thread
from arcwright.tools.activity.clearance import point_places
from arcwright.tools.activity.dragged_elements import (
    DraggedElement,
    added_event,
    displacement_of,
    dragged_element,
    event_name,
    handle_name,
)
from arcwright.tools.activity.event_timing import (
    event_warp,
    retimed_poses,
    timing_notes,
    with_timing,
)
from arcwright.tools.activity.new_props import SwappedProp, swapped_with
from arcwright.tools.activity.notes import activity_notes
from arcwright.tools.activity.object_result import changed_range
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.overlays import activity_overlays, rest_overlays
from arcwright.tools.activity.placement import Displacement, ElementEdits
from arcwright.tools.activity.prepared import PreparedActivity, SolvedActivity
from arcwright.tools.activity.residuals import Residual, residuals
from arcwright.tools.activity.result import build_edit, object_poses
from arcwright.tools.gesture import Drag, Gesture, Setting, ToolHandle
from arcwright.tools.overlay import Overlay
from arcwright.tools.shared.drags import DRAG_TOLERANCE, DragResidual
from arcwright.tools.tool import DragStatus, Note, Preview, PreviewPose

LABEL = "Activity"


class ActivitySession:
    """Keeps the scene it began with; every result is computed from it."""

    def __init__(self, scene: Scene, target: Target, options: ActivityOptions) -> None:
        self.scene, self.target, self.options = scene, target, options
        self._added: tuple[tuple[Effector, ActivityEvent], ...] = ()
        self._prepare()
        self._displaced: dict[DraggedElement, Displacement] = {}
        self._scales: dict[str, Floats] = {}
        self._swaps: dict[str, SwappedProp] = {}
        self._times: dict[int, float] = {}  # of retimed events, s
        self._last: tuple[DraggedElement, Drag] | None = None
        self._updates = 0
        self._ending: tuple[int, SolvedActivity] | None = None

    def _prepare(self) -> None:
        scene, follows = self.scene, self.options.body_follows
        self._prepared = PreparedActivity(scene, self.target, follows, self._added)
        self._longer: tuple[bytes, Edit, PreparedActivity] | None = None

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """Follow a drag of an element at an event, or of the event itself in time."""
        if isinstance(gesture, Setting):
            return self.set_options(gesture.options)
        assert isinstance(gesture, Drag)
        held = dragged_element(self._prepared, gesture)
        if held is None:
            self._added = (*self._added, added_event(self._prepared, gesture))
            self._prepare()
            held = dragged_element(self._prepared, gesture)
            assert held is not None
        if gesture.to_time is not None:
            self._times[held.frame] = gesture.to_time
        if gesture.scale is not None:
            self._scale(held, gesture.scale)
        if gesture.position is not None or gesture.orientation is not None:
            self._forget_tied(held)
            self._displaced[held] = displacement_of(self._prepared, held, gesture)
        self._last = held, gesture
        self._updates += 1
        return self._previewed()

    def _forget_tied(self, held: DraggedElement) -> None:
        """Drop what was done to an element at events that are displaced with this one."""
        knots = self._prepared.knots[held.element]
        tied = knots.tied(knots.at_event(self._event(held)))
        frames = {frame for frame, one in zip(knots.frames, tied.tolist(), strict=True) if one}
        for other in list(self._displaced):
            if other.element == held.element and other.frame in frames - {held.frame}:
                del self._displaced[other]

    def rest_overlays(self) -> tuple[Overlay, ...]:
        """Trajectories of all elements, and handles at events."""
        return rest_overlays(self._prepared)

    def _scale(self, held: DraggedElement, scale: Floats) -> None:
        at = self._event(held)
        event = self._prepared.activity.events[at]
        if held.element not in event.scalable:
            known = ", ".join(event.scalable) or "none"
            where = f"object that may be scaled at {event_name(self._prepared, at)}"
            raise BadValue(where, known, held.element)
        self._scales[held.element] = scale

    @on_one_thread
    def swap(self, element: str, new: SwappedProp) -> Preview:
        """Put another prop in the place of an object."""
        allowed = {name for each in self._prepared.activity.events for name in each.replaceable}
        if element not in allowed:
            known = ", ".join(sorted(allowed)) or "none"
            raise BadValue("object that may be swapped", known, element)
        self._swaps[element] = new
        self._last = None
        self._updates += 1
        return self._previewed()

    def replace_object(self, element: str, new: Actor) -> Preview:
        """Put another prop in the place of an object, with anchors that its joints mark."""
        return self.swap(element, swapped_with(self._prepared.activity.object(element), new))

    @on_one_thread
    def set_options(self, options: ActivityOptions) -> Preview:
        """Follow other options, with the same edits."""
        if options.body_follows != self.options.body_follows:
            self.options = options
            self._prepare()
        self.options = options
        self._updates += 1
        return self._previewed()

    def handle(self, event: int, element: str) -> str:
        """The name of the handle of an element at an event, by its index."""
        return handle_name(self._prepared.frames[event], element)

    def event_time(self, event: int) -> float:
        """The time of an event, s, at a frame of the take."""
        return float(self._prepared.times[self._prepared.frames[event]])

    def original_place(self, event: int, element: str) -> tuple[Floats, Floats]:
        """Position (3,) and orientation (4,) of an element at an event, before the edit."""
        track, frame = self._prepared.tracks[element], self._prepared.frames[event]
        return track.position[frame], track.orientation[frame]

    def residuals(self, after: Scene) -> list[Residual]:
        """How exactly the scene after the edit does what was asked, before events are retimed."""
        if self._times:
            after = self._untimed(self._ended()).apply(self.scene)
        return residuals(self.edits, self._ended(), after)

    def _event(self, held: DraggedElement) -> int:
        return self._prepared.frames.index(held.frame)

    @property
    def edits(self) -> ElementEdits:
        """What was edited so far."""
        displaced = {(self._event(each), each.element): by for each, by in self._displaced.items()}
        return ElementEdits(displaced, self._scales, self._swaps)

    def _previewed(self) -> Preview:
        solved = self._solved(preview=True)
        update = self._updates
        return Preview(
            lambda: self._edit(solved),
            lambda: self.notes() if update == self._updates else (),
            lambda: self._span(solved),
            poses=self._poses(solved),
            overlays=activity_overlays(
                solved.prepared, solved.paths, self._prepared.frames, self._held
            ),
            drag=self._status(solved),
        )

    def _solved(self, *, preview: bool = False) -> SolvedActivity:
        """What the edits lead to, in a take with time for all steps."""
        return self._roomy().solve(self.edits, self.options, preview=preview)

    def _roomy(self) -> PreparedActivity:
        """The activity, with more time where steps need it."""
        warp = self._room()
        if warp is None:
            return self._prepared
        key = warp.time.tobytes() + warp.stretch.tobytes()
        if self._longer is None or self._longer[0] != key:
            timing = with_timing(self._prepared, Edit(LABEL), warp)
            scene = timing.apply(self.scene)
            moved = tuple(
                (effector, replace(event, time=warp.moment(event.time)))
                for effector, event in self._added
            )
            roomy = PreparedActivity(scene, self.target, self.options.body_follows, moved)
            self._longer = key, timing, roomy
        return self._longer[2]

    def _room(self) -> TimeWarp | None:
        return self._prepared.room(self.edits, self.options)

    @property
    def _held(self) -> DraggedElement | None:
        """What is dragged through space, not in time."""
        if self._last is None or self._last[1].to_time is not None:
            return None
        return self._last[0]

    def _poses(self, solved: SolvedActivity) -> tuple[PreviewPose, ...]:
        if self._last is None:
            return ()
        if self._last[1].to_time is not None:
            warp = event_warp(self._prepared, self._times)
            after = self._untimed(solved).apply(self.scene)
            return tuple(retimed_poses(self._prepared, after, warp, self._last[1].time))
        event = self._event(self._last[0])
        frame = solved.prepared.frames[event]
        own = Target(self._prepared.actor.name, self._prepared.take.name)
        time = float(self._prepared.times[self._prepared.frames[event]])  # previews keep old times
        body = PreviewPose(own, time, solved.body.pose(frame))
        props = (replace(each, time=time) for each in object_poses(solved, event))
        return (body, *props)

    def _status(self, solved: SolvedActivity) -> DragStatus | None:
        if self._last is None or self._last[1].position is None:
            return None
        held, drag = self._last
        assert drag.position is not None
        place = self._place_between_frames(solved)
        if place is None:
            frame = solved.prepared.frames[self._event(held)]
            asked = self._displaced[held].move
            assert asked is not None
            effector = solved.prepared.body.effectors.get(held.element)
            if effector is None:
                place = drag.position - asked + solved.paths[held.element].move[frame]
            else:
                values = solved.body.pose(frame)[None]
                place = point_places(solved.prepared.take.rig, effector.point, values)[0]
        left = float(np.linalg.norm(drag.position - place))
        return DragStatus(place, drag.position, left)

    def _place_between_frames(self, solved: SolvedActivity) -> Floats | None:
        """(3,) m, where a point is that is dragged between two frames; None at a frame."""
        assert self._last is not None
        drag = self._last[1]
        frame = drag.time * self._prepared.take.rate
        if isinstance(drag.handle, ToolHandle) or abs(frame - round(frame)) < 1e-6:
            return None
        after = self._edit(solved).apply(self.scene).actor(drag.point.character)
        take = after.take(self._prepared.take.name)
        place: Floats = trail(take, drag.point, [drag.time]).position[0]
        return place

    def _span(self, solved: SolvedActivity) -> tuple[float, float] | None:
        times = solved.prepared.times
        moving = [np.abs(path.move).max(axis=1) > 0 for path in solved.paths.values()]
        changed = np.any([solved.body.changed, *moving], axis=0) & (not self.edits.none)
        warp = event_warp(self._prepared, self._times)
        if warp is not None:
            changed |= np.abs(warp(times) - times) > 0.5 / solved.prepared.take.rate
        if not changed.any():
            return None
        first, last = changed_range(changed)
        return float(times[first]), float(times[last])

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step."""
        return self._edit(self._ended())

    def _ended(self) -> SolvedActivity:
        """The result if the interaction finished now; computed once for each update."""
        if self._ending is None or self._ending[0] != self._updates:
            self._ending = self._updates, self._solved()
        return self._ending[1]

    def _edit(self, solved: SolvedActivity) -> Edit:
        edit = self._untimed(solved)
        warp = event_warp(self._prepared, self._times)
        return edit if warp is None else with_timing(self._prepared, edit, warp)

    def _untimed(self, solved: SolvedActivity) -> Edit:
        """The edit without what retimed events do."""
        label = self._label()
        edit = Edit(label)
        if not self.edits.none:
            edit = build_edit(solved, self.options, label)
            if solved.prepared is not self._prepared and self._longer is not None:
                edit = Edit(label, (*self._longer[1].changes, *edit.changes))
        return edit

    def warp(self) -> TimeWarp | None:
        """How finishing moves frames in time, by added steps or else by retimed events."""
        return self._room() or event_warp(self._prepared, self._times)

    def warp_of(self, _: Edit) -> TimeWarp | None:
        """How any result of this session or a fork of it moves frames in time."""
        return self.warp()

    def _label(self) -> str:
        if self._last is None:
            return f"Swap {', '.join(self._swaps)}" if self._swaps else LABEL
        held, drag = self._last
        verb = "Move"
        if drag.to_time is not None:
            return f"Retime {event_name(self._prepared, self._event(held))}"
        if drag.position is None:
            verb = "Scale" if drag.scale is not None else "Rotate"
        return f"{verb} {held.element} at {event_name(self._prepared, self._event(held))}"

    @on_one_thread
    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        timing = tuple(timing_notes(self._prepared, self._times))
        if self.edits.none:
            return timing
        solved = self._ended()
        return (*timing, *activity_notes(solved, self.edits), *self._between_frames(solved))

    def _between_frames(self, solved: SolvedActivity) -> tuple[Note, ...]:
        """A note where a point that is dragged between two frames does not get there."""
        if self._last is None or self._last[1].position is None:
            return ()
        place, drag = self._place_between_frames(solved), self._last[1]
        if place is None or drag.orientation is not None:
            return ()
        residual = DragResidual.of(drag, place, np.eye(3))
        return (residual.note(),) if residual.size > DRAG_TOLERANCE else ()

    def fork(self) -> ActivitySession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other._displaced, other._scales = dict(self._displaced), dict(self._scales)
        other._times, other._swaps, other._ending = dict(self._times), dict(self._swaps), None
        return other
