"""Base of a body model: joints turn at constant speed from key to key, the root goes straight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import quaternion_from_vector, quaternion_multiply, slerp
from arcwright.tools.autocomplete.body.skeleton import heading
from arcwright.tools.autocomplete.network.features import Gaps


@dataclass(frozen=True, eq=False)
class Poses:
    """Poses of many motions at many times."""

    rotations: Floats  # (B, T, J, 4) unit quaternions in the parent's frame
    position: Floats  # (B, T, 3) of the root, in leg lengths


def between_keys(keys: Poses, gaps: Gaps) -> Poses:
    """The base at every token; values of `keys` count where they are known.

    The groups of `gaps` are the joints, and last the position of the root. Beyond its outermost
    keys a group holds still; one without keys holds what stands at the first token.
    """
    count = keys.position.shape[1]
    before, after = gaps.previous, np.minimum(gaps.following, count - 1)
    before = np.where(gaps.has_previous, before, np.where(gaps.has_following, after, 0))
    after = np.where(gaps.has_following, after, before)
    total = gaps.since + gaps.until
    inside = gaps.has_previous & gaps.has_following
    share = np.where(inside & (total > 0), gaps.since / np.where(total > 0, total, 1), 0.0)
    start, end = (
        np.take_along_axis(keys.rotations, each[..., :-1, None], axis=1) for each in (before, after)
    )
    first, last = (
        np.take_along_axis(keys.position, each[..., -1:], axis=1) for each in (before, after)
    )
    turned = slerp(start, end, share[..., :-1])
    return Poses(turned, first + share[..., -1:] * (last - first))


def added(base: Poses, turns: Floats, shift: Floats) -> Poses:
    """Poses turned by rotation vectors (B, T, J, 3) in joints' own frames, and the root moved.

    `shift` (B, T, 3) goes along the heading of the base.
    """
    rotations = quaternion_multiply(base.rotations, quaternion_from_vector(turns))
    return Poses(rotations, base.position + headed(base.rotations[..., 0, :], shift))


def headed(orientation: Floats, vector: Floats, back: bool = False) -> Floats:
    """(..., 3) vectors in the frame of a heading, in the world; or `back` again."""
    angle = heading(orientation)
    cosine, sine = np.cos(angle), np.sin(angle)
    sine = -sine if back else sine
    x, y, z = np.moveaxis(vector, -1, 0)
    return np.stack([cosine * x + sine * z, y, cosine * z - sine * x], axis=-1)
