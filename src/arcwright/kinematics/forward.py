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

_BLOCK = 8192  # joints times moments evaluated at once


def forward(rig: Rig, values: Floats, joints: Iterable[int] | None = None) -> Floats:
    """world_from_joint (T, J, 4, 4) of channel values (T, C), for all joints or those given.

    Quaternion values are normalised. Only the ancestors of the joints given are evaluated.
    """
    plan = layout(rig, joints)
    rows = rows_of(rig, plan, values)
    world = np.empty((4, 4, len(plan.joints), rows.shape[1]))
    world[3] = [[[0.0]], [[0.0]], [[0.0]], [[1.0]]]
    chains(plan, rows, world[:3])
    if joints is not None:
        world = world[:, :, plan.wanted]
    return world.transpose(3, 2, 0, 1)


def orientation(rig: Rig, values: Floats, joints: Iterable[int] | None = None) -> Floats:
    """World orientation (T, J, 4) wxyz: the rotations down the chain, whatever the scale."""
    plan = layout(rig, joints)
    rows = rows_of(rig, plan, values)
    world = np.empty((3, 4, len(plan.joints), rows.shape[1]))
    chains(plan, rows, world, scaled=False)
    return quaternion_from_matrix(world[:, :3, plan.wanted].transpose(3, 2, 0, 1))


def rows_of(rig: Rig, plan: Layout, values: Floats) -> Floats:
    """`Layout.rows` of values whose shape has been checked."""
    values = np.asarray(values, float)
    if values.ndim != 2 or values.shape[1] != len(rig.channels):
        raise BadValue("values", f"shape (T, {len(rig.channels)})", f"shape {values.shape}")
    return plan.rows(values)


def chains(plan: Layout, rows: Floats, out: Floats, *, scaled: bool = True) -> None:
    """world_from_joint into (3, 4, A, T), a block of times after the other.

    Small blocks stay in cache and let the allocator reuse memory; over a whole motion at once
    most of the time went into fresh memory pages.
    """
    step = max(16, _BLOCK // max(1, len(plan.joints)))
    for start in range(0, rows.shape[1], step):
        block = slice(start, start + step)
        locals_into(plan, rows[:, block], out[..., block], scaled=scaled)
        chain_in_place(plan, out[..., block])


def locals_into(plan: Layout, rows: Floats, out: Floats, *, scaled: bool = True) -> None:
    """parent_from_joint into (3, 4, A, T), of `Layout.rows`; without scale if not `scaled`."""
    _matrices(_quaternions(plan, rows), out)
    out[:, 3] = plan.offset.T[..., None]
    if len(plan.sliding):
        slide = rows[plan.translate[plan.sliding].T]  # (3, joints, T)
        out[:, 3, plan.sliding] += (plan.rest_turn[:, :, plan.sliding] * slide).sum(axis=1)
    if scaled and len(plan.stretching):
        stretch = plan.scale[plan.stretching].T[..., None] * rows[plan.stretch[plan.stretching].T]
        out[:, :3, plan.stretching] *= stretch


def chain_in_place(plan: Layout, matrices: Floats) -> None:
    """Turn parent_from_joint (3, 4, A, T) into world_from_joint, one depth at a time."""
    for joints, parents in plan.levels:
        parent, own = matrices[:, :, parents], matrices[:, :, joints]
        here = parent[:, 0, None] * own[0]
        here += parent[:, 1, None] * own[1]
        here += parent[:, 2, None] * own[2]
        here[:, 3] += parent[:, 3]
        matrices[:, :, joints] = here


def _quaternions(plan: Layout, rows: Floats) -> Floats:
    """(4, A, T) R(rest) R(rotate) of all joints; not normalised."""
    q = np.empty((4, len(plan.joints), rows.shape[1]))
    if len(plan.euler):
        _turn_by_angles(plan, rows, q)
    if len(plan.free):
        q[:, plan.free] = rows[plan.quaternion[plan.free].T]
    if len(plan.idle):
        q[:, plan.idle] = [[[1.0]], [[0.0]], [[0.0]], [[0.0]]]
    if not plan.rested:
        return q
    rw, rx, ry, rz = plan.rest.T[..., None]
    w, x, y, z = q
    return np.stack(
        [
            rw * w - rx * x - ry * y - rz * z,
            rw * x + rx * w + ry * z - rz * y,
            rw * y - rx * z + ry * w + rz * x,
            rw * z + rx * y - ry * x + rz * w,
        ]
    )


def _turn_by_angles(plan: Layout, rows: Floats, q: Floats) -> None:
    half = 0.5 * rows[plan.rotate[plan.euler].T]  # (3, joints, T)
    (ca, cb, cc), (sa, sb, sc) = np.cos(half), np.sin(half)
    parity = plan.parity[plan.euler][:, None]
    sc *= parity
    both, neither, first, second = sa * sb, ca * cb, sa * cb, ca * sb
    i, j, k = 1 + plan.axes[plan.euler].T
    q[0, plan.euler] = neither * cc - both * sc
    q[i, plan.euler] = first * cc + second * sc
    q[j, plan.euler] = second * cc - first * sc
    q[k, plan.euler] = parity * (neither * sc + both * cc)


def _matrices(q: Floats, out: Floats) -> None:
    """Rotation matrices into (3, 3 or more, A, T); of length zero a quaternion is the identity.

    Few arrays live at once, so that the allocator reuses the same memory from call to call.
    """
    w, x, y, z = q
    size = np.einsum("iat,iat->at", q, q)
    twice = np.divide(2.0, size, out=np.zeros_like(size), where=size > 0)
    sx, sy, sz = twice * q[1:]
    for row, column, a, b, turn in ((0, 1, sx, y, sz), (1, 2, sy, z, sx), (2, 0, sx, z, sy)):
        product = a * b
        about = turn * w
        np.subtract(product, about, out=out[row, column])
        np.add(product, about, out=out[column, row])
    sx *= x
    sy *= y
    sz *= z
    for axis, a, b in ((0, sy, sz), (1, sx, sz), (2, sx, sy)):
        np.subtract(1.0, a + b, out=out[axis, axis])
