"""Cycle session: the first gesture says which use of the tool an interaction is.

A performance is recorded, a stroke is ground to stand on, a drag shapes the loop, and so does an
option that is set without any other gesture. A target with a recording makes its layer again.
"""

from __future__ import annotations

import copy

from arcwright.errors import BadValue
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.cycle.contact.contact_stroke import ContactStroke
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.recording.record import RecordingSession
from arcwright.tools.cycle.shaping.shape import Shaping
from arcwright.tools.gesture import Drag, Gesture, Performance, Setting, Stroke, ToolHandle
from arcwright.tools.overlay import Overlay
from arcwright.tools.tool import Note, Preview, Reviews, Session

LABEL = "Motion cycle"
USES: dict[type[object], tuple[type[RecordingSession | ContactStroke | Shaping], str]] = {
    Performance: (RecordingSession, "performed"),
    Stroke: (ContactStroke, "brought into contact"),
    Drag: (Shaping, "shaped"),
}


class CycleSession:
    """One use of a loop; a gesture of another use is refused and changes nothing."""

    def __init__(self, scene: Scene, target: Target, options: CycleOptions) -> None:
        self.scene, self._target, self.options = scene, target, options
        self._use: Session | None = None
        if target.recording is not None:
            self._use = RecordingSession(scene, target, options)
        self._setting: Session | None = None  # shaping by options, until another gesture comes

    def update(self, gesture: Gesture) -> Preview:
        """Pass the gesture on to its use; a handle belongs to the use that gave it out."""
        if isinstance(gesture, Setting):
            return self.set_options(gesture.options)
        held = isinstance(gesture, Drag) and isinstance(gesture.handle, ToolHandle)
        if self._use is not None and held:
            return self._use.update(gesture)
        kind, _ = USES[type(gesture)]
        if self._use is not None and not isinstance(self._use, kind):
            _, done = next(each for each in USES.values() if isinstance(self._use, each[0]))
            expected = f"no other kind of gesture: this loop is being {done}; finish that first"
            raise BadValue("gesture of cycle", expected, type(gesture).__name__)
        use: Session = self._use or kind(self.scene, self._target, self.options)
        preview = use.update(gesture)
        self._use, self._setting = use, None
        return preview

    def set_options(self, options: CycleOptions) -> Preview:
        """The edit as it would be with other options."""
        use = self._use or self._setting
        if use is None and _shapes(options):
            use = Shaping(self.scene, self._target, self.options)
        preview = Preview(lambda: Edit(LABEL)) if use is None else use.set_options(options)
        if self._use is None:
            self._setting = use
        self.options = options
        return preview

    def finish(self) -> Edit:
        """One undo step; empty without a gesture."""
        use = self._use or self._setting
        return Edit(LABEL) if use is None else use.finish()

    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        use = self._use or self._setting
        return () if use is None else use.notes()

    def result_overlays(self) -> tuple[Overlay, ...] | None:
        """What is drawn of a performance once all of it was looked at."""
        return self._use.result_overlays() if isinstance(self._use, Reviews) else None

    def fork(self) -> CycleSession:
        """A session that stands where this one does, for another thread."""
        other = copy.copy(self)
        other._use = None if self._use is None else self._use.fork()
        other._setting = None if self._setting is None else self._setting.fork()
        return other


def _shapes(options: CycleOptions) -> bool:
    """Whether options change the loop without any other gesture."""
    return options.loop_period is not None or options.phase != 0
