"""Region: half spaces, boxes, balls and cylinders to stay in or out of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue

TINY = 1e-12
FARTHEST = 1e6  # m from the middle of the world, where a double still tells micrometres apart


@dataclass(frozen=True, eq=False)
class HalfSpace:
    """All that lies behind a plane."""

    place: Floats  # (3,) m, on the plane
    normal: Floats  # (3,) out of it, of length 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "place", placed(self.place, "HalfSpace.place", (3,)))
        normal = frozen(self.normal, "HalfSpace.normal", (3,))
        with np.errstate(over="ignore"):
            length = float(np.linalg.norm(normal))
        if not TINY < length < np.inf:
            raise BadValue("HalfSpace.normal", "a direction", normal)
        if abs(length - 1) > TINY:  # one that is of length 1 stays as it is, to the last bit
            normal = frozen(normal / length, "HalfSpace.normal", (3,))
        object.__setattr__(self, "normal", normal)


@dataclass(frozen=True, eq=False)
class Ball:
    """All that is near a place."""

    middle: Floats  # (3,) m
    radius: float  # m

    def __post_init__(self) -> None:
        object.__setattr__(self, "middle", placed(self.middle, "Ball.middle", (3,)))
        object.__setattr__(self, "radius", _above_zero(self.radius, "Ball.radius"))


@dataclass(frozen=True, eq=False)
class Box:
    """All between two corners, along the axes of the world."""

    low: Floats  # (3,) m
    high: Floats  # (3,) m

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            object.__setattr__(self, name, placed(getattr(self, name), f"Box.{name}", (3,)))
        if not (self.high > self.low).all():
            raise BadValue("Box.high", f"above low ({self.low})", self.high)


@dataclass(frozen=True, eq=False)
class Cylinder:
    """All around the line between the middles of two round ends."""

    start: Floats  # (3,) m
    end: Floats  # (3,) m
    radius: float  # m

    def __post_init__(self) -> None:
        for name in ("start", "end"):
            object.__setattr__(self, name, placed(getattr(self, name), f"Cylinder.{name}", (3,)))
        object.__setattr__(self, "radius", _above_zero(self.radius, "Cylinder.radius"))
        if not np.linalg.norm(self.end - self.start) > TINY:
            raise BadValue("Cylinder.end", "elsewhere than start", self.end)


Region: TypeAlias = HalfSpace | Box | Ball | Cylinder


def placed(value: object, where: str, shape: tuple[int | str, ...]) -> Floats:
    """Places in the world as a read-only array; none so far off that nothing can be solved."""
    places: Floats = frozen(value, where, shape)  # type: ignore[arg-type]
    if np.abs(places).max(initial=0.0) > FARTHEST:
        raise BadValue(where, f"within {FARTHEST:g} m", places)
    return places


def _above_zero(value: float, where: str) -> float:
    if not 0 < value <= FARTHEST:
        raise BadValue(where, f"metres above 0, at most {FARTHEST:g}", value)
    return float(value)
