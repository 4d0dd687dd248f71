"""Joint values: a joint moved, rotated or scaled by its own channels, at many times at once."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.rotation import (
    euler_from_matrix,
    matrix_from_quaternion,
    quaternion_conjugate,
    quaternion_multiply,
)
from arcwright.scene.rig import QUATERNION, Kind, Rig
from arcwright.solve.problem import Box
from arcwright.tools.shared.joint_rotation import nearest_rotation, rotation_channels

MOVED = 1e-12  # rad


def translation_channels(rig: Rig, joint: int) -> Ints:
    """(n,) of x, y, z those that exist."""
    return _channels(rig, joint, Kind.TRANSLATE_X)


def scale_channels(rig: Rig, joint: int) -> Ints:
    """(n,) of x, y, z those that exist."""
    return _channels(rig, joint, Kind.SCALE_X)


def _channels(rig: Rig, joint: int, first: Kind) -> Ints:
    table = rig.channels
    own = np.flatnonzero((table.joint == joint) & (table.kind >= first) & (table.kind <= first + 2))
    return own[np.argsort(table.kind[own])]


def item_channels(rig: Rig, joint: int) -> Ints:
    """Channels of a joint and of those above it, up to where its limb branches off."""
    children = np.bincount(rig.parents[rig.parents >= 0], minlength=len(rig.names))
    joints = [joint]
    while (parent := int(rig.parents[joints[-1]])) >= 0 and children[parent] == 1:
        joints.append(parent)
    return np.flatnonzero(np.isin(rig.channels.joint, joints))


def translated(rig: Rig, joint: int, values: Floats, shift: Floats) -> Floats:
    """Values (T, C) with a joint moved in the world by shifts (T, 3), as far as it can."""
    channels = translation_channels(rig, joint)
    parent = int(rig.parents[joint])
    axes = np.broadcast_to(matrix_from_quaternion(rig.rest[joint]), (len(values), 3, 3))
    if parent >= 0:
        axes = forward(rig, values, [parent])[:, 0, :3, :3] @ axes
    own = axes[..., rig.channels.kind[channels] - Kind.TRANSLATE_X]
    moves = np.abs(shift).max(axis=1) > 0
    found = values.copy()
    steps = (np.linalg.pinv(own[moves]) @ shift[moves, :, None])[..., 0]
    found[np.ix_(moves, channels)] += steps
    return within_limits(rig, channels, values, found)


def rotated(rig: Rig, joint: int, values: Floats, wanted: Floats) -> Floats:
    """Values (T, C) with a joint in world orientations (T, 4), as near as it can be."""
    channels = rotation_channels(rig, joint)
    now = orientation(rig, values, [joint])[:, 0]
    moves = np.abs(np.abs((now * wanted).sum(axis=1)) - 1.0) > MOVED**2
    moves &= np.minimum(np.abs(now - wanted).max(axis=1), np.abs(now + wanted).max(axis=1)) > MOVED
    found = values.copy()
    if not moves.any() or not len(channels):
        return found
    parent, rest = int(rig.parents[joint]), rig.rest[joint]
    above = np.broadcast_to(rest, (len(values), 4))
    if parent >= 0:
        above = quaternion_multiply(orientation(rig, values, [parent])[:, 0], rest)
    local = quaternion_multiply(quaternion_conjugate(above), wanted)
    near = values[:, channels]
    if rig.modes[joint] == QUATERNION:
        away = (local * near).sum(axis=1, keepdims=True) < 0
        found[np.ix_(moves, channels)] = np.where(away, -local, local)[moves]
        return found
    low, high = _limits(rig, channels, near)
    if len(channels) == 3:
        angles = euler_from_matrix(matrix_from_quaternion(local), rig.modes[joint], near)
        found[np.ix_(moves, channels)] = angles[moves]
    beyond = (found[:, channels] < low) | (found[:, channels] > high)
    inexact = moves & (beyond.any(axis=1) | (len(channels) < 3))
    for t in np.flatnonzero(inexact).tolist():
        box = Box(low[t], high[t])
        there = matrix_from_quaternion(local[t])
        found[t, channels] = nearest_rotation(rig, joint, there, near[t], box)
    return found


def scaled(rig: Rig, joint: int, values: Floats, factors: Floats) -> Floats:
    """Values (T, C) with the scale channels of a joint multiplied by factors (T, 3)."""
    channels, found = scale_channels(rig, joint), values.copy()
    found[:, channels] *= factors[:, rig.channels.kind[channels] - Kind.SCALE_X]
    return within_limits(rig, channels, values, found)


def within_limits(rig: Rig, channels: Ints, before: Floats, after: Floats) -> Floats:
    """Values (T, C) of which some channels stop at their limits, or where they were beyond them."""
    low, high = _limits(rig, channels, before[:, channels])
    after[:, channels] = np.clip(after[:, channels], low, high)
    return after


def _limits(rig: Rig, channels: Ints, before: Floats) -> tuple[Floats, Floats]:
    table = rig.channels
    return np.minimum(table.low[channels], before), np.maximum(table.high[channels], before)
