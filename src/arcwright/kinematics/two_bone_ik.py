"""Two-bone IK: a limb bent at its knee and swung at its top, so that its end is at a goal.

A knee keeps the axis it bends about: its hinge where it has one angle, else the normal of both
bones.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.oriented_pose import hinge_axis
from arcwright.kinematics.rotation import (
    cross,
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_normalise,
    quaternion_rotate,
    wrap,
)
from arcwright.scene.rig import Rig

STRAIGHT = 0.9995  # of both bones: how far a limb reaches
SIDEWAYS = 0.05  # how much `across` counts for the axis of a straight knee
BENT = 0.05  # mean sine of bends from which on they show their sign
SMALL = 1e-12


def reaching(
    rig: Rig, values: Floats, limb: tuple[int, int, int], goal: Floats, across: Floats
) -> dict[int, Floats]:
    """(T, 4) world orientations of the upper and lower joint with the end at a goal (T, 3).

    `across` (T, 3) are axes about which the knee bends where it is straight. Goals out of reach
    are come near to.
    """
    place = forward(rig, values, limb)[..., :3, 3]
    turned = orientation(rig, values, limb[:2])
    upper, lower = np.moveaxis(np.diff(place, axis=1), 1, 0)
    hinge = hinge_axis(rig, limb[1])
    if hinge is not None:
        axis = quaternion_rotate(turned[:, 1], hinge[0])
    else:
        axis = _normal(upper, lower, across)
    way = goal - place[:, 0]
    sign = _sign(axis, upper, lower, hinge[1] if hinge is not None else 1.0)
    bend = quaternion_from_vector(_angle(axis, upper, lower, _length(way), sign)[:, None] * axis)
    swing = _swings(upper + quaternion_rotate(bend, lower), way)
    return {
        limb[0]: quaternion_multiply(swing, turned[:, 0]),
        limb[1]: quaternion_multiply(swing, quaternion_multiply(bend, turned[:, 1])),
    }


def _sign(axis: Floats, upper: Floats, lower: Floats, known: float) -> float:
    """The way the limb bends about the axis: as it mostly does, else as it is known to."""
    bends = (cross(_unit(upper), _unit(lower)) * axis).sum(axis=1)
    mostly = float(bends.mean())
    return float(np.sign(mostly)) if abs(mostly) > BENT or known == 0.0 else known


def _angle(axis: Floats, upper: Floats, lower: Floats, far: Floats, sign: float) -> Floats:
    """(T,) rad by which to turn the lower bone about the axis, so that both reach so far."""
    one, two = _length(upper), _length(lower)
    far = np.clip(far, np.abs(one - two) + SMALL, STRAIGHT * (one + two))
    along = (axis * lower).sum(axis=1, keepdims=True) * axis
    # upper @ turned(lower) = upper @ along + a cos(angle) + b sin(angle), most where it is straight
    a, b = (upper * (lower - along)).sum(axis=1), (upper * cross(axis, lower)).sum(axis=1)
    asked = (far**2 - one**2 - two**2) / 2 - (upper * along).sum(axis=1)
    half = np.arccos(np.clip(asked / np.maximum(np.hypot(a, b), SMALL), -1.0, 1.0))
    return wrap(np.arctan2(b, a) + sign * half)


def _normal(upper: Floats, lower: Floats, across: Floats) -> Floats:
    """(T, 3) unit vectors across both bones; of straight limbs `across`."""
    axis = cross(_unit(upper), _unit(lower)) + SIDEWAYS * across
    down = _unit(lower)
    return _unit(axis - (axis * down).sum(axis=1, keepdims=True) * down)


def _swings(start: Floats, end: Floats) -> Floats:
    """(T, 4) the shortest rotations between directions (T, 3)."""
    start, end = _unit(start), _unit(end)
    cosine = (start * end).sum(axis=1, keepdims=True)
    return quaternion_normalise(np.concatenate([1 + cosine, cross(start, end)], axis=1))


def _length(vectors: Floats) -> Floats:
    return np.asarray(np.linalg.norm(vectors, axis=1))


def _unit(vectors: Floats) -> Floats:
    return np.asarray(vectors / np.maximum(_length(vectors), SMALL)[:, None])
