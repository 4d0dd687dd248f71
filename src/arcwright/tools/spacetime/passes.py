"""Passes: where a motion goes through a region it should stay out of, and how it gets out.

Each pass has one way out for all of its time: the nearest one of each moment would tear a path
that crosses a wall apart instead of leading it over.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Stay
from arcwright.scene.take import Take
from arcwright.tools.spacetime.region import Region

FINE = 4  # looks per frame
FRAMES_AROUND = 2  # frames
_steps = [np.array(each, float) for each in product((-1, 0, 1), (0, 1), (-1, 0, 1)) if any(each)]
WAYS = np.array([each / np.linalg.norm(each) for each in _steps])  # never down, into the floor


class Pass(NamedTuple):
    """From when to when a point is inside, and where to it should leave."""

    times: Floats  # (N,) s
    way: Floats  # (3,)


def passes(take: Take, stay: Stay) -> tuple[Pass, ...]:
    """All passes of a take through a region."""
    if stay.inside:
        return ()
    start, end = max(stay.start, 0.0), min(stay.end, take.duration)
    count = int(np.ceil(max(end - start, 0.0) * take.rate * FINE)) + 1
    times = np.linspace(start, end, count)
    path = trail(take, stay.point, times).position
    region = Region(stay.region)
    within = np.concatenate([[False], region.outside(path)[0] < 0, [False]])
    edges = np.flatnonzero(np.diff(within.astype(int)))
    runs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return tuple(Pass(times[a:b], _way(region, path[a:b])) for a, b in runs)


def _way(region: Region, path: Floats) -> Floats:
    """(3,) the way along which the deepest place is soonest out."""
    far = [region.leave(path, np.tile(way, (len(path), 1)))[0].max() for way in WAYS]
    best: Floats = WAYS[int(np.argmin(far))]
    return best


def fine_times(found: Sequence[Pass], rate: float) -> list[float]:
    """Seconds to look at besides frames: in passes and a little around them."""
    times: list[float] = []
    for each in found:
        around = np.arange(1, FINE * FRAMES_AROUND + 1) / (FINE * rate)
        times += [*(each.times[0] - around), *each.times, *(each.times[-1] + around)]
    return times


def ways_out(found: Sequence[Pass], times: Floats) -> Floats:
    """(T, 3) the way out of the pass that is nearest in time."""
    away = [np.maximum(each.times[0] - times, times - each.times[-1]) for each in found]
    ways: Floats = np.array([each.way for each in found])[np.argmin(away, axis=0)]
    return ways


def walls(
    found: Sequence[Pass], region: Region, times: Floats, path: Floats
) -> tuple[Bools, Floats, Floats]:
    """Which of times (T,) lie in passes; where a path (T, 3) leaves there, and the surface's way.

    So a pass is led over what it went through, and not delayed before it.
    """
    within = np.zeros(len(times), bool)
    for each in found:
        within |= (times >= each.times[0] - 1e-9) & (times <= each.times[-1] + 1e-9)
    within &= region.outside(path)[0] < 0
    far, slope = region.leave(path[within], ways_out(found, times)[within])
    place, way = np.zeros((2, *path.shape))
    place[within] = path[within] + far[:, None] * ways_out(found, times)[within]
    way[within] = slope / np.linalg.norm(slope, axis=1, keepdims=True)
    return within, place, way
