"""Selection: sequences that differ from one another, and how far they do."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints

RANGES = np.array([1.0, 0.2, 0.8, 2.0, 2.5, 2.5])
"""(6,) m and rad: typical ranges of the columns, to which differences are relative."""
LEAST = 0.02  # rms difference below which two sequences are the same


def differences(states: AnyArray, others: AnyArray) -> Floats:
    """(N, M) rms difference of sequences (N, T, 6) and (M, T, 6), as a share of the ranges."""
    a, b = (np.asarray(each, np.float64) / RANGES for each in (states, others))
    size = a.shape[1] * a.shape[2]
    a, b = a.reshape(len(a), size), b.reshape(len(b), size)
    squares = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2 * a @ b.T
    return np.asarray(np.sqrt(np.maximum(squares, 0.0) / size))


def distinct(states: AnyArray, least: float = LEAST) -> Ints:
    """Indices of sequences (N, T, 6), in order, without those too near to an earlier one."""
    apart = differences(states, states)
    kept: list[int] = []
    for index in range(len(states)):
        if not kept or apart[index, kept].min() >= least:
            kept.append(index)
    return np.array(kept, np.int64)


def nearest(states: AnyArray) -> Floats:
    """(N,) difference of each sequence from the one most like it."""
    apart = differences(states, states)
    np.fill_diagonal(apart, np.inf)
    return np.asarray(apart.min(axis=1))
