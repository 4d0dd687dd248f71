"""Flights: when a body is in the air, found from its centre of mass.

Whatever feet and hands do, in the air the centre of mass falls on a parabola. Its gravity is
measured, not assumed: files with a wrong frame rate or scale fall faster or slower.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats

LEAST_FALL = 6.0  # m/s^2: what falls more slowly is carried
MOST_FALL = 60.0  # m/s^2: at half the frame rate, 4 g
WINDOW = 0.05  # s before and after, over which acceleration is measured
SHORTEST = 0.06  # s
LEAST_RISE = 0.012  # m from take-off and landing to the apex
OFF_PARABOLA = 0.006  # m: where the centre of mass leaves the parabola, feet touch the ground


class Flight(NamedTuple):
    """A stretch of time in the air, and the parabola of the centre of mass."""

    start: float  # s, take-off
    end: float  # s, landing
    gravity: float  # m/s^2, as measured

    @property
    def middle(self) -> float:
        """Half-way between take-off and landing, s."""
        return (self.start + self.end) / 2

    @property
    def half(self) -> float:
        """Half of the air time, s."""
        return (self.end - self.start) / 2

    def profile(self, times: Floats) -> Floats:
        """(T,) 1 half-way, falling to 0 at take-off and landing along a parabola."""
        return np.maximum(1 - ((times - self.middle) / self.half) ** 2, 0.0)

    def stretch(self, rise: float) -> float:
        """How much longer it takes where it rises higher by so much (m) half-way.

        The path plus a multiple of the profile is a parabola too, of gravity g + 2 rise / half^2;
        slowed down by the root of the ratio, it falls with g.
        """
        steeper = self.gravity + 2 * rise / self.half**2
        return float(np.sqrt(max(steeper, 0.0) / self.gravity))


def find_flights(times: Floats, height: Floats) -> tuple[Flight, ...]:
    """The flights of a centre of mass, from its heights (T,) m at evenly spaced times (T,) s."""
    if len(times) < 5:
        return ()
    step = float(times[1] - times[0])
    fall = -_acceleration(height, step, max(round(WINDOW / step), 1))
    edges = np.flatnonzero(
        np.diff(np.concatenate([[False], fall > LEAST_FALL, [False]]).astype(int))
    )
    runs = zip(edges[::2].tolist(), (edges[1::2] - 1).tolist(), strict=True)
    found = [_flight(times, height, first, last) for first, last in runs]
    return tuple(each for each in found if each is not None)


def _acceleration(height: Floats, step: float, reach: int) -> Floats:
    """(T,) m/s^2, of the parabola fitted to so many samples on each side; 0 near the ends."""
    offsets = np.arange(-reach, reach + 1) * step
    weights = 2 * np.linalg.pinv(np.vander(offsets, 3))[0]
    found = np.zeros(len(height))
    if len(height) > 2 * reach:
        found[reach : len(height) - reach] = np.convolve(height, weights[::-1], "valid")
    return found


def _flight(times: Floats, height: Floats, first: int, last: int) -> Flight | None:
    """The flight around a run of samples that fall, as far as they stay on its parabola."""
    if last - first < 2 or times[last] - times[first] < SHORTEST:
        return None
    middle = (times[first] + times[last]) / 2
    inside = slice(first, last + 1)
    parabola = np.polyfit(times[inside] - middle, height[inside], 2)
    gravity = -2 * float(parabola[0])
    if not LEAST_FALL <= gravity <= MOST_FALL:
        return None
    away = np.abs(height - np.polyval(parabola, times - middle)) < OFF_PARABOLA
    while first > 0 and away[first - 1]:
        first -= 1
    while last < len(times) - 1 and away[last + 1]:
        last += 1
    apex = float(height[first : last + 1].max())
    if min(apex - height[first], apex - height[last]) < LEAST_RISE:
        return None
    return Flight(float(times[first]), float(times[last]), gravity)
