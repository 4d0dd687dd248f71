"""Retargeting: carry a take from one character to another of other proportions or another rig.

Joints of the same role (`joint_roles.py`) rotate alike in the world, seen from a common reference
pose: the rest poses, with the target's limbs turned along those of the source, as an A-pose differs
from a T-pose. The source's places are scaled by the ratio of leg lengths, about the world's origin,
and its floor stays at a height of 0. Feet are then planted where they are in the source
(`retargeted_feet.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.joint_roles import (
    TRUNK,
    Body,
    Correspondence,
    body_of,
    corresponding_joints,
)
from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.oriented_pose import moved_joint, oriented_values
from arcwright.kinematics.reference_pose import ReferencePose, reference_pose
from arcwright.kinematics.retargeted_feet import CarriedTake, plant_feet
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_rotate,
    slerp,
    unwrap_quaternion,
)
from arcwright.kinematics.sample import quaternion_channels, values_at
from arcwright.kinematics.standing_feet import standing_height
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
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
MOST_STRETCH = 10.0  # of a translation that is carried with a bone of another length
EQUAL = 1e-9  # m and quaternion: rigs that differ less are the same


@dataclass(frozen=True, eq=False)
class _Side:
    """The source or the target."""

    body: Body
    chains: Mapping[str, list[int]]  # joints by role
    reference: ReferencePose


def retarget(
    take: Take,
    source: Actor,
    target: Actor,
    mapping: Correspondence | None = None,
    *,
    plant: bool = True,
) -> Take:
    """A take of the source, for the target: a motion at the source's frames.

    `mapping` is by default what `corresponding_joints` finds. Places of the source are scaled by
    `leg_ratio` about the origin. With `plant`, feet stand still on the ground where those of the
    source stand; between rigs of equal bones they are left as they are. Joints that no joint
    corresponds to stay at rest. `fit` makes a clip of the result.
    """
    found = mapping or corresponding_joints(source, target)
    own, new = _sides(take, source, target, found)
    times = take.base.time if isinstance(take.base, Motion) else take.frame_times()
    shown = values_at(take, times)
    poses = _assembled(own.body, shown)
    values = _with_own_channels(own, new, found, poses)
    values = oriented_values(new.body.rig, values, _orientations(own, new, poses), _bends(new))
    values = _placed(take, own, new, poses, values)
    if plant and not _equal(own, new):
        sides = own.reference, new.reference
        values = plant_feet(CarriedTake(take, times, *sides, shown, values, _root(new)))
    if new.body.skeleton is not None:
        near = np.repeat(target.rig.channels.default[None], len(times), axis=0)
        values = new.body.skeleton.original_values(values, near)
    values[:, quaternion_channels(target.rig)] = unwrap_quaternion(
        values[:, quaternion_channels(target.rig)]
    )
    return Take(target.rig, Motion(take.name, times, values, take.rate), sections=take.sections)


def leg_ratio(source: Actor, target: Actor, mapping: Correspondence | None = None) -> float:
    """By how much retargeting scales the places of the source: the ratio of leg lengths."""
    found = mapping or corresponding_joints(source, target)
    take = source.takes[0] if source.takes else None
    return _ratio(*_sides(take, source, target, found))


def _sides(
    take: Take | None, source: Actor, target: Actor, found: Correspondence
) -> tuple[_Side, _Side]:
    sides = []
    takes = (take, target.takes[0] if target.takes and target.rig is not source.rig else take)
    for index, (actor, shown) in enumerate(zip((source, target), takes, strict=True)):
        body = body_of(actor)
        chains = {
            role: [body.rig.joint(name) for name in pair[index]]
            for role, pair in found.chains.items()
        }
        sides.append(_Side(body, chains, reference_pose(body, chains, shown)))
    return sides[0], sides[1]


def _assembled(body: Body, values: Floats) -> Floats:
    return values if body.skeleton is None else body.skeleton.assembled_values(values)


def _orientations(own: _Side, new: _Side, poses: Floats) -> dict[int, Floats]:
    """(T, 4) of each joint of the target that has a role, in the world."""
    world = orientation(own.body.rig, poses)
    away = quaternion_multiply(world, quaternion_conjugate(own.reference.orientation))
    aligned = _alignments(own, new)
    wanted = {}
    for role, chain in new.chains.items():
        known = [away[:, joint] for joint in own.chains[role]]
        start = next((own.chains[each][-1] for each in _above(role) if each in own.chains), None)
        known.insert(0, known[0] if start is None else away[:, start])
        for number, joint in enumerate(chain, 1):
            turned = _between(known, number / len(chain))
            rest = quaternion_multiply(aligned[role], new.reference.orientation[joint])
            wanted[joint] = quaternion_multiply(turned, rest)
    return wanted


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


def _alignments(own: _Side, new: _Side) -> dict[str, Floats]:
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


def _bends(side: _Side) -> list[tuple[int, int, int]]:
    """Elbows and knees: upper joint, the joint that bends, and the end of its bone."""
    found = []
    for half in ("left", "right"):
        for parts in (("upper_arm", "lower_arm", "hand"), ("upper_leg", "lower_leg", "foot")):
            chains = [side.chains.get(f"{half}_{part}") for part in parts]
            if all(chains):
                found.append(tuple(chain[0] for chain in chains if chain))
    return [(one, two, three) for one, two, three in found]


def _ratio(own: _Side, new: _Side) -> float:
    return new.reference.leg_length / own.reference.leg_length


def _placed(take: Take, own: _Side, new: _Side, poses: Floats, values: Floats) -> Floats:
    """The poses with the tops of the legs where those of the source are, scaled."""
    scale = _ratio(own, new)
    standing = standing_height(take, own.reference)
    ball = new.reference.ball_height
    low = standing + own.reference.rise
    high = (scale * standing if ball is None else ball) + new.reference.rise
    goal = scale * (_leg_tops(own, poses) - [0.0, low, 0.0]) + [0.0, high, 0.0]
    return moved_joint(new.body.rig, _root(new), values, goal - _leg_tops(new, values))


def _leg_tops(side: _Side, values: Floats) -> Floats:
    """(T, 3) m, half-way between the tops of the legs, else the hips."""
    roles = [role for role in ("left_upper_leg", "right_upper_leg") if role in side.chains]
    joints = [side.chains[role][0] for role in (roles if len(roles) == 2 else ["hips"])]
    return np.asarray(forward(side.body.rig, values, joints)[..., :3, 3].mean(axis=1))


def _root(side: _Side) -> int:
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


def _equal(own: _Side, new: _Side) -> bool:
    """Whether two rigs have the same bones in the same reference pose."""
    pairs = [(own.chains[role], new.chains[role]) for role in new.chains]
    if any(len(one) != len(other) for one, other in pairs):
        return False
    one, other = (np.concatenate(chains) for chains in zip(*pairs, strict=True))
    apart = own.reference.place[one] - new.reference.place[other]
    turned = (own.reference.orientation[one] * new.reference.orientation[other]).sum(axis=1)
    return bool(np.abs(apart).max() < EQUAL and (np.abs(turned) > 1 - EQUAL).all())


def _with_own_channels(own: _Side, new: _Side, found: Correspondence, poses: Floats) -> Floats:
    """(T, C) rest poses; joints without a role have the channels of the source's of their name.

    Where all names are the same the others' translations, scales and weights are carried, too.
    """
    table, theirs = new.body.rig.channels, own.body.rig
    values = np.repeat(table.default[None], len(poses), axis=0)
    alike = all(one == other for one, other in found.chains.values())
    index = {name: channel for channel, name in enumerate(theirs.channel_names)}
    lengths = [np.maximum(_bone_lengths(each.reference), EQUAL) for each in (own, new)]
    for channel, name in enumerate(new.body.rig.channel_names):
        joint, kind = int(table.joint[channel]), table.kind[channel]
        named = new.body.rig.names[joint]
        turns = Kind.ROTATE_X <= kind <= Kind.QUATERNION_Z
        if name not in index or not (named in found.others or (alike and not turns)):
            continue
        same, other = index[name], theirs.joint(named)
        if turns and theirs.modes[other] != new.body.rig.modes[joint]:
            continue
        ratio = lengths[1][joint] / lengths[0][other] if kind <= Kind.TRANSLATE_Z else 1.0
        away = poses[:, same] - theirs.channels.default[same]
        values[:, channel] += away * min(ratio, MOST_STRETCH)
    return values


def _bone_lengths(reference: ReferencePose) -> Floats:
    """(J,) m, from each joint to the one above it; of a top its height."""
    parents, place = reference.body.rig.parents, reference.place
    above = np.where((parents >= 0)[:, None], place[np.maximum(parents, 0)], 0.0)
    return np.asarray(np.linalg.norm(place - above, axis=1))
