"""Regions: half spaces, boxes, balls and cylinders, for region constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue

EPSILON = 1e-12
MAX_DISTANCE = 1e6  # m from the origin, where a double still resolves micrometres


@dataclass(frozen=True, eq=False)
class HalfSpace:
    """All points behind a plane."""

    place: Floats  # (3,) m, on the plane
    normal: Floats  # (3,) out of it, of length 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", checked_positions(self.place, "HalfSpace.place", (3,)))
        normal = frozen(self.normal, "HalfSpace.normal", (3,))
        with np.errstate(over="ignore"):
            length = float(np.linalg.norm(normal))
        if not EPSILON < length < np.inf:
            raise BadValue("HalfSpace.normal", "a direction", normal)
        if abs(length - 1) > EPSILON:  # a unit vector stays unchanged to the last bit
            normal = frozen(normal / length, "HalfSpace.normal", (3,))
        object.__setattr__(self, "normal", normal)


@dataclass(frozen=True, eq=False)
class Ball:
    """All points within a radius of a centre."""

    middle: Floats  # (3,) m
    radius: float  # m

    def __post_init__(self) -> None:
        object.__setattr__(self, "middle", checked_positions(self.middle, "Ball.middle", (3,)))
        object.__setattr__(self, "radius", _above_zero(self.radius, "Ball.radius"))


@dataclass(frozen=True, eq=False)
class Box:
    """An axis-aligned box between two corners."""

    low: Floats  # (3,) m
    high: Floats  # (3,) m

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(
                self, name, checked_positions(getattr(self, name), f"Box.{name}", (3,))
            )
        if not (self.high > self.low).all():
            raise BadValue("Box.high", f"above low ({self.low})", self.high)


@dataclass(frozen=True, eq=False)
class Cylinder:
    """A cylinder between the centres of its two ends."""

    start: Floats  # (3,) m
    end: Floats  # (3,) m
    radius: float  # m

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            object.__setattr__(
                self, name, checked_positions(getattr(self, name), f"Cylinder.{name}", (3,))
            )
        object.__setattr__(self, "radius", _above_zero(self.radius, "Cylinder.radius"))
        if not np.linalg.norm(self.end - self.start) > EPSILON:
            raise BadValue("Cylinder.end", "elsewhere than start", self.end)


Region: TypeAlias = HalfSpace | Box | Ball | Cylinder


def checked_positions(value: object, where: str, shape: tuple[int | str, ...]) -> Floats:
    """World positions as a read-only array; raises beyond `MAX_DISTANCE`."""
    places: Floats = frozen(value, where, shape)  # type: ignore[arg-type]
    if np.abs(places).max(initial=0.0) > MAX_DISTANCE:
        raise BadValue(where, f"within {MAX_DISTANCE:g} m", places)
    return places


def _above_zero(value: float, where: str) -> float:
    if not 0 < value <= MAX_DISTANCE:
        raise BadValue(where, f"metres above 0, at most {MAX_DISTANCE:g}", value)
    return float(value)
