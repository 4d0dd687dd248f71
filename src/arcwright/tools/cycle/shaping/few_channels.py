"""Few channels: poses of a solved body in which channels that hardly change stay as they were.

A solved body moves almost all of its channels, most of them by less than can be seen, and each that
moves needs keys. What those that stay did for the dragged points is taken over by the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import PointJacobian, point_jacobian
from arcwright.kinematics.places import places
from arcwright.kinematics.sample import quaternion_channels
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

SHARE = 0.25  # of the tolerance: how far joints may be from the solved poses
TRIES = 4  # each with half of what a channel may change by and still stay
ROUNDS = 6  # of Newton's method
MET = 1e-9  # m or rad, of dragged points
RIDGE = 1e-12  # of the largest of the diagonal


def few_channels(
    rig: Rig, was: Floats, solved: Floats, metres: Floats, tolerance: float, points: Dragged
) -> tuple[Floats, float]:
    """Values (T, C) near to the solved ones, and how far joints are from these, m.

    Dragged points are where they are in the solved poses. `metres` (C,) is how far a unit of each
    channel moves a joint.
    """
    change = np.abs(solved - was).max(axis=0) * metres
    four = quaternion_channels(rig)
    change[four] = change[four].max(axis=1, keepdims=True)
    bound = SHARE * tolerance
    for _ in range(TRIES):
        stays = (change > 0) & (change < bound)
        if not stays.any():
            break
        reach = np.where(stays, 0.0, change / metres)
        values = _led(rig, np.where(stays, was, solved), solved, reach, points)
        if values is not None and (away := _apart(rig, values, solved)) <= SHARE * tolerance:
            return values, away
        bound *= 0.5
    return solved, 0.0


Dragged = Sequence[tuple[Point, bool]]
"""Points, and whether each is rotated, too."""


def _led(rig: Rig, values: Floats, solved: Floats, reach: Floats, points: Dragged) -> Floats | None:
    """Values with the points where solved poses have them; None where that cannot be.

    Channels take part by their `reach` (C,), those with none stay.
    """
    where, moving = places(rig, [point for point, _ in points]), np.flatnonzero(reach)
    turned = np.array([turns for _, turns in points])
    wanted = point_jacobian(rig, solved, where, [])
    low, high = (np.minimum(rig.channels.low, solved), np.maximum(rig.channels.high, solved))
    for _ in range(ROUNDS):
        now = point_jacobian(rig, values, where, moving.tolist())
        rows, missing = _rows(now, wanted, turned)
        if np.abs(missing).max(initial=0.0) < MET:
            return values
        shares = rows * np.square(reach[now.channels])
        normal = shares @ rows.swapaxes(1, 2)
        size = np.diagonal(normal, axis1=1, axis2=2).max(axis=1)
        normal += (RIDGE * size + 1e-30)[:, None, None] * np.eye(normal.shape[1])
        step = shares.swapaxes(1, 2) @ np.linalg.solve(normal, missing[..., None])
        values = values.copy()
        values[:, now.channels] += step[..., 0]
        values = np.clip(values, low, high)
    return None


def _rows(now: PointJacobian, wanted: PointJacobian, turned: Bools) -> tuple[Floats, Floats]:
    """(T, R, M) derivatives of places and, where they count, rotations; (T, R) what is missing."""
    count = len(now.position)
    away = wanted.position - now.position
    turn = wanted.orientation @ now.orientation.swapaxes(-1, -2)
    axis = 0.5 * np.stack(
        [
            turn[..., 2, 1] - turn[..., 1, 2],
            turn[..., 0, 2] - turn[..., 2, 0],
            turn[..., 1, 0] - turn[..., 0, 1],
        ],
        axis=-1,
    )
    linear = now.linear.reshape(count, 3 * len(turned), len(now.channels))
    angular = now.angular[:, turned].reshape(count, 3 * int(turned.sum()), len(now.channels))
    missing = [away.reshape(count, -1), axis[:, turned].reshape(count, -1)]
    return np.concatenate([linear, angular], axis=1), np.concatenate(missing, axis=1)


def _apart(rig: Rig, values: Floats, others: Floats) -> float:
    """How far a joint is from where it is at other values, m."""
    off = (forward(rig, values) - forward(rig, others))[..., :3, 3]
    return float(np.sqrt((off * off).sum(axis=-1).max(initial=0.0)))
