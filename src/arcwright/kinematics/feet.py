"""Feet: which points of a rig stand on the floor, found by the names of its joints."""

from __future__ import annotations

import re

import numpy as np

from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig


def feet(rig: Rig) -> list[Point]:
    """Toe joints by name, else feet, else ankles; one toe of each foot, end joints left out."""
    for word in ("toe", "foot", "ankle"):
        named = [_called(name, word) for name in rig.names]
        chosen: dict[tuple[int, int], int] = {}
        for joint, parent in enumerate(rig.parents.tolist()):
            if named[joint] and not (parent >= 0 and named[parent]):
                alone = word != "toe" or parent < 0
                chosen.setdefault((parent, joint if alone else -1), joint)
        if chosen:
            return [Point(rig.names[joint]) for joint in chosen.values()]
    raise BadValue("points", "points to watch, as no joint is called toe, foot or ankle", "none")


def heels(rig: Rig) -> list[Point]:
    """Behind each of the toes: a joint called heel, else the foot or ankle that carries them."""
    found: dict[int, Point] = {}
    for toe in feet(rig):
        parent = int(rig.parents[rig.joint(toe.joint)])
        if parent < 0 or not is_foot(rig.names[parent]):
            continue
        below = [
            joint
            for joint in np.flatnonzero(rig.parents == parent).tolist()
            if _called(rig.names[joint], "heel")
        ]
        found[parent] = Point(rig.names[below[0] if below else parent])
    return list(found.values())


def is_foot(name: str) -> bool:
    """Whether a joint is called toe, ball, heel, foot or ankle."""
    return any(_called(name, word) for word in ("toe", "heel", "foot", "ankle"))


def without_side(point: Point) -> tuple[str, tuple[float, ...]]:
    """The same for a point on the left and its like on the right."""
    name = re.sub(r"(?i)left|right", "", point.joint)
    name = re.sub(r"(^|[._:\- ])[lrLR](?=$|[._\- A-Z])", r"\1", name)
    return name, (abs(float(point.offset[0])), *map(float, point.offset[1:]))


def rig_size(rig: Rig) -> float:
    """Longest side, m, of the box around all joints when every channel has its default."""
    position = forward(rig, rig.channels.default[None])[0, :, :3, 3]
    return float(np.ptp(position, axis=0).max()) if len(position) else 0.0


def _called(name: str, word: str) -> bool:
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    return any(word in part for part in parts) or (word == "toe" and "ball" in parts)
