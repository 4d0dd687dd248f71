"""Region: how far places are in or out of a region of the scene, and by which way they leave it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Stay
from arcwright.scene.region import TINY, Ball, Box, Cylinder, HalfSpace
from arcwright.scene.region import Region as Walls
from arcwright.scene.take import Take

FINE = 4  # looks per frame
FRAMES_AROUND = 2  # frames
_steps = [np.array(each, float) for each in product((-1, 0, 1), (0, 1), (-1, 0, 1)) if any(each)]
WAYS = np.array([each / np.linalg.norm(each) for each in _steps])  # never down, into the floor


@dataclass(frozen=True, eq=False)
class Region:
    """A part of space, as solving asks about it."""

    walls: Walls

    def outside(self, places: Floats) -> tuple[Floats, Floats]:
        """How far places (T, 3) are outside, (T,) m, below 0 inside; and the way out (T, 3)."""
        match self.walls:
            case HalfSpace(place, normal):
                return (places - place) @ normal, np.tile(normal, (len(places), 1))
            case Ball(middle, radius):
                away = places - middle
                return np.linalg.norm(away, axis=1) - radius, _unit(away)
            case Box(low, high):
                away = places - (low + high) / 2
                ways = np.sign(away)[:, :, None] * np.eye(3)
                return _from_sides(np.abs(away) - (high - low) / 2, ways)
            case Cylinder() as cylinder:
                return _outside_cylinder(cylinder, places)

    def leave(self, places: Floats, way: Floats) -> tuple[Floats, Floats]:
        """How far it is out of it along a way, (T,) m, from places inside (T, 3) with ways (T, 3).

        And how that shrinks as a place moves, (T, 3); infinite where the way never leads out.
        """
        match self.walls:
            case HalfSpace():
                out, normal = self.outside(places)
                return _along(-out, normal, way)
            case Ball(middle, radius):
                return _leave_round(places - middle, way, radius)
            case Box(low, high):
                ahead = np.sign(way)[:, :, None] * np.eye(3)  # (T, 3, 3) sides that lie on the way
                gap = np.where(way > 0, high - places, places - low)
                far = [_along(gap[:, axis], ahead[:, axis], way) for axis in range(3)]
                return _nearest(far)
            case Cylinder() as cylinder:
                return _leave_cylinder(cylinder, places, way)


def _outside_cylinder(cylinder: Cylinder, places: Floats) -> tuple[Floats, Floats]:
    middle, axis, length = _line(cylinder)
    away = places - middle
    along = away @ axis
    across = away - along[:, None] * axis
    beside = np.linalg.norm(across, axis=1) - cylinder.radius
    sides = np.stack([np.abs(along) - length / 2, beside], axis=1)
    ways = np.stack([np.sign(along)[:, None] * axis, _unit(across)], axis=1)
    return _from_sides(sides, ways)


def _leave_cylinder(cylinder: Cylinder, places: Floats, way: Floats) -> tuple[Floats, Floats]:
    middle, axis, length = _line(cylinder)
    away, speed = places - middle, way @ axis
    side = np.sign(speed)[:, None] * axis
    ends = _along(length / 2 - (away[:, None] @ side[..., None])[:, 0, 0], side, way)
    across, sideways = (each - (each @ axis)[:, None] * axis for each in (away, way))
    return _nearest([ends, _leave_round(across, sideways, cylinder.radius)])


def _line(cylinder: Cylinder) -> tuple[Floats, Floats, float]:
    """The middle of a cylinder, the direction of its axis, and its length."""
    line = cylinder.end - cylinder.start
    length = float(np.linalg.norm(line))
    return (cylinder.start + cylinder.end) / 2, line / length, length


def _along(gap: Floats, normal: Floats, way: Floats) -> tuple[Floats, Floats]:
    """To a plane a gap (T,) away along its normal (T, 3), by a way."""
    speed = (normal * way).sum(axis=1)
    leads = speed > TINY
    safe = np.where(leads, speed, 1.0)
    return np.where(leads, gap / safe, np.inf), normal / safe[:, None]


def _leave_round(away: Floats, way: Floats, radius: float) -> tuple[Floats, Floats]:
    """Out of a ball or a round section, from (T, 3) seen from its middle."""
    square = (way * way).sum(axis=1)
    leads = square > TINY
    safe = np.where(leads, square, 1.0)
    half = (away * way).sum(axis=1)
    left = np.maximum(half**2 + safe * (radius**2 - (away * away).sum(axis=1)), 0.0)
    far = np.where(leads, (np.sqrt(left) - half) / safe, np.inf)
    end = away + np.where(leads, far, 0.0)[:, None] * way
    slope = (end * way).sum(axis=1, keepdims=True)
    return far, end / np.where(np.abs(slope) > TINY, slope, 1.0)


def _nearest(ways_out: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    far = np.stack([each[0] for each in ways_out])
    slope = np.stack([each[1] for each in ways_out])
    first = np.argmin(far, axis=0)
    rows = np.arange(far.shape[1])
    return far[first, rows], slope[first, rows]


def _from_sides(sides: Floats, ways: Floats) -> tuple[Floats, Floats]:
    """Distance and way from those of sides (T, S) and (T, S, 3) at right angles to each other."""
    over = np.maximum(sides, 0.0)
    out = np.linalg.norm(over, axis=1)
    rows = np.arange(len(sides))
    nearest = np.argmax(sides, axis=1)
    beyond = out > TINY
    share = np.where(beyond[:, None], over / np.maximum(out, TINY)[:, None], 0.0)
    share[rows[~beyond], nearest[~beyond]] = 1.0
    way: Floats = (share[:, None] @ ways)[:, 0]
    return np.where(beyond, out, sides[rows, nearest]), way


def _unit(away: Floats) -> Floats:
    size = np.linalg.norm(away, axis=1, keepdims=True)
    unit: Floats = np.where(size > TINY, away / np.maximum(size, TINY), [0.0, 1.0, 0.0])
    return unit


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
