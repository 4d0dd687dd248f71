"""Nonnegative quadratic programs, by the active-set method of Lawson and Hanson."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.compiled import library as compiled

ROUNDS = 200
PRECISION = 1e-6  # of the largest linear term, where slopes count as zero


def nonnegative_minimum(matrix: Floats, right: Floats) -> Floats:
    """The y >= 0 (N,) for which y'Gy / 2 - y'b is least, of a positive matrix (N, N)."""
    if compiled.library is None:
        return plain_minimum(matrix, right)
    matrix, right = np.ascontiguousarray(matrix), np.ascontiguousarray(right)
    found = np.zeros(len(right))
    if compiled.library.arcwright_nonnegative(
        len(right),
        matrix.ctypes.data,
        right.ctypes.data,
        ROUNDS,
        PRECISION * abs(right).max(initial=0.0),
        found.ctypes.data,
    ):
        raise MemoryError
    return found


def plain_minimum(matrix: Floats, right: Floats) -> Floats:
    """As `nonnegative_minimum`, with NumPy alone."""
    found, free = np.zeros(len(right)), np.full(len(right), False)
    for _ in range(ROUNDS):
        slope = np.where(free, 0.0, right - matrix @ found)
        if slope.max(initial=0.0) <= PRECISION * abs(right).max(initial=0.0):
            break
        free[slope.argmax()] = True
        _settle(matrix, right, found, free)
    return found


def _settle(matrix: Floats, right: Floats, found: Floats, free: np.ndarray) -> None:
    """Solve for the free unknowns; those that would fall below zero are fixed there, one by one."""
    while free.any():
        own = np.flatnonzero(free)
        solution = np.linalg.solve(matrix[np.ix_(own, own)], right[own])
        below = np.flatnonzero(solution <= 0)
        if len(below) == 0:
            found[own] = solution
            break
        start = found[own]
        share = start[below] / np.maximum(start[below] - solution[below], 1e-300)
        first = below[share.argmin()]
        found[own] = start + share.min() * (solution - start)
        found[own[first]] = 0.0
        free[own[first]] = False
