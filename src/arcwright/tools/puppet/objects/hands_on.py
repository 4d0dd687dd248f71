"""Hands on: arms that reach places on a prop, and places where a prop is held, rolled or pushed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import Places
from arcwright.scene.rig import Kind, Rig
from arcwright.tools.puppet.fade import left_of_fade
from arcwright.tools.puppet.limb_ik import STIFF, LimbTargets, limb_chain, solve_limbs
from arcwright.tools.puppet.objects.movable import Movable, Placement, extent, top_of

STANDING, CROUCHED = 20.0, 3.0  # times as stiff as an arm: the spine of a puppet
EASE = 0.25  # s in which hands come to a prop, and leave it
SHORTEST_ARM = 3  # joints, hand included
PALM = 0.02  # m from the middle of a hand to its surface
UP = np.array([0.0, 1.0, 0.0])


@dataclass(frozen=True, eq=False)
class Arms:
    """Two arms and the spine that bends with them."""

    rig: Rig
    palms: Places  # (2) left, right
    channels: Ints  # (M,) rotations of arms and spine
    spine: Bools  # (M,) those of the spine


def arms_of(rig: Rig, root: int, palms: Places, stand: Floats) -> Arms | None:
    """Arms above two palms; None for more or fewer."""
    if len(palms) != 2:
        return None
    world = forward(rig, stand[None], palms.joints.tolist())[0]
    if world[0, 0, 3] < world[1, 0, 3]:  # the left is at +x of a body that heads +z
        palms = Places(palms.joints[::-1], palms.offsets[::-1])
    chains = [limb_chain(rig, root, int(palm), palms.joints) for palm in palms.joints]
    if min(map(len, chains)) < SHORTEST_ARM:
        return None  # hands that hang beside their arms
    arms = {joint for chain in chains for joint in chain[1:]}
    spine, above = set(), int(rig.parents[chains[0][-1]])
    while above not in (-1, root):
        spine.add(above)
        above = int(rig.parents[above])
    table = rig.channels
    rotates = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
    channels = np.flatnonzero(rotates & np.isin(table.joint, sorted(arms | spine)))
    bends = np.isin(table.joint[channels], sorted(spine))
    return Arms(rig, palms, channels, bends)


def shoulders(arms: Arms) -> list[int]:
    """The joints about which the arms swing: the last but one above an elbow is a collar bone."""
    found = []
    moved = set(arms.rig.channels.joint[arms.channels[~arms.spine]].tolist())
    for palm in arms.palms.joints.tolist():
        chain = [palm]
        while (above := int(arms.rig.parents[chain[-1]])) in moved:
            chain.append(above)
        found.append(chain[min(2, len(chain) - 1)])
    return found


class HandsOn:
    """Hands on their way to a prop, on it, or on their way back."""

    def __init__(self, arms: Arms) -> None:
        self._arms = arms
        self._weight = 0.0
        self._bent = np.zeros(len(arms.channels))  # what the reach adds to the pose
        self.error = np.inf  # m from the hands to where they should be

    def applied(
        self, values: Floats, targets: Floats | None, crouch: float, seconds: float
    ) -> Floats:
        """(C,) the pose with palms at targets (2, 3) m, or on their way from there.

        The more the puppet crouches, 0 to 1, the more its spine bends along.
        """
        step = seconds / EASE
        self._weight = min(max(self._weight + (step if targets is not None else -step), 0.0), 1.0)
        share, channels = 1.0 - left_of_fade(self._weight), self._arms.channels
        if targets is None or share == 0.0:
            self.error = np.inf
            changed = values.copy()
            changed[channels] += share * self._bent
            return changed
        own = point_jacobian(self._arms.rig, values[None], self._arms.palms, []).position[0]
        wanted = LimbTargets.of(self._arms.palms, own + share * (targets - own))
        start = values.copy()
        start[channels] += self._bent
        spine = STANDING + crouch * (CROUCHED - STANDING)
        stiff = np.where(self._arms.spine, spine, 1.0) * STIFF
        solved, errors = solve_limbs(self._arms.rig, channels, start, wanted, values, stiff)
        self._bent = solved[channels] - values[channels]
        left = np.linalg.norm((1 - share) * (targets - own), axis=1)
        self.error = float((errors + left).max())
        return solved


def holding(movable: Movable, placed: Placement, left: Floats, *, below: float) -> Floats:
    """(2, 3) m, palms on both sides of a prop; on a ball lower than its middle, by `below`."""
    found = []
    for side in (left, -left):
        direction = side - below * UP if movable.round else side
        direction = direction / np.linalg.norm(direction)
        away = extent(movable, placed, direction) + PALM
        found.append(placed.position + away * direction)
    return np.array(found)


def rolling(movable: Movable, placed: Placement, ahead: Floats, left: Floats) -> Floats:
    """(2, 3) m, palms on the near upper side of a ball."""
    found = []
    for side in (left, -left):
        direction = -0.55 * ahead + 0.75 * UP + 0.4 * side
        direction = direction / np.linalg.norm(direction)
        found.append(placed.position + (extent(movable, placed, direction) + PALM) * direction)
    return np.array(found)


def pushing(
    movable: Movable, placed: Placement, ahead: Floats, left: Floats, height: float, wide: float
) -> Floats:
    """(2, 3) m, palms on the near side of a prop at a height, at most `wide` m apart."""
    near = placed.position - (extent(movable, placed, ahead) + PALM) * ahead
    apart = min(0.8 * extent(movable, placed, left), wide / 2)
    near[1] = min(height, 0.9 * top_of(movable, placed))
    return np.array([near + apart * left, near - apart * left])
