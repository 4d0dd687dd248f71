"""Convert an actor from Euler angles to quaternions, as glTF stores rotations."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import quaternion_from_euler, unwrap_quaternion
from arcwright.kinematics.sample import sample
from arcwright.scene.motion import Motion
from arcwright.scene.rig import QUATERNION, ChannelTable, Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

QUATERNION_KINDS = (Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z)
_A = TypeVar("_A", bound=Actor)


def with_quaternions(actor: _A) -> _A:
    """The actor with quaternion channels in place of angles, its takes sampled at their frames.

    Limits of angles are dropped: they have no meaning for a quaternion's numbers.
    """
    euler_channels = _euler_channels(actor.rig)
    if not euler_channels:
        return actor
    rig = _quaternion_rig(actor.rig, euler_channels)
    takes = tuple(_sampled(take, rig, euler_channels) for take in actor.takes)
    return replace(actor, rig=rig, takes=takes)


def _euler_channels(rig: Rig) -> dict[int, list[int]]:
    """The Euler channels of each joint that has any, by joint."""
    found: dict[int, list[int]] = {}
    for channel, (joint, kind) in enumerate(
        zip(rig.channels.joint.tolist(), rig.channels.kind.tolist(), strict=True)
    ):
        if Kind(kind).group == "rotate":
            found.setdefault(joint, []).append(channel)
    return found


def _quaternion_rig(rig: Rig, euler_channels: dict[int, list[int]]) -> Rig:
    table = rig.channels
    kept = np.flatnonzero((table.kind < Kind.ROTATE_X) | (table.kind > Kind.ROTATE_Z))
    default = _as_quaternions(rig, table.default[None], euler_channels)[0]
    joints = np.repeat(list(euler_channels), 4)
    count = len(joints)
    free = np.full(count, np.inf)
    return replace(
        rig,
        modes=tuple(
            QUATERNION if joint in euler_channels else mode for joint, mode in enumerate(rig.modes)
        ),
        channels=ChannelTable(
            joint=np.concatenate([table.joint[kept], joints]),
            kind=np.concatenate([table.kind[kept], np.tile(QUATERNION_KINDS, len(euler_channels))]),
            default=np.concatenate([table.default[kept], default]),
            low=np.concatenate([table.low[kept], -free]),
            high=np.concatenate([table.high[kept], free]),
            stiffness=np.concatenate([table.stiffness[kept], np.ones(count)]),
            label=(*(table.label[channel] for channel in kept), *([""] * count)),
        ),
    )


def _sampled(take: Take, rig: Rig, euler_channels: dict[int, list[int]]) -> Take:
    own = take.base.time if isinstance(take.base, Motion) else take.frame_times()
    motion = sample(take, own)
    table = take.rig.channels
    kept = (table.kind < Kind.ROTATE_X) | (table.kind > Kind.ROTATE_Z)
    turned = _as_quaternions(take.rig, motion.values, euler_channels)
    values = np.concatenate([motion.values[:, kept], turned], axis=1)
    return replace(take, rig=rig, base=replace(motion, values=values), layers=())


def _as_quaternions(rig: Rig, values: Floats, euler_channels: dict[int, list[int]]) -> Floats:
    """(T, 4 joints) quaternions of the joints that turn by angles, without sign jumps."""
    found = []
    for joint, channels in euler_channels.items():
        mode = rig.modes[joint]
        angles = np.zeros((len(values), 3))
        for channel in channels:
            letter = Kind(rig.channels.kind[channel]).name[-1]
            angles[:, mode.index(letter)] = values[:, channel]
        found.append(unwrap_quaternion(quaternion_from_euler(angles, mode)))
    return np.concatenate(found, axis=1)
