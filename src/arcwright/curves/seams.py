"""Seams: give two pieces that meet in a key one slope there, wherever their errors allow it."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray, Bools, Floats, Ints
from arcwright.curves.segments import Inner, Pieces, Samples

TIE = 1e-9


def smoothed(samples: Samples, pieces: Pieces) -> tuple[Pieces, Bools]:
    """The pieces with shared slopes, and (A,) whether a piece's start is smooth.

    All seams are tied and all slopes solved at once by least squares; where a piece then
    misses its tolerance its seams are opened again, until none does.
    """
    inner = Inner.of(samples, pieces.row, pieces.start, pieces.end)
    length = samples.time[pieces.end] - samples.time[pieces.start]
    tied = np.concatenate([[False], np.diff(pieces.row) == 0])[: len(pieces.row)]
    while True:
        slope = _solved(inner, length, tied)
        alone = ~tied & ~np.append(tied[1:], False)
        slope[alone] = pieces.slope[alone] - inner.chord[alone, None]
        error = inner.error(samples, pieces.row, slope)
        failed = (error > 1) & ~alone
        if not failed.any():
            whole = slope + inner.chord[:, None]
            return Pieces(pieces.row, pieces.start, pieces.end, whole, error), tied
        tied &= ~failed
        tied[1:] &= ~failed[:-1]


def _solved(inner: Inner, length: Floats, tied: Bools) -> Floats:
    """(A, 2) slopes relative to each straight line; one chain of unknowns, out and in by turns."""
    nodes = np.cumsum(np.stack([~tied, np.ones_like(tied)], axis=-1).ravel()) - 1
    out, into = nodes.reshape(-1, 2).T
    grid, right = inner.normal(np.ones_like(inner.bend))
    count = int(nodes[-1]) + 1
    # Unknowns are slopes per second, so a piece's own are (unknown - chord / length) * length.
    chord = inner.chord / length
    scale = length * length
    ridge = TIE * (grid[0] + grid[2]) + 1e-30
    first, cross, second = grid[0] + ridge, grid[1], grid[2] + ridge
    middle = np.bincount(out, first * scale, count) + np.bincount(into, second * scale, count)
    sides = np.zeros(count)
    sides[out] = cross * scale
    total = np.bincount(out, right[0] * length + (first + cross) * scale * chord, count)
    total += np.bincount(into, right[1] * length + (second + cross) * scale * chord, count)
    slope = _chain(middle, sides, total)
    return (np.stack([slope[out], slope[into]], axis=-1) - chord[:, None]) * length[:, None]


def _chain(middle: AnyArray, beside: Floats, right: AnyArray) -> Floats:
    """Solve a symmetric tridiagonal system; beside[i] couples i and i + 1."""
    own, side, total = middle.tolist(), beside.tolist(), right.tolist()
    for i in range(1, len(own)):
        part = side[i - 1] / own[i - 1]
        own[i] -= part * side[i - 1]
        total[i] -= part * total[i - 1]
    total[-1] /= own[-1]
    for i in range(len(own) - 2, -1, -1):
        total[i] = (total[i] - side[i] * total[i + 1]) / own[i]
    return np.array(total)


def pieces_of(keys: list[Ints], rows: list[Ints]) -> tuple[Ints, Ints, Ints]:
    """Row, start and end of the pieces between the keys of every row."""
    pairs = [(row, key) for key, among in zip(keys, rows, strict=True) for row in among.tolist()]
    pairs.sort(key=lambda pair: pair[0])
    row = np.repeat([row for row, _ in pairs], [len(key) - 1 for _, key in pairs])
    start = np.concatenate([key[:-1] for _, key in pairs])
    end = np.concatenate([key[1:] for _, key in pairs])
    return row.astype(np.int64), start, end
