"""Rotations as wxyz quaternions, matrices, Euler angles and rotation vectors.

Every function works over any leading axes. An Euler order is the matrix product read left to
right, so `"ZYX"` is Rz @ Ry @ Rx, and angles are listed in the order of its letters.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.scene.rig import EULER_MODES

_SMALL = 1e-8  # below this, angles and lengths are taken by their series


def cross(a: Floats, b: Floats) -> Floats:
    """The cross product of the last axes; several times faster than np.cross on small arrays."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return _joined(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)


def sine_and_cosine(angle: Floats) -> tuple[Floats, Floats]:
    """Both to within a few 1e-16, from one tangent of the half angle.

    NumPy has a vectorised tangent on many processors where its sine and cosine are several
    times slower.
    """
    tangent = np.tan(0.5 * angle)
    share = 2.0 / (1.0 + tangent * tangent)
    return tangent * share, share - 1.0


def quaternion_multiply(a: Floats, b: Floats) -> Floats:
    """The rotation b followed by the rotation a, `R(a) @ R(b)`."""
    aw, ax, ay, az = _parts(a)
    bw, bx, by, bz = _parts(b)
    return _joined(
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )


def _parts(q: Floats) -> tuple[Any, ...]:
    """The numbers of the last axis; plain ones of a single quaternion, which are much faster."""
    q = np.asarray(q)
    return tuple(q.tolist()) if q.ndim == 1 else tuple(q[..., at] for at in range(q.shape[-1]))


def _joined(*parts: Any) -> Floats:
    """Numbers or arrays as the last axis of one array."""
    if all(type(part) is float for part in parts):
        return np.array(parts)
    whole = np.empty((*np.broadcast(*parts).shape, len(parts)), np.result_type(parts[0]))
    for at, part in enumerate(parts):
        whole[..., at] = part
    return whole


def quaternion_conjugate(q: Floats) -> Floats:
    """The inverse rotation of a unit quaternion."""
    back: Floats = q * np.array([1.0, -1.0, -1.0, -1.0])
    return back


def quaternion_normalise(q: Floats) -> Floats:
    """Length one; a quaternion of length zero becomes the identity."""
    q = np.asarray(q, float)
    size = np.abs(q).max(axis=-1, keepdims=True)  # guards tiny and huge values
    safe = np.where(size > 0, q / np.where(size > 0, size, 1.0), [1.0, 0.0, 0.0, 0.0])
    unit: Floats = safe / np.sqrt((safe * safe).sum(axis=-1, keepdims=True))
    return unit


def quaternion_rotate(q: Floats, v: Floats) -> Floats:
    """Rotate vectors by unit quaternions."""
    if q.ndim == v.ndim == 1:
        return _rotated_one(*q.tolist(), *v.tolist())
    w, axis = q[..., :1], q[..., 1:]
    twice = 2.0 * cross(axis, v)
    rotated: Floats = v + w * twice + cross(axis, twice)
    return rotated


def _rotated_one(w: float, x: float, y: float, z: float, a: float, b: float, c: float) -> Floats:
    """(3,) one vector by one quaternion, in plain numbers, which are much faster."""
    p, q, r = 2.0 * (y * c - z * b), 2.0 * (z * a - x * c), 2.0 * (x * b - y * a)
    return np.array(
        [
            a + w * p + (y * r - z * q),
            b + w * q + (z * p - x * r),
            c + w * r + (x * q - y * p),
        ]
    )


def quaternion_from_vector(vector: Floats) -> Floats:
    """The rotation by |vector| radians about the vector."""
    vector = np.asarray(vector, float)
    half = 0.5 * np.sqrt((vector * vector).sum(axis=-1, keepdims=True))
    return np.concatenate([np.cos(half), 0.5 * np.sinc(half / np.pi) * vector], axis=-1)


def vector_from_quaternion(q: Floats) -> Floats:
    """The rotation vector of a unit quaternion; its length is at most pi."""
    q = np.where(q[..., :1] < 0, -q, q)
    sine = np.sqrt((q[..., 1:] ** 2).sum(axis=-1, keepdims=True))
    tiny = sine < _SMALL
    # near the identity the ratio angle / sine is 2 up to sine**2 / 3
    ratio = np.where(tiny, 2.0, 2.0 * np.arctan2(sine, q[..., :1]) / np.where(tiny, 1.0, sine))
    vector: Floats = ratio * q[..., 1:]
    return vector


def matrix_from_quaternion(q: Floats) -> Floats:
    """(..., 3, 3) rotation matrices of unit quaternions."""
    w, x, y, z = _parts(q)
    whole = _joined(
        *(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        *(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        *(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return whole.reshape(*whole.shape[:-1], 3, 3)


def quaternion_from_matrix(matrix: Floats) -> Floats:
    """Unit quaternions, w >= 0, of (..., 3, 3) rotation matrices."""
    m = np.asarray(matrix, float)
    trace = m[..., 0, 0] + m[..., 1, 1] + m[..., 2, 2]
    # the outer product 4 q q^T can be read off the matrix; its largest row is the safe one
    outer = np.empty((*m.shape[:-2], 4, 4))
    outer[..., 0, 0] = 1 + trace
    for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
        outer[..., i + 1, i + 1] = 1 - trace + 2 * m[..., i, i]
        outer[..., 0, i + 1] = outer[..., i + 1, 0] = m[..., k, j] - m[..., j, k]
        outer[..., j + 1, k + 1] = outer[..., k + 1, j + 1] = m[..., k, j] + m[..., j, k]
    best = np.einsum("...ii->...i", outer).argmax(axis=-1)
    row = np.take_along_axis(outer, best[..., None, None], axis=-2)[..., 0, :]
    return quaternion_normalise(np.where(row[..., :1] < 0, -row, row))


def matrix_from_vector(vector: Floats) -> Floats:
    """(..., 3, 3) rotation by |vector| radians about the vector: the exponential map."""
    return matrix_from_quaternion(quaternion_from_vector(vector))


def vector_from_matrix(matrix: Floats) -> Floats:
    """The rotation vector, at most pi long, of (..., 3, 3) rotation matrices."""
    return vector_from_quaternion(quaternion_from_matrix(matrix))


def order_axes(order: str) -> tuple[int, int, int, int]:
    """The axes of an Euler order's letters, and +1 or -1 for an even or odd permutation."""
    if order not in EULER_MODES:
        raise BadValue("Euler order", " or ".join(EULER_MODES), repr(order))
    i, j, k = ("XYZ".index(letter) for letter in order)
    return i, j, k, 1 if (j - i) % 3 == 1 else -1


def quaternion_from_euler(angles: ArrayLike, order: str) -> Floats:
    """Unit quaternions of (..., 3) radians listed in the order's letters."""
    i, j, k, parity = order_axes(order)
    half = 0.5 * np.asarray(angles, float)
    (ca, cb, cc), (sa, sb, sc) = np.moveaxis(np.cos(half), -1, 0), np.moveaxis(np.sin(half), -1, 0)
    q = np.empty((*half.shape[:-1], 4))
    q[..., 0] = ca * cb * cc - parity * sa * sb * sc
    q[..., 1 + i] = sa * cb * cc + parity * ca * sb * sc
    q[..., 1 + j] = ca * sb * cc - parity * sa * cb * sc
    q[..., 1 + k] = ca * cb * sc + parity * sa * sb * cc
    return q


def matrix_from_euler(angles: ArrayLike, order: str) -> Floats:
    """(..., 3, 3) rotation matrices of (..., 3) radians listed in the order's letters."""
    return matrix_from_quaternion(quaternion_from_euler(angles, order))


def euler_from_matrix(matrix: Floats, order: str, near: Floats | None = None) -> Floats:
    """(..., 3) radians in the order's letters; of all answers the one nearest to `near`.

    Without `near` the middle angle is within a right angle of 0. In gimbal lock the last
    angle keeps its value in `near` (or 0), so the result is always an exact one.
    """
    i, j, k, parity = order_axes(order)
    m = np.asarray(matrix, float)
    locked = np.hypot(m[..., i, i], m[..., i, j]) < 1e-14
    c = np.arctan2(-parity * m[..., i, j], m[..., i, i])
    c = np.where(locked, 0.0 if near is None else near[..., 2], c)
    # undo the last rotation, then read the other two without dividing by cos(b)
    cosine, sine = np.cos(c), parity * np.sin(c)
    a = np.arctan2(
        parity * (sine * m[..., k, i] + cosine * m[..., k, j]),
        sine * m[..., j, i] + cosine * m[..., j, j],
    )
    b = np.arctan2(parity * m[..., i, k], cosine * m[..., i, i] - sine * m[..., i, j])
    angles = np.stack([a, b, c], axis=-1)
    return angles if near is None else nearest_euler(angles, near)


def euler_from_quaternion(q: Floats, order: str, near: Floats | None = None) -> Floats:
    """`euler_from_matrix` for unit quaternions."""
    return euler_from_matrix(matrix_from_quaternion(q), order, near)


def nearest_euler(angles: Floats, near: Floats) -> Floats:
    """The angles of the same rotation that lie nearest to `near`: whole turns and the flip."""
    plain, other = (near + wrap(each - near) for each in (angles, _flipped(angles)))
    better = np.abs(other - near).sum(axis=-1) < np.abs(plain - near).sum(axis=-1)
    return np.where(better[..., None], other, plain)


def _flipped(angles: Floats) -> Floats:
    """The other three angles of the same rotation."""
    first, second, third = angles[..., 0], angles[..., 1], angles[..., 2]
    return np.stack([first + np.pi, np.pi - second, third + np.pi], axis=-1)


def wrap(angle: Floats) -> Floats:
    """The same angle within half a turn of 0."""
    wrapped: Floats = angle - 2 * np.pi * np.round(angle / (2 * np.pi))
    return wrapped


def slerp(a: Floats, b: Floats, amount: ArrayLike) -> Floats:
    """From a (amount 0) to b (amount 1) the short way round at constant angular speed."""
    amount = np.asarray(amount, float)[..., None]
    cosine = (a * b).sum(axis=-1, keepdims=True)
    b = np.where(cosine < 0, -b, b)
    # twice the half-chord is accurate for tiny angles where arccos is not
    chord, sum_ = a - b, a + b
    angle = 2 * np.arctan2(
        np.sqrt((chord**2).sum(axis=-1, keepdims=True)),
        np.sqrt((sum_**2).sum(axis=-1, keepdims=True)),
    )
    share = np.sinc(angle / np.pi)  # sin(angle) / angle, at least 2 / pi here
    blend = (1 - amount) * np.sinc((1 - amount) * angle / np.pi) * a
    return quaternion_normalise((blend + amount * np.sinc(amount * angle / np.pi) * b) / share)


def unwrap_quaternion(q: Floats) -> Floats:
    """(T, ..., 4) with signs chosen so that neighbours in time are never opposite."""
    dots = (q[1:] * q[:-1]).sum(axis=-1, keepdims=True)
    sign = np.concatenate([np.ones_like(q[:1, ..., :1]), np.where(dots < 0, -1.0, 1.0)])
    signed: Floats = q * np.cumprod(sign, axis=0)
    return signed


def unwrap_euler(angles: Floats) -> Floats:
    """(T, ..., 3) of the same rotations without jumps: each time nearest to the one before."""
    plain = np.array(angles, float)
    flipped = _flipped(plain)
    # Whether the flip is nearer is the same before a flip and after one.
    stay = np.abs(wrap(plain[1:] - plain[:-1])).sum(axis=-1)
    flip = np.abs(wrap(flipped[1:] - plain[:-1])).sum(axis=-1)
    odd = np.cumsum(flip < stay, axis=0) % 2 == 1
    smooth = plain
    smooth[1:] = np.where(odd[..., None], flipped[1:], plain[1:])
    smooth[1:] -= 2 * np.pi * np.cumsum(np.round(np.diff(smooth, axis=0) / (2 * np.pi)), axis=0)
    return smooth
