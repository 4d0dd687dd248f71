"""Problem: weighted tasks about unknowns, regularisation towards a reference, and box bounds.

min  1/2 sum weight (target - matrix x)^2 + 1/2 sum regularisation (x - reference)^2
for  low <= x <= high
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.solve.rows import Rows


@dataclass(frozen=True, eq=False)
class Box:
    """Bounds of the unknowns."""

    low: Floats  # (N,)
    high: Floats  # (N,)

    def __post_init__(self) -> None:
        if self.low.shape != self.high.shape or not (self.low <= self.high).all():
            raise BadValue("Box.low", "low <= high for every unknown", "a bound that is not")

    def clip(self, x: Floats) -> Floats:
        """The nearest unknowns inside."""
        return np.minimum(np.maximum(x, self.low), self.high)

    def excess(self, x: Floats) -> float:
        """How far the worst unknown is outside; 0 inside."""
        return float(max((self.low - x).max(initial=0.0), (x - self.high).max(initial=0.0), 0.0))


@dataclass(frozen=True, eq=False)
class Problem:
    """A convex quadratic problem in a box; regularisation above 0 makes its solution unique."""

    matrix: Floats | Rows  # (M, N)
    target: Floats  # (M,)
    weight: Floats  # (M,) above 0
    regularisation: Floats  # (N,) above 0
    reference: Floats  # (N,)
    box: Box

    def __post_init__(self) -> None:
        rows, unknowns = self.matrix.shape
        for name, count in (("target", rows), ("weight", rows), ("regularisation", unknowns)):
            if getattr(self, name).shape != (count,):
                raise BadValue(f"Problem.{name}", f"shape ({count},)", getattr(self, name).shape)
        if not (self.regularisation > 0).all() or not (self.weight > 0).all():
            raise BadValue(
                "Problem.regularisation", "weights and regularisation above 0", "one that is not"
            )

    @property
    def dense(self) -> Floats:
        """(M, N) the matrix with its zeros."""
        return self.matrix.dense if isinstance(self.matrix, Rows) else self.matrix

    def value(self, x: Floats) -> float:
        """What is minimised, at x."""
        residual = self.target - self.matrix @ x
        away = x - self.reference
        return 0.5 * float(
            (self.weight * residual) @ residual + (self.regularisation * away) @ away
        )

    def slope(self, x: Floats) -> Floats:
        """(N,) gradient of what is minimised."""
        residual = self.weight * (self.target - self.matrix @ x)
        gradient: Floats = self.regularisation * (x - self.reference) - residual @ self.matrix
        return gradient
