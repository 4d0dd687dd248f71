"""Layering: how a layer changes the values under it.

Joints turn by `R(base) exp(weight * turn)`, other channels get `weight * add` added. The turned
joint goes back into its own channels: Euler angles nearest to the ones before, so a small turn
never jumps. A joint with fewer than three Euler channels cannot hold every turn: with one
channel it takes the nearest turn about its axis, with two it drops the third angle.
"""

from __future__ import annotations

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
    changed = values.copy()
    if len(layer.channels):
        changed[np.ix_(inside, layer.channels)] += layer.weight * spline.apply(layer.add)
    turn = layer.weight * spline.apply(layer.turn)  # (T, R, 3)
    extra = quaternion_from_vector(turn)
    plan = layout(rig)
    for slot, joint in enumerate(layer.joints.tolist()):
        place = int(plan.wanted[joint])
        _turn_joint(plan, place, rig.modes[joint], extra[:, slot], inside, changed)
    return changed


def _turn_joint(
    plan: Layout, place: int, mode: str, extra: Floats, inside: Ints, values: Floats
) -> None:
    channels = plan.quaternion[place] if mode == QUATERNION else plan.rotate[place]
    held = channels != ZERO
    if not held.any():
        return
    at = np.ix_(inside, channels[held])
    if mode == QUATERNION:
        values[at] = quaternion_multiply(values[at], extra)
        return
    angles = np.zeros((len(inside), 3))
    angles[:, held] = values[at]
    turned = quaternion_multiply(quaternion_from_euler(angles, mode), extra)
    values[at] = _into_angles(turned, mode, held, plan.axes[place], angles)[:, held]


def _into_angles(turned: Floats, mode: str, held: Bools, axes: Ints, near: Floats) -> Floats:
    if held.sum() == 1:
        about = turned[:, 1 + int(axes[held][0])]
        twist = 2 * np.arctan2(about, turned[:, 0])[:, None]
        return near + wrap(twist - near) * held
    return euler_from_quaternion(turned, mode, near=near)
