"""Region: half spaces, boxes, spheres and cylinders to stay in or out of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue

TINY = 1e-12


class Region(Protocol):
    """A part of space."""

    def outside(self, places: Floats) -> tuple[Floats, Floats]:
        """How far places (T, 3) are outside, (T,) m, below 0 inside; and the way out (T, 3)."""
        ...

    def leave(self, places: Floats, way: Floats) -> tuple[Floats, Floats]:
        """How far it is out of it along a way, (T,) m, from places inside (T, 3) with ways (T, 3).

        And how that shrinks as a place moves, (T, 3); infinite where the way never leads out.
        """
        ...


@dataclass(frozen=True, eq=False)
class HalfSpace:
    """All that lies behind a plane."""

    place: Floats  # (3,) m, on the plane
    normal: Floats  # (3,) out of it

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", frozen(self.place, "HalfSpace.place", (3,)))
        normal = frozen(self.normal, "HalfSpace.normal", (3,))
        if not np.linalg.norm(normal) > TINY:
            raise BadValue("HalfSpace.normal", "a direction", normal)
        unit = frozen(normal / np.linalg.norm(normal), "HalfSpace.normal", (3,))
        object.__setattr__(self, "normal", unit)

    def outside(self, places: Floats) -> tuple[Floats, Floats]:
        """See `Region`."""
        return (places - self.place) @ self.normal, np.tile(self.normal, (len(places), 1))

    def leave(self, places: Floats, way: Floats) -> tuple[Floats, Floats]:
        """See `Region`."""
        out, normal = self.outside(places)
        return _along(-out, normal, way)


@dataclass(frozen=True, eq=False)
class Ball:
    """All that is near a place."""

    middle: Floats  # (3,) m
    radius: float  # m

    def __post_init__(self) -> None:
        object.__setattr__(self, "middle", frozen(self.middle, "Ball.middle", (3,)))
        object.__setattr__(self, "radius", _above_zero(self.radius, "Ball.radius"))

    def outside(self, places: Floats) -> tuple[Floats, Floats]:
        """See `Region`."""
        away = places - self.middle
        size = np.linalg.norm(away, axis=1)
        return size - self.radius, _unit(away)

    def leave(self, places: Floats, way: Floats) -> tuple[Floats, Floats]:
        """See `Region`."""
        return _leave_round(places - self.middle, way, self.radius)


@dataclass(frozen=True, eq=False)
class Box:
    """All between two corners, along the axes of the world."""

    low: Floats  # (3,) m
    high: Floats  # (3,) m

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(self, name, frozen(getattr(self, name), f"Box.{name}", (3,)))
        if not (self.high > self.low).all():
            raise BadValue("Box.high", f"above low ({self.low})", self.high)

    def outside(self, places: Floats) -> tuple[Floats, Floats]:
        """See `Region`."""
        middle, half = (self.low + self.high) / 2, (self.high - self.low) / 2
        away = places - middle
        return _from_sides(np.abs(away) - half, np.sign(away)[:, :, None] * np.eye(3))

    def leave(self, places: Floats, way: Floats) -> tuple[Floats, Floats]:
        """See `Region`."""
        ahead = np.sign(way)[:, :, None] * np.eye(3)  # (T, 3, 3) the sides that lie on the way
        gap = np.where(way > 0, self.high - places, places - self.low)
        far = [_along(gap[:, axis], ahead[:, axis], way) for axis in range(3)]
        return _nearest(far)


@dataclass(frozen=True, eq=False)
class Cylinder:
    """All around the line between the middles of two round ends."""

    start: Floats  # (3,) m
    end: Floats  # (3,) m
    radius: float  # m

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            object.__setattr__(self, name, frozen(getattr(self, name), f"Cylinder.{name}", (3,)))
        object.__setattr__(self, "radius", _above_zero(self.radius, "Cylinder.radius"))
        if not np.linalg.norm(self.end - self.start) > TINY:
            raise BadValue("Cylinder.end", "elsewhere than start", self.end)

    def outside(self, places: Floats) -> tuple[Floats, Floats]:
        """See `Region`."""
        length = float(np.linalg.norm(self.end - self.start))
        axis = (self.end - self.start) / length
        away = places - (self.start + self.end) / 2
        along = away @ axis
        across = away - along[:, None] * axis
        sides = np.stack(
            [np.abs(along) - length / 2, np.linalg.norm(across, axis=1) - self.radius], axis=1
        )
        ways = np.stack([np.sign(along)[:, None] * axis, _unit(across)], axis=1)
        return _from_sides(sides, ways)

    def leave(self, places: Floats, way: Floats) -> tuple[Floats, Floats]:
        """See `Region`."""
        length = float(np.linalg.norm(self.end - self.start))
        axis = (self.end - self.start) / length
        away, speed = places - (self.start + self.end) / 2, way @ axis
        side = np.sign(speed)[:, None] * axis
        ends = _along(length / 2 - (away[:, None] @ side[..., None])[:, 0, 0], side, way)
        across, sideways = (each - (each @ axis)[:, None] * axis for each in (away, way))
        return _nearest([ends, _leave_round(across, sideways, self.radius)])


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


def _above_zero(value: float, where: str) -> float:
    if not 0 < value < np.inf:
        raise BadValue(where, "metres above 0", value)
    return float(value)
