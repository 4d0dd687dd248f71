"""Where objects of a scene touch each other."""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.flow.scene_objects import SceneObject, bounds
from arcwright.tools.flow.surface_contact import touching_points

Contacts = tuple[tuple[int, int, Floats], ...]
"""Pairs of objects, by index, and points (N, 3) m at which they touch."""
FLOOR = -1  # in place of the second object: the floor at height 0 of a scene without ground
_STANDS = 0.02  # of its size: an object whose lowest point is this near the floor stands on it
_NEAR = 0.01  # of the smaller object's size: surfaces this near touch
_MOST_POINTS = 200  # kept of one contact


def find_contacts(objects: Sequence[SceneObject], only: Set[int] | None = None) -> Contacts:
    """All pairs of objects that touch, and where; without ground, what stands on the floor, too.

    With `only`, pairs of which one is among these, by index.
    """
    if not objects or only == set():
        return ()
    low, high = bounds(objects)
    size = np.array([each.size for each in objects])
    found = [] if any(each.ground for each in objects) else _on_floor(objects)
    pairs = _pairs(low, high, size)
    if only is not None:
        found = [each for each in found if each[0] in only]
        pairs = [(a, b) for a, b in pairs if a in only or b in only]
    for first, second in pairs:
        near = _NEAR * float(min(size[first], size[second]))
        box = (
            np.maximum(low[first], low[second]) - near,
            np.minimum(high[first], high[second]) + near,
        )
        points = touching_points(_surface(objects[first]), _surface(objects[second]), *box, near)
        if len(points) > _MOST_POINTS:
            points = points[np.linspace(0, len(points) - 1, _MOST_POINTS).astype(int)]
        if len(points):
            found.append((first, second, points))
    return tuple(found)


def _on_floor(objects: Sequence[SceneObject]) -> list[tuple[int, int, Floats]]:
    found = []
    for index, item in enumerate(objects):
        height = item.positions[:, 1]
        if abs(float(height.min())) < _STANDS * item.size:
            feet = item.positions[height < height.min() + _NEAR * item.size]
            found.append((index, FLOOR, feet[:: max(len(feet) // _MOST_POINTS, 1)]))
    return found


def _pairs(low: Floats, high: Floats, size: Floats) -> list[tuple[int, int]]:
    """Objects whose boxes are near each other."""
    near = _NEAR * np.minimum(size[:, None], size)[..., None]
    overlap = ((low[:, None] <= high + near) & (low <= high[:, None] + near)).all(-1)
    return [(int(a), int(b)) for a, b in np.argwhere(np.triu(overlap, 1))]


def _surface(item: SceneObject) -> Floats:
    """Triangles (F, 3, 3); of a cloud its points, without extent."""
    if len(item.triangles):
        return item.positions[item.triangles]
    return np.repeat(item.positions[:, None], 3, axis=1)
