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

PERSON = 0.9  # m, length of a leg for which the next two are stated
RADIAN = 0.006  # m of error that a radian of a foot counts as: feet tilt before they slide
STIFF = 2e-6  # of the pose's own angles, against m² of error
TIP = 0.03  # of that: what a radian of the tip of a leg counts as
STRAIGHT = 0.999  # of a leg's length: a straighter leg does not reach farther


@dataclass(frozen=True, eq=False)
class Legs:
    """The legs of a rig, from where they join the body to their feet."""

    rig: Rig
    toes: Places  # (F) what stands on the ground
    ankles: Ints  # (F,) joints whose rotation is that of the foot
    hips: Ints  # (F,) joints at which the legs begin
    channels: Ints  # (M,) rotations of all legs, and translations of those of one joint
    of_foot: tuple[Ints, ...]  # (F) those of each leg
    flat: Bools  # (F,) feet whose rotation counts; the tip of a leg has none
    length: Floats  # (F,) m, of a straight leg from hip to toes


def legs_of(rig: Rig, root: int, toes: Places) -> Legs:
    """Legs above each of the toes: all joints that carry no other foot, below the root."""
    chains = [limb_chain(rig, root, int(toe), toes.joints) for toe in toes.joints]
    ankles = [_ankle(rig, leg) for leg in chains]
    below = {int(t) for t, a in zip(toes.joints, ankles, strict=True) if t != a}
    own = tuple(_channels(rig, [j for j in leg if j not in below]) for leg in chains)
    world = forward(rig, rig.channels.default[None])[0]
    single = np.array([len(leg) == 1 for leg in chains], bool)
    return Legs(
        rig,
        toes,
        np.array(ankles, np.int64),
        np.array([leg[-1] for leg in chains], np.int64),
        np.unique(np.concatenate([*own, np.zeros(0, np.int64)])),
        own,
        ~toes.offsets.any(axis=1) | single,
        np.array([_length(world, leg, tip) for leg, tip in zip(chains, toes.offsets, strict=True)]),
    )


def foot_points(legs: Legs) -> Places:
    """Toes (F), ankles (F) and hips (F)."""
    zero = np.zeros((len(legs.toes), 3))
    return legs.toes.joined(Places(legs.ankles, zero)).joined(Places(legs.hips, zero))


def _channels(rig: Rig, leg: list[int]) -> Ints:
    """Channels that move a leg: rotations, and translations where it is one joint."""
    table = rig.channels
    rotates = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
    slides = (table.kind <= Kind.TRANSLATE_Z) & (len(leg) == 1)
    return np.flatnonzero((rotates | slides) & np.isin(table.joint, leg))


def solve_legs(
    legs: Legs, values: Floats, position: Floats, orientation: Floats, reference: Floats
) -> tuple[Floats, Floats]:
    """(C,) the pose with toes at positions (F, 3) and feet oriented (F, 3, 3), and errors (F,) m.

    Legs stay as near to `reference` (C,) as they can.
    """
    scale = (float(legs.length.mean()) or PERSON) / PERSON  # a prop has a leg of no length
    radian = RADIAN * scale * np.where(legs.flat, 1.0, TIP)
    targets = LimbTargets(legs.toes, position, legs.ankles, orientation, radian)
    stiff = np.full(len(legs.channels), STIFF * scale**2)
    return solve_limbs(legs.rig, legs.channels, values, targets, reference, stiff, separate=True)


def reach(legs: Legs) -> Floats:
    """(F,) m, how far toes can be from where their leg begins."""
    return STRAIGHT * legs.length


def ancestry(rig: Rig, joint: int) -> list[int]:
    """A joint and those above it."""
    found = [joint]
    while (joint := int(rig.parents[joint])) >= 0:
        found.append(joint)
    return found


def _ankle(rig: Rig, leg: list[int]) -> int:
    """The foot's joint: the one that carries the toes, where both belong to the foot."""
    named: Bools = foot_joints(rig)
    return leg[1] if len(leg) > 2 and named[leg[0]] and named[leg[1]] else leg[0]


def _length(world: Floats, leg: list[int], tip: Floats) -> float:
    end = world[leg[0], :3, :3] @ tip + world[leg[0], :3, 3]
    places = np.concatenate([end[None], world[leg, :3, 3]])
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())
