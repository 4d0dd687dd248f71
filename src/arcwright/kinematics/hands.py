"""Hands of a rig: points that can hold props, and pairs of left and right joints."""

from __future__ import annotations

import re

import numpy as np

from arcwright.kinematics.feet import without_side
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

LEFT = re.compile(r"(?i:left)|(?:^|[._:\- ])[lL](?=$|[._\- A-Z])")


def hands(rig: Rig) -> list[list[Point]]:
    """Of each hand, found by name: its joint and, if it has fingers, half way to them."""
    for word in ("hand", "wrist", "palm"):
        within = np.zeros(len(rig.names), bool)  # of a hand, fingers included
        found = []
        for joint, parent in enumerate(rig.parents.tolist()):
            within[joint] = parent >= 0 and within[parent]
            if not within[joint] and word in rig.names[joint].lower():
                within[joint] = True
                found.append(_holding(rig, joint))
        if found:
            return found
    return []


def _holding(rig: Rig, joint: int) -> list[Point]:
    name = rig.names[joint]
    ends = rig.offset[rig.parents == joint]
    palm = np.mean(ends, axis=0) / 2 if len(ends) else np.zeros(3)
    return [Point(name), Point(name, palm)] if palm.any() else [Point(name)]


def pairs(rig: Rig) -> list[tuple[str, str]]:
    """Left and right joints whose names differ in that alone."""
    found: dict[object, list[str]] = {}
    for name in rig.names:
        bare = without_side(Point(name))[0]
        if bare != name:
            found.setdefault(bare, []).append(name)
    both = [sorted(each, key=lambda name: not LEFT.search(name)) for each in found.values()]
    return [
        (each[0], each[1])
        for each in both
        if len(each) == 2 and LEFT.search(each[0]) and not LEFT.search(each[1])
    ]
