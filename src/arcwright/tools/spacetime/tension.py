"""Tension: the curvature that forces on points add to the cost (geometric stiffness).

A limb that a force stretches resists to be bent out of line. Gauss-Newton steps leave that out,
overshoot, and are rejected again and again where a drag pulls a leg straight. A link u of the chain
above a point with force f adds `f.u (1 - u u' / |u|^2)` to the rotations above it: the part of the
second derivative of `-f.p` that is never negative. The compiled library does the same.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.spacetime.jacobians import PointJacobian, PointKinematics
from arcwright.tools.spacetime.rows import Rows


def point_forces(rows: Rows, point_count: int) -> Floats:
    """(T, P, 3) the force of all rows on each point, in units of weight times metres."""
    force = (rows.weight * rows.residual)[..., None] * rows.direction
    found = np.zeros((len(force), point_count, 3))
    items = rows.points
    for row in np.flatnonzero(items.angular == 0).tolist():
        for at in range(items.first[row], items.first[row + 1]):
            found[:, items.point[at]] += items.share[at] * force[:, row]
    return found


def tension(kinematics: PointKinematics, poses: PointJacobian, forces: Floats) -> Floats:
    """(T, D, D) of forces (T, P, 3) on the points."""
    size = kinematics.unknowns.count
    found = np.zeros((len(forces), size, size))
    for point in np.flatnonzero(forces.any(axis=(0, 2))).tolist():
        _add_tension(found, kinematics, poses, point, forces[:, point])
    return found


def _add_tension(
    found: Floats,
    kinematics: PointKinematics,
    poses: PointJacobian,
    point: int,
    force: Floats,
) -> None:
    """Add the tension of the chain above one point, from its last link to the first."""
    stiffness = np.zeros((len(force), 3, 3))
    tip, chain = poses.position[:, point], kinematics.chain(point)
    axes = poses.angular[:, point]  # (T, 3, D)
    for at in reversed(range(len(chain))):
        slot, own = chain[at]
        link = tip - poses.origin[:, slot]
        stiffness += _link_stiffness(link, force)
        above = [column for _, columns in chain[:at] for column in columns]
        turned = stiffness @ axes[..., own]
        found[np.ix_(range(len(force)), own, own)] += axes[..., own].swapaxes(1, 2) @ turned
        across = axes[..., above].swapaxes(1, 2) @ turned
        found[np.ix_(range(len(force)), above, own)] += across
        found[np.ix_(range(len(force)), own, above)] += across.swapaxes(1, 2)
        tip = poses.origin[:, slot]


def _link_stiffness(link: Floats, force: Floats) -> Floats:
    """(T, 3, 3) what a link (T, 3) adds where a force pulls at it."""
    pull = np.maximum((link * force).sum(axis=1), 0.0)
    square = (link * link).sum(axis=1)
    each = pull / np.where(square > 0, square, np.inf)
    outer: Floats = link[:, :, None] * link[:, None]
    pulls = np.where(square > 0, pull, 0.0)
    found: Floats = pulls[:, None, None] * np.eye(3) - each[:, None, None] * outer
    return found
