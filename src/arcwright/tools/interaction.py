"""Interaction: one use of a tool, from begin to finish, whatever the face.

It holds the gestures made so far, so that the interaction can go on with other options or on a
scene that another edit has changed meanwhile.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from time import monotonic
from typing import Any

import numpy as np

from arcwright.arrays import same
from arcwright.curves.time_warp import TimeWarp
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.edit import Edit
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag, Gesture, Performance, Setting, Stroke, joined
from arcwright.tools.overlay import Overlay
from arcwright.tools.tool import (
    Detects,
    DragStatus,
    Note,
    Offer,
    Preview,
    Progress,
    Retimes,
    Reviews,
    Runs,
    Session,
    SolvesFurther,
    Tool,
)


class Interaction:
    """Gestures given to one session of a tool."""

    def __init__(
        self, tool: Tool, scene: Scene, target: Target, options: Any, *, detect: bool = False
    ) -> None:
        self.tool, self.options = tool, options
        self.target = _named(scene, target)
        self.detects = detect  # contacts that the tool detects become part of the edit
        self.preview: Preview | None = None
        self.offer: Offer | None = None
        self.result: Edit | None = None  # what finishing gives, once that is known
        self.updated = 0.0  # s, when the last gesture was followed
        self._drags: dict[Hashable, Drag] = {}
        self._samples: dict[type[Any], list[Any]] = {}  # chunks of strokes and performances
        self._set = False  # whether options were set, as a gesture
        self.begin(scene)

    def begin(self, scene: Scene) -> None:
        """Begin on a scene, also on one that has changed, and repeat the gestures made so far."""
        self.scene, self.result = scene, None
        self.detected = self._detected(scene)
        start = self.detected.apply(scene)
        self.session: Session = self.tool.begin(start, self.target, self.options)
        if self._set:
            self._updated(self.session.set_options(self.options))
        for parts in self._samples.values():
            self._follow(joined(parts))
        for drag in self._drags.values():  # of handles, too, which samples brought about
            self._follow(drag)

    @property
    def last_drag(self) -> Drag | None:
        """The latest drag."""
        return next(reversed(self._drags.values()), None)

    def update(self, gesture: Gesture) -> Preview:
        """Follow a gesture; one that replaces another of the same key is kept instead of it."""
        if isinstance(gesture, Setting):
            return self.set_options(gesture.options)
        if type(gesture) not in self.tool.gestures:
            known = " or ".join(each.__name__ for each in self.tool.gestures)
            raise BadValue(f"gesture of {self.tool.name}", known, type(gesture).__name__)
        preview = self._follow(gesture)
        if isinstance(gesture, Drag):
            self._drags.pop(gesture.key, None)
            self._drags[gesture.key] = gesture
        else:
            self._samples.setdefault(type(gesture), []).append(gesture)
        return preview

    def set_options(self, options: Any) -> Preview:
        """Follow other options, with the same gestures."""
        before, self.options = self.options, options
        try:
            if not same(self._detected(self.scene), self.detected):
                self.begin(self.scene)
            preview = self._updated(self.session.set_options(options))
            self._set = self._set or Setting in self.tool.gestures
            return preview
        except Exception:
            self.options = before
            raise

    def advance(self, to_time: float) -> Preview | None:
        """Let a session with a clock go on; None for one without."""
        if not isinstance(self.session, Runs):
            return None
        return self._updated(self.session.advance(to_time))

    def finish(self) -> Edit:
        """The edit, with the contacts that it detects: one undo step."""
        if self.result is None:
            self.result = self.session.finish()
        edit = self.result
        if edit.empty or self.detected.empty:
            return edit
        return Edit(edit.label, (*self.detected.changes, *edit.changes))

    @property
    def warp(self) -> TimeWarp | None:
        """How the result moves frames in time, once it is known; None where they stay."""
        if self.result is None or not isinstance(self.session, Retimes):
            return None
        return self.session.warp_of(self.result)

    def solve_further(self, progress: Progress) -> tuple[Edit, tuple[Note, ...]]:
        """The edit with more time than finishing takes, and its notes; for another thread."""
        fork = self.session.fork()
        if not isinstance(fork, SolvesFurther):
            return self.finish(), self.notes()
        edit = fork.solve_further(progress)
        changes = () if edit.empty else self.detected.changes
        return Edit(edit.label, (*changes, *edit.changes)), fork.notes()

    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        return self.session.notes()

    def preview_scene(self) -> Scene:
        """The scene as previewed now."""
        return self.scene if self.preview is None else self.preview.edit.apply(self.scene)

    def result_overlays(self) -> tuple[Overlay, ...] | None:
        """What is drawn of the result, where that differs from the last preview."""
        return self.session.result_overlays() if isinstance(self.session, Reviews) else None

    def preview_result(self, result: Edit, overlays: tuple[Overlay, ...] | None = None) -> Preview:
        """Preview what finishing gives, so that nothing jumps on release.

        What it moves in time is seen on release: under the pointer frames stay where they are.
        """
        assert self.preview is not None
        self.result, shown = result, self.preview
        if self.warp is not None:
            return shown
        after = result.apply(self.scene)
        poses = []
        for pose in shown.poses:
            actor = after.actor(pose.target.character)
            # a pose of no take is of an actor without one, which has its first one in the result
            take = actor.take(pose.target.take) if pose.target.take else actor.takes[0]
            poses.append(replace(pose, values=values_at(take, np.array([pose.time]))[0]))
        self.preview = Preview(
            lambda: result,
            lambda: shown.notes,
            lambda: shown.span,
            tuple(poses),
            shown.overlays if overlays is None else overlays,
            self._drag_status(after, shown.drag),
        )
        return self.preview

    def _drag_status(self, after: Scene, shown: DragStatus | None) -> DragStatus | None:
        drag = self.last_drag
        if shown is None or drag is None or not isinstance(drag.handle, Point):
            return shown
        if drag.point.character not in ("", self.target.character):
            return shown
        take = after.actor(self.target.character).take(self.target.take)
        position = trail(take, drag.point, [drag.time]).position[0]
        remaining = shown.remaining
        if drag.position is not None:
            away = position - drag.position
            remaining = float(np.linalg.norm(away if drag.axes is None else drag.axes @ away))
        return DragStatus(position, drag.position, remaining)

    def _detected(self, scene: Scene) -> Edit:
        if not self.detects or not isinstance(self.tool, Detects):
            return Edit("")
        return self.tool.detect(scene, self.target, self.options)

    def _follow(self, gesture: Drag | Stroke | Performance) -> Preview:
        return self._updated(self.session.update(gesture))

    def _updated(self, preview: Preview) -> Preview:
        self.offer = self.result = None
        self.preview, self.updated = preview, monotonic()
        return preview


def _named(scene: Scene, target: Target) -> Target:
    """The target with full names; a prop may have no take."""
    actor = scene.actor(target.character)
    if target.take:
        take = actor.take(target.take).name
    else:
        take = actor.takes[0].name if actor.takes else ""
    return replace(target, character=actor.name, take=take)
