"""Leg IK: legs of one pose bent so that feet are where they should be, and rotated so."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.feet import foot_joints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.places import Places
from arcwright.scene.rig import Kind, Rig
from arcwright.tools.puppet.limb_ik import LimbTargets, limb_chain, solve_limbs

STRAIGHT = 0.999  # of a leg's length: a straighter leg does not reach farther


@dataclass(frozen=True, eq=False)
class Legs:
    """The legs of a rig, from where they join the body to their feet."""

    rig: Rig
    toes: Places  # (F) what stands on the ground
    ankles: Ints  # (F,) joints whose rotation is that of the foot
    hips: Ints  # (F,) joints at which the legs begin
    channels: Ints  # (M,) rotations of all legs
    length: Floats  # (F,) m, of a straight leg from hip to toes


def legs_of(rig: Rig, root: int, toes: Places) -> Legs:
    """Legs above each of the toes: all joints that carry no other foot, below the root."""
    chains = [limb_chain(rig, root, int(toe), toes.joints) for toe in toes.joints]
    moved = sorted({joint for chain in chains for joint in chain})
    table = rig.channels
    rotates = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
    ankles = [_ankle(rig, chain) for chain in chains]
    below = {int(t) for t, a in zip(toes.joints, ankles, strict=True) if t != a}
    free = rotates & np.isin(table.joint, [joint for joint in moved if joint not in below])
    world = forward(rig, table.default[None])[0]
    return Legs(
        rig,
        toes,
        np.array(ankles, np.int64),
        np.array([chain[-1] for chain in chains], np.int64),
        np.flatnonzero(free),
        np.array([_length(world, chain) for chain in chains]),
    )


def solve_legs(
    legs: Legs, values: Floats, position: Floats, orientation: Floats, reference: Floats
) -> tuple[Floats, Floats]:
    """(C,) the pose with toes at positions (F, 3) and feet oriented (F, 3, 3), and errors (F,) m.

    Solved from `values`; legs stay as near to `reference` (C,) as they can.
    """
    feet = LimbTargets(legs.toes, position, legs.ankles, orientation)
    return solve_limbs(legs.rig, legs.channels, values, feet, reference)


def reach(legs: Legs) -> Floats:
    """(F,) m, how far toes can be from where their leg begins."""
    return STRAIGHT * legs.length


def _ankle(rig: Rig, chain: list[int]) -> int:
    """The foot's joint: the one that carries the toes, where both belong to the foot."""
    named: Bools = foot_joints(rig)
    return chain[1] if len(chain) > 2 and named[chain[0]] and named[chain[1]] else chain[0]


def _length(world: Floats, chain: list[int]) -> float:
    places = world[chain, :3, 3]
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
