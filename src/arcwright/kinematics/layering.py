"""Layer evaluation: apply a layer to the channel values below it.

Joints rotate by `R(base) exp(weight * turn)`, roots by `exp(weight * turn) R(base)`: a root rotates
about the world's axes, which do not jitter as those of captured hips do. Other
channels get `weight * add` added. The rotation is written to the joint's own channels: Euler angles
nearest to the previous ones, so a small rotation never jumps. A joint with fewer than three Euler
channels cannot represent every rotation: with one channel it gets the nearest rotation about its
axis, with two the third angle is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.spline import band
from arcwright.kinematics.layout import ZERO, Layout, layout
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    quaternion_from_euler,
    quaternion_from_vector,
    quaternion_multiply,
    wrap,
)
from arcwright.scene.layer import Layer
from arcwright.scene.rig import QUATERNION, Rig


def with_layer(rig: Rig, layer: Layer, times: Floats, values: Floats) -> Floats:
    """Values (T, C) with the layer on top, whether muted or not."""
    inside = np.flatnonzero((times >= layer.start) & (times <= layer.end))
    spline = band(layer.start, layer.end, len(layer.add), times[inside])
    rotation, add = (layer.weight * spline.apply(each) for each in (layer.turn, layer.add))
    changed = values.copy()
    changed[inside] = displaced(
        rig, (layer.joints, rotation), (layer.channels, add), values[inside]
    )
    return changed


def displaced(
    rig: Rig, rotations: tuple[Ints, Floats], adds: tuple[Ints, Floats], values: Floats
) -> Floats:
    """Values (T, C) with joints (R,) rotated by (T, R, 3) and (T, A) added to channels (A,)."""
    (rotated, rotation), (channels, add) = rotations, adds
    changed = values.copy()
    changed[:, channels] += add
    extra = quaternion_from_vector(rotation)  # (T, R, 4)
    plan = layout(rig)
    same_channels: dict[tuple[str, tuple[bool, ...], bool], list[int]] = {}
    for slot, joint in enumerate(rotated.tolist()):
        own = _channels(plan, int(plan.wanted[joint]), rig.modes[joint])
        present, root = tuple((own != ZERO).tolist()), bool(rig.parents[joint] < 0)
        same_channels.setdefault((rig.modes[joint], present, root), []).append(slot)
    for (mode, present, root), slots in same_channels.items():
        joints = plan.wanted[rotated[slots]]
        by = partial(_rotated, extra[:, slots], root)
        _rotate_joints(plan, joints, mode, np.array(present), by, changed)
    return changed


def _rotated(extra: Floats, root: bool, base: Floats) -> Floats:
    return quaternion_multiply(extra, base) if root else quaternion_multiply(base, extra)


def _channels(plan: Layout, joints: int | Ints, mode: str) -> Ints:
    found: Ints = (plan.quaternion if mode == QUATERNION else plan.rotate)[joints]
    return found


def _rotate_joints(
    plan: Layout,
    joints: Ints,
    mode: str,
    present: Bools,
    rotate: Callable[[Floats], Floats],
    values: Floats,
) -> None:
    """Rotate joints (G,) that have the same mode and channels, (T, G, 4) each."""
    if not present.any():
        return
    at = (slice(None), _channels(plan, joints, mode)[:, present])
    if mode == QUATERNION:
        values[at] = rotate(values[at])
        return
    angles = np.zeros((len(values), len(joints), 3))
    angles[..., present] = values[at]
    rotation = rotate(quaternion_from_euler(angles, mode))
    if present.sum() == 1:
        about = rotation[..., 1 + int(plan.axes[joints[0]][present][0])]
        twist = 2 * np.arctan2(about, rotation[..., 0])[..., None]
        angles += wrap(twist - angles) * present
    else:
        angles = euler_from_quaternion(rotation, mode, near=angles)
    values[at] = angles[..., present]
