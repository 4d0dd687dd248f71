"""Solution: unknowns with the figures that show how well they solve a problem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.problem import Problem


@dataclass(frozen=True, eq=False)
class Solution:
    """Unknowns that should solve a problem."""

    problem: Problem
    x: Floats  # (N,)
    rounds: int  # linear systems solved on the way

    @property
    def value(self) -> float:
        """What is minimised, here."""
        return self.problem.value(self.x)

    @property
    def outside(self) -> float:
        """How far the unknowns leave their box; 0 if they do not."""
        return self.problem.box.excess(self.x)

    @property
    def optimality(self) -> float:
        """Length of the projected gradient step: 0 at the minimum.

        The longest step that the gradient, divided by the curvature of each unknown, would
        make inside the box.
        """
        problem = self.problem
        curvature = problem.regularisation + problem.weight @ problem.dense**2
        stepped = problem.box.clip(self.x - problem.slope(self.x) / curvature)
        return float(np.abs(stepped - self.x).max(initial=0.0))
