"""Device path: samples of a device, looked up at the ticks of a puppet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_normalise, slerp
from arcwright.tools.gesture import Performance, joined, rows

HELD = "held"  # the name of the button that holds a puppet
ACTION_BUTTONS = ("punch", "kick", "throw")  # names of buttons that ask for an action


class DevicePath:
    """All samples so far; what lies between two of them is interpolated."""

    def __init__(self) -> None:
        self._chunks: list[Performance] = []
        self._last: tuple[float, Floats, bool] | None = None  # the last sample before the chunk
        self._down: Bools | None = None  # (B,) buttons at that sample
        self._presses: list[tuple[float, str]] = []  # that no tick has seen yet
        self._given = -np.inf  # s, of the last sample that a device gave

    @property
    def start(self) -> float | None:
        """Seconds of the first sample."""
        return float(self._chunks[0].times[0]) if self._chunks else None

    @property
    def end(self) -> float | None:
        """Seconds of the last sample."""
        return self._last[0] if self._last else None

    @property
    def first_place(self) -> Floats:
        """(3,) m, where the device was at the first sample."""
        return np.asarray(self._chunks[0].poses[0, 0, :3])

    def rest(self, until: float) -> PathPart | None:
        """The device stays where it was last: a sample of that becomes part of the path."""
        if self._last is None or until <= self._last[0]:
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
        other._given = self._given
        return other

    def append(self, more: Performance) -> PathPart | None:
        """Add samples; the part of the path that they make known.

        Those that come too late, for a time at which the device was taken to rest, are left out.
        """
        if not len(more):
            return None
        if more.poses.shape[1] < 1:
            raise BadValue("Performance.poses", "a tracked device", "none")
        if more.times[0] < self._given:
            expected = f"{self._given:.3f} s or later, where the samples before ended"
            raise BadValue("Performance.times", expected, float(more.times[0]))
        self._given = float(more.times[-1])
        late = 0 if self._last is None else int(np.searchsorted(more.times, self._last[0]))
        new = rows(more, slice(late, None)) if late else more
        return self._added(new) if len(new) else None

    def _added(self, more: Performance) -> PathPart:
        times, poses = more.times, more.poses[:, 0]
        held = _held(more)
        if self._last is not None:
            at, pose, was_held = self._last
            times = np.concatenate([[at], times])
            poses = np.concatenate([pose[None], poses])
            held = np.concatenate([[was_held], held])
        self._chunks.append(more)
        self._note_presses(more)
        self._last = float(times[-1]), poses[-1], bool(held[-1])
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


class PathPart:
    """A stretch of a path."""

    def __init__(self, times: Floats, poses: Floats, held: Bools) -> None:
        self.times, self._poses, self._held = times, poses, held

    @property
    def end(self) -> float:
        """Seconds of its last sample."""
        return float(self.times[-1])

    def at(self, time: float) -> tuple[Floats, bool]:
        """The device (7,) at a time, and whether it holds; the last sample beyond the end."""
        after = int(np.searchsorted(self.times, time, side="right"))
        before = max(after - 1, 0)
        held = bool(self._held[before])
        if after in (0, len(self.times)):
            return _unit(self._poses[before]), held
        share = (time - self.times[before]) / (self.times[after] - self.times[before])
        first, last = _unit(self._poses[before]), _unit(self._poses[after])
        place = (1 - share) * first[:3] + share * last[:3]
        return np.concatenate([place, slerp(first[3:], last[3:], share)]), held


def _held(more: Performance) -> Bools:
    """(N,) whether the device holds: by its button of that name, else by any, else always.

    Buttons that ask for an action hold nothing.
    """
    if HELD in more.button_names:
        return np.asarray(more.buttons[:, more.button_names.index(HELD)])
    holding = [name not in ACTION_BUTTONS for name in more.button_names]
    if not any(holding):
        return np.ones(len(more), bool)
    return np.asarray(more.buttons[:, holding].any(axis=1))


def _unit(pose: Floats) -> Floats:
    return np.concatenate([pose[:3], quaternion_normalise(pose[3:])])
