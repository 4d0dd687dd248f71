"""Scale and rotate constraints when a scene is read with another unit or up axis."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import quaternion_multiply, quaternion_rotate
from arcwright.scene.constraint import Constraint
from arcwright.scene.quantity import QuantityKind, fields_of
from arcwright.scene.region import Box, Region

_C = TypeVar("_C", bound=Constraint | Region)


def scale_constraint(constraint: _C, factor: float) -> _C:
    """Multiply every length of a constraint, including those of its points and region."""

    def scaled(kind: QuantityKind, value: Any) -> Any:
        match kind:
            case "length" | "position" | "positions":
                return value * factor
            case "point":
                return replace(value, offset=value.offset * factor)
            case "region":
                return scale_constraint(value, factor)
        return value

    return _with_changed_fields(constraint, scaled)


def rotate_constraint(constraint: _C, rotation: Floats) -> _C:
    """Rotate every position and direction of a constraint by a quaternion; heights stay."""

    def rotated(kind: QuantityKind, value: Any) -> Any:
        match kind:
            case "position" | "positions" | "direction":
                return quaternion_rotate(rotation, value)
            case "orientation":
                return quaternion_multiply(rotation, value)
            case "region":
                return rotate_constraint(value, rotation)
        return value

    if isinstance(constraint, Box):
        corners = np.array(
            [quaternion_rotate(rotation, each) for each in (constraint.low, constraint.high)]
        )
        return replace(constraint, low=corners.min(axis=0), high=corners.max(axis=0))
    return _with_changed_fields(constraint, rotated)


def _with_changed_fields(constraint: _C, change: Callable[[QuantityKind, Any], Any]) -> _C:
    found: dict[str, Any] = {}
    for each in fields_of(type(constraint)):
        value = getattr(constraint, each.name)
        found[each.name] = None if value is None else change(each.quantity.kind, value)
    return replace(constraint, **found)
