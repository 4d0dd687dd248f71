"""Problem: weighted wishes about unknowns, a pull to rest, and a box they must stay in.

min  1/2 sum weight (target - matrix x)^2 + 1/2 sum pull (x - rest)^2,   low <= x <= high
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
    """A convex quadratic problem in a box. Every pull is above 0, so there is one answer."""

    matrix: Floats | Rows  # (M, N)
    target: Floats  # (M,)
    weight: Floats  # (M,) above 0
    pull: Floats  # (N,) above 0
    rest: Floats  # (N,)
    box: Box

    def __post_init__(self) -> None:
        rows, unknowns = self.matrix.shape
        for name, count in (("target", rows), ("weight", rows), ("pull", unknowns)):
            if getattr(self, name).shape != (count,):
                raise BadValue(f"Problem.{name}", f"shape ({count},)", getattr(self, name).shape)
        if not (self.pull > 0).all() or not (self.weight > 0).all():
            raise BadValue("Problem.pull", "weights and pulls above 0", "one that is not")

    @property
    def dense(self) -> Floats:
        """(M, N) the matrix with its zeros."""
        return self.matrix.dense if isinstance(self.matrix, Rows) else self.matrix

    def value(self, x: Floats) -> float:
        """What is minimised, at x."""
        miss = self.target - self.matrix @ x
        away = x - self.rest
        return 0.5 * float((self.weight * miss) @ miss + (self.pull * away) @ away)

    def slope(self, x: Floats) -> Floats:
        """(N,) gradient of what is minimised."""
        miss = self.weight * (self.target - self.matrix @ x)
        gradient: Floats = self.pull * (x - self.rest) - miss @ self.matrix
        return gradient
