"""Layering: how a layer changes the values under it.

Joints turn by `R(base) exp(weight * turn)`, other channels get `weight * add` added. The turned
joint goes back into its own channels: Euler angles nearest to the ones before, so a small turn
never jumps. A joint with fewer than three Euler channels cannot hold every turn: with one
channel it takes the nearest turn about its axis, with two it drops the third angle.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.layout import ZERO, Layout, layout
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    quaternion_from_euler,
    quaternion_from_vector,
    quaternion_multiply,
    wrap,
)
from arcwright.scene.layer import Layer
from arcwright.scene.rig import Rig


def with_layer(rig: Rig, layer: Layer, times: Floats, values: Floats) -> None:
    """Change values (T, C) in place, at the times within the layer's range."""
    inside = np.flatnonzero((times >= layer.start) & (times <= layer.end))
    share = (times[inside] - layer.start) / (layer.end - layer.start)
    blend = layer.weight * _basis(len(layer.add), share)  # (T, N)
    if len(layer.channels):
        values[np.ix_(inside, layer.channels)] += blend @ layer.add
    plan = layout(rig)
    for slot, joint in enumerate(layer.joints.tolist()):
        place = int(plan.wanted[joint])
        _turn_joint(rig, plan, place, blend @ layer.turn[:, slot], inside, values)


def _turn_joint(
    rig: Rig, plan: Layout, place: int, turn: Floats, inside: np.ndarray, values: Floats
) -> None:
    extra = quaternion_from_vector(turn)
    four, three = plan.quaternion[place], plan.rotate[place]
    if four[0] != ZERO:
        at = np.ix_(inside, four)
        values[at] = quaternion_multiply(values[at], extra)
        return
    held = three != ZERO
    if not held.any():
        return
    mode = rig.modes[plan.joints[place]]
    angles = np.zeros((len(inside), 3))
    angles[:, held] = values[np.ix_(inside, three[held])]
    turned = quaternion_multiply(quaternion_from_euler(angles, mode), extra)
    if held.sum() == 1:
        about = turned[:, 1 + int(plan.axes[place][held][0])]
        twist = 2 * np.arctan2(about, turned[:, 0])[:, None]
        angles += wrap(twist - angles) * held
    else:
        angles = euler_from_quaternion(turned, mode, near=angles)
    values[np.ix_(inside, three[held])] = angles[:, held]


def _basis(count: int, share: Floats) -> Floats:
    """(T, N) weights of N clamped uniform cubic B-splines, for shares 0 to 1 of their range."""
    spans = count - 3
    knots = np.concatenate([np.zeros(3), np.arange(spans + 1.0), np.full(3, float(spans))])
    x = np.asarray(share)[:, None] * spans
    weights: Floats = ((np.minimum(x, spans - 1e-12) // 1) == np.arange(-3.0, spans + 3)).astype(
        float
    )
    for degree in (1, 2, 3):
        left, right = knots[: -degree - 1], knots[degree + 1 :]
        rise, fall = knots[degree:-1] - left, right - knots[1:-degree]
        up = (x - left) * np.divide(1.0, rise, out=np.zeros_like(rise), where=rise > 0)
        down = (right - x) * np.divide(1.0, fall, out=np.zeros_like(fall), where=fall > 0)
        weights = up * weights[:, :-1] + down * weights[:, 1:]
    return weights
