"""Activity session: displaced events, scaled objects and retimed events become one edit."""

from __future__ import annotations

import copy
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.time_warp import TimeWarp
from arcwright.errors import BadValue
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.solve.threads import on_one_thread
from arcwright.tools.activity.dragged_elements import (
    DraggedElement,
    displacement_of,
    dragged_element,
    event_name,
)
from arcwright.tools.activity.event_timing import event_warp, with_timing
from arcwright.tools.activity.notes import activity_notes
from arcwright.tools.activity.options import ActivityOptions
from arcwright.tools.activity.overlays import activity_overlays, rest_overlays
from arcwright.tools.activity.placement import Displacement, ElementEdits
from arcwright.tools.activity.prepared import PreparedActivity, SolvedActivity
from arcwright.tools.activity.result import build_edit, object_poses
from arcwright.tools.gesture import Drag, Gesture, Setting
from arcwright.tools.overlay import Overlay
from arcwright.tools.tool import DragStatus, Note, Preview, PreviewPose

LABEL = "Activity"


class ActivitySession:
    """Keeps the scene it began with; every result is computed from it."""

    def __init__(self, scene: Scene, target: Target, options: ActivityOptions) -> None:
        self.scene, self.target, self.options = scene, target, options
        self._prepared = PreparedActivity(scene, target, options.body_follows)
        self._displaced: dict[DraggedElement, Displacement] = {}
        self._scales: dict[str, Floats] = {}
        self._times: dict[int, float] = {}  # of retimed events, s
        self._last: tuple[DraggedElement, Drag] | None = None
        self._updates = 0
        self._ending: tuple[int, SolvedActivity] | None = None
        self._longer: tuple[bytes, Edit, PreparedActivity] | None = None

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """Follow a drag of an element at an event, or of the event itself in time."""
        if isinstance(gesture, Setting):
            return self.set_options(gesture.options)
        assert isinstance(gesture, Drag)
        held = dragged_element(self._prepared, gesture)
        if gesture.to_time is not None:
            self._times[held.event] = gesture.to_time
        if gesture.scale is not None:
            self._scale(held, gesture.scale)
        if gesture.position is not None or gesture.orientation is not None:
            self._displaced[held] = displacement_of(self._prepared, held, gesture)
        self._last = held, gesture
        self._updates += 1
        return self._previewed()

    def rest_overlays(self) -> tuple[Overlay, ...]:
        """Trajectories of all elements, and handles at events."""
        return rest_overlays(self._prepared)

    def _scale(self, held: DraggedElement, scale: Floats) -> None:
        event = self._prepared.activity.events[held.event]
        if held.element not in event.scalable:
            known = ", ".join(event.scalable) or "none"
            where = f"object that may be scaled at {event_name(self._prepared, held.event)}"
            raise BadValue(where, known, held.element)
        self._scales[held.element] = scale

    @on_one_thread
    def set_options(self, options: ActivityOptions) -> Preview:
        """Follow other options, with the same edits."""
        if options.body_follows != self.options.body_follows:
            self._prepared = PreparedActivity(self.scene, self.target, options.body_follows)
            self._longer = None
        self.options = options
        self._updates += 1
        return self._previewed()

    @property
    def edits(self) -> ElementEdits:
        """What was edited so far."""
        displaced = {(each.event, each.element): by for each, by in self._displaced.items()}
        return ElementEdits(displaced, self._scales)

    def _previewed(self) -> Preview:
        solved = self._solved(preview=True)
        update = self._updates
        return Preview(
            lambda: self._edit(solved),
            lambda: self.notes() if update == self._updates else (),
            lambda: self._span(solved),
            poses=self._poses(solved),
            overlays=activity_overlays(solved.prepared, solved.paths, self._held),
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
            roomy = PreparedActivity(scene, self.target, self.options.body_follows)
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
        event = self._last[0].event
        frame = solved.prepared.frames[event]
        own = Target(self._prepared.actor.name, self._prepared.take.name)
        time = float(self._prepared.times[self._prepared.frames[event]])  # previews keep old times
        body = PreviewPose(own, time, solved.body.values[frame])
        props = (replace(each, time=time) for each in object_poses(solved, event))
        return (body, *props)

    def _status(self, solved: SolvedActivity) -> DragStatus | None:
        if self._last is None or self._last[1].position is None:
            return None
        held, drag = self._last
        frame = solved.prepared.frames[held.event]
        asked = self._displaced[held].move
        assert drag.position is not None
        assert asked is not None
        left: Floats = asked - solved.paths[held.element].move[frame]
        away = solved.body.remaining.get(held.element)
        remaining = max(float(np.linalg.norm(left)), 0.0 if away is None else float(away[frame]))
        return DragStatus(drag.position - left, drag.position, remaining)

    def _span(self, solved: SolvedActivity) -> tuple[float, float] | None:
        moving = [np.abs(path.move).max(axis=1) > 0 for path in solved.paths.values()]
        changed = np.flatnonzero(np.any([solved.body.changed, *moving], axis=0))
        if not len(changed):
            return None
        times = solved.prepared.times
        return float(times[changed[0]]), float(times[changed[-1]])

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
        label = self._label()
        edit = Edit(label)
        if not self.edits.none:
            edit = build_edit(solved, self.options, label)
            if solved.prepared is not self._prepared and self._longer is not None:
                edit = Edit(label, (*self._longer[1].changes, *edit.changes))
        warp = event_warp(self._prepared, self._times)
        return edit if warp is None else with_timing(self._prepared, edit, warp)

    def warp(self) -> TimeWarp | None:
        """How finishing moves frames in time, by added steps or else by retimed events."""
        return self._room() or event_warp(self._prepared, self._times)

    def warp_of(self, _: Edit) -> TimeWarp | None:
        """How any result of this session or a fork of it moves frames in time."""
        return self.warp()

    def _label(self) -> str:
        if self._last is None:
            return LABEL
        held, drag = self._last
        verb = "Move"
        if drag.to_time is not None:
            return f"Retime {event_name(self._prepared, held.event)}"
        if drag.position is None:
            verb = "Scale" if drag.scale is not None else "Rotate"
        return f"{verb} {held.element} at {event_name(self._prepared, held.event)}"

    @on_one_thread
    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        if self.edits.none:
            return ()
        return activity_notes(self._ended(), self.edits)

    def fork(self) -> ActivitySession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other._displaced, other._scales = dict(self._displaced), dict(self._scales)
        other._times, other._ending = dict(self._times), None
        return other
