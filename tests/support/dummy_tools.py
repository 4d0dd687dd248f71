"""A dummy tool for each gesture: all of them shift the root of a character, in a few lines each.

They follow "Add a tool in six steps" of CONTRIBUTING.md, and pass the laws of all tools.
"""

import copy
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from arcwright.curves.keys import keyed
from arcwright.errors import BadValue
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import find_clip
from arcwright.scene.edit import Change, Edit
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind
from arcwright.tools.catalogue import TOOLS
from arcwright.tools.gesture import Drag, Performance, Setting, Stroke, ToolHandle
from arcwright.tools.options import Options, option
from arcwright.tools.overlay import (
    Choice,
    ChoicesOverlay,
    CurveOverlay,
    HandleOverlay,
    MarkersOverlay,
    SpanOverlay,
    StrokeOverlay,
    TextOverlay,
)
from arcwright.tools.tool import DragStatus, Preview, PreviewPose

TICK = 1 / 120  # s, of the falling root
LOW = np.array([0.0, -10.0, 0.0])  # m/s^2


@dataclass(frozen=True)
class ShiftOptions(Options):
    """How far a gesture shifts."""

    gain: float = option(1.0, "Gain", "how much of the gesture is used", low=0.0, high=4.0)


class ShiftSession:
    """Shifts all keys of the root's translation by what the gestures so far come to."""

    def __init__(self, scene, target, options):
        self.scene, self.options = scene, options
        self.edited = find_clip(scene, target)
        self.target = replace(target, character=self.edited.actor.name, take=self.edited.take.name)
        table = self.edited.take.rig.channels
        root = int(table.joint[table.kind == Kind.TRANSLATE_X][0])
        self.joint = self.edited.take.rig.names[root]
        own = np.flatnonzero((table.joint == root) & (table.kind <= Kind.TRANSLATE_Z))
        self.channels = own[np.argsort(table.kind[own])]
        self.last = None
        self.by = np.zeros(3)

    def update(self, gesture):
        self.by, self.last = self.follow(gesture), gesture
        return self.preview()

    def set_options(self, options):
        self.options = options
        return self.preview()

    def preview(self):
        edit = self.finish()
        drag = self.last if isinstance(self.last, Drag) else None
        time = drag.time if drag else 0.0
        after = edit.apply(self.scene).actor(self.target.character).take(self.target.take)
        pose = PreviewPose(self.target, time, values_at(after, np.array([time]))[0])
        root = trail(after, Point(self.joint), [time]).position[0]
        status = None
        if drag is not None:
            place = root if isinstance(drag.handle, ToolHandle) else at(after, drag)
            left = 0.0 if drag.position is None else float(np.linalg.norm(place - drag.position))
            status = DragStatus(place, drag.position, left)
        span = 0.0, self.edited.take.duration
        shown = (HandleOverlay("root", root), *self.overlays())
        return Preview(lambda: edit, lambda: (), lambda: span, (pose,), shown, status)

    def overlays(self):
        return ()

    def finish(self):
        shift = self.options.gain * self.by
        if not shift.any():
            return Edit("Shift")
        changes = []
        for channel, by in zip(self.channels.tolist(), shift.tolist(), strict=True):
            old = self.edited.clip.curves[channel]
            new = keyed([0.0], [by]) if old is None else replace(old, value=old.value + by)
            changes.append(Change((*self.edited.curves, channel), old, new))
        return Edit("Shift", tuple(changes))

    def notes(self):
        return ()

    def fork(self):
        return copy.copy(self)


def at(take, drag):
    return trail(take, drag.point, [drag.time]).position[0]


class DragSession(ShiftSession):
    """By as much as a point, or the handle of the root, is dragged."""

    def follow(self, gesture):
        if not isinstance(gesture, Drag) or gesture.position is None:
            raise BadValue("gesture", "a Drag of a position", type(gesture).__name__)
        held = isinstance(gesture.handle, ToolHandle)
        start = replace(gesture, handle=Point(self.joint)) if held else gesture
        return gesture.position - at(self.edited.take, start)

    def overlays(self):
        """The way of the root, how long it is, and what of the take it moves."""
        start = trail(self.edited.take, Point(self.joint), [0.0]).position[0]
        way = np.stack([start, start + self.options.gain * self.by])
        length = TextOverlay(f"{np.linalg.norm(way[1] - way[0]):.2f} m", way.mean(0))
        span = SpanOverlay(0.0, self.edited.take.duration, "Shifted")
        return CurveOverlay(way, "reference"), length, span


class SettingSession(ShiftSession):
    """Upwards by the gain less one, m."""

    def follow(self, gesture):
        raise BadValue("gesture", "a Setting", type(gesture).__name__)

    def finish(self):
        self.by = np.array([0.0, 1.0 - 1.0 / self.options.gain if self.options.gain else 0.0, 0.0])
        return super().finish()


class StrokeSession(ShiftSession):
    """Sideways by a metre for each 100 px between the first and the last sample."""

    def __init__(self, *given):
        super().__init__(*given)
        self.first = self.now = None

    def follow(self, gesture):
        if not len(gesture):
            return self.by
        self.first = gesture.points[0] if self.first is None else self.first
        self.now = gesture.points[-1]
        return np.array([(self.now - self.first)[0] / 100, 0.0, 0.0])

    def overlays(self):
        return () if self.now is None else (StrokeOverlay(np.stack([self.first, self.now])),)


class PerformanceSession(ShiftSession):
    """By as much as the first device has moved."""

    def __init__(self, *given):
        super().__init__(*given)
        self.first = None

    def follow(self, gesture):
        if not len(gesture):
            return self.by
        self.first = gesture.poses[0, 0, :3] if self.first is None else self.first
        return gesture.poses[-1, 0, :3] - self.first

    def overlays(self):
        """Where the device is, and how much of it is used."""
        if self.first is None:
            return ()
        gains = 1.0, 2.0
        chosen = gains.index(self.options.gain) if self.options.gain in gains else -1
        offered = tuple(Choice(f"{gain:g} times", gain) for gain in gains)
        markers = MarkersOverlay((self.first + self.by)[None])
        return markers, ChoicesOverlay("gain", "Gain", offered, chosen)


class FallSession(DragSession):
    """Falls from where it is dragged to, in ticks of a fixed length."""

    def __init__(self, *given):
        super().__init__(*given)
        self.ticks = 0

    def advance(self, to_time):
        while (self.ticks + 1) * TICK <= to_time:
            self.ticks += 1
        self.by = LOW * (self.ticks * TICK) ** 2 / 2
        return self.preview()


class DummyTool:
    """A tool that shifts the root of a character."""

    Options = ShiftOptions
    one_frame = False

    def __init__(self, name, gesture, session):
        self.name, self.label = name, name.capitalize()
        self.gestures = (gesture,)
        self._session = session

    def begin(self, scene, target, options):
        return self._session(scene, target, options)


DUMMIES = (
    DummyTool("shift", Drag, DragSession),
    DummyTool("lift", Setting, SettingSession),
    DummyTool("sketch", Stroke, StrokeSession),
    DummyTool("act", Performance, PerformanceSession),
    DummyTool("fall", Drag, FallSession),
)


@contextmanager
def dummies_in_catalogue():
    """All faces know the dummy tools meanwhile."""
    TOOLS.extend(DUMMIES)
    try:
        yield DUMMIES
    finally:
        del TOOLS[-len(DUMMIES) :]
