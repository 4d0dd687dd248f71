"""Backend: solves a problem by pivoting unknowns between free and held at a bound.

With G the inverse of the curvature and u the unknowns that would be best without the box,
holding a set A at its bounds b gives `x = u + G[:, A] l`, `G[A, A] l = b - u[A]`; l are the
multipliers of the bounds. Only the columns of G that are held are ever needed.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.solve.problem import Problem
from arcwright.solve.solution import Solution

ROUNDS = 12  # in which all wrong unknowns change sides at once
STEPS = 300  # changes of one unknown at a time
NEAR = 1e-10  # tolerance of bounds and of the signs of multipliers


def solve(problem: Problem, start: Floats | None = None) -> Solution:
    """The unknowns that minimise the problem inside its box.

    Mostly that is where they would be without it. Else all unknowns that are wrong change
    sides at once, which mostly ends in a few rounds but may cycle; then bounds are met and
    left one at a time, going only down, which may not.
    """
    curvature = _Curvature(problem)
    best = problem.reference - curvature.divide(problem.slope(problem.reference))
    below, above = _outside(problem, best)
    if not (below | above).any():
        return Solution(problem, problem.box.clip(best), 1)
    side = np.where(below, -1, np.where(above, 1, 0))
    for rounds in range(2, ROUNDS + 2):
        found, multiplier = _solve_held(problem, curvature, best, side)
        below, above = _outside(problem, found)
        loose = _loose(problem, multiplier, side)
        if not (below | above | loose).any():
            return Solution(problem, _polished(problem, found, side), rounds)
        side = np.where(below, -1, np.where(above, 1, np.where(loose, 0, side)))
    return _one_by_one(problem, curvature, best, problem.box.clip(best if start is None else start))


class _Curvature:
    """The curvature of a problem, inverted as far as it is needed."""

    def __init__(self, problem: Problem) -> None:
        self.regularisation = problem.regularisation
        rows, unknowns = problem.matrix.shape
        self.dual = rows < unknowns
        if self.dual:
            self.loose = problem.dense / problem.regularisation  # (M, N)
            self.kernel = self.loose @ problem.dense.T
            self.kernel.flat[:: rows + 1] += 1 / problem.weight
        else:
            self.kernel = (problem.dense.T * problem.weight) @ problem.dense
            self.kernel.flat[:: unknowns + 1] += problem.regularisation
        self._columns: dict[int, Floats] = {}

    @cached_property
    def _inverse(self) -> Floats:
        if not len(self.kernel):
            return self.kernel
        inverse: Floats = np.linalg.inv(self.kernel).astype(np.float64, copy=False)
        return inverse

    def divide(self, vector: Floats) -> Floats:
        """The inverse times a vector (N,)."""
        if self.dual:
            plain = vector / self.regularisation
            if not len(self.kernel):
                return plain
            return plain - np.linalg.solve(self.kernel, self.loose @ vector) @ self.loose
        divided: Floats = np.linalg.solve(self.kernel, vector).astype(np.float64, copy=False)
        return divided

    def columns(self, held: Ints) -> Floats:
        """(N, H) columns of the inverse."""
        new = [index for index in held.tolist() if index not in self._columns]
        if new:
            if self.dual:
                found = -self.loose.T @ (self._inverse @ self.loose[:, new])
                found[new, np.arange(len(new))] += 1 / self.regularisation[new]
            else:
                found = self._inverse[:, new]
            self._columns |= {index: found[:, place] for place, index in enumerate(new)}
        return np.stack([self._columns[index] for index in held.tolist()], axis=1)


def _one_by_one(problem: Problem, curvature: _Curvature, best: Floats, x: Floats) -> Solution:
    """From x, inside the box, to the minimum: stop at each bound met, leave one at a time."""
    side = _touching(problem, x)
    low, high = problem.box.low, problem.box.high
    steps = 0
    while steps < STEPS:
        steps += 1
        found, multiplier = _solve_held(problem, curvature, best, side)
        step = np.where(side == 0, found - x, 0.0)
        room = np.where(step > 0, high - x, low - x)
        share = np.divide(room, step, out=np.full_like(x, np.inf), where=step != 0)
        first = int(np.argmin(share))
        if share[first] < 1:
            x = problem.box.clip(x + share[first] * step)
            side[first] = 1 if step[first] > 0 else -1
            x[first] = high[first] if step[first] > 0 else low[first]
            continue
        x = problem.box.clip(x + step)
        loose = _loose(problem, multiplier, side)
        if not loose.any():
            break
        side[np.argmax(np.where(loose, multiplier * side, -np.inf))] = 0
    return Solution(problem, _polished(problem, x, side), ROUNDS + steps)


def _solve_held(
    problem: Problem, curvature: _Curvature, best: Floats, side: Ints
) -> tuple[Floats, Floats]:
    """The best unknowns with some held at a bound, and the multipliers of these bounds."""
    held = np.flatnonzero(side)
    multiplier = np.zeros_like(best)
    if not len(held):
        return best, multiplier
    bound = np.where(side < 0, problem.box.low, problem.box.high)[held]
    columns = curvature.columns(held)
    block = columns[held]
    # Dependent bounds make the block singular; a relative 1e-12 on its diagonal prevents that.
    block.flat[:: len(held) + 1] *= 1 + 1e-12
    multiplier[held] = np.linalg.solve(block, bound - best[held])
    x = best + columns @ multiplier[held]
    x[held] = bound
    return x, multiplier


def _polished(problem: Problem, x: Floats, side: Ints) -> Floats:
    """One exact step of the free unknowns: with most of them held, the inverse is too coarse."""
    free = np.flatnonzero(side == 0)
    if 2 * len(free) > len(x) or not len(free):
        return problem.box.clip(x)
    matrix = problem.dense[:, free]
    kernel = (matrix.T * problem.weight) @ matrix
    kernel.flat[:: len(free) + 1] += problem.regularisation[free]
    x = problem.box.clip(x)
    x[free] -= np.linalg.solve(kernel, problem.slope(x)[free])
    return problem.box.clip(x)


def _touching(problem: Problem, x: Floats) -> Ints:
    """-1 at the low bound, 1 at the high one, 0 between."""
    side: Ints = np.where(x <= problem.box.low, -1, np.where(x >= problem.box.high, 1, 0))
    return side


def _outside(problem: Problem, x: Floats) -> tuple[Bools, Bools]:
    size = NEAR * (1 + np.abs(x))
    return x < problem.box.low - size, x > problem.box.high + size


def _loose(problem: Problem, multiplier: Floats, side: Ints) -> Bools:
    """Held unknowns whose multiplier has the wrong sign: they should move inwards."""
    wrong: Bools = multiplier * side > NEAR * (1 + np.abs(multiplier).max(initial=0.0))
    return wrong & (problem.box.low < problem.box.high)
