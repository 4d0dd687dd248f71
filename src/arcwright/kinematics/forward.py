"""Forward kinematics: from channel values to where every joint is.

    parent_from_joint = T(offset) R(rest) T(translate) R(rotate) S(scale * scale channels)

Scale is inherited in full, so a world matrix may hold shear; `orientation` leaves scale out.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.layout import Layout, layout
from arcwright.kinematics.rotation import quaternion_from_matrix
from arcwright.scene.rig import Rig


def forward(rig: Rig, values: Floats, joints: Iterable[int] | None = None) -> Floats:
    """world_from_joint (T, J, 4, 4) of channel values (T, C), for all joints or those given.

    Quaternion values are normalised. Only the ancestors of the joints given are evaluated.
    """
    plan = layout(rig, joints)
    local = locals_of(plan, rows_of(rig, plan, values))
    world = np.zeros((4, 4, *local.shape[2:]))
    world[3, 3] = 1.0
    chain(plan, local, out=world[:3])
    if joints is not None or (plan.wanted != np.arange(len(plan.joints))).any():
        world = world[:, :, plan.wanted]
    return world.transpose(3, 2, 0, 1)


def orientation(rig: Rig, values: Floats, joints: Iterable[int] | None = None) -> Floats:
    """World orientation (T, J, 4) wxyz: the rotations down the chain, whatever the scale."""
    plan = layout(rig, joints)
    local = locals_of(plan, rows_of(rig, plan, values), scaled=False)
    turned = chain(plan, local)[:, :3, plan.wanted]
    return quaternion_from_matrix(turned.transpose(3, 2, 0, 1))


def rows_of(rig: Rig, plan: Layout, values: Floats) -> Floats:
    """`Layout.rows` of values whose shape has been checked."""
    values = np.asarray(values, float)
    if values.ndim != 2 or values.shape[1] != len(rig.channels):
        raise BadValue("values", f"shape (T, {len(rig.channels)})", f"shape {values.shape}")
    return plan.rows(values)


def locals_of(plan: Layout, rows: Floats, *, scaled: bool = True) -> Floats:
    """parent_from_joint (3, 4, A, T) of `Layout.rows`; without scale if not `scaled`."""
    local = np.empty((3, 4, len(plan.joints), rows.shape[1]))
    local[:] = plan.still
    if len(plan.turning):
        local[:, :3, plan.turning] = _matrices(_quaternions(plan, rows))
    if len(plan.sliding):
        slide = rows[plan.translate[plan.sliding].T]  # (3, joints, T)
        turn = plan.rest_turn[:, :, plan.sliding]
        local[:, 3, plan.sliding] += (turn * slide).sum(axis=1)
    if scaled and len(plan.stretching):
        stretch = plan.scale[plan.stretching].T[..., None] * rows[plan.stretch[plan.stretching].T]
        local[:, :3, plan.stretching] *= stretch
    return local


def _quaternions(plan: Layout, rows: Floats) -> Floats:
    """(4, joints, T) R(rest) R(rotate) of the turning joints; not normalised."""
    q = np.empty((4, len(plan.turning), rows.shape[1]))
    if len(plan.euler):
        _turn_by_angles(plan, rows, q[:, : len(plan.euler)])
    if len(plan.free):
        q[:, len(plan.euler) :] = rows[plan.quaternion[plan.free].T]
    if not plan.rested:
        return q
    rw, rx, ry, rz = plan.rest[plan.turning].T[..., None]
    w, x, y, z = q
    return np.stack(
        [
            rw * w - rx * x - ry * y - rz * z,
            rw * x + rx * w + ry * z - rz * y,
            rw * y - rx * z + ry * w + rz * x,
            rw * z + rx * y - ry * x + rz * w,
        ]
    )


def _turn_by_angles(plan: Layout, rows: Floats, out: Floats) -> None:
    half = 0.5 * rows[plan.rotate[plan.euler].T]  # (3, joints, T)
    (ca, cb, cc), (sa, sb, sc) = np.cos(half), np.sin(half)
    parity = plan.parity[plan.euler][:, None]
    sc *= parity
    both, neither, first, second = sa * sb, ca * cb, sa * cb, ca * sb
    out[0] = neither * cc - both * sc
    about = np.stack(
        [first * cc + second * sc, second * cc - first * sc, parity * (neither * sc + both * cc)]
    )
    out[1 + plan.axes[plan.euler].T, np.arange(len(plan.euler))] = about


def _matrices(q: Floats) -> Floats:
    """(3, 3, joints, T) rotation matrices; a quaternion of length zero gives the identity."""
    size = (q * q).sum(axis=0)
    twice = np.divide(2.0, size, out=np.zeros_like(size), where=size > 0)
    w, x, y, z = q
    sx, sy, sz = twice * q[1:]
    xx, yy, zz = sx * x, sy * y, sz * z
    xy, xz, yz = sx * y, sx * z, sy * z
    wx, wy, wz = sx * w, sy * w, sz * w
    matrices = np.empty((3, 3, *size.shape))
    matrices[0, 0], matrices[1, 1], matrices[2, 2] = 1 - (yy + zz), 1 - (xx + zz), 1 - (xx + yy)
    matrices[0, 1], matrices[1, 0] = xy - wz, xy + wz
    matrices[0, 2], matrices[2, 0] = xz + wy, xz - wy
    matrices[1, 2], matrices[2, 1] = yz - wx, yz + wx
    return matrices


def chain(plan: Layout, local: Floats, out: Floats | None = None) -> Floats:
    """world_from_joint (3, 4, A, T) of parent_from_joint, all joints of one depth at a time."""
    world = np.empty_like(local) if out is None else out
    for depth, level in enumerate(plan.levels):
        if depth == 0:
            world[:, :, level] = local[:, :, level]
            continue
        parent = world[:, :, plan.parents[level]]
        own, here = local[:, :, level], world[:, :, level]
        np.multiply(parent[:, 0, None], own[0], out=here)
        here += parent[:, 1, None] * own[1]
        here += parent[:, 2, None] * own[2]
        here[:, 3] += parent[:, 3]
    return world
