"""Forward kinematics: from channel values to joint transforms.

    parent_from_joint = T(offset) R(rest) T(translate) R(rotate) S(scale * scale channels)

Scale is inherited in full, so a world matrix may hold shear; `orientation` leaves scale out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from arcwright.arrays import Floats
from arcwright.compiled import library as compiled
from arcwright.errors import BadValue
from arcwright.kinematics.layout import Chain, Layout, layout
from arcwright.kinematics.rotation import quaternion_from_matrix, sine_and_cosine
from arcwright.scene.rig import Rig

_BLOCK = 6144  # joints times moments evaluated at once


def forward(rig: Rig, values: Floats, joints: Iterable[int] | None = None) -> Floats:
    """world_from_joint (T, J, 4, 4) of channel values (T, C), for all joints or those given.

    Quaternion values are normalised. Only the ancestors of the joints given are evaluated.
    """
    if compiled.library is None:
        return plain_forward(rig, values, joints)
    return _compiled_forward(layout(rig, joints).chain, checked(rig, values))


def _compiled_forward(chain: Chain, values: Floats) -> Floats:
    """world_from_joint (T, J, 4, 4) at values (T, C)."""
    assert compiled.library is not None
    values = np.require(values, np.float64, ("C", "A"))
    world = np.empty((len(values), chain.points, 4, 4))
    if compiled.library.arcwright_forward(
        chain.address, len(values), values.ctypes.data, world.ctypes.data
    ):
        raise MemoryError
    return world


def plain_forward(rig: Rig, values: Floats, joints: Iterable[int] | None = None) -> Floats:
    """As `forward`, with NumPy alone."""
    plan = layout(rig, joints)
    world = np.empty((4, 4, len(plan.wanted), len(values)))
    world[3] = [[[0.0]], [[0.0]], [[0.0]], [[1.0]]]
    for block, matrices in _blocks(plan, rows_of(rig, plan, values)):
        if joints is None:  # all joints in order: no gathering needed
            world[:3, :, plan.joints, block] = chained(plan, matrices)
        else:
            world[:3, :, :, block] = chained(plan, matrices)[:, :, plan.wanted]
    return world.transpose(3, 2, 0, 1)


def orientation(rig: Rig, values: Floats, joints: Iterable[int] | None = None) -> Floats:
    """World orientation (T, J, 4) wxyz: the rotations down the chain, whatever the scale."""
    plan = layout(rig, joints)
    rotations = np.empty((3, 3, len(plan.wanted), len(values)))
    for block, matrices in _blocks(plan, rows_of(rig, plan, values), scaled=False):
        rotations[..., block] = chained(plan, matrices)[:, :3, plan.wanted]
    return quaternion_from_matrix(rotations.transpose(3, 2, 0, 1))


def rows_of(rig: Rig, plan: Layout, values: Floats) -> Floats:
    """`Layout.rows` of values whose shape has been checked."""
    return plan.rows(checked(rig, values))


def checked(rig: Rig, values: Floats) -> Floats:
    """Values (T, C) of this rig, or an error."""
    values = np.asarray(values, float)
    if values.ndim != 2 or values.shape[1] != len(rig.channels):
        raise BadValue("values", f"shape (T, {len(rig.channels)})", f"shape {values.shape}")
    return values


def _blocks(plan: Layout, rows: Floats, *, scaled: bool = True) -> Iterator[tuple[slice, Floats]]:
    """`local_matrices` for a few moments at a time.

    Small blocks stay in cache and let the allocator reuse memory; over a whole motion at once
    most of the time goes into fresh memory pages.
    """
    step = max(16, _BLOCK // max(1, len(plan.joints)))
    for start in range(0, rows.shape[1], step):
        block = slice(start, start + step)
        yield block, local_matrices(plan, rows[:, block], scaled=scaled)


def local_matrices(plan: Layout, rows: Floats, *, scaled: bool = True) -> Floats:
    """parent_from_joint (3, 4, A, T) of `Layout.rows`; without scale if not `scaled`."""
    local = np.empty((3, 4, len(plan.joints), rows.shape[1]))
    if len(plan.euler):
        _rotate_by_angles(plan, rows, local)
    if len(plan.free):
        local[:, :3, plan.free] = _matrices(rows[plan.quaternion[plan.free].T])
    if len(plan.idle):
        local[:, :3, plan.idle] = np.eye(3)[:, :, None, None]
    if len(plan.rested):
        rest, own = plan.rest_rotation[:, :, plan.rested], local[:, :3, plan.rested]
        local[:, :3, plan.rested] = product(rest, own)
    local[:, 3] = plan.offset.T[..., None]
    if len(plan.sliding):
        slide = rows[plan.translate[plan.sliding].T]  # (3, joints, T)
        local[:, 3, plan.sliding] += (plan.rest_rotation[:, :, plan.sliding] * slide).sum(axis=1)
    if scaled and len(plan.stretching):
        local[:, :3, plan.stretching] *= stretches(plan, rows)
    return local


def stretches(plan: Layout, rows: Floats) -> Floats:
    """(3, joints, T) scale of the joints in `plan.stretching`, rest scale included."""
    channels: Floats = rows[plan.stretch[plan.stretching].T]
    return plan.scale[plan.stretching].T[..., None] * channels


def chained(plan: Layout, local: Floats) -> Floats:
    """world_from_joint in place of parent_from_joint (3, 4, A or more, T), depth by depth."""
    for joints, parents in plan.levels:
        parent, here = local.take(parents, axis=2), local[:, :, joints]
        product(parent, here.copy(), out=here)
        here[:, 3] += parent[:, 3]
    return local


def product(a: Floats, b: Floats, out: Floats | None = None) -> Floats:
    """(3, 3 or more, ...) times (3, n, ...), summed over the first three columns of a."""
    total: Floats = np.multiply(a[:, 0, None], b[0], out=out)
    total += a[:, 1, None] * b[1]
    total += a[:, 2, None] * b[2]
    return total


def _rotate_by_angles(plan: Layout, rows: Floats, out: Floats) -> None:
    """Rotation matrices of the Euler joints, written out for the order XYZ.

    Other orders have the same matrix with rows and columns exchanged, and with all sines
    negated if the order is an odd permutation.
    """
    angles = rows[plan.rotate[plan.euler].T]  # (3, joints, T)
    sine, cosine = sine_and_cosine(angles)
    sine *= plan.parity[plan.euler]
    (ca, cb, cc), (sa, sb, sc) = cosine, sine
    rotation = np.empty((3, 3, *ca.shape))
    np.multiply(cb, cc, out=rotation[0, 0])
    np.multiply(-cb, sc, out=rotation[0, 1])
    rotation[0, 2] = sb
    for row, along, across, sign in ((1, ca, sa, 1.0), (2, sa, ca, -1.0)):
        both = across * sb * sign
        rotation[row, 0] = along * sc + both * cc
        rotation[row, 1] = along * cc - both * sc
        np.multiply(across, -sign * cb, out=rotation[row, 2])
    letters = plan.axes[plan.euler].T
    out[letters[:, None], letters, plan.euler] = rotation


def _matrices(q: Floats) -> Floats:
    """(3, 3, ...) of quaternions (4, ...) of any length; of length zero the identity."""
    w, x, y, z = q
    size = w * w + x * x + y * y + z * z
    twice = np.divide(2.0, size, out=np.zeros_like(size), where=size > 0)
    sx, sy, sz = twice * x, twice * y, twice * z
    out = np.empty((3, 3, *size.shape))
    for row, column, a, b, c in ((0, 1, sx, y, sz), (1, 2, sy, z, sx), (2, 0, sx, z, sy)):
        both, about = a * b, c * w
        np.subtract(both, about, out=out[row, column])
        np.add(both, about, out=out[column, row])
    sx *= x
    sy *= y
    sz *= z
    for axis, a, b in ((0, sy, sz), (1, sx, sz), (2, sx, sy)):
        np.subtract(1.0, a + b, out=out[axis, axis])
    return out
