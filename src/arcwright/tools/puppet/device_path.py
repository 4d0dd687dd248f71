"""Device path: samples of a device, looked up at the ticks of a puppet."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_normalise, slerp
from arcwright.tools.gesture import Performance, joined

HELD = "held"  # the name of the button that holds a puppet
HEAD = "head"  # the name of the button by which a second device holds the head
SAME_TIME = 1e-9  # s
JUMP = "jump"  # the name of the button of a device that makes the stick's flick by itself
ACTION_BUTTONS = ("punch", "kick", "throw")  # names of buttons that ask for an action


class DevicePath:
    """All samples so far; what lies between two of them is interpolated."""

    def __init__(self) -> None:
        self._chunks: list[Performance] = []
        self._last: _Sample | None = None  # before the next chunk
        self._down: Bools | None = None  # (B,) buttons at that sample
        self._presses: list[tuple[float, str]] = []  # that no tick has seen yet

    @property
    def start(self) -> float | None:
        """Seconds of the first sample."""
        return float(self._chunks[0].times[0]) if self._chunks else None

    @property
    def end(self) -> float | None:
        """Seconds of the last sample."""
        return self._last.time if self._last else None

    @property
    def first_place(self) -> Floats:
        """(3,) m, where the device was at the first sample."""
        return np.asarray(self._chunks[0].poses[0, 0, :3])

    def rest(self, until: float) -> PathPart | None:
        """The device stays where it was last: a sample of that becomes part of the path."""
        if self._last is None or until <= self._last.time:
            return None
        last = self._chunks[-1]
        still = {name: getattr(last, name)[-1:] for name in ("poses", "axes", "buttons")}
        return self._added(replace(last, times=np.array([until]), **still))

    @property
    def whole(self) -> Performance | None:
        """All samples."""
        return joined(self._chunks) if self._chunks else None

    def fork(self) -> DevicePath:
        """A path with the same samples; neither sees what is added to the other."""
        other = DevicePath()
        other._chunks, other._last = list(self._chunks), self._last
        other._down, other._presses = self._down, list(self._presses)
        return other

    def append(self, more: Performance) -> PathPart | None:
        """Add samples; the part of the path that they make known."""
        if not len(more):
            return None
        if more.poses.shape[1] < 1:
            raise BadValue("Performance.poses", "a tracked device", "none")
        if self._last is not None and more.times[0] < self._last.time:
            expected = f"{self._last.time:.3f} s or later, where the samples before ended"
            raise BadValue("Performance.times", expected, float(more.times[0]))
        return self._added(more)

    def _added(self, more: Performance) -> PathPart:
        times, poses, held = more.times, more.poses, _held(more)
        last = self._last
        if last is not None and last.poses.shape == poses.shape[1:]:
            times = np.concatenate([[last.time], times])
            poses = np.concatenate([last.poses[None], poses])
            held = np.concatenate([last.held[None], held])
        self._chunks.append(more)
        self._note_presses(more)
        self._last = _Sample(float(times[-1]), poses[-1], held[-1])
        return PathPart(times, poses, held)

    def pressed(self, until: float) -> list[str]:
        """Buttons that were pressed since the last call, up to a time."""
        seen = [name for time, name in self._presses if time <= until + 1e-9]
        del self._presses[: len(seen)]
        return seen

    def _note_presses(self, more: Performance) -> None:
        before = np.zeros(more.buttons.shape[1], bool) if self._down is None else self._down
        downs = np.concatenate([before[None], more.buttons])
        rows, columns = np.nonzero(downs[1:] & ~downs[:-1])
        self._presses += [
            (float(more.times[row]), more.button_names[column])
            for row, column in zip(rows, columns, strict=True)
        ]
        self._down = more.buttons[-1]


class _Sample(NamedTuple):
    """What the devices were at one time, s."""

    time: float
    poses: Floats  # (D, 7)
    held: Bools  # (2,) whether the first one holds the puppet, and the second one its head


class Held(NamedTuple):
    """The devices that hold a puppet; None for those that hold nothing."""

    body: Floats | None  # (7,)
    head: Floats | None


class PathPart:
    """A stretch of a path."""

    def __init__(self, times: Floats, poses: Floats, held: Bools) -> None:
        self.times, self._poses, self._held = times, poses, held

    @property
    def end(self) -> float:
        """Seconds of its last sample."""
        return float(self.times[-1])

    def at(self, time: float, *, always: bool = False) -> tuple[Floats, Held]:
        """The first device (7,) at a time, and what is held; the last sample beyond the end.

        `always` has the first device hold without a button.
        """
        after = int(np.searchsorted(self.times, time, side="right"))
        before = max(after - 1, 0)
        body, head = self._held[before]
        first = self._pose(0, before, after, time)
        second = self._pose(1, before, after, time) if head else None
        return first, Held(first if body or always else None, second)

    def _pose(self, device: int, before: int, after: int, time: float) -> Floats:
        """(7,) of a device between two samples."""
        first = _unit(self._poses[before, device])
        if after in (0, len(self.times)) or time - self.times[before] < SAME_TIME:
            return first  # also where it is the last one so far: chunks make no difference
        share = (time - self.times[before]) / (self.times[after] - self.times[before])
        last = _unit(self._poses[after, device])
        place = (1 - share) * first[:3] + share * last[:3]
        return np.concatenate([place, slerp(first[3:], last[3:], share)])


def _held(more: Performance) -> Bools:
    """(N, 2) whether the first device holds the puppet, and the second one its head.

    The first one does so by its button of that name, else by any, else always; buttons that ask for
    an action hold nothing. The second one needs its button.
    """
    names = more.button_names
    head: Bools = np.zeros(len(more), bool)
    if HEAD in names and more.poses.shape[1] > 1:
        head = np.asarray(more.buttons[:, names.index(HEAD)])
    holding = [name not in (*ACTION_BUTTONS, HEAD, JUMP) for name in names]
    body: Bools = np.ones(len(more), bool)
    if HELD in names:
        body = np.asarray(more.buttons[:, names.index(HELD)])
    elif any(holding):
        body = np.asarray(more.buttons[:, holding].any(axis=1))
    return np.stack([body, head], axis=1)


def _unit(pose: Floats) -> Floats:
    return np.concatenate([pose[:3], quaternion_normalise(pose[3:])])
