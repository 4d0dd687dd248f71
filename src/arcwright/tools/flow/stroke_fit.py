"""Flow curves: smooth Hermite splines fitted to a stroke (3.6)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.flow.hermite import basis, fitted, lengths, resampled, tangents

SPACING = 4.0  # px, of the samples of a flow curve
_MOST_SAMPLES = 2000
_ROUGHEST, _SMOOTHEST = -7.0, -2.5  # powers of ten of the bending's weight at smoothness 0 and 1


@dataclass(frozen=True, eq=False)
class FlowCurveLine:
    """A flow curve as samples at even arc length."""

    points: Floats  # (M, 2) px
    tangents: Floats  # (M, 2) unit
    along: Floats  # (M,) px from its start

    @classmethod
    def of(cls, points: Floats) -> FlowCurveLine:
        """The line through points, sampled evenly."""
        length = float(lengths(points)[-1])
        count = int(np.clip(length / SPACING, 8, _MOST_SAMPLES)) + 1
        even = resampled(points, count)
        return cls(even, tangents(even), np.linspace(0, length, count))

    @property
    def length(self) -> float:
        """Px."""
        return float(self.along[-1])

    def at(self, along: Floats) -> Floats:
        """Points (N, 2) at distances from its start, px."""
        return np.stack([np.interp(along, self.along, self.points[:, i]) for i in range(2)], 1)

    def tangent_at(self, along: Floats) -> Floats:
        """Tangents (N, 2) there."""
        found = np.stack([np.interp(along, self.along, self.tangents[:, i]) for i in range(2)], 1)
        result: Floats = found / np.maximum(np.sqrt((found**2).sum(1, keepdims=True)), 1e-9)
        return result


def knot_count(length: float, width: float) -> int:
    """Control points of a flow curve: 4 for a quarter of the picture's width."""
    return int(np.clip(np.ceil(3 * 4 * length / width) + 1, 2, 60))


def control_points(stroke: Floats, width: float, smoothness: float) -> Floats:
    """Knots, then tangents (2 K, 2) of the spline fitted to a stroke (N, 2) px.

    Mean squared distance plus the integral of the squared second derivative, whose weight grows
    with `smoothness` from 0 to 1; both for a curve of length 1.
    """
    along = lengths(stroke)
    length = float(along[-1])
    knots = knot_count(length, width)
    even = resampled(stroke, 16 * knots)
    parameter = np.linspace(0, 1, len(even))
    power = _ROUGHEST + (_SMOOTHEST - _ROUGHEST) * smoothness
    return fitted(even, parameter, knots, 10.0**power)


def fitted_stroke(stroke: Floats, width: float, smoothness: float) -> FlowCurveLine | None:
    """The flow curve of a stroke; None for one that is a point."""
    if len(stroke) < 2 or lengths(stroke)[-1] < 2 * SPACING:
        return None
    spline = control_points(stroke, width, smoothness)
    knots = len(spline) // 2
    count = max(int(lengths(stroke)[-1] / SPACING), 8)
    return FlowCurveLine.of(basis(np.linspace(0, 1, count + 1), knots) @ spline)
