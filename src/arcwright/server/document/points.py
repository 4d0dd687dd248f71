"""Spots: points as windows name them."""

from __future__ import annotations

import numpy as np

from arcwright.scene.point import Point
from arcwright.server import messages as m


def spot(point: Point, character: str) -> m.PointRef:
    """A point as windows name it."""
    x, y, z = point.offset.tolist()
    return m.PointRef(point.joint, (x, y, z), character)


def point_of(spot: m.PointRef, character: str) -> Point:
    """The point that a window names; of this character where it names none."""
    return Point(spot.joint, np.array(spot.offset), spot.character or character)
