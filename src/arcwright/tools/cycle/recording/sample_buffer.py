"""Sample buffer: all samples of a performance so far; appending costs the same at any length."""

from __future__ import annotations

import copy

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.errors import BadValue
from arcwright.tools.gesture import Performance

FIRST = 256  # samples for which there is room at first; then twice as many each time


class SampleBuffer:
    """Times, device poses and axes of one performance, in arrays that grow."""

    def __init__(self) -> None:
        self._count = 0
        self._room: dict[str, AnyArray] = {}
        self._source: Performance | None = None  # the first chunk: devices and axes of all others

    def __len__(self) -> int:
        return self._count

    @property
    def times(self) -> Floats:
        """(N,) s, of the playhead; never falling."""
        return self._all("times", (0,))

    @property
    def poses(self) -> Floats:
        """(N, D, 7) m, wxyz."""
        return self._all("poses", (0, 0, 7))

    @property
    def axes(self) -> Floats:
        """(N, A)."""
        return self._all("axes", (0, 0))

    @property
    def size(self) -> int:
        """Bytes that its samples take in a recording."""
        return self.times.nbytes + (self.poses.nbytes + self.axes.nbytes) // 2

    @property
    def device(self) -> str:
        """The name of the device."""
        return self._source.device if self._source else ""

    @property
    def axis_names(self) -> tuple[str, ...]:
        """(A,)."""
        return self._source.axis_names if self._source else ()

    @property
    def length(self) -> float:
        """Seconds from the first sample to the last."""
        return float(self.times[-1] - self.times[0]) if self._count else 0.0

    def append(self, more: Performance) -> None:
        """Add samples; those of another device, or from before the last one, are refused."""
        if not len(more):
            return
        self._check(more)
        if self._source is None:
            self._source = more
        end = self._count + len(more)
        for name in ("times", "poses", "axes"):
            samples = getattr(more, name)
            kept = samples if name == "times" else samples.astype(np.float32)  # as recordings are
            self._reserve(name, samples, end)[self._count : end] = kept
        self._count = end

    def latest(self, count: int) -> SampleBuffer:
        """The first sample and the last `count` ones: enough to know where the item is now."""
        if self._count <= count + 1:
            return self
        other = copy.copy(self)
        rows = np.r_[0, self._count - count : self._count]
        other._room = {name: array[rows] for name, array in self._room.items()}
        other._count = len(rows)
        return other

    def fork(self) -> SampleBuffer:
        """A buffer with the same samples; neither sees what is added to the other."""
        other = copy.copy(self)
        other._room = {name: array[: self._count] for name, array in self._room.items()}
        return other

    def _check(self, more: Performance) -> None:
        first = self._source
        if first is None:
            return
        for name in ("poses", "axes"):
            own, new = (getattr(each, name).shape[1:] for each in (first, more))
            if own != new:
                what = "devices" if name == "poses" else "axes"
                raise BadValue(f"Performance.{name}", f"{own[0]} {what}, as before", new[0])
        if first.axis_names != more.axis_names:
            expected = ", ".join(first.axis_names)
            raise BadValue("Performance.axis_names", expected, ", ".join(more.axis_names))
        last = float(self.times[-1])
        if more.times[0] < last:
            expected = f"{last:.3f} s or later, where the samples before ended"
            raise BadValue("Performance.times", expected, float(more.times[0]))

    def _reserve(self, name: str, like: AnyArray, count: int) -> AnyArray:
        room = self._room.get(name)
        if room is None or len(room) < count:
            wider = np.empty((max(FIRST, 2 * count), *like.shape[1:]))
            if room is not None:
                wider[: self._count] = room[: self._count]
            room = self._room[name] = wider
        return room

    def _all(self, name: str, empty: tuple[int, ...]) -> Floats:
        room = self._room.get(name)
        return np.zeros(empty) if room is None else np.asarray(room[: self._count])
