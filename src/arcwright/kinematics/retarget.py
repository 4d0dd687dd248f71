"""Retargeting: carry a take from one character to another of other proportions or another rig.

Joints of the same role (`joint_roles.py`) rotate alike in the world, seen from a common reference
pose: the rest poses, with the target's limbs turned along those of the source, as an A-pose differs
from a T-pose. The source's places are scaled by the ratio of leg lengths, about the world's origin,
and its floor stays at a height of 0. Feet are then planted where they are in the source
(`retargeted_feet.py`).
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.carried_rotations import (
    Side,
    assembled,
    both_sides,
    carried_orientations,
    heights,
    leg_tops,
    limb_bends,
    moving_root,
    side_ratio,
)
from arcwright.kinematics.joint_roles import Correspondence, corresponding_joints
from arcwright.kinematics.oriented_pose import moved_joint, oriented_values
from arcwright.kinematics.reference_pose import ReferencePose
from arcwright.kinematics.retargeted_feet import CarriedTake, plant_feet
from arcwright.kinematics.rotation import unwrap_quaternion
from arcwright.kinematics.sample import quaternion_channels, values_at
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Kind
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

MOST_STRETCH = 10.0  # of a translation that is carried with a bone of another length
EQUAL = 1e-9  # m and quaternion: rigs that differ less are the same


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
    own, new = both_sides(take, source, target, found)
    times = take.base.time if isinstance(take.base, Motion) else take.frame_times()
    shown = values_at(take, times)
    poses = assembled(own.body, shown)
    values = _with_own_channels(own, new, found, poses)
    values = oriented_values(
        new.body.rig, values, carried_orientations(own, new, poses), limb_bends(new)
    )
    values = _placed(take, own, new, poses, values)
    if plant and not _equal(own, new):
        sides = own.reference, new.reference
        values = plant_feet(CarriedTake(take, times, *sides, shown, values, moving_root(new)))
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
    return side_ratio(*both_sides(take, source, target, found))


def _placed(take: Take, own: Side, new: Side, poses: Floats, values: Floats) -> Floats:
    """The poses with the tops of the legs where those of the source are, scaled."""
    scale, low, high = heights(take, own, new)
    goal = scale * (leg_tops(own, poses) - [0.0, low, 0.0]) + [0.0, high, 0.0]
    return moved_joint(new.body.rig, moving_root(new), values, goal - leg_tops(new, values))


def _equal(own: Side, new: Side) -> bool:
    """Whether two rigs have the same bones in the same reference pose."""
    pairs = [(own.chains[role], new.chains[role]) for role in new.chains]
    if any(len(one) != len(other) for one, other in pairs):
        return False
    one, other = (np.concatenate(chains) for chains in zip(*pairs, strict=True))
    apart = own.reference.place[one] - new.reference.place[other]
    turned = (own.reference.orientation[one] * new.reference.orientation[other]).sum(axis=1)
    return bool(np.abs(apart).max() < EQUAL and (np.abs(turned) > 1 - EQUAL).all())


def _with_own_channels(own: Side, new: Side, found: Correspondence, poses: Floats) -> Floats:
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
