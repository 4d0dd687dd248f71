"""Region: how far places are in or out of a region of the scene, and by which way they leave it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.scene.region import EPSILON, Ball, Box, Cylinder, HalfSpace
from arcwright.scene.region import Region as Walls


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
    leads = speed > EPSILON
    safe = np.where(leads, speed, 1.0)
    return np.where(leads, gap / safe, np.inf), normal / safe[:, None]


def _leave_round(away: Floats, way: Floats, radius: float) -> tuple[Floats, Floats]:
    """Out of a ball or a round section, from (T, 3) seen from its middle."""
    square = (way * way).sum(axis=1)
    leads = square > EPSILON
    safe = np.where(leads, square, 1.0)
    half = (away * way).sum(axis=1)
    left = np.maximum(half**2 + safe * (radius**2 - (away * away).sum(axis=1)), 0.0)
    far = np.where(leads, (np.sqrt(left) - half) / safe, np.inf)
    end = away + np.where(leads, far, 0.0)[:, None] * way
    slope = (end * way).sum(axis=1, keepdims=True)
    return far, end / np.where(np.abs(slope) > EPSILON, slope, 1.0)


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
    beyond = out > EPSILON
    share = np.where(beyond[:, None], over / np.maximum(out, EPSILON)[:, None], 0.0)
    share[rows[~beyond], nearest[~beyond]] = 1.0
    way: Floats = (share[:, None] @ ways)[:, 0]
    return np.where(beyond, out, sides[rows, nearest]), way


def _unit(away: Floats) -> Floats:
    size = np.linalg.norm(away, axis=1, keepdims=True)
    unit: Floats = np.where(size > EPSILON, away / np.maximum(size, EPSILON), [0.0, 1.0, 0.0])
    return unit
