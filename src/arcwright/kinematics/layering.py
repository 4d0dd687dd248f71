"""Layering: how a layer changes the values under it.

Joints turn by `R(base) exp(weight * turn)`, those without a parent by `exp(weight * turn) R(base)`:
a root turns in the world, whose axes do not shake as those of captured hips do. Other channels
get `weight * add` added. The turned joint goes back into its own channels: Euler angles nearest
to the ones before, so a small turn never jumps. A joint with fewer than three Euler channels
cannot hold every turn: with one channel it takes the nearest turn about its axis, with two it
drops the third angle.
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
    turn, add = (layer.weight * spline.apply(each) for each in (layer.turn, layer.add))
    changed = values.copy()
    changed[inside] = displaced(rig, (layer.joints, turn), (layer.channels, add), values[inside])
    return changed


def displaced(
    rig: Rig, turns: tuple[Ints, Floats], adds: tuple[Ints, Floats], values: Floats
) -> Floats:
    """Values (T, C) of which joints (R,) are turned by (T, R, 3) and channels (A,) added (T, A)."""
    (turning, turn), (channels, add) = turns, adds
    changed = values.copy()
    changed[:, channels] += add
    extra = quaternion_from_vector(turn)  # (T, R, 4)
    plan = layout(rig)
    alike: dict[tuple[str, tuple[bool, ...], bool], list[int]] = {}
    for slot, joint in enumerate(turning.tolist()):
        own = _channels(plan, int(plan.wanted[joint]), rig.modes[joint])
        held, root = tuple((own != ZERO).tolist()), bool(rig.parents[joint] < 0)
        alike.setdefault((rig.modes[joint], held, root), []).append(slot)
    for (mode, held, root), slots in alike.items():
        joints = plan.wanted[turning[slots]]
        by = partial(_turned, extra[:, slots], root)
        _turn_joints(plan, joints, mode, np.array(held), by, changed)
    return changed


def _turned(extra: Floats, root: bool, base: Floats) -> Floats:
    return quaternion_multiply(extra, base) if root else quaternion_multiply(base, extra)


def _channels(plan: Layout, joints: int | Ints, mode: str) -> Ints:
    found: Ints = (plan.quaternion if mode == QUATERNION else plan.rotate)[joints]
    return found


def _turn_joints(
    plan: Layout,
    joints: Ints,
    mode: str,
    held: Bools,
    turn: Callable[[Floats], Floats],
    values: Floats,
) -> None:
    """Turn joints (G,) that have the same mode and channels, (T, G, 4) each."""
    if not held.any():
        return
    at = (slice(None), _channels(plan, joints, mode)[:, held])
    if mode == QUATERNION:
        values[at] = turn(values[at])
        return
    angles = np.zeros((len(values), len(joints), 3))
    angles[..., held] = values[at]
    turned = turn(quaternion_from_euler(angles, mode))
    if held.sum() == 1:
        about = turned[..., 1 + int(plan.axes[joints[0]][held][0])]
        twist = 2 * np.arctan2(about, turned[..., 0])[..., None]
        angles += wrap(twist - angles) * held
    else:
        angles = euler_from_quaternion(turned, mode, near=angles)
    values[at] = angles[..., held]
