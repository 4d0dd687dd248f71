"""Foot skate: how much a contact slides, and where it would come to a stop."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.spline import band
from arcwright.solve.blocks import BlockFactor, Moments
from arcwright.tools.spacetime.displacement import smoothstep
from arcwright.tools.spacetime.motion_constraint import MotionConstraint
from arcwright.tools.spacetime.terms import NONE

SKATE_SPEED = 0.065, 0.085  # m/s in the mean: to stop slower footplants is seen more than they are


def interpolate(times: Floats, frames: Floats, values: Floats) -> Floats:
    """(T, 3) values at frames (F, 3), between which a contact moves as it did."""
    return np.stack([np.interp(times, frames, axis) for axis in values.T], axis=1)


def without_jitter(times: Floats, values: Floats, spacing: float) -> Floats:
    """(T, A) the nearest cubic B-spline with knots so far apart (s)."""
    count = int(np.ceil((times[-1] - times[0]) / spacing)) + 3
    if len(times) <= count:
        return values
    spline = band(times[0], times[-1], count, times)
    basis = Moments(spline.first, spline.weight, count)
    squares = basis.squares(np.ones((len(times), 1, 1)))
    squares[:, :, 0] += 1e-9  # a control value that no sample touches
    fit = BlockFactor(squares).divide(basis.back(values)[:, None])
    return basis.at(fit[:, 0])


def skate(path: Floats, times: Floats) -> float:
    """From 0 to 1: how quickly a footplant slides."""
    length = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    speed = length / max(float(times[-1] - times[0]), 1e-9)
    slow, quick = SKATE_SPEED
    return float(smoothstep(np.array((speed - slow) / (quick - slow))))


def stopped(constraint: MotionConstraint, path: Floats, inside: Ints, times: Floats) -> Floats:
    """(N, 3) the mean position of a footplant; on a carrier, the first one."""
    if constraint.other_index != NONE:
        return np.zeros_like(path)
    if constraint.carrier is None:
        return np.broadcast_to(path[inside].mean(axis=0), path.shape)
    matrices = constraint.carrier.matrices(times)
    local = np.linalg.solve(matrices[inside[0]], np.append(path[inside[0]], 1.0))
    carried: Floats = (matrices @ local)[:, :3]
    return carried
