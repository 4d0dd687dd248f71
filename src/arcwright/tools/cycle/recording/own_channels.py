"""A joint's own channels for where it should be in the world: no other joint moves."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    matrix_from_quaternion,
    quaternion_conjugate,
    quaternion_multiply,
    unwrap_euler,
    unwrap_quaternion,
)
from arcwright.scene.rig import QUATERNION, Kind, Rig
from arcwright.solve.problem import Box
from arcwright.tools.shared.joint_rotation import nearest_rotation, rotation_channels

LIMITED = 1e-9  # rad


def translation_channels(rig: Rig, joint: int) -> Ints:
    """(n,) of x, y, z those that exist."""
    return _channels(rig, joint, Kind.TRANSLATE_X, Kind.TRANSLATE_Z)


def scale_channels(rig: Rig, joint: int) -> Ints:
    """(n,) of x, y, z those that exist."""
    return _channels(rig, joint, Kind.SCALE_X, Kind.SCALE_Z)


def _channels(rig: Rig, joint: int, first: Kind, last: Kind) -> Ints:
    table = rig.channels
    own = np.flatnonzero((table.joint == joint) & (table.kind >= first) & (table.kind <= last))
    return own[np.argsort(table.kind[own])]


def orient_joint(rig: Rig, joint: int, values: Floats, wanted: Floats) -> Floats:
    """Values (T, C) in which a joint has the world orientations (T, 4), as near as it can."""
    channels = rotation_channels(rig, joint)
    values = values.copy()
    if not len(channels):
        return values
    parent, rest = int(rig.parents[joint]), rig.rest[joint]
    above = (
        rest if parent < 0 else quaternion_multiply(orientation(rig, values, [parent])[:, 0], rest)
    )
    local = quaternion_multiply(quaternion_conjugate(above), wanted)
    start = values[0, channels]
    if rig.modes[joint] == QUATERNION:
        local = unwrap_quaternion(local)
        values[:, channels] = local if local[0] @ start >= 0 else -local
        return values
    if len(channels) == 3:
        angles = euler_from_quaternion(local, rig.modes[joint], near=start)
        values[:, channels] = unwrap_euler(angles)
    low, high = rig.channels.low[channels], rig.channels.high[channels]
    inside = np.clip(values[:, channels], low, high)
    if len(channels) < 3 or np.abs(inside - values[:, channels]).max() > LIMITED:
        values[:, channels] = _nearest(rig, joint, local, start, Box(low, high))
    return values


def _nearest(rig: Rig, joint: int, local: Floats, start: Floats, box: Box) -> Floats:
    """(T, n) angles within limits, frame by frame, each near the one before."""
    found = np.empty((len(local), len(start)))
    for frame, wanted in enumerate(matrix_from_quaternion(local)):
        start = found[frame] = nearest_rotation(rig, joint, wanted, start, box)
    return found


def place_joint(rig: Rig, joint: int, values: Floats, wanted: Floats, offset: Floats) -> Floats:
    """Values (T, C) in which a point of a joint is at (T, 3) m, as far as the joint translates."""
    channels = translation_channels(rig, joint)
    values = values.copy()
    world = forward(rig, values, [joint])[:, 0]
    away = wanted - (world[:, :3, :3] @ offset + world[:, :3, 3])
    parent = int(rig.parents[joint])
    rest = matrix_from_quaternion(rig.rest[joint])
    above = rest[None] if parent < 0 else forward(rig, values, [parent])[:, 0, :3, :3] @ rest
    step = np.linalg.solve(np.broadcast_to(above, (len(values), 3, 3)), away[..., None])[..., 0]
    values[:, channels] += step[:, rig.channels.kind[channels] - Kind.TRANSLATE_X]
    low, high = rig.channels.low[channels], rig.channels.high[channels]
    values[:, channels] = np.clip(values[:, channels], low, high)
    return values
