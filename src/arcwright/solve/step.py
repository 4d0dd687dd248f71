"""Step: solve the tasks linearised at x inside the box; damping regularises towards x."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.compiled import library as compiled
from arcwright.solve.backend import solve
from arcwright.solve.large import large_step
from arcwright.solve.model import Linearisation
from arcwright.solve.problem import Box, Problem
from arcwright.solve.rows import Rows

SMALL = 2e7  # multiplications below which the library is faster than NumPy
TOO_FAR = -2  # as in arcwright.h
FILLED = 0.3  # share of nonzeros above which a dense solve is faster


class Step(NamedTuple):
    """Where a step leads, and the predicted decrease."""

    x: Floats  # (N,)
    far: float  # largest change of any unknown
    predicted: float  # decrease of the cost


class Stepper:
    """Steps of one descent."""

    def __init__(self, regularisation: Floats, reference: Floats, box: Box) -> None:
        self.regularisation, self.reference, self.box = regularisation, reference, box
        self._bounds = np.stack([regularisation, reference, box.low, box.high, reference])
        self._bounds_at: int = self._bounds.ctypes.data

    def __call__(self, x: Floats, now: Linearisation, damping: float) -> Step:
        """The step from x, where `now` is the linearisation."""
        if isinstance(now.matrix, Rows) and is_small(now.matrix.shape):
            rounds, step = self._compiled(x, now, now.matrix, damping)
            if rounds > 0:
                return step
        if isinstance(now.matrix, Rows) and self._is_sparse(now.matrix):
            return self._large(x, now, now.matrix, damping)
        return self._plain(x, now, damping)

    def whole(self, x: Floats, now: Linearisation, damping: float) -> Step | None:
        """The same; None where the library meets ever more bounds: such a step is too long."""
        if isinstance(now.matrix, Rows) and is_small(now.matrix.shape):
            rounds, step = self._compiled(x, now, now.matrix, damping, only_whole=True)
            if rounds > 0 or rounds == TOO_FAR:
                return step if rounds > 0 else None
        return self(x, now, damping)

    def _is_sparse(self, rows: Rows) -> bool:
        """Whether to leave out zeros."""
        return compiled.library is not None and rows.layout.filled < FILLED

    def _compiled(
        self, x: Floats, now: Linearisation, rows: Rows, damping: float, *, only_whole: bool = False
    ) -> tuple[int, Step]:
        """By the compiled library: the rounds it took, 0 or less where it found none."""
        assert compiled.library is not None
        self._bounds[4] = x
        count, unknowns = rows.shape
        out = np.empty(count + unknowns + 2)
        rounds = compiled.library.arcwright_step(
            *(rows.address, now.residual.ctypes.data, now.weight.ctypes.data, self._bounds_at),
            *(damping, only_whole, out.ctypes.data),
        )
        return rounds, Step(out[:unknowns], float(out[-2]), float(out[-1]))

    def _large(self, x: Floats, now: Linearisation, rows: Rows, damping: float) -> Step:
        """By a sparse solve in NumPy."""
        regularisation, box = self.regularisation + damping, self.box
        reference, room = (
            self.regularisation * (self.reference - x) / regularisation,
            Box(box.low - x, box.high - x),
        )
        moved = box.clip(
            x + large_step(rows, now.residual, now.weight, regularisation, reference, room)
        )
        step = moved - x
        change = rows @ step
        fall = (now.weight * change) @ (2 * now.residual - change) + (regularisation * step) @ (
            2 * reference - step
        )
        return Step(moved, float(np.abs(step).max(initial=0.0)), 0.5 * float(fall))

    def _plain(self, x: Floats, now: Linearisation, damping: float) -> Step:
        """By a dense solve in NumPy."""
        regularisation = self.regularisation + damping
        problem = Problem(
            matrix=now.matrix,
            target=now.residual + now.matrix @ x,
            weight=now.weight,
            regularisation=regularisation,
            reference=(self.regularisation * self.reference + damping * x) / regularisation,
            box=self.box,
        )
        answer = solve(problem, x)
        far = float(np.abs(answer.x - x).max(initial=0.0))
        return Step(answer.x, far, problem.value(x) - problem.value(answer.x))


def is_small(shape: tuple[int, int], width: int | None = None) -> bool:
    """Whether the library takes the steps of a problem with so many rows and unknowns.

    Rows stored as factors have a width: the number of their channels.
    """
    rows, unknowns = shape
    side, other = (rows, unknowns) if rows < unknowns else (unknowns, rows)
    other = other if width is None else width
    return compiled.library is not None and side * side * (other + side / 3) / 2 < SMALL
