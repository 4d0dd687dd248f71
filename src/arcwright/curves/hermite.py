"""Hermite splines by least squares: many channels with the same key times, smooth or broken.

Each key has a value and a slope, or two slopes where it is broken. Segments are cubic, so they
are Bezier segments whose handle times are one third. Unknowns are offsets from a reference
spline, so slopes that no sample determines stay as they were.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arcwright.arrays import Bools, Floats, Ints

RIDGE = 1e-4  # of the diagonal, towards the reference
CHUNK = 32  # keys whose unknowns form one block of the normal equations


@dataclass(frozen=True, eq=False)
class HermiteBasis:
    """How samples depend on the values and slopes at keys: four weights a sample."""

    segment: Ints  # (T,) the segment of each sample
    weight: Floats  # (T, 4) of value and slope at its start, value and slope at its end
    keys: int  # K

    @classmethod
    def of(cls, time: Floats, keys: Ints) -> HermiteBasis:
        """Samples at times (T,) s; keys (K,) are samples, the first and the last among them."""
        counts = np.diff(keys)
        counts[-1] += 1
        segment = np.repeat(np.arange(len(counts)), counts)
        return cls.at(time, time[keys], segment)

    @classmethod
    def at(cls, time: Floats, key_time: Floats, segment: Ints) -> HermiteBasis:
        """Samples at any times, each in a segment between two of the key times (K,) s."""
        length = np.diff(key_time)
        u = (time - key_time[segment]) / length[segment]
        rest, run = 1 - u, length[segment]
        weight = np.stack(
            [
                (1 + 2 * u) * rest * rest,
                run * u * rest * rest,
                u * u * (3 - 2 * u),
                -run * u * u * rest,
            ],
            axis=-1,
        )
        return cls(segment, weight, len(key_time))

    def evaluate(self, nodes: Floats) -> Floats:
        """(T, C) of nodes (K, 3, C): value, slope in and slope out of every key."""
        start, end, weight = nodes[self.segment], nodes[self.segment + 1], self.weight
        values: Floats = weight[:, 0, None] * start[:, 0] + weight[:, 1, None] * start[:, 2]
        values += weight[:, 2, None] * end[:, 0]
        values += weight[:, 3, None] * end[:, 1]
        return values

    def columns(self, broken: Bools) -> tuple[Ints, Ints]:
        """(T, 4) the unknown behind each weight, and (K + 1,) where the unknowns of keys begin."""
        first = np.concatenate([[0], np.cumsum(np.where(broken, 3, 2))])
        start, end = self.segment, self.segment + 1
        out = first[start] + np.where(broken[start], 2, 1)
        return np.stack([first[start], out, first[end], first[end] + 1], axis=-1), first


def least_squares(
    basis: HermiteBasis,
    residual: Floats,
    weight: Floats,
    broken: Bools,
    fixed: tuple[bool, bool] = (False, False),
) -> Floats:
    """Offsets (K, 3, C) of nodes that bring a spline nearest to where it is `residual` (T, C) off.

    Samples count by their weight (T,). Keys have one slope, or two where `broken` (K, C). With
    `fixed`, the first or the last key stays as it is.
    """
    low, high = int(fixed[0]), basis.keys - int(fixed[1])
    step = np.zeros((basis.keys, 3, residual.shape[1]))
    if low >= high:
        return step
    for group in alike_channels(broken):
        alike = broken[:, group[0]]
        column, first = basis.columns(alike)
        solved = _solve(basis, column, first, residual[:, group], weight, (low, high))
        own = first[low:high] - first[low]
        step[low:high, 0, group] = solved[own]
        step[low:high, 1, group] = solved[own + 1]
        step[low:high, 2, group] = solved[own + np.where(alike[low:high], 2, 1)]
    return step


def alike_channels(broken: Bools) -> list[Ints]:
    """Channels whose keys are broken alike: they share their equations."""
    if not broken.any():
        return [np.arange(broken.shape[1])]
    member = np.unique(broken, axis=1, return_inverse=True)[1].ravel()
    return [np.flatnonzero(member == each) for each in range(int(member.max()) + 1)]


def _solve(
    basis: HermiteBasis,
    column: Ints,
    first: Ints,
    residual: Floats,
    weight: Floats,
    span: tuple[int, int],
) -> Floats:
    """The unknowns (U, C) of the keys in a span: block elimination, then substitution."""
    edges = [*range(span[0], span[1], CHUNK), span[1]]
    blocks = list(pairwise(edges))
    diagonal: list[Floats] = []
    right: list[Floats] = []
    beside: list[Floats] = []
    for number, (low, high) in enumerate(blocks):
        grid, aim, link = _normal(basis, column, first, residual, weight, low, high)
        if number:
            both = np.concatenate([beside[-1], right[-1]], axis=1)
            gone = np.linalg.solve(diagonal[-1], both)
            width = beside[-1].shape[1]
            grid = grid - beside[-1].T @ gone[:, :width]
            aim = aim - beside[-1].T @ gone[:, width:]
        last = number == len(blocks) - 1
        following = np.zeros((len(grid), 0))
        if not last:
            following = np.zeros((len(grid), first[blocks[number + 1][1]] - first[high]))
            following[:, : link.shape[1]] = link
        diagonal.append(grid)
        right.append(aim)
        beside.append(following)
    found = [np.linalg.solve(diagonal[-1], right[-1])]
    for number in range(len(blocks) - 2, -1, -1):
        aim = right[number] - beside[number] @ found[0]
        found.insert(0, np.linalg.solve(diagonal[number], aim))
    return np.concatenate(found)


def _normal(
    basis: HermiteBasis,
    column: Ints,
    first: Ints,
    residual: Floats,
    weight: Floats,
    low: int,
    high: int,
) -> tuple[Floats, Floats, Floats]:
    """Normal equations of keys low to high: own block, right side, link to the key at `high`."""
    begin = int(np.searchsorted(basis.segment, low - 1))
    end = int(np.searchsorted(basis.segment, high))
    origin = int(first[max(low - 1, 0)])
    stop = int(first[min(high + 1, basis.keys)])
    dense = np.zeros((end - begin, stop - origin))
    rows = np.arange(end - begin)[:, None]
    dense[rows, column[begin:end] - origin] = basis.weight[begin:end]
    own = slice(int(first[low]) - origin, int(first[high]) - origin)
    weighted = dense[:, own].T * weight[begin:end]
    grid = weighted @ dense
    square = grid[:, own].copy()
    ridge = np.diagonal(square) * RIDGE
    square[np.diag_indices(len(square))] += ridge + 1e-12 * (ridge.max(initial=0.0) + 1e-30)
    return square, weighted @ residual[begin:end], grid[:, own.stop :]
