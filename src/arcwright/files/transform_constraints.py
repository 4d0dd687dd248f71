"""Scale and rotate constraints when a scene is read with another unit or up axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import quaternion_multiply, quaternion_rotate
from arcwright.scene.constraint import Constraint
from arcwright.scene.point import Contact, Pin, Point
from arcwright.scene.region import Box, Region

_C = TypeVar("_C", bound=Pin | Contact | Constraint | Region)
_LENGTHS = {"size", "around", "height", "gravity", "radius"}
_POSITIONS = {"places", "place", "middle", "low", "high", "start", "end"}


def scale_constraint(constraint: _C, factor: float) -> _C:
    """Multiply every length of a constraint, including those of its points and region."""

    def scaled(name: str, value: Any) -> Any:
        if isinstance(value, Point):
            return replace(value, offset=value.offset * factor)
        if isinstance(value, Region):
            return scale_constraint(value, factor)
        is_place = name in _POSITIONS and isinstance(value, np.ndarray)
        return value * factor if is_place or (name in _LENGTHS and value is not None) else value

    return _with_changed_fields(constraint, scaled)


def rotate_constraint(constraint: _C, rotation: Floats) -> _C:
    """Rotate every position and direction of a constraint by a quaternion; heights stay."""

    def rotated(name: str, value: Any) -> Any:
        if isinstance(value, Region):
            return rotate_constraint(value, rotation)
        if name == "orientation" and isinstance(value, np.ndarray):
            return quaternion_multiply(rotation, value)
        if isinstance(value, np.ndarray) and name in _POSITIONS | {"normal"}:
            return quaternion_rotate(rotation, value)
        return value

    if isinstance(constraint, Box):
        corners = np.array(
            [quaternion_rotate(rotation, each) for each in (constraint.low, constraint.high)]
        )
        return replace(constraint, low=corners.min(axis=0), high=corners.max(axis=0))
    return _with_changed_fields(constraint, rotated)


def _with_changed_fields(constraint: _C, change: Callable[[str, Any], Any]) -> _C:
    found: dict[str, Any] = {
        f.name: change(f.name, getattr(constraint, f.name)) for f in fields(constraint)
    }
    return replace(constraint, **found)
