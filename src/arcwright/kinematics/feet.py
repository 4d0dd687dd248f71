"""Feet of a rig: their toes, heels and tips, by the structure of the rig and by joint names."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools
from arcwright.errors import BadValue
from arcwright.kinematics.legs import FLOOR, Leg, legs, rest_places, rig_size
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

__all__ = [
    "Foot",
    "feet",
    "foot_joints",
    "heels",
    "planted_joints",
    "rig_size",
    "whole_feet",
    "without_side",
]
NAMES = ("toe", "foot", "ankle")


def feet(rig: Rig) -> list[Point]:
    """One point of each foot: toes by name, else foot, else ankle, else the joint after the ankle.

    Feet are those of legs; in a rig whose structure shows none, low joints with such names.
    """
    found = [_main(rig, leg) for leg in legs(rig)] or _named_feet(rig)
    if found:
        return [Point(rig.names[joint]) for joint in found]
    expected = (
        "points to watch, as no joint is called toe, foot or ankle and no pair of legs is found"
    )
    raise BadValue("points", expected, "none")


def _main(rig: Rig, leg: Leg) -> int:
    """The joint that stands for a foot."""
    for word in NAMES:
        named = [joint for joint in leg.foot if _called(rig.names[joint], word)]
        if named:
            return named[0]
    after = [joint for joint in leg.foot if rig.parents[joint] == leg.foot[0]]
    return after[0] if after else leg.foot[0]


def _named_feet(rig: Rig) -> list[int]:
    """Low joints by name: one toe of each foot; end joints of named ones are left out."""
    height = rest_places(rig)[:, 1]
    for word in NAMES:
        named = [_called(name, word) for name in rig.names]
        chosen: dict[tuple[int, int], int] = {}
        for joint, parent in enumerate(rig.parents.tolist()):
            if named[joint] and not (parent >= 0 and named[parent]):
                alone = word != "toe" or parent < 0
                chosen.setdefault((parent, joint if alone else -1), joint)
        if chosen:
            found = list(chosen.values())
            low = height[found].min() + FLOOR * np.ptp(height)
            return [joint for joint in found if not height[joint] > low]
    return []


def foot_joints(rig: Rig) -> Bools:
    """(J,) joints of feet: the low ends of legs, else called toe, ball, heel, foot or ankle."""
    found = np.zeros(len(rig.names), bool)
    for leg in legs(rig):
        found[list(leg.foot)] = True
    return found if found.any() else np.array([is_foot(name) for name in rig.names], bool)


def planted_joints(rig: Rig) -> Bools:
    """(J,) joints of feet, and those right above them with such names: ankles that are high."""
    found = foot_joints(rig)
    for leg in legs(rig):
        for joint in leg.limb[1:]:
            if not is_foot(rig.names[joint]):
                break
            found[joint] = True
    return found


def leg_ends(rig: Rig, used: Bools) -> list[int]:
    """The last joints of legs that are used (J,)."""
    ends = [[joint for joint in leg.foot if used[joint]] for leg in legs(rig)]
    return [own[-1] for own in ends if own]


def heels(rig: Rig) -> list[Point]:
    """Behind each of the toes: a joint called heel, else the foot or ankle that carries them."""
    found = [foot.heel for foot in whole_feet(rig)]
    return list({heel.joint: heel for heel in found if heel is not None}.values())


@dataclass(frozen=True)
class Foot:
    """The points of a foot that may touch the floor."""

    toe: Point  # its main point, one of `feet`
    heel: Point | None  # behind it
    tip: Point | None  # the farthest end in front of it

    @property
    def points(self) -> list[Point]:
        """All of them."""
        return [point for point in (self.toe, self.heel, self.tip) if point is not None]


def whole_feet(rig: Rig) -> list[Foot]:
    """Each foot with its heel and the tip of its toes, in order of `feet`."""
    foot = foot_joints(rig)
    found = []
    for toe in feet(rig):
        joint = rig.joint(toe.joint)
        found.append(Foot(toe, _heel(rig, joint, foot), _tip(rig, joint)))
    return found


def _heel(rig: Rig, toe: int, foot: Bools) -> Point | None:
    parent = int(rig.parents[toe])
    if parent < 0 or not foot[parent]:
        return None
    beside = np.flatnonzero(rig.parents == parent).tolist()
    named = [joint for joint in beside if _called(rig.names[joint], "heel")]
    return Point(rig.names[named[0] if named else parent])


def _tip(rig: Rig, toe: int) -> Point | None:
    """The child of a toe that is farthest ahead of it, and low."""
    below = np.flatnonzero(rig.parents == toe).tolist()
    if not below:
        return None
    reach = rest_places(rig)[below] - rest_places(rig)[toe]
    ahead = np.linalg.norm(reach[:, [0, 2]], axis=1) - reach[:, 1]
    return Point(rig.names[below[int(np.argmax(ahead))]])


def is_foot(name: str) -> bool:
    return any(_called(name, word) for word in ("toe", "heel", "foot", "ankle"))


def without_side(point: Point) -> tuple[str, tuple[float, ...]]:
    """A key that is the same for a point and its mirror image."""
    name = re.sub(r"(?i)left|right", "", point.joint)
    name = re.sub(r"(^|[._:\- ])[lrLR](?=$|[._\- A-Z])", r"\1", name)
    return name, (abs(float(point.offset[0])), *map(float, point.offset[1:]))


def _called(name: str, word: str) -> bool:
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    return any(word in part for part in parts) or (word == "toe" and "ball" in parts)
