"""Time warp: a smooth, rising map from the times of a take to new ones.

The stretch is how many new seconds one old second takes, linear between knots; its inverse is the
speed at which the take plays. Before the first knot nothing changes, after the last all times shift
by the same amount.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue

IDENTITY = 1e-9  # s: warps that move no time by more change nothing


@dataclass(frozen=True, eq=False)
class TimeWarp:
    """New time as a function of old time, given by its stretch at K knots."""

    time: Floats  # (K,) s, old times of the knots
    stretch: Floats  # (K,) new seconds for each old one, above 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", frozen(self.time, "TimeWarp.time", ("K",)))
        stretch = frozen(self.stretch, "TimeWarp.stretch", (len(self.time),))
        object.__setattr__(self, "stretch", stretch)
        if len(self.time) < 2 or not (np.diff(self.time) > 0).all():
            raise BadValue("TimeWarp.time", "two or more rising times", self.time)
        if not (self.stretch > 0).all():
            raise BadValue("TimeWarp.stretch", "above 0", float(self.stretch.min()))

    @cached_property
    def warped(self) -> Floats:
        """(K,) s, new times of the knots."""
        mean = (self.stretch[1:] + self.stretch[:-1]) / 2
        steps = np.cumsum(mean * np.diff(self.time))
        times: Floats = self.time[0] + np.append(0.0, steps)
        return times

    @property
    def shift(self) -> float:
        """By how much all times after the last knot move, s."""
        return float(self.warped[-1] - self.time[-1])

    @property
    def changes_nothing(self) -> bool:
        """Whether every time stays where it is."""
        return bool(np.abs(self.warped - self.time).max() < IDENTITY)

    def __call__(self, times: Floats) -> Floats:
        """New times of old ones, any shape, s."""
        at, moments = self._span(self.time, times), np.asarray(times, np.float64)
        inside = (moments > self.time[0]) & (moments < self.time[-1])
        past = np.where(inside, moments - self.time[at], 0.0)
        new = self.warped[at] + past * (self.stretch[at] + self._slope[at] * past / 2)
        outside = np.where(moments <= self.time[0], moments, moments + self.shift)
        return np.where(inside, new, outside)

    def inverse(self, times: Floats) -> Floats:
        """Old times of new ones, any shape, s."""
        at, moments = self._span(self.warped, times), np.asarray(times, np.float64)
        inside = (moments > self.warped[0]) & (moments < self.warped[-1])
        past = np.where(inside, moments - self.warped[at], 0.0)
        first = self.stretch[at]
        root = np.sqrt(np.maximum(first**2 + 2 * self._slope[at] * past, 0.0))
        old = self.time[at] + 2 * past / (first + root)
        outside = np.where(moments <= self.warped[0], moments, moments - self.shift)
        return np.where(inside, old, outside)

    def moment(self, time: float) -> float:
        """The new time of one old time, s."""
        return float(self(np.array(time)))

    @cached_property
    def _slope(self) -> Floats:
        """(K - 1,) how the stretch grows between knots, per s."""
        slope: Floats = np.diff(self.stretch) / np.diff(self.time)
        return slope

    def _span(
        self, knots: Floats, times: Floats
    ) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        """The knot before each time."""
        return np.clip(np.searchsorted(knots, times, "right") - 1, 0, len(knots) - 2)
