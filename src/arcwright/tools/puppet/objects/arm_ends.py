"""Arm ends: the hands of a body on two legs by the shape of its rig, where no name tells them."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.places import Places
from arcwright.scene.rig import Rig

ASIDE = 0.04  # of the size from the middle: joints of a limb are farther
LONG = 0.15  # of the size: arms are longer
MIRRORED = 0.06  # of the size: a left and a right shoulder mirror each other so well
FINGERS = 3  # ends below a joint, from which on they are a hand's


def arm_ends(
    rig: Rig, deforms: Bools, place: Floats, root: int, legs: Collection[int], size: float
) -> Places:
    """The two hands of a body that stands with joints at places (J, 3) m; none without a pair.

    Arms are the longest two limbs beside the middle that mirror each other and are no `legs`.
    """
    limbs: dict[int, list[int]] = {}
    for end in _ends(rig, deforms, root, legs):
        top = _top(rig, place, root, end, ASIDE * size)
        if top is not None:
            limbs.setdefault(top, []).append(end)
    found: tuple[float, list[int]] = (LONG * size, [])
    for pair in combinations(limbs, 2):
        if _mirrored(place[list(pair)] - place[root], MIRRORED * size):
            reach = [max(_far(place, top, end) for end in limbs[top]) for top in pair]
            hands = [_hand(rig, place, top, limbs[top]) for top in pair]
            found = max(found, (min(reach), hands))
    joints = np.array(found[1], np.int64)
    return Places(joints, np.zeros((len(joints), 3)))


def _ends(rig: Rig, deforms: Bools, root: int, legs: Collection[int]) -> list[int]:
    """Joints that deform a mesh and carry none that does, below the root, without legs."""
    carries = {int(rig.parents[joint]) for joint in np.flatnonzero(deforms).tolist()}
    ends = [joint for joint in np.flatnonzero(deforms).tolist() if joint not in carries]
    inside = [end for end in ends if end != root and rig.is_below(end, root)]
    return [end for end in inside if not any(rig.is_below(end, leg) for leg in legs)]


def _top(rig: Rig, place: Floats, root: int, end: int, aside: float) -> int | None:
    """The highest joint above an end, itself included, that is beside the middle."""
    found = None
    while end not in (-1, root):
        if abs(place[end, 0] - place[root, 0]) > aside:
            found = end
        end = int(rig.parents[end])
    return found


def _mirrored(both: Floats, near: float) -> bool:
    return bool(np.abs(both[0] * [-1, 1, 1] - both[1]).max() < near)


def _far(place: Floats, top: int, end: int) -> float:
    return float(np.linalg.norm(place[end] - place[top]))


def _hand(rig: Rig, place: Floats, top: int, ends: list[int]) -> int:
    """The middle finger's first joint where there are fingers, else the end of the limb."""
    joint = max(ends, key=lambda end: _far(place, top, end))
    while joint != top:
        above = int(rig.parents[joint])
        fingers = [end for end in ends if rig.is_below(end, above)]
        if len(fingers) >= FINGERS:
            first = np.flatnonzero(rig.parents == above).tolist()
            roots = [each for each in first if any(rig.is_below(end, each) for end in fingers)]
            middle = place[roots].mean(axis=0)
            return min(roots, key=lambda each: float(np.linalg.norm(place[each] - middle)))
        joint = above
    return max(ends, key=lambda end: _far(place, top, end))
