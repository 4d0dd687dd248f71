"""Cycle session: the first gesture says which use of the tool it is."""

from __future__ import annotations

import copy
from typing import Any, TypeAlias

from arcwright.errors import BadValue
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.record import Recording
from arcwright.tools.gesture import Drag, Gesture, Performance, ToolHandle
from arcwright.tools.tool import Note, Preview, Session

Use: TypeAlias = type[Any]  # a session that begins with scene, target and options


class CycleSession:
    """Performing, or another use of a loop; one in each interaction."""

    def __init__(self, scene: Scene, target: Target, options: CycleOptions) -> None:
        self.scene, self._target, self.options = scene, target, options
        self._use: Session | None = None

    def update(self, gesture: Gesture) -> Preview:
        """Pass the gesture on to its use."""
        kind = self._kind(gesture)
        use = self._use
        if use is None:
            use = kind(self.scene, self._target, self.options)
        elif not isinstance(use, kind):
            expected = f"the kind of gesture that it began with ({type(use).__name__})"
            raise BadValue("gesture of cycle", expected, type(gesture).__name__)
        preview = use.update(gesture)
        self._use = use
        return preview

    def _kind(self, gesture: Gesture) -> Use:
        """The use of a gesture; a handle belongs to the use that gave it out."""
        if isinstance(gesture, Performance):
            return Recording
        if isinstance(gesture, Drag) and isinstance(gesture.handle, ToolHandle) and self._use:
            return type(self._use)
        raise BadValue("gesture of cycle", "a Performance", type(gesture).__name__)

    def set_options(self, options: CycleOptions) -> Preview:
        """The edit as it would be with other options."""
        self.options = options
        if self._use is None:
            return Preview(self.finish)
        return self._use.set_options(options)

    def finish(self) -> Edit:
        """One undo step."""
        return Edit("Motion cycle") if self._use is None else self._use.finish()

    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        return () if self._use is None else self._use.notes()

    def fork(self) -> CycleSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other._use = None if self._use is None else self._use.fork()
        return other
