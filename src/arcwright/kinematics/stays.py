"""Stays: where the speed of a path dips, and from when until when the path stays there.

A dip counts by its persistence, the ratio of its speed to the lower peak beside it: jitter makes
none. A stay begins and ends where the line through the change of speed meets its lowest speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats

ARRIVING, LEAVING = (0.35, 0.65), (0.2, 0.5)  # of a change of speed, through which its line goes
_PERSON = 1.7  # m, the size for which a rule is written


@dataclass(frozen=True)
class MovementRule:
    """Thresholds for a person of 1.7 m; lengths grow with size, times and speeds with its root."""

    smooth: float = 0.04  # s, standard deviation of the filter before speeds are taken
    least: float = 0.1  # m, movement before and after a stay
    dip: float = 0.5  # of the lower peak beside it: the speed of a stay
    still: float = 0.06  # m/s, slower speeds hardly differ
    sway: float = 0.12  # m/s, the same of a pelvis
    quick: float = 0.3  # m/s, the peak beside a stay
    arrived: float = 0.006  # m that are left to go where an element arrives
    calm: float = 0.14  # m/s above the lowest speed of a stay: slower has arrived
    marked: float = 0.05  # s from an arrival until it is seen that an element stays
    left: float = 0.005  # m from its place at which it leaves
    long: float = 0.4  # s, a longer stay has an arrival and a departure
    back: float = 0.5  # cosine between the ways into and out of a turn, at most
    walk: float = 0.5  # m/s of the pelvis on the ground: the body walks, no hand rests in the world
    hang: float = 0.35  # rad from straight down in which a stretched arm hangs
    swing: float = 0.3  # m, movement from the body of an arm that hangs while it walks
    own: float = 0.1  # m that a hand gets from its place on the body
    coming: tuple[float, float] = ARRIVING
    mouth: float = 0.34  # m from the head in which a hand is at the mouth
    reach: float = 0.85  # of an arm's length from the shoulder: a reaching hand
    seat: float = 0.8  # of the standing height of the pelvis: lower is seated
    bend: float = 0.07  # m, vertical way of a pelvis that turns back
    settle: float = 0.04  # m, of height in which a pelvis is on its seat

    def sized(self, size: float) -> MovementRule:
        """The rule for a character of this size, m."""
        scale = size / _PERSON if size > 0 else 1.0
        powers = dict.fromkeys(
            ("least", "arrived", "left", "own", "mouth", "bend", "settle", "swing"), 1.0
        )
        powers |= dict.fromkeys(
            ("smooth", "still", "sway", "quick", "calm", "marked", "long", "walk"), 0.5
        )
        return replace(self, **{n: getattr(self, n) * scale**p for n, p in powers.items()})


@dataclass(frozen=True)
class Stay:
    """Moments in which an element stays, the depth of the dip, and the movement beside it."""

    first: int
    lowest: int
    last: int
    depth: float  # log of the ratio of speeds
    peaks: tuple[float, float] = (np.inf, np.inf)  # m/s before and after
    before: float = np.inf  # m
    after: float = np.inf  # m
    since: int = 0  # the movement before begins
    until: int = 0  # the movement after ends


def stays(time: Floats, position: Floats, speed: Floats, rule: MovementRule) -> list[Stay]:
    """Dips of a speed (T,) that are deep enough, with movement enough between them."""
    dips = _dips(speed, rule)
    bounds = [0, *(low for low, _ in dips), len(speed) - 1]
    found = [
        _stay(speed, low, depth, (bounds[at], bounds[at + 2]), rule.coming)
        for at, (low, depth) in enumerate(dips)
    ]
    merged: list[Stay] = []
    for stay in found:
        if merged and _way(position, merged[-1], stay) < rule.least:
            stay = _joined(merged.pop(), stay)
        if merged and _way(position, merged[-1], stay) < rule.least:
            stay = _joined(merged.pop(), stay)
        merged.append(stay)
    ends = [Stay(0, 0, 0, 0.0), *merged, Stay(len(time) - 1, len(time) - 1, len(time) - 1, 0.0)]
    return [
        replace(
            stay,
            before=_way(position, ends[at], stay),
            after=_way(position, stay, ends[at + 2]),
            since=ends[at].last,
            until=ends[at + 2].first,
        )
        for at, stay in enumerate(merged)
    ]


def _dips(speed: Floats, rule: MovementRule) -> list[tuple[int, float]]:
    """Lowest moments between peaks, and their depth, after shallow ones are removed."""
    level = np.log(speed + rule.still)
    turns = [0, *_extrema(level), len(level) - 1]
    shallow = -np.log(rule.dip)
    while len(turns) > 2:
        rises = np.abs(np.diff(level[turns]))
        at = int(np.argmin(rises))
        if rises[at] >= shallow:
            break
        if at == 0:
            del turns[1 if _keeps_end(level, turns) else 0]
        elif at == len(rises) - 1:
            del turns[-2 if _keeps_end(level, turns[::-1]) else -1]
        else:
            del turns[at : at + 2]
    found = []
    for at, moment in enumerate(turns):
        beside = [level[turns[other]] for other in (at - 1, at + 1) if 0 <= other < len(turns)]
        if len(turns) > 1 and min(beside) > level[moment]:
            found.append((moment, float(min(beside) - level[moment])))
    return found


def _extrema(level: Floats) -> list[int]:
    """Inner minima and maxima in turns; of those that are flat, the middle."""
    steps = np.diff(level)
    moving = np.flatnonzero(steps)
    before = np.flatnonzero(np.diff(np.sign(steps[moving])))
    return [int(at) for at in (moving[before] + 1 + moving[before + 1]) // 2]


def _keeps_end(level: Floats, turns: Sequence[int]) -> bool:
    """Whether a path's end is further from the third extremum than the second one is."""
    end, second, third = level[turns[0]], level[turns[1]], level[turns[2]]
    return bool(abs(end - third) >= abs(second - third))


def _stay(
    speed: Floats, low: int, depth: float, bounds: tuple[int, int], coming: tuple[float, float]
) -> Stay:
    """The moments around a dip, up to the neighbouring dips, in which it neither comes nor goes."""
    before, after = speed[bounds[0] : low + 1][::-1], speed[low : bounds[1] + 1]
    peaks = float(before.max()), float(after.max())
    steps = _steps_to_flank(before, coming), _steps_to_flank(after, LEAVING)
    return Stay(low - steps[0], low, low + steps[1], depth, peaks)


def _steps_to_flank(speed: Floats, flank: tuple[float, float]) -> int:
    """Moments from the first, slow one to where the rise of a speed to its peak begins.

    The line through the rise meets the lowest speed there: a constant acceleration begins.
    """
    peak = float(speed.max())
    rise = peak - float(speed[0])
    if rise <= 0:
        return len(speed) - 1
    low, high = (int(np.argmax(speed >= speed[0] + share * rise)) for share in flank)
    begin = low - (high - low) * flank[0] / (flank[1] - flank[0])
    return max(round(begin), 0)


def _joined(first: Stay, second: Stay) -> Stay:
    deeper = first if first.depth >= second.depth else second
    peaks = first.peaks[0], second.peaks[1]
    return Stay(first.first, deeper.lowest, second.last, deeper.depth, peaks)


def _way(position: Floats, first: Stay, second: Stay) -> float:
    """How far an element moves between two stays, at most from either."""
    between = position[first.last : second.first + 1]
    if not len(between):
        return 0.0
    away = [np.linalg.norm(between - end, axis=1).max() for end in (between[0], between[-1])]
    return float(max(away))


def smoothed(position: Floats, deviation: float) -> Floats:
    """Positions (T, 3) after a Gaussian filter; ends are repeated."""
    reach = int(np.ceil(3 * deviation))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    kernel /= kernel.sum()
    padded = np.pad(position, ((reach, reach), (0, 0)), mode="edge")
    return np.stack([np.convolve(axis, kernel, "valid") for axis in padded.T], axis=1)
