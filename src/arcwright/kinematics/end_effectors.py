"""End effectors: the hands and feet of a rig, and the limb that carries each."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools
from arcwright.scene.rig import Rig

_NAMED = ("hand", "wrist", "foot", "ankle", "paw", "hoof")
_LIMB = 3  # joints: shorter branches without names are not limbs


@dataclass(frozen=True)
class EndEffector:
    """A hand or foot."""

    joint: int
    limb: tuple[int, ...]  # from the end effector upwards, as long as it carries no other one

    def below(self, joint: int) -> EndEffector | None:
        """The part of the limb strictly below a joint of the rig; None where nothing of it is."""
        cut = self.limb.index(joint) if joint in self.limb else len(self.limb)
        return EndEffector(self.joint, self.limb[:cut]) if cut else None


def end_effectors(rig: Rig, counted: Bools | None = None) -> list[EndEffector]:
    """Joints called hand or foot; without such names, the ends of branches of three joints.

    Joints that are not `counted`, such as controllers, are left out.
    """
    counted = np.ones(len(rig.names), bool) if counted is None else counted
    ends = [joint for joint in np.flatnonzero(counted).tolist() if _first_named(rig, joint)]
    ends = ends or _ends_of_branches(rig, counted)
    carried = np.zeros(len(rig.names), np.int64)  # end effectors at or below each joint
    for end in ends:
        for joint in _upwards(rig, end):
            carried[joint] += 1
    limbs = [tuple(j for j in _upwards(rig, end) if carried[j] == 1) for end in ends]
    return [EndEffector(*pair) for pair in zip(ends, limbs, strict=True)]


def _upwards(rig: Rig, joint: int) -> list[int]:
    """The joint and all above it."""
    found = []
    while joint >= 0:
        found.append(joint)
        joint = int(rig.parents[joint])
    return found


def _first_named(rig: Rig, joint: int) -> bool:
    above = _upwards(rig, joint)[1:]
    return _named(rig.names[joint]) and not any(_named(rig.names[each]) for each in above)


def _named(name: str) -> bool:
    parts = [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
    return any(word in parts for word in _NAMED)


def _ends_of_branches(rig: Rig, counted: Bools) -> list[int]:
    children = np.bincount(rig.parents[counted & (rig.parents >= 0)], minlength=len(rig.names))
    found = []
    for end in np.flatnonzero(counted & (children == 0)).tolist():
        above = _upwards(rig, end)
        branch = next((n for n, joint in enumerate(above) if children[joint] > 1), len(above))
        if branch >= _LIMB:
            found.append(end)
    return found
