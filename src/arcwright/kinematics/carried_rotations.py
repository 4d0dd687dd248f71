"""Carried rotations: joints of one body turn in the world as those of the same role in another.

Both are seen from a common reference pose: the rest poses, with the target's limbs turned along
those of the source, as an A-pose differs from a T-pose. Chains of another length take the bend of
the source at the same share of the chain.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.joint_roles import TRUNK, Body, Correspondence, body_of
from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.reference_pose import ReferencePose, reference_pose
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_rotate,
    slerp,
)
from arcwright.kinematics.standing_feet import standing_height
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

PARENTS: Mapping[str, tuple[str, ...]] = {
    "spine": ("hips",),
    "neck": ("spine", "hips"),
    "head": ("neck", "spine", "hips"),
    "clavicle": ("spine", "hips"),
    "upper_arm": ("clavicle", "spine", "hips"),
    "lower_arm": ("upper_arm",),
    "hand": ("lower_arm",),
    "upper_leg": ("hips",),
    "lower_leg": ("upper_leg",),
    "foot": ("lower_leg",),
    "toes": ("foot",),
}
"""The role that a role's bends begin at, the nearest first; of fingers the hand."""
EQUAL = 1e-9  # of a share of a chain


@dataclass(frozen=True, eq=False)
class Side:
    """The source or the target."""

    body: Body
    chains: Mapping[str, list[int]]  # joints by role
    reference: ReferencePose


def both_sides(
    take: Take | None, source: Actor, target: Actor, found: Correspondence
) -> tuple[Side, Side]:
    """The source, as a take shows it, and the target."""
    sides = []
    takes = (take, target.takes[0] if target.takes and target.rig is not source.rig else take)
    for index, (actor, shown) in enumerate(zip((source, target), takes, strict=True)):
        body = body_of(actor)
        chains = {
            role: [body.rig.joint(name) for name in pair[index]]
            for role, pair in found.chains.items()
        }
        sides.append(Side(body, chains, reference_pose(body, chains, shown)))
    return sides[0], sides[1]


def assembled(body: Body, values: Floats) -> Floats:
    """(T, C) poses on the rig that roles are of."""
    return values if body.skeleton is None else body.skeleton.assembled_values(values)


def carried_orientations(
    own: Side, new: Side, poses: Floats, aligned: Mapping[str, Floats] | None = None
) -> dict[int, Floats]:
    """(T, 4) of each joint of the target that has a role, in the world."""
    world = orientation(own.body.rig, poses)
    away = quaternion_multiply(world, quaternion_conjugate(own.reference.orientation))
    aligned = aligned or alignments(own, new)
    wanted = {}
    for joint, (role, turned) in carried_turns(own, new, away).items():
        rest = quaternion_multiply(aligned[role], new.reference.orientation[joint])
        wanted[joint] = quaternion_multiply(turned, rest)
    return wanted


def carried_turns(own: Side, new: Side, away: Floats) -> dict[int, tuple[str, Floats]]:
    """Turns (T, J, 4) of the source in the world as those of the target's joints, with roles."""
    found = {}
    for role, chain in new.chains.items():
        known = [away[:, joint] for joint in own.chains[role]]
        start = next((own.chains[each][-1] for each in _above(role) if each in own.chains), None)
        known.insert(0, known[0] if start is None else away[:, start])
        for number, joint in enumerate(chain, 1):
            found[joint] = role, _between(known, number / len(chain))
    return found


def _above(role: str) -> list[str]:
    """The roles that a role's bends begin at, the nearest first."""
    side, _, part = role.rpartition("_") if role in TRUNK else role.partition("_")
    known = "hand" if part.startswith("hand") else part
    above = () if role == "hips" else PARENTS.get(role if role in TRUNK else known, ("hand",))
    return [each if each in TRUNK else f"{side}_{each}" for each in above]


def _between(known: list[Floats], share: float) -> Floats:
    """(T, 4) the rotation at a share of a chain, from its start (0) to its last joint (1)."""
    place = share * (len(known) - 1)
    index = min(int(place + EQUAL), len(known) - 2)
    if place - index < EQUAL:
        return known[index]
    if place - index > 1 - EQUAL:
        return known[index + 1]
    return slerp(known[index], known[index + 1], place - index)


def alignments(own: Side, new: Side) -> dict[str, Floats]:
    """(4,) of each role: the rotation of the target's reference pose onto that of the source.

    The trunk turns about the vertical alone, so that a hunched character stays hunched; limbs
    turn along the bones of the source, feet about the vertical, as they stand flat in both.
    """
    level = _turn_between(own.reference.facing, new.reference.facing)
    found = dict.fromkeys(new.chains, level)
    for side in ("left", "right"):
        for part in ("upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg"):
            role, above = f"{side}_{part}", f"{side}_{PARENTS[part][0]}"
            start = found.get(above, level)
            goal, bone = (each.reference.direction(role) for each in (own, new))
            if role in found:
                carried = None if bone is None else quaternion_rotate(start, bone)
                swing = _swing(carried, goal)
                found[role] = quaternion_multiply(swing, start)
        hand = found.get(f"{side}_hand", level)
        for role in found:
            if role.startswith(side) and _above(role)[:1] == [f"{side}_hand"]:
                found[role] = hand
            if role.startswith(f"{side}_hand_"):
                found[role] = hand
        headings = [each.reference.heading(side) for each in (own, new)]
        if headings[0] is not None and headings[1] is not None:
            turn = _turn_between(headings[0], headings[1])
            found |= {role: turn for role in (f"{side}_foot", f"{side}_toes") if role in found}
    return found


def _swing(start: Floats | None, end: Floats | None) -> Floats:
    """(4,) the shortest rotation between two unit vectors."""
    if start is None or end is None:
        return np.array([1.0, 0.0, 0.0, 0.0])
    found = np.append(1.0 + start @ end, np.cross(start, end))
    size = float(np.linalg.norm(found))
    if size < 1e-9:  # opposite
        across = np.cross(start, np.eye(3)[int(np.argmin(np.abs(start)))])
        found, size = np.append(0.0, across), float(np.linalg.norm(across))
    return np.asarray(found / size)


def _turn_between(goal: float, start: float) -> Floats:
    """(4,) about the vertical, from one heading to another, rad."""
    half = 0.5 * (goal - start)
    return np.array([np.cos(half), 0.0, np.sin(half), 0.0])


def limb_bends(side: Side) -> list[tuple[int, int, int]]:
    """Elbows and knees: upper joint, the joint that bends, and the end of its bone."""
    found = []
    for half in ("left", "right"):
        for parts in (("upper_arm", "lower_arm", "hand"), ("upper_leg", "lower_leg", "foot")):
            chains = [side.chains.get(f"{half}_{part}") for part in parts]
            if all(chains):
                found.append(tuple(chain[0] for chain in chains if chain))
    return [(one, two, three) for one, two, three in found]


def side_ratio(own: Side, new: Side) -> float:
    """Of the leg lengths."""
    return new.reference.leg_length / own.reference.leg_length


def leg_tops(side: Side, values: Floats) -> Floats:
    """(T, 3) m, half-way between the tops of the legs, else the hips."""
    roles = [role for role in ("left_upper_leg", "right_upper_leg") if role in side.chains]
    joints = [side.chains[role][0] for role in (roles if len(roles) == 2 else ["hips"])]
    return np.asarray(forward(side.body.rig, values, joints)[..., :3, 3].mean(axis=1))


def heights(take: Take, own: Side, new: Side) -> tuple[float, float, float]:
    """The ratio of legs, and the height at which ankles of both stand, m."""
    scale, standing = side_ratio(own, new), standing_height(take, own.reference)
    ball = new.reference.ball_height
    low = standing + own.reference.rise
    high = (scale * standing if ball is None else ball) + new.reference.rise
    return scale, low, high


def moving_root(side: Side) -> int:
    """The joint to move: the root, else the nearest one at or above the hips that can move."""
    rig, joint = side.body.rig, side.chains["hips"][0]
    if rig.is_below(joint, side.body.root):
        joint = side.body.root
    plan = layout(rig)
    while joint >= 0 and (plan.translate[plan.wanted[joint]] == ZERO).any():
        joint = int(rig.parents[joint])
    if joint < 0:
        raise BadValue(f"rig of {side.body.actor.name!r}", "a root that can be translated", "none")
    return joint
