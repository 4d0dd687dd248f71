"""Constraints besides pins and contacts: distance, path, orientation, region, balance ..."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.point import Point
from arcwright.scene.region import MAX_DISTANCE, Region, checked_positions

SUPPORT_MARGIN = 0.11  # m around the contact points: about half a foot
MIN_INTERVAL = 1e-6  # s between two positions of a path
MAX_GRAVITY = 1e4  # m/s^2, the strongest gravity that a flight may have


@dataclass(frozen=True, eq=False)
class Apart:
    """Distance constraint: two points of a character keep their distance, or a given one."""

    point: Point
    other: Point
    start: float  # s
    end: float  # s
    size: float | None = None  # m
    clip: str = ""  # the take it belongs to; "" is every one

    def __post_init__(self) -> None:
        _check_span(self)
        _check_length(self, "size")


@dataclass(frozen=True, eq=False)
class Meet:
    """A point has the same position at two times."""

    point: Point
    start: float  # s
    end: float  # s
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)


@dataclass(frozen=True, eq=False)
class Follow:
    """Path constraint: a point follows a smooth path through given positions."""

    point: Point
    times: Floats  # (K,) s, rising
    places: Floats  # (K, 3) m
    clip: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", frozen(self.times, "Follow.times", ("K",)))
        object.__setattr__(
            self, "places", checked_positions(self.places, "Follow.places", ("K", 3))
        )
        if not len(self.times) or len(self.times) != len(self.places):
            raise BadValue("Follow.places", f"{len(self.times)}, one per time", len(self.places))
        if not (np.diff(self.times) > MIN_INTERVAL).all():
            raise BadValue("Follow.times", "increasing times", self.times)

    @property
    def start(self) -> float:
        """The time of the first position, s."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """The time of the last position, s."""
        return float(self.times[-1])


@dataclass(frozen=True, eq=False)
class Turned:
    """Orientation constraint: the joint of a point has a given world orientation."""

    point: Point
    start: float  # s
    end: float  # s
    orientation: Floats  # (4,) wxyz, in the world
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)
        orientation = frozen(self.orientation, "Turned.orientation", (4,))
        with np.errstate(over="ignore"):
            length = float(np.linalg.norm(orientation))
        if not abs(length - 1) <= 1e-6:
            raise BadValue("Turned.orientation", "a unit quaternion wxyz", orientation)
        object.__setattr__(self, "orientation", orientation)


@dataclass(frozen=True, eq=False)
class Stay:
    """Region constraint: a point stays inside or outside a region."""

    point: Point
    start: float  # s
    end: float  # s
    region: Region
    inside: bool = False
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)


@dataclass(frozen=True, eq=False)
class Floor:
    """Floor constraint: a point, or every foot, stays above a height or its lowest position."""

    start: float  # s
    end: float  # s
    height: float | None = None  # m
    point: Point | None = None  # None for the feet
    character: str = ""  # whose feet; "" is the first character
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)
        if self.height is not None:
            if not abs(self.height) <= MAX_DISTANCE:
                raise BadValue("Floor.height", f"metres, within {MAX_DISTANCE:g}", self.height)
            object.__setattr__(self, "height", float(self.height))
        if self.point is not None and self.character:
            raise BadValue("Floor.character", "none, as its point names it", self.character)


@dataclass(frozen=True, eq=False)
class Balance:
    """Balance constraint: the centre of mass stays over the support, or as near as it was."""

    start: float  # s
    end: float  # s
    around: float = SUPPORT_MARGIN  # m, margin of the support around the contact points
    character: str = ""  # whose; "" is the first character
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)
        _check_length(self, "around")


@dataclass(frozen=True, eq=False)
class Flight:
    """Flight constraint: the acceleration of the centre of mass is kept; its velocity may change.

    With a gravity it follows that parabola, whatever its acceleration before.
    """

    start: float  # s
    end: float  # s
    gravity: float | None = None  # m/s^2, 9.81 on earth
    character: str = ""  # whose; "" is the first character
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)
        if self.gravity is not None:
            if not abs(self.gravity) <= MAX_GRAVITY:
                expected = f"metres per second squared, within {MAX_GRAVITY:g}"
                raise BadValue("Flight.gravity", expected, self.gravity)
            object.__setattr__(self, "gravity", float(self.gravity))


Constraint: TypeAlias = Apart | Meet | Follow | Turned | Stay | Floor | Balance | Flight


def name_of(constraint: Constraint) -> str:
    """The name in notes and labels: "LeftHand to RightHand distance"."""
    match constraint:
        case Apart(point, other):
            return f"{point.joint} to {other.joint} distance"
        case Meet(point):
            return f"{point.joint} return"
        case Follow(point):
            return f"{point.joint} path"
        case Turned(point):
            return f"{point.joint} turn"
        case Stay(point):
            return f"{point.joint} region"
        case Floor(point=point):
            return "floor" if point is None else f"{point.joint} floor"
        case Balance():
            return "balance"
        case Flight():
            return "flight"


def _check_span(constraint: Apart | Meet | Turned | Stay | Floor | Balance | Flight) -> None:
    for name in ("start", "end"):
        object.__setattr__(constraint, name, float(getattr(constraint, name)))
    if not -np.inf < constraint.start <= constraint.end < np.inf:
        where = f"{type(constraint).__name__}.end"
        raise BadValue(where, f"at or after start ({constraint.start:g} s)", constraint.end)


def _check_length(constraint: Apart | Balance, name: str) -> None:
    value = getattr(constraint, name)
    if value is None:
        return
    if not 0 <= value <= MAX_DISTANCE:
        where = f"{type(constraint).__name__}.{name}"
        raise BadValue(where, f"metres, 0 or more, at most {MAX_DISTANCE:g}", value)
    object.__setattr__(constraint, name, float(value))
