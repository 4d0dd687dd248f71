"""Inputs of a body model for every token: the base pose, how it moves, and where its keys are.

Everything is seen from the root, along its heading: a motion is completed alike wherever it
happens and whichever way it goes. Lengths are in legs, times in frames.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    quaternion_conjugate,
    quaternion_multiply,
    vector_from_quaternion,
    wrap,
)
from arcwright.tools.autocomplete.body.key_slerp import Poses, between_keys, headed
from arcwright.tools.autocomplete.body.skeleton import Skeleton, heading, world_poses
from arcwright.tools.autocomplete.network.features import LONGEST, Gaps

COMMON = 8  # height, velocity of the root, rate of its heading, three of time
PER_JOINT = 17  # 6 rotation, 3 its rate, 3 place, 3 velocity, window, key
FAST = 30.0  # what changes per frame are multiplied by


def inputs_of(joints: int) -> int:
    """Numbers per token."""
    return PER_JOINT * joints + COMMON + 2


def outputs_of(joints: int) -> int:
    """Numbers per token: a rotation vector for each joint, and a shift of the root."""
    return 3 * joints + 3


def body_inputs(
    skeleton: Skeleton,
    keys: Poses,
    times: Floats,
    known: Bools,
    valid: Bools,
    offsets: Floats | None = None,
) -> tuple[Poses, NDArray[np.float32], NDArray[np.float32]]:
    """The base, inputs (B, T, F) and windows (B, T, J + 1) at tokens at times (B, T) in frames.

    `known` (B, T, J + 1) says which joints, and last whether the root's position, are given.
    """
    gaps = Gaps.of(times, known, valid)
    base = between_keys(keys, gaps)
    window = np.where(valid[..., None], gaps.window(), 0.0)
    any_key = known.any(axis=2, keepdims=True) & valid[..., None]
    union = Gaps.of(times, any_key, valid)
    run = np.maximum(np.diff(times, axis=1), 1e-3)[..., None]
    change = partial(_into, run)
    root = base.rotations[:, :, 0]
    turn = heading(root)
    level = _about_vertical(-turn)
    local = base.rotations.copy()
    local[:, :, 0] = quaternion_multiply(level, root)
    back = quaternion_multiply(quaternion_conjugate(local[:, :-1]), local[:, 1:])
    rate = vector_from_quaternion(back).reshape(*back.shape[:2], -1)
    _, places = world_poses(skeleton, base.rotations, base.position, offsets)
    around = headed(root[:, :, None], places - base.position[:, :, None], back=True)
    moved = headed(root[:, 1:, None], np.diff(places, axis=1), back=True)
    parts = [
        matrix_from_quaternion(local)[..., :2].reshape(*times.shape, -1),
        change(rate),
        around.reshape(*times.shape, -1),
        change(moved.reshape(*moved.shape[:2], -1)),
        window,
        known,
        base.position[..., 1:2],
        change(headed(root[:, 1:], np.diff(base.position, axis=1), back=True)),
        change(wrap(np.diff(turn, axis=1))[..., None]),
        np.log1p(union.since) / LONGEST,
        np.log1p(union.until) / LONGEST,
        union.share(),
    ]
    inputs = np.concatenate(parts, axis=2).astype(np.float32)
    return base, np.where(valid[..., None], inputs, np.float32(0)), window.astype(np.float32)


def _into(run: Floats, step: Floats) -> Floats:
    """(B, T, F) changes per frame since the token before; of the first one, until the next."""
    rate = FAST * step / run
    return np.concatenate([rate[:, :1], rate], axis=1)


def _about_vertical(angle: Floats) -> Floats:
    half, zero = 0.5 * angle, np.zeros_like(angle)
    return np.stack([np.cos(half), zero, np.sin(half), zero], axis=-1)
