"""Derivatives of rotations by their parameters.

Angular velocities are in the parent's frame (`R' = [w]x R`) unless stated otherwise.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import order_axes


def euler_axes(angles: Floats, order: str) -> Floats:
    """(..., 3, 3) whose column n is the axis about which the order's n-th angle turns."""
    i, j, k, parity = order_axes(order)
    angles = np.asarray(angles, float)
    ca, cb = np.cos(angles[..., 0]), np.cos(angles[..., 1])
    sa, sb = parity * np.sin(angles[..., 0]), parity * np.sin(angles[..., 1])
    axes = np.zeros((*angles.shape[:-1], 3, 3))
    axes[..., i, 0] = 1.0
    axes[..., j, 1], axes[..., k, 1] = ca, sa
    axes[..., i, 2], axes[..., j, 2], axes[..., k, 2] = sb, -sa * cb, ca * cb
    return axes


def left_jacobian(vector: Floats) -> Floats:
    """(..., 3, 3) angular velocity of exp(vector) per unit rate of the rotation vector."""
    vector = np.asarray(vector, float)
    square = (vector * vector).sum(axis=-1)[..., None, None]
    angle = np.sqrt(square)
    # (1 - cos a) / a^2 and (a - sin a) / a^3, by series where the plain form cancels
    small = angle < 0.05
    safe = np.where(small, 1.0, angle)
    first = np.where(small, 0.5 - square / 24 + square**2 / 720, 2 * (np.sin(safe / 2) / safe) ** 2)
    second = np.where(
        small, 1 / 6 - square / 120 + square**2 / 5040, (safe - np.sin(safe)) / safe**3
    )
    cross_matrix = hat(vector)
    jacobian: Floats = np.eye(3) + first * cross_matrix + second * (cross_matrix @ cross_matrix)
    return jacobian


def right_jacobian(vector: Floats) -> Floats:
    """As `left_jacobian`, but with the angular velocity in the turned frame (`R' = R [w]x`)."""
    return left_jacobian(-np.asarray(vector, float))


def hat(vector: Floats) -> Floats:
    """(..., 3, 3) matrix that takes the cross product with the vector."""
    x, y, z = np.moveaxis(vector, -1, 0)
    none = np.zeros_like(x)
    rows = [[none, -z, y], [z, none, -x], [-y, x, none]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _over(size: Floats, top: float) -> Floats:
    return np.divide(top, size, out=np.zeros_like(size), where=size > 0)
