"""Changed ranges: the parts of a loop, or of a take that does not loop, that an edit changes."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, inf, isfinite

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.curves.set_key import NEAR

Span = tuple[float, float]


@dataclass(frozen=True)
class ChangedRanges:
    """Open ranges of time, s; with a period, on a cycle that begins at `start`.

    A range may be infinite on one side or both. On a cycle it may go over the seam.
    """

    spans: tuple[Span, ...]
    start: float = 0.0
    period: float | None = None

    @property
    def whole(self) -> bool:
        """Whether one of them is the whole cycle."""
        most = inf if self.period is None else self.period - NEAR
        return any(end - start >= most for start, end in self.spans)

    def inside(self, times: Floats) -> Bools:
        """(T,) which times lie in a range and not at its ends."""
        found = np.zeros(len(times), bool)
        for start, end in self.spans:
            if self.period is None:
                found |= (times > start + NEAR) & (times < end - NEAR)
            elif end - start >= self.period - NEAR:
                found[:] = True
            else:
                after = (times - start) % self.period
                found |= (after > NEAR) & (after < end - start - NEAR)
        return found

    def ends(self) -> list[tuple[float, int]]:
        """Where the changed part begins (+1) and ends (-1), on the cycle."""
        found = []
        for span in self.spans:
            if self.period is not None and span[1] - span[0] >= self.period - NEAR:
                continue
            for time, side in zip(span, (1, -1), strict=True):
                if isfinite(time) and not self.inside(np.array([self.folded(time)]))[0]:
                    found.append((self.folded(time), side))
        return found

    def folded(self, time: float) -> float:
        """The time on the cycle."""
        return float(self.fold(np.array([time]))[0])

    def fold(self, times: Floats) -> Floats:
        """(T,) the times on the cycle; its end is its start."""
        if self.period is None:
            return times
        along = (times - self.start) % self.period
        return np.asarray(self.start + np.where(along > self.period - NEAR, 0.0, along))

    def on_cycle(self, start: float, period: float) -> ChangedRanges:
        """The same on a cycle."""
        return ChangedRanges(self.spans, start, period)

    def opened(self, duration: float) -> ChangedRanges:
        """The same on a take: what reaches its start or end has no end there."""
        spans = [
            (start if start > NEAR else -inf, end if end < duration - NEAR else inf)
            for start, end in self.spans
        ]
        return ChangedRanges(tuple(spans))

    def cut(self, duration: float) -> ChangedRanges:
        """The same from 0 to the end of a loop, cut at its seam and open there."""
        spans: list[Span] = []
        for start, end in self.spans:
            turns = floor((start + NEAR) / duration) if isfinite(start) else 0
            low, high = start - turns * duration, end - turns * duration
            if high - low >= duration - NEAR:
                return ChangedRanges(((-inf, inf),))
            if high > duration - NEAR:
                spans += [(low, inf), (-inf, high - duration)]
            else:
                spans.append((low if low > NEAR else -inf, high))
        return ChangedRanges(tuple(spans))


def merged(spans: list[Span]) -> tuple[Span, ...]:
    """The spans in order, those that overlap as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return tuple(found)
