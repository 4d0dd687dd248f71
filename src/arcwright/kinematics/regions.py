"""Regions: distance of points to a region, ways out of it, and passes of a motion through it.

A pass has one exit direction for all of its samples: the nearest exit of each sample would tear a
path that crosses a wall apart instead of leading it over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import RegionConstraint
from arcwright.scene.quantity import EPSILON
from arcwright.scene.region import Box, Cylinder, HalfSpace, Region, Sphere
from arcwright.scene.take import Take

SAMPLES_PER_FRAME = 4  # with which passes are searched
CROSSING = 0.05  # m between where a path enters a region and where it leaves it
ALONG = 0.4  # cosine of the angle to its way, from which on an exit leads along it
FRAMES_AROUND = 2  # frames before and after a pass that are sampled as densely
_steps = [np.array(each, float) for each in product((-1, 0, 1), (0, 1), (-1, 0, 1)) if any(each)]
EXIT_DIRECTIONS = np.array([each / np.linalg.norm(each) for each in _steps])  # never downwards


@dataclass(frozen=True, eq=False)
class RegionDistance:
    """Distances to the surface of a region of the scene."""

    region: Region

    def signed(self, points: Floats) -> tuple[Floats, Floats]:
        """(T,) m, negative inside, of points (T, 3); and its gradient (T, 3), pointing outwards."""
        match self.region:
            case HalfSpace(position, normal):
                return (points - position) @ normal, np.tile(normal, (len(points), 1))
            case Sphere(center, radius):
                away = points - center
                return np.linalg.norm(away, axis=1) - radius, _unit(away)
            case Box(low, high):
                away = points - (low + high) / 2
                normals = np.sign(away)[:, :, None] * np.eye(3)
                return _from_sides(np.abs(away) - (high - low) / 2, normals)
            case Cylinder() as cylinder:
                return _signed_cylinder(cylinder, points)

    def along(self, points: Floats, direction: Floats) -> tuple[Floats, Floats]:
        """(T,) m from points inside (T, 3) to the surface along directions (T, 3).

        And minus its gradient (T, 3). Infinite where a direction never leaves the region.
        """
        match self.region:
            case HalfSpace():
                out, normal = self.signed(points)
                return _to_plane(-out, normal, direction)
            case Sphere(center, radius):
                return _to_sphere(points - center, direction, radius)
            case Box(low, high):
                ahead = np.sign(direction)[:, :, None] * np.eye(3)  # (T, 3, 3) normals it may cross
                gap = np.where(direction > 0, high - points, points - low)
                sides = [_to_plane(gap[:, axis], ahead[:, axis], direction) for axis in range(3)]
                return _nearest(sides)
            case Cylinder() as cylinder:
                return _along_cylinder(cylinder, points, direction)


def _signed_cylinder(cylinder: Cylinder, points: Floats) -> tuple[Floats, Floats]:
    middle, axis, length = _axis(cylinder)
    away = points - middle
    along = away @ axis
    across = away - along[:, None] * axis
    beside = np.linalg.norm(across, axis=1) - cylinder.radius
    sides = np.stack([np.abs(along) - length / 2, beside], axis=1)
    normals = np.stack([np.sign(along)[:, None] * axis, _unit(across)], axis=1)
    return _from_sides(sides, normals)


def _along_cylinder(cylinder: Cylinder, points: Floats, direction: Floats) -> tuple[Floats, Floats]:
    middle, axis, length = _axis(cylinder)
    away, speed = points - middle, direction @ axis
    side = np.sign(speed)[:, None] * axis
    ends = _to_plane(length / 2 - (away[:, None] @ side[..., None])[:, 0, 0], side, direction)
    across, sideways = (each - (each @ axis)[:, None] * axis for each in (away, direction))
    return _nearest([ends, _to_sphere(across, sideways, cylinder.radius)])


def _axis(cylinder: Cylinder) -> tuple[Floats, Floats, float]:
    """The middle of a cylinder, the direction of its axis, and its length."""
    line = cylinder.end - cylinder.start
    length = float(np.linalg.norm(line))
    return (cylinder.start + cylinder.end) / 2, line / length, length


def _to_plane(gap: Floats, normal: Floats, direction: Floats) -> tuple[Floats, Floats]:
    """Distance along a direction to a plane that is a gap (T,) away along its normal (T, 3)."""
    speed = (normal * direction).sum(axis=1)
    leaves = speed > EPSILON
    safe = np.where(leaves, speed, 1.0)
    return np.where(leaves, gap / safe, np.inf), normal / safe[:, None]


def _to_sphere(away: Floats, direction: Floats, radius: float) -> tuple[Floats, Floats]:
    """Distance along a direction out of a ball or a circle, of points (T, 3)."""
    square = (direction * direction).sum(axis=1)
    leaves = square > EPSILON
    safe = np.where(leaves, square, 1.0)
    half = (away * direction).sum(axis=1)
    left = np.maximum(half**2 + safe * (radius**2 - (away * away).sum(axis=1)), 0.0)
    distance = np.where(leaves, (np.sqrt(left) - half) / safe, np.inf)
    end = away + np.where(leaves, distance, 0.0)[:, None] * direction
    slope = (end * direction).sum(axis=1, keepdims=True)
    return distance, end / np.where(np.abs(slope) > EPSILON, slope, 1.0)


def _nearest(surfaces: list[tuple[Floats, Floats]]) -> tuple[Floats, Floats]:
    distance = np.stack([each[0] for each in surfaces])
    slope = np.stack([each[1] for each in surfaces])
    first = np.argmin(distance, axis=0)
    rows = np.arange(distance.shape[1])
    return distance[first, rows], slope[first, rows]


def _from_sides(sides: Floats, normals: Floats) -> tuple[Floats, Floats]:
    """Distance and gradient from those of sides (T, S) and (T, S, 3) at right angles."""
    over = np.maximum(sides, 0.0)
    out = np.linalg.norm(over, axis=1)
    rows = np.arange(len(sides))
    nearest = np.argmax(sides, axis=1)
    outside = out > EPSILON
    share = np.where(outside[:, None], over / np.maximum(out, EPSILON)[:, None], 0.0)
    share[rows[~outside], nearest[~outside]] = 1.0
    gradient: Floats = (share[:, None] @ normals)[:, 0]
    return np.where(outside, out, sides[rows, nearest]), gradient


def _unit(vectors: Floats) -> Floats:
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = np.where(size > EPSILON, vectors / np.maximum(size, EPSILON), [0.0, 1.0, 0.0])
    return unit


class RegionPass(NamedTuple):
    """The times at which a point is inside a region, and its direction out of it."""

    times: Floats  # (N,) s
    direction: Floats  # (3,)


def region_passes(take: Take, stay: RegionConstraint) -> tuple[RegionPass, ...]:
    """All passes of a take through a region that a point should stay out of."""
    if stay.inside:
        return ()
    start, end = max(stay.start, 0.0), min(stay.end, take.duration)
    count = int(np.ceil(max(end - start, 0.0) * take.rate * SAMPLES_PER_FRAME)) + 1
    times = np.linspace(start, end, count)
    path = trail(take, stay.point, times).position
    region = RegionDistance(stay.region)
    within = np.concatenate([[False], region.signed(path)[0] < 0, [False]])
    edges = np.flatnonzero(np.diff(within.astype(int)))
    runs = zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True)
    return tuple(
        RegionPass(times[a:b], _best_exit(region, path[a:b], _crossing(path, a, b)))
        for a, b in runs
    )


def joined_passes(
    take: Take,
    stays: Sequence[RegionConstraint],
    passes: Sequence[tuple[RegionPass, ...]],
    near: float,
    sideways: float,
) -> list[tuple[RegionPass, ...]]:
    """Passes of several points of one body, through one region, with common exit directions.

    Those that overlap, or are no more than `near` seconds apart, are one pass. Ways around count
    `sideways` times as long as ways over.
    """
    every = sorted(
        ((each.times[0], each.times[-1], who, at) for who, own in enumerate(passes)
         for at, each in enumerate(own)),
    )  # fmt: skip
    groups: list[list[tuple[int, int]]] = []
    until = -np.inf
    for start, end, who, at in every:
        if not groups or start > until + near:
            groups.append([])
            until = end
        groups[-1].append((who, at))
        until = max(until, end)
    found = [list(own) for own in passes]
    for group in groups:
        direction = _common_exit(take, stays, passes, group, sideways)
        for who, at in group:
            found[who][at] = passes[who][at]._replace(direction=direction)
    return [tuple(own) for own in found]


def _common_exit(
    take: Take,
    stays: Sequence[RegionConstraint],
    passes: Sequence[tuple[RegionPass, ...]],
    group: Sequence[tuple[int, int]],
    sideways: float,
) -> Floats:
    """(3,) the direction along which the deepest of several points is soonest outside."""
    paths = [trail(take, stays[who].point, passes[who][at].times).position for who, at in group]
    first = min(group, key=lambda each: passes[each[0]][each[1]].times[0])
    last = max(group, key=lambda each: passes[each[0]][each[1]].times[-1])
    ends = [
        trail(take, stays[who].point, [passes[who][at].times[side]]).position[0]
        for (who, at), side in ((first, 0), (last, -1))
    ]
    region, crossing = RegionDistance(stays[0].region), ends[1] - ends[0]
    return _best_exit(region, np.concatenate(paths), crossing, sideways)


def _crossing(path: Floats, first: int, end: int) -> Floats:
    """(3,) m, the way through a region from where a path enters it; 0 if it is inside at an end."""
    if first == 0 or end >= len(path):
        return np.zeros(3)
    way: Floats = path[end] - path[first - 1]
    return way


def _best_exit(
    region: RegionDistance, path: Floats, crossing: Floats, sideways: float = 1.0
) -> Floats:
    """(3,) the direction along which the deepest point of a path is soonest outside.

    A path that crosses the region goes over it or around it: it cannot leave along its way.
    """
    level = crossing * [1.0, 0.0, 1.0]
    size = float(np.linalg.norm(level))
    way = level / size if size > CROSSING else np.zeros(3)
    across = EXIT_DIRECTIONS[np.abs(EXIT_DIRECTIONS @ way) < ALONG]
    deepest = [region.along(path, np.tile(each, (len(path), 1)))[0].max() for each in across]
    longer = 1 + (sideways - 1) * (1 - across[:, 1])
    best: Floats = across[int(np.argmin(deepest * longer))]
    return best


def pass_times(passes: Sequence[RegionPass], rate: float) -> list[float]:
    """Sample times besides the frames: within passes and a little around them, s."""
    times: list[float] = []
    for each in passes:
        steps = np.arange(1, SAMPLES_PER_FRAME * FRAMES_AROUND + 1) / (SAMPLES_PER_FRAME * rate)
        times += [*(each.times[0] - steps), *each.times, *(each.times[-1] + steps)]
    return times


def exit_directions(passes: Sequence[RegionPass], times: Floats) -> Floats:
    """(T, 3) the exit direction of the pass that is nearest in time."""
    away = [np.maximum(each.times[0] - times, times - each.times[-1]) for each in passes]
    directions: Floats = np.array([each.direction for each in passes])[np.argmin(away, axis=0)]
    return directions


def exit_planes(
    passes: Sequence[RegionPass], region: RegionDistance, times: Floats, path: Floats
) -> tuple[Bools, Floats, Floats]:
    """Which of times (T,) lie in passes, and the plane where the path (T, 3) leaves: point, normal.

    With these planes a pass goes over what it went through, and is not delayed before it.
    """
    within = np.zeros(len(times), bool)
    for each in passes:
        within |= (times >= each.times[0] - 1e-9) & (times <= each.times[-1] + 1e-9)
    within &= region.signed(path)[0] < 0
    directions = exit_directions(passes, times)[within]
    distance, slope = region.along(path[within], directions)
    point, normal = np.zeros((2, *path.shape))
    point[within] = path[within] + distance[:, None] * directions
    normal[within] = slope / np.linalg.norm(slope, axis=1, keepdims=True)
    return within, point, normal
