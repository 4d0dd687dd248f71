"""Parameter: solve x(λ) = u for the parameter of Bezier segments, many at once."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats

QUICK_STEPS = 5  # plain Newton steps for all before the few slow ones are handled with care
CAREFUL_STEPS = 80
CLOSE = 1e-15


def bezier_parameter(run_out: Floats, run_in: Floats, u: Floats) -> Floats:
    """λ (N,) in [0, 1] with 3 λ(1-λ)² X0 + 3 λ²(1-λ)(1-X1) + λ³ = u.

    `run_out` X0 and `run_in` X1 are handle times in parts of the segment, 0 to 1, so that
    the left side rises with λ.
    """
    linear = 3 * run_out
    square = 3 - 3 * run_in - 2 * linear
    cube = 1 - linear - square
    parameter = u.copy()
    for _ in range(QUICK_STEPS):
        residual, slope = _residual_and_slope(linear, square, cube, u, parameter)
        parameter -= residual / np.maximum(slope, 1e-3)
        np.clip(parameter, 0.0, 1.0, out=parameter)
    residual, _ = _residual_and_slope(linear, square, cube, u, parameter)
    slow = np.flatnonzero(abs(residual) > CLOSE)
    if len(slow):
        parameter[slow] = _bracketed(
            linear[slow], square[slow], cube[slow], u[slow], parameter[slow]
        )
    return parameter


def _residual_and_slope(
    linear: Floats, square: Floats, cube: Floats, u: Floats, at: Floats
) -> tuple[Floats, Floats]:
    bend = square + cube * at
    first = linear + at * bend
    return at * first - u, first + at * (bend + cube * at)


def _bracketed(linear: Floats, square: Floats, cube: Floats, u: Floats, at: Floats) -> Floats:
    """Newton kept inside a shrinking bracket; halves it where Newton would leave or crawl."""
    low, high = np.zeros_like(u), np.ones_like(u)
    last = np.ones_like(u)
    for _ in range(CAREFUL_STEPS):
        residual, slope = _residual_and_slope(linear, square, cube, u, at)
        low = np.where(residual <= 0, at, low)
        high = np.where(residual >= 0, at, high)
        step = np.divide(residual, slope, out=np.full_like(u, 2.0), where=slope > 0)
        moved = at - step
        safe = (moved >= low) & (moved <= high) & (abs(step) < 0.5 * last)
        moved = np.where(safe, moved, 0.5 * (low + high))
        moved = np.where(abs(residual) <= CLOSE, at, moved)
        last = np.where(moved == at, last, abs(moved - at))
        if (moved == at).all():
            break
        at = moved
    return at
