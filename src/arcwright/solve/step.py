"""Step: the wishes made straight at x, and what solves that; damping pulls to x itself.

Bent, the pulls that the straight answer leaves on the wishes tell how the cost curves.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.compiled import library as compiled
from arcwright.solve.backend import solve
from arcwright.solve.large import large_step
from arcwright.solve.model import Model, Wishes
from arcwright.solve.problem import Box, Problem
from arcwright.solve.rows import Rows

SMALL = 2e7  # products that the library does sooner than NumPy, with all its rounds
FILLED = 0.3  # share of a system above which zeros are not worth looking for
NOT_CONVEX = -2  # as in box.c
BENDABLE = 800  # unknowns
SHARES = (1.0, 0.5, 0.2, 0.05)  # of a bend: the first that leaves the problem convex


class Step(NamedTuple):
    """Where a step leads, and what it promises."""

    x: Floats  # (N,)
    far: float  # longest way of any unknown
    foreseen: float  # fall of what is minimised


class Stepper:
    """Steps of one descent; with a model to ask, they are bent."""

    def __init__(self, model: Model | None, pull: Floats, rest: Floats, box: Box) -> None:
        self.model, self.pull, self.rest, self.box = model, pull, rest, box
        self._bounds = np.stack([pull, rest, box.low, box.high, rest])
        self._bounds_at: int = self._bounds.ctypes.data

    def __call__(self, x: Floats, now: Wishes, damping: float) -> Step:
        """The step from x, where wishes are as they are now."""
        if isinstance(now.matrix, Rows) and is_small(now.matrix.shape, self.model is not None):
            step = self._compiled(x, now, now.matrix, damping)
            if step is not None:
                return step
        if isinstance(now.matrix, Rows) and self._is_sparse(now.matrix):
            return self._large(x, now, now.matrix, damping)
        return self._plain(x, now, damping)

    def _is_sparse(self, rows: Rows) -> bool:
        """Whether to leave out zeros, and bends with them."""
        if compiled.library is None:
            return False
        many = self.model is None or rows.shape[1] > BENDABLE
        return many and rows.layout.filled < FILLED

    def _compiled(self, x: Floats, now: Wishes, rows: Rows, damping: float) -> Step | None:
        """By the library; None where it does not get there."""
        self._bounds[4] = x
        straight = self._asked(now, rows, damping, None)
        if self.model is None or isinstance(straight, int):
            return None if isinstance(straight, int) else straight[0]
        bend = self.model.bend(x, straight[1])
        for share in SHARES:
            bent = self._asked(now, rows, damping, share * bend)
            if bent != NOT_CONVEX:
                return None if isinstance(bent, int) else bent[0]
        return straight[0]

    def _asked(
        self, now: Wishes, rows: Rows, damping: float, bend: Floats | None
    ) -> tuple[Step, Floats] | int:
        """A step, and the pulls (M,) that it leaves on the rows; or what stood in the way."""
        assert compiled.library is not None
        count, unknowns = rows.shape
        out = np.empty(count + unknowns + 2)
        rounds = compiled.library.arcwright_step(
            *(rows.address, now.miss.ctypes.data, now.weight.ctypes.data, self._bounds_at),
            *(damping, None if bend is None else bend.ctypes.data, out.ctypes.data),
        )
        if rounds <= 0:
            return int(rounds)
        step = Step(out[:unknowns], float(out[-2]), float(out[-1]))
        return step, out[unknowns : unknowns + count]

    def _large(self, x: Floats, now: Wishes, rows: Rows, damping: float) -> Step:
        """With what is zero left out. So many unknowns are not bent: that would take seconds."""
        pull, box = self.pull + damping, self.box
        rest, room = self.pull * (self.rest - x) / pull, Box(box.low - x, box.high - x)
        moved = box.clip(x + large_step(rows, now.miss, now.weight, pull, rest, room))
        step = moved - x
        gone = rows @ step
        fall = (now.weight * gone) @ (2 * now.miss - gone) + (pull * step) @ (2 * rest - step)
        return Step(moved, float(np.abs(step).max(initial=0.0)), 0.5 * float(fall))

    def _plain(self, x: Floats, now: Wishes, damping: float) -> Step:
        """By NumPy."""
        pull = self.pull + damping
        problem = Problem(
            matrix=now.matrix,
            target=now.miss + now.matrix @ x,
            weight=now.weight,
            pull=pull,
            rest=(self.pull * self.rest + damping * x) / pull,
            box=self.box,
        )
        answer = solve(problem, x)
        if self.model is not None:
            left = now.weight * (problem.target - now.matrix @ answer.x)
            bend = _convex(problem, self.model.bend(x, left))
            if bend is not None:
                problem = replace(problem, bend=bend, at=x)
                answer = solve(problem, answer.x)
        far = float(np.abs(answer.x - x).max(initial=0.0))
        return Step(answer.x, far, problem.value(x) - problem.value(answer.x))


def is_small(shape: tuple[int, int], bent: bool, width: int | None = None) -> bool:
    """Whether the library takes the steps of a problem with so many rows and unknowns.

    Rows that are kept as factors have a width: how many channels they are about.
    """
    rows, unknowns = shape
    side, other = (rows, unknowns) if rows < unknowns and not bent else (unknowns, rows)
    other = other if width is None else width
    return compiled.library is not None and side * side * (other + side / 3) / 2 < SMALL


def _convex(problem: Problem, bend: Floats) -> Floats | None:
    """As much of the bend as leaves the problem convex, or none."""
    matrix = problem.dense
    straight = (matrix.T * problem.weight) @ matrix
    straight.flat[:: len(problem.pull) + 1] += problem.pull
    for share in SHARES:
        try:
            np.linalg.cholesky(straight + share * bend)
        except np.linalg.LinAlgError:
            continue
        return share * bend
    return None
