"""Placed: pins, contacts and constraints of a scene whose unit or up axis is another."""

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

_W = TypeVar("_W", bound=Pin | Contact | Constraint | Region)
_LENGTHS = {"size", "around", "height", "gravity", "radius"}
_PLACES = {"places", "place", "middle", "low", "high", "start", "end"}


def rescaled(wish: _W, factor: float) -> _W:
    """With every length multiplied, also those of its points and its region."""

    def scaled(name: str, value: Any) -> Any:
        if isinstance(value, Point):
            return replace(value, offset=value.offset * factor)
        if isinstance(value, Region):
            return rescaled(value, factor)
        is_place = name in _PLACES and isinstance(value, np.ndarray)
        return value * factor if is_place or (name in _LENGTHS and value is not None) else value

    return _changed(wish, scaled)


def turned(wish: _W, turn: Floats) -> _W:
    """With every place and direction turned by a quaternion; heights stay heights."""

    def rotated(name: str, value: Any) -> Any:
        if isinstance(value, Region):
            return turned(value, turn)
        if name == "orientation" and isinstance(value, np.ndarray):
            return quaternion_multiply(turn, value)
        if isinstance(value, np.ndarray) and name in _PLACES | {"normal"}:
            return quaternion_rotate(turn, value)
        return value

    if isinstance(wish, Box):
        corners = np.array([quaternion_rotate(turn, each) for each in (wish.low, wish.high)])
        return replace(wish, low=corners.min(axis=0), high=corners.max(axis=0))
    return _changed(wish, rotated)


def _changed(wish: _W, change: Callable[[str, Any], Any]) -> _W:
    found: dict[str, Any] = {f.name: change(f.name, getattr(wish, f.name)) for f in fields(wish)}
    return replace(wish, **found)
