"""Oriented poses: channel values in which joints are oriented as they should be in the world.

Joints with fewer than three angles come as near as they can. A knee or an elbow with one angle
bends in one plane: the joint above it rolls about its bone until that plane is the one asked for,
but hardly where the limb is so straight that the plane does not show.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.layout import ZERO, Layout, layout
from arcwright.kinematics.rotation import (
    cross,
    euler_from_quaternion,
    order_axes,
    quaternion_conjugate,
    quaternion_from_euler,
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_normalise,
    quaternion_rotate,
    unwrap_euler,
    unwrap_quaternion,
    wrap,
)
from arcwright.scene.rig import QUATERNION, Rig

BENT = np.sin(np.radians(10.0))  # sine of a bend at rest from which it shows the sign of all bends
PLANE_SHOWS = np.sin(np.radians(8.0))  # sine of a bend from which its plane counts by half


def oriented_values(
    rig: Rig,
    values: Floats,
    wanted: Mapping[int, Floats],
    bends: Sequence[tuple[int, int, int]] = (),
) -> Floats:
    """(T, C) values with joints oriented as `wanted` (T, 4); the others keep their own channels.

    `bends` are limbs: the upper joint, the one that bends, and the joint at the end of its bone.
    """
    plan, found = layout(rig), values.copy()
    wanted = {**wanted, **{bend[0]: _rolled(rig, wanted, bend) for bend in bends}}
    world: dict[int, Floats] = {}
    needed: set[int] = set()  # the joints that are wanted, and those above them
    for joint in wanted:
        while joint >= 0 and joint not in needed:
            needed.add(joint)
            joint = int(rig.parents[joint])
    for joint, parent in enumerate(rig.parents.tolist()):
        if joint not in needed:
            continue
        frame = np.broadcast_to(rig.rest[joint], (len(values), 4))
        if parent >= 0:
            frame = quaternion_multiply(world[parent], frame)
        if joint in wanted:
            local = quaternion_multiply(quaternion_conjugate(frame), wanted[joint])
            _write(rig, plan, joint, local, found)
        world[joint] = quaternion_multiply(frame, local_rotation(rig, plan, joint, found))
    return found


def local_rotation(rig: Rig, plan: Layout, joint: int, values: Floats) -> Floats:
    """(T, 4) what the channels of a joint rotate it by."""
    own = int(plan.wanted[joint])
    if rig.modes[joint] == QUATERNION:
        four = plan.quaternion[own]
        one = np.broadcast_to([1.0, 0.0, 0.0, 0.0], (len(values), 4))
        return one if (four == ZERO).any() else quaternion_normalise(values[:, four])
    angles = np.zeros((len(values), 3))
    has = plan.rotate[own] != ZERO
    angles[:, has] = values[:, plan.rotate[own][has]]
    return quaternion_from_euler(angles, rig.modes[joint])


def _write(rig: Rig, plan: Layout, joint: int, local: Floats, values: Floats) -> None:
    """Channels of a joint for a rotation (T, 4) in its own frame, as near as they can be."""
    own, mode = int(plan.wanted[joint]), rig.modes[joint]
    if mode == QUATERNION:
        if (plan.quaternion[own] != ZERO).all():
            values[:, plan.quaternion[own]] = unwrap_quaternion(local)
        return
    channels = plan.rotate[own]
    has = np.flatnonzero(channels != ZERO)
    if len(has) == 1:
        axis = order_axes(mode)[has[0]]
        values[:, channels[has[0]]] = np.unwrap(
            wrap(2 * np.arctan2(local[:, 1 + axis], local[:, 0]))
        )
    elif len(has):
        angles = unwrap_euler(euler_from_quaternion(local, mode, near=np.zeros(3)))
        values[:, channels[has]] = angles[:, has]


def _rolled(rig: Rig, wanted: Mapping[int, Floats], bend: tuple[int, int, int]) -> Floats:
    """(T, 4) the upper joint of a limb, rolled about its bone so that a hinge bends as wanted."""
    upper, lower, end = bend
    if upper not in wanted or lower not in wanted:
        return wanted[upper]
    hinge = hinge_axis(rig, lower)
    if hinge is None:
        return wanted[upper]
    rest, place = _rest(rig)
    back = quaternion_conjugate(rest)
    bone = _unit(quaternion_rotate(back[lower], place[end] - place[lower]))
    along = _unit(quaternion_rotate(back[upper], place[lower] - place[upper]))
    axis = quaternion_rotate(back[upper], quaternion_rotate(rest[lower], hinge[0]))
    upwards = quaternion_rotate(wanted[upper], along)
    goal = quaternion_rotate(wanted[lower], bone)
    bent = float(
        cross(along, quaternion_rotate(back[upper], quaternion_rotate(rest[lower], bone))) @ axis
    )
    sign = float(np.sign(bent)) if abs(bent) > BENT else hinge[1]
    level = float(bone @ hinge[0])
    roll = _roll(quaternion_rotate(wanted[upper], axis), upwards, goal, level, sign)
    return quaternion_multiply(quaternion_from_vector(roll[:, None] * upwards), wanted[upper])


_rests: WeakKeyDictionary[Rig, tuple[Floats, Floats]] = WeakKeyDictionary()


def _rest(rig: Rig) -> tuple[Floats, Floats]:
    """Orientations (J, 4) and places (J, 3) at rest."""
    if rig not in _rests:
        default = rig.channels.default[None]
        _rests[rig] = orientation(rig, default)[0], forward(rig, default)[0, :, :3, 3]
    return _rests[rig]


def hinge_axis(rig: Rig, joint: int) -> tuple[Floats, float] | None:
    """The only axis (3,) that a joint turns about, and the sign of its bends; None for others."""
    channels = layout(rig).rotate[int(layout(rig).wanted[joint])]
    has = np.flatnonzero(channels != ZERO)
    if rig.modes[joint] == QUATERNION or len(has) != 1:
        return None
    channel = int(channels[has[0]])
    low, high = rig.channels.low[channel], rig.channels.high[channel]
    sign = 0.0 if not np.isfinite(low + high) else float(np.sign(low + high))
    return np.eye(3)[order_axes(rig.modes[joint])[has[0]]], sign


def _roll(axis: Floats, upwards: Floats, goal: Floats, level: float, sign: float) -> Floats:
    """(T,) rad about the upper bone, after which a turn about the axis (T, 3) can reach the goal.

    `level` is the share of the lower bone along the axis, which turns leave as it is.
    """
    bend = cross(upwards, goal)
    weight = (bend * bend).sum(axis=1)
    across = axis - (axis * upwards).sum(axis=1, keepdims=True) * upwards
    beside = cross(upwards, across)
    if sign == 0:
        sign = 1.0 if (bend * across).sum() >= 0 else -1.0
    plain = np.arctan2(sign * (bend * beside).sum(axis=1), sign * (bend * across).sum(axis=1))
    a, b = (across * goal).sum(axis=1), (beside * goal).sum(axis=1)
    reach = np.maximum(np.hypot(a, b), 1e-12)
    off = level - ((axis * upwards).sum(axis=1) * (upwards * goal).sum(axis=1))
    half, middle = np.arccos(np.clip(off / reach, -1.0, 1.0)), np.arctan2(b, a)
    both = np.stack([wrap(middle + half), wrap(middle - half)])
    nearer = np.abs(wrap(both - plain)).argmin(axis=0)
    exact = np.take_along_axis(both, nearer[None], axis=0)[0]
    whole = np.angle((weight * np.exp(1j * exact)).sum()) if weight.sum() > 0 else 0.0
    return np.asarray(whole + wrap(exact - whole) * weight / (weight + PLANE_SHOWS**2))


def moved_joint(rig: Rig, joint: int, values: Floats, shift: Floats) -> Floats:
    """(T, C) values with a joint that has three translations moved by (T, 3) m in the world."""
    parent, found = int(rig.parents[joint]), values.copy()
    if parent >= 0:
        axes = forward(rig, values, [parent])[:, 0, :3, :3]
        shift = np.asarray(np.linalg.solve(axes, shift[..., None])[..., 0], np.float64)
    channels = layout(rig).translate[int(layout(rig).wanted[joint])]
    found[:, channels] += quaternion_rotate(
        quaternion_conjugate(rig.rest[joint]), np.asarray(shift)
    )
    return found


def _unit(vector: Floats) -> Floats:
    unit: Floats = vector / np.linalg.norm(vector)
    return unit
