"""Edits of whole poses at one time: set, mirror, reset, and blend between the keys beside it.

Each keys the channels of the given joints there, and changes nothing beyond the keys beside it. No
joints means all of the character's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.curves.keys import keyed
from arcwright.curves.local_key import set_key_locally
from arcwright.edits.edited_take import EditedTake, check_finite, find_take
from arcwright.edits.merge_keys import MAX_TIME
from arcwright.errors import BadValue
from arcwright.kinematics.mirror import mirror_of
from arcwright.kinematics.mirrored_pose import mirrored_pose
from arcwright.kinematics.sample import angle_channels, quaternion_channels, values_at
from arcwright.scene.clip import Clip
from arcwright.scene.edit import Edit
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene

NEAR = 1e-6  # s; a key this near to the time is at it
OVERSHOOT = 1.0  # of the way from one key to the next, on either side


def pose_values(scene: Scene, character: str, take: str, time: float) -> dict[str, float]:
    """The pose of a take at a time, by the names of its channels."""
    edited = find_take(scene, character, take)
    values = values_at(edited.take, np.array([time]))[0]
    return dict(zip(edited.actor.rig.channel_names, values.tolist(), strict=True))


def paste_pose(
    scene: Scene,
    character: str,
    take: str,
    time: float,
    values: Mapping[str, float],
    *,
    joints: Sequence[int] = (),
    mirrored: bool = False,
    weight: float = 1.0,
    verb: str = "Paste pose",
) -> Edit:
    """Key a pose, by names of channels; `weight` blends it with the pose that is there.

    Mirrored, it is keyed on the counterparts of `joints`: of a left arm on the right one.
    """
    edited, now = _posed(scene, character, take, time)
    check_finite(weight=weight, **{"pose value": float(np.sum([*values.values()]))})
    rig = edited.actor.rig
    given = np.array([name in values for name in rig.channel_names], bool)
    pose = np.array([values.get(name, 0.0) for name in rig.channel_names])
    pose = np.where(given, pose, now)
    chosen = _of_joints(rig, joints)
    if mirrored:
        given = _on_counterparts(rig, given)
        chosen = _of_joints(rig, mirror_of(rig).counterpart[list(joints)].tolist())
        pose = mirrored_pose(edited.actor, edited.take, time, pose)
    mixed = _blended(rig, now, pose, weight)
    label = f"{verb} mirrored" if mirrored else verb
    return _keyed_pose(edited, time, np.where(given, mixed, now), chosen & given, label)


def mirror_pose(
    scene: Scene, character: str, take: str, time: float, *, joints: Sequence[int] = ()
) -> Edit:
    """Key the pose that is there, in the mirror: left and right change places."""
    edited, now = _posed(scene, character, take, time)
    rig = edited.actor.rig
    pose = mirrored_pose(edited.actor, edited.take, time, now)
    both = {*joints, *mirror_of(rig).counterpart[list(joints)].tolist()}
    return _keyed_pose(edited, time, pose, _of_joints(rig, sorted(both)), "Mirror pose")


def reset_pose(
    scene: Scene, character: str, take: str, time: float, *, joints: Sequence[int] = ()
) -> Edit:
    """Key the rest pose of joints; without joints, the body rests where its root is."""
    edited, _ = _posed(scene, character, take, time)
    rig = edited.actor.rig
    chosen = _of_joints(rig, joints)
    if not joints:
        chosen &= rig.parents[rig.channels.joint] >= 0
    return _keyed_pose(edited, time, np.array(rig.channels.default), chosen, "Reset to rest pose")


def break_down(
    scene: Scene,
    character: str,
    take: str,
    time: float,
    share: float,
    *,
    joints: Sequence[int] = (),
) -> Edit:
    """Key the pose at a share of the way from the key before to the key after; 0.5 is halfway.

    A share below 0 or above 1 exaggerates the earlier or the later pose.
    """
    edited, now = _posed(scene, character, take, time)
    if not -OVERSHOOT <= share <= 1 + OVERSHOOT:
        raise BadValue("share", f"-{OVERSHOOT:g} to {1 + OVERSHOOT:g}", share)
    rig = edited.actor.rig
    chosen = _of_joints(rig, joints)
    before, after = _keys_beside(edited.clip, chosen, time)
    start, end = values_at(edited.take, np.array([before, after]))
    pose = _blended(rig, start, end, share)
    moving = chosen & ((np.abs(end - start) > 0) | (np.abs(now - pose) > 0))
    return _keyed_pose(edited, time, pose, moving, f"Tween {100 * share:.0f} %")


def _posed(scene: Scene, character: str, take: str, time: float) -> tuple[EditedTake, Floats]:
    """The take, which must have keys and no layers, and its values at a time."""
    edited = find_take(scene, character, take)
    if not abs(time) <= MAX_TIME:
        raise BadValue("time", f"at most {MAX_TIME:g} s from 0", time)
    if not isinstance(edited.take.base, Clip) or edited.take.layers:
        expected = "keyframes and no layers; fit keyframes or flatten the layers first"
        raise BadValue(f"take {edited.take.name!r}", expected, "samples or layers")
    return edited, values_at(edited.take, np.array([time]))[0]


def _of_joints(rig: Rig, joints: Sequence[int]) -> Bools:
    """(C,) channels of joints; all for no joints."""
    for joint in joints:
        if not 0 <= joint < len(rig.names):
            raise BadValue("joint", f"0 to {len(rig.names) - 1}", joint)
    if not joints:
        return np.ones(len(rig.channels), bool)
    own: Bools = np.isin(rig.channels.joint, list(joints))
    return own


def _on_counterparts(rig: Rig, given: Bools) -> Bools:
    """(C,) channels of joints whose counterpart has any channel given."""
    with_values = np.zeros(len(rig.names), bool)
    with_values[rig.channels.joint[given]] = True
    there: Bools = with_values[mirror_of(rig).counterpart][rig.channels.joint]
    return there


def _keys_beside(clip: Clip, chosen: Bools, time: float) -> tuple[float, float]:
    """Times of the nearest keys of some channels before and after a time; raises without both."""
    curves = [clip.curves[c] for c in np.flatnonzero(chosen)]
    times = np.concatenate([np.zeros(0), *(each.time for each in curves if each is not None)])
    before, after = times[times < time - NEAR], times[times > time + NEAR]
    if not len(before) or not len(after):
        raise BadValue("frame", "one between two keys", f"{time * clip.rate:.4g}")
    return float(before.max()), float(after.min())


def _blended(rig: Rig, start: Floats, end: Floats, share: float) -> Floats:
    """Values between two poses: angles and quaternions along the shorter arc."""
    end = np.array(end)
    angles = angle_channels(rig)
    turns = np.round((end - start) / (2 * np.pi))
    end = np.where(angles, end - 2 * np.pi * turns, end)
    four = quaternion_channels(rig)
    if len(four):
        opposite = (start[four] * end[four]).sum(axis=1) < 0
        end[four] = np.where(opposite[:, None], -end[four], end[four])
    mixed = start + share * (end - start)
    if len(four):
        length = np.linalg.norm(mixed[four], axis=1, keepdims=True)
        mixed[four] = mixed[four] / np.maximum(length, 1e-12)
    return np.where(share == 1.0, end, mixed)


def _keyed_pose(edited: EditedTake, time: float, pose: Floats, chosen: Bools, label: str) -> Edit:
    """Keys of the chosen channels at a time; a channel without a curve gets one if it moves."""
    default = edited.actor.rig.channels.default
    after = {}
    for channel in np.flatnonzero(chosen).tolist():
        curve, value = edited.clip.curves[channel], float(pose[channel])
        if curve is not None:
            curve = set_key_locally(curve, time, value)
        elif abs(value - default[channel]) > 1e-9:
            curve = keyed([time], [value])
        if curve is not None:
            after[channel] = curve
    frame = round(time * edited.clip.rate, 2)
    return edited.edit(f"{label} at frame {frame:g}", after)
