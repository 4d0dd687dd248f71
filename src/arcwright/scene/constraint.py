"""Constraint: what else is wished of a motion, besides what pins and contacts keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.point import Point
from arcwright.scene.region import FARTHEST, Region, placed

ROUND = 0.11  # m around the points that stand: about half a foot
CLOSEST = 1e-6  # s between two places of a path
HEAVIEST = 1e4  # m/s^2, the strongest gravity that a flight may have


@dataclass(frozen=True, eq=False)
class Apart:
    """Two points of a character keep their distance, or one that is given."""

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
    """A point is in the same place at two moments."""

    point: Point
    start: float  # s
    end: float  # s
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)


@dataclass(frozen=True, eq=False)
class Follow:
    """A point goes by places, smoothly from one to the next."""

    point: Point
    times: Floats  # (K,) s, rising
    places: Floats  # (K, 3) m
    clip: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", frozen(self.times, "Follow.times", ("K",)))
        object.__setattr__(self, "places", placed(self.places, "Follow.places", ("K", 3)))
        if not len(self.times) or len(self.times) != len(self.places):
            raise BadValue("Follow.places", f"{len(self.times)}, one for a time", len(self.places))
        if not (np.diff(self.times) > CLOSEST).all():
            raise BadValue("Follow.times", "times that rise", self.times)

    @property
    def start(self) -> float:
        """The time of the first place, s."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """The time of the last place, s."""
        return float(self.times[-1])


@dataclass(frozen=True, eq=False)
class Turned:
    """The joint of a point is turned in a given way."""

    point: Point
    start: float  # s
    end: float  # s
    orientation: Floats  # (4,) wxyz, in the world
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)
        turn = frozen(self.orientation, "Turned.orientation", (4,))
        with np.errstate(over="ignore"):
            length = float(np.linalg.norm(turn))
        if not abs(length - 1) <= 1e-6:
            raise BadValue("Turned.orientation", "a unit quaternion wxyz", turn)
        object.__setattr__(self, "orientation", turn)


@dataclass(frozen=True, eq=False)
class Stay:
    """A point stays in a region, or out of it."""

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
    """A point, or every foot of a character, stays above a height, or above its lowest place."""

    start: float  # s
    end: float  # s
    height: float | None = None  # m
    point: Point | None = None  # None for the feet
    character: str = ""  # whose feet; "" is the first character
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)
        if self.height is not None:
            if not abs(self.height) <= FARTHEST:
                raise BadValue("Floor.height", f"metres, within {FARTHEST:g}", self.height)
            object.__setattr__(self, "height", float(self.height))
        if self.point is not None and self.character:
            raise BadValue("Floor.character", "none, as its point names it", self.character)


@dataclass(frozen=True, eq=False)
class Balance:
    """The centre of mass stays over what the character stands on, or no further off than it was."""

    start: float  # s
    end: float  # s
    around: float = ROUND  # m, how far the support reaches beyond the points that stand
    character: str = ""  # whose; "" is the first character
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)
        _check_length(self, "around")


@dataclass(frozen=True, eq=False)
class Flight:
    """In the air nothing pulls at the centre of mass that did not before; its speed may change.

    With a gravity it follows a parabola, however it fell before.
    """

    start: float  # s
    end: float  # s
    gravity: float | None = None  # m/s^2, 9.81 on earth
    character: str = ""  # whose; "" is the first character
    clip: str = ""

    def __post_init__(self) -> None:
        _check_span(self)
        if self.gravity is not None:
            if not abs(self.gravity) <= HEAVIEST:
                wanted = f"metres per second squared, within {HEAVIEST:g}"
                raise BadValue("Flight.gravity", wanted, self.gravity)
            object.__setattr__(self, "gravity", float(self.gravity))


Constraint: TypeAlias = Apart | Meet | Follow | Turned | Stay | Floor | Balance | Flight


def name_of(constraint: Constraint) -> str:
    """As notes and labels call it: "LeftHand to RightHand distance"."""
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


def _check_span(of: Apart | Meet | Turned | Stay | Floor | Balance | Flight) -> None:
    for name in ("start", "end"):
        object.__setattr__(of, name, float(getattr(of, name)))
    if not -np.inf < of.start <= of.end < np.inf:
        where = f"{type(of).__name__}.end"
        raise BadValue(where, f"at or after start ({of.start:g} s)", of.end)


def _check_length(of: Apart | Balance, name: str) -> None:
    value = getattr(of, name)
    if value is None:
        return
    if not 0 <= value <= FARTHEST:
        where = f"{type(of).__name__}.{name}"
        raise BadValue(where, f"metres, 0 or more, at most {FARTHEST:g}", value)
    object.__setattr__(of, name, float(value))
