"""Principal curves (3.1): the smooth line through the middle of a thin object."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.flow.hermite import basis, bending, resampled, stretching

KNOTS = 6
SAMPLES = 49  # of the curve, for the nearest point
_MOST_POINTS = 600
_KEEP = 0.1  # how much a step keeps the last shape, beside the mean squared distance
_BEND = 3e-4  # of the curve; without it the line wanders about in broad objects
_STEPS = 25
_STILL = 1e-3  # of the curve's length, between two steps


def principal_curve(pixels: Floats, knots: int = KNOTS) -> Floats:
    """The principal curve (S, 2) of points (N, 2), from one end to the other.

    Each step finds the nearest parameter of every point and minimises
    mean |x_i - c(s_i)|^2 + w |c' - c_k'|^2 + v |c''|^2 over the Hermite spline c.
    """
    points = _thinned(pixels)
    centre = points.mean(0)
    axis = np.linalg.eigh(np.cov((points - centre).T) if len(points) > 2 else np.eye(2))[1][:, -1]
    along = (points - centre) @ axis
    low, high = float(along.min()) - 0.5, float(along.max()) + 0.5
    spread = np.linspace(low, high, knots)
    spline = np.concatenate(
        [centre + spread[:, None] * axis, np.tile((high - low) / (knots - 1) * axis, (knots, 1))]
    )
    parameter = np.linspace(0, 1, SAMPLES)
    drawn, keep = basis(parameter, knots), _KEEP * stretching(knots)
    stiff = keep + _BEND * bending(knots)
    line = drawn @ spline
    for _ in range(_STEPS):
        rows = drawn[_nearest(points, line)]
        left = rows.T @ rows / len(rows) + stiff
        spline = np.linalg.solve(left, rows.T @ points / len(rows) + keep @ spline)
        before, line = line, drawn @ spline
        if np.abs(line - before).max() < _STILL * (high - low):
            break
    return resampled(line, SAMPLES)


def _nearest(points: Floats, line: Floats) -> Floats:
    """The sample of the line nearest to each point."""
    away = (line**2).sum(1) - 2 * points @ line.T
    found: Floats = away.argmin(1)
    return found


def _thinned(pixels: Floats) -> Floats:
    """Some of very many points, evenly."""
    if len(pixels) <= _MOST_POINTS:
        return pixels
    found: Floats = pixels[np.linspace(0, len(pixels) - 1, _MOST_POINTS).astype(int)]
    return found
