"""Regions: half spaces, boxes, spheres and cylinders, for region constraints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.scene.quantity import EPSILON, MAX_DISTANCE, Quantity, check_fields

_RADIUS = Quantity("length", "Radius", "above 0", "m", low=0, high=MAX_DISTANCE)


@dataclass(frozen=True, eq=False)
class HalfSpace:
    """All points behind a plane."""

    position: Annotated[Floats, Quantity("position", "Position", "on the plane", "m")]  # (3,)
    normal: Annotated[Floats, Quantity("direction", "Normal", "points out of it")]  # (3,)

    def __post_init__(self) -> None:
        check_fields(self)


@dataclass(frozen=True, eq=False)
class Sphere:
    """All points within a radius of a center."""

    center: Annotated[Floats, Quantity("position", "Center", unit="m")]  # (3,)
    radius: Annotated[float, _RADIUS]

    def __post_init__(self) -> None:
        check_fields(self)
        _check_radius(self)


@dataclass(frozen=True, eq=False)
class Box:
    """An axis-aligned box between two corners."""

    low: Annotated[Floats, Quantity("position", "Low corner", unit="m")]  # (3,)
    high: Annotated[Floats, Quantity("position", "High corner", unit="m")]  # (3,)

    def __post_init__(self) -> None:
        check_fields(self)
        if not (self.high > self.low).all():
            raise BadValue("Box.high", f"above low ({self.low})", self.high)


@dataclass(frozen=True, eq=False)
class Cylinder:
    """A cylinder between the centers of its two ends."""

    start: Annotated[Floats, Quantity("position", "Start", unit="m")]  # (3,)
    end: Annotated[Floats, Quantity("position", "End", unit="m")]  # (3,)
    radius: Annotated[float, _RADIUS]

    def __post_init__(self) -> None:
        check_fields(self)
        _check_radius(self)
        if not np.linalg.norm(self.end - self.start) > EPSILON:
            raise BadValue("Cylinder.end", "elsewhere than start", self.end)


Region: TypeAlias = HalfSpace | Box | Sphere | Cylinder
SHAPES: dict[str, type[Any]] = {
    "half_space": HalfSpace,
    "box": Box,
    "sphere": Sphere,
    "cylinder": Cylinder,
}
"""Region classes by the names that files and messages give them."""
SHAPE_NAMES = {shape: name for name, shape in SHAPES.items()}


def _check_radius(region: Sphere | Cylinder) -> None:
    if region.radius == 0:
        raise BadValue(f"{type(region).__name__}.radius", "metres above 0", region.radius)
