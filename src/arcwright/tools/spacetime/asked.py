"""Asked: what else can be wished of a motion, besides the pins and contacts of its scene."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.point import Point
from arcwright.tools.spacetime.region import Region

ROUND = 0.11  # m around the points that stand: about half a foot


@dataclass(frozen=True, eq=False)
class Apart:
    """Two points of a character keep their distance, or one that is given."""

    point: Point
    other: Point
    start: float  # s
    end: float  # s
    size: float | None = None  # m

    def __post_init__(self) -> None:
        _check_span(self)
        if self.size is not None and not 0 <= self.size < np.inf:
            raise BadValue("Apart.size", "metres, 0 or more", self.size)


@dataclass(frozen=True, eq=False)
class Meet:
    """A point is in the same place at two moments."""

    point: Point
    first: float  # s
    second: float  # s


@dataclass(frozen=True, eq=False)
class Follow:
    """A point goes by places, smoothly from one to the next."""

    point: Point
    times: Floats  # (K,) s, rising
    places: Floats  # (K, 3) m

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", frozen(self.times, "Follow.times", ("K",)))
        object.__setattr__(self, "places", frozen(self.places, "Follow.places", ("K", 3)))
        if not len(self.times) or len(self.times) != len(self.places):
            raise BadValue("Follow.places", f"{len(self.times)}, one for a time", len(self.places))
        if not (np.diff(self.times) > 0).all():
            raise BadValue("Follow.times", "times that rise", self.times)

    def at(self, times: Floats) -> Floats:
        """(T, 3) m: cubics with the slopes of the chords around each place."""
        if len(self.times) == 1:
            return np.tile(self.places[0], (len(times), 1))
        slope = np.gradient(self.places, self.times, axis=0)
        span = np.clip(np.searchsorted(self.times, times, "right") - 1, 0, len(self.times) - 2)
        length = (self.times[span + 1] - self.times[span])[:, None]
        u = np.clip((times - self.times[span])[:, None] / length, 0.0, 1.0)
        low, high = self.places[span], self.places[span + 1]
        bend = (1 - u) * (slope[span] * length - (high - low)) - u * (
            slope[span + 1] * length - (high - low)
        )
        where: Floats = low + u * (high - low) + u * (1 - u) * bend
        return where


@dataclass(frozen=True, eq=False)
class Turned:
    """The joint of a point is turned in a given way."""

    point: Point
    start: float  # s
    end: float  # s
    orientation: Floats  # (4,) wxyz, in the world

    def __post_init__(self) -> None:
        _check_span(self)
        turn = frozen(self.orientation, "Turned.orientation", (4,))
        if abs(np.linalg.norm(turn) - 1) > 1e-6:
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

    def __post_init__(self) -> None:
        _check_span(self)


@dataclass(frozen=True, eq=False)
class Balance:
    """The centre of mass stays over what the character stands on, or no further off than it was."""

    start: float  # s
    end: float  # s
    around: float = ROUND  # m, how far the support reaches beyond the points that stand

    def __post_init__(self) -> None:
        _check_span(self)
        if not 0 <= self.around < np.inf:
            raise BadValue("Balance.around", "metres, 0 or more", self.around)


@dataclass(frozen=True, eq=False)
class Flight:
    """In the air nothing pulls at the centre of mass that did not before; its speed may change.

    With a gravity it follows a parabola, however it fell before.
    """

    start: float  # s
    end: float  # s
    gravity: float | None = None  # m/s^2, 9.81 on earth

    def __post_init__(self) -> None:
        _check_span(self)
        if self.gravity is not None and not np.isfinite(self.gravity):
            raise BadValue("Flight.gravity", "metres per second squared", self.gravity)


More: TypeAlias = Apart | Meet | Follow | Turned | Stay | Balance | Flight


def _check_span(more: Apart | Turned | Stay | Balance | Flight) -> None:
    if not more.start <= more.end:
        where = f"{type(more).__name__}.end"
        raise BadValue(where, f"at or after start ({more.start:g} s)", more.end)
