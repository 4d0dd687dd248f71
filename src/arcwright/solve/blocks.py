"""Blocks: large systems of N steps in time with D unknowns each, coupled over a few steps.

A curve of cubic B-splines couples each control value with the three before and after it, so
a matrix of all of them has blocks (D, D) near its diagonal only. Work and memory grow with N.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.compiled import library as compiled
from arcwright.compiled.library import address

library = compiled.library
WIDE = 4  # control values that a moment touches
BROAD = 8  # right sides that the library divides at once


class Moments:
    """T rising moments, each a weighted mean of 4 neighbouring steps of N."""

    def __init__(self, first: Ints, weight: Floats, count: int) -> None:
        self.first = first  # (T,) rising: a moment touches steps first .. first + 3
        self.weight = weight  # (T, 4)
        self.count = count  # N
        starts = np.flatnonzero(np.diff(first, prepend=-1))
        self._starts, self._steps = starts, first[starts]
        self._ends = np.append(starts[1:], len(first))
        pairs = [(a, b) for a in range(WIDE) for b in range(a, WIDE)]
        self._pairs = pairs
        low, high = np.array(pairs).T
        self._products = np.ascontiguousarray((weight[:, low] * weight[:, high]).T)  # (10, T)

    def at(self, steps: Floats) -> Floats:
        """(T, ...) values at the moments of values (N, ...) at the steps."""
        used = steps[self.first[:, None] + np.arange(WIDE)]
        shape = used.shape
        mixed = self.weight[:, None, :] @ used.reshape(*shape[:2], -1)
        value: Floats = mixed.reshape(shape[0], *shape[2:])
        return value

    def back(self, forces: Floats) -> Floats:
        """(N, D) forces at the steps of forces (T, D) at the moments: the transpose of `at`."""
        total = np.zeros((self.count, forces.shape[1]))
        if len(forces):
            for k in range(WIDE):
                share = np.add.reduceat(self.weight[:, k, None] * forces, self._starts)
                total[self._steps + k] += share
        return total

    def squares(self, stiffness: Floats) -> Floats:
        """(N, D, 4, D) blocks of `at' stiffness at`, for symmetric stiffness (T, D, D).

        Block [n, :, k] is row n, column n + k.
        """
        size = stiffness.shape[-1]
        blocks = np.zeros((self.count, WIDE, size * size))
        flat = stiffness.reshape(len(stiffness), -1)
        for step, start, end in zip(
            self._steps.tolist(), self._starts.tolist(), self._ends.tolist(), strict=True
        ):
            sums = self._products[:, start:end] @ flat[start:end]
            for (low, high), part in zip(self._pairs, sums, strict=True):
                blocks[step + low, high - low] += part
        apart = blocks.reshape(self.count, WIDE, size, size)
        return np.ascontiguousarray(apart.swapaxes(1, 2))


def times(blocks: Floats, vector: Floats) -> Floats:
    """(N, D) the whole symmetric matrix, given by its upper blocks, times a vector (N, D)."""
    count, size = vector.shape
    out = np.zeros((count, size))
    if library is not None:
        given = np.ascontiguousarray(blocks), np.ascontiguousarray(vector), out
        library.arcwright_band_times(count, size, *map(address, given))
        return out
    out += np.einsum("nij,nj->ni", blocks[:, :, 0], vector)
    for k in range(1, min(WIDE, count)):
        upper = blocks[: count - k, :, k]
        out[: count - k] += np.einsum("nij,nj->ni", upper, vector[k:])
        out[k:] += np.einsum("nij,ni->nj", upper, vector[: count - k])
    return out


class BlockFactor:
    """The Cholesky factor of a positive matrix given by its upper blocks (N, D, 4, D).

    Elimination step by step: below a pivot, 3 D rows are left to change.
    """

    def __init__(self, blocks: Floats) -> None:
        count, size, _, _ = blocks.shape
        rest = (WIDE - 1) * size
        self._inverse = np.empty((count, size, size))  # of each pivot's lower root
        self._beside = np.empty((count, size, rest))  # the rest of its row, divided by that
        carried = np.zeros((rest, rest))
        row = np.ascontiguousarray(blocks[:, :, 1:]).reshape(count, size, rest)
        for step in range(count):
            row[step, :, : rest - size] += carried[:size, size:]
            root = np.linalg.cholesky(blocks[step, :, 0] + carried[:size, :size])
            self._inverse[step] = np.linalg.inv(root)
            self._beside[step] = self._inverse[step] @ row[step]
            after = -self._beside[step].T @ self._beside[step]
            after[: rest - size, : rest - size] += carried[size:, size:]
            carried = after

    def divide(self, vector: Floats) -> Floats:
        """The inverse of the matrix times vectors (N, D) or (N, D, V)."""
        many = vector if vector.ndim == 3 else vector[..., None]
        count, size, width = many.shape
        rest = self._beside.shape[2]
        left = np.zeros((count * size + rest, width))
        left[: count * size] = many.reshape(-1, width)
        for step in range(count):
            here = step * size
            left[here : here + size] = self._inverse[step] @ left[here : here + size]
            below = self._beside[step].T @ left[here : here + size]
            left[here + size : here + size + rest] -= below
        found = np.zeros_like(left)
        for step in reversed(range(count)):
            here = step * size
            after = found[here + size : here + size + rest]
            own = left[here : here + size] - self._beside[step] @ after
            found[here : here + size] = self._inverse[step].T @ own
        return found[: count * size].reshape(vector.shape)


class System(NamedTuple):
    """A positive matrix in blocks, with V further unknowns that each couple with any step."""

    blocks: Floats  # (N, D, 4, D) the upper half
    slope: Floats  # (N, D) the right side
    border: Floats  # (N, D, V)
    corner: Floats  # (V, V)
    further_slope: Floats  # (V,) the right side of the further unknowns

    @classmethod
    def bare(cls, blocks: Floats, slope: Floats, further: int) -> System:
        """With so many further unknowns that do not couple yet."""
        border = np.zeros((*slope.shape, further))
        return cls(blocks, slope, border, np.zeros((further, further)), np.zeros(further))

    def solved(self) -> tuple[Floats, Floats]:
        """(N, D) and (V,); the blocks are used up."""
        inner, across = self._compiled() if library is not None else self._plain()
        further = len(self.further_slope)
        if not further:
            return inner, self.further_slope
        flat = self.border.reshape(-1, further)
        corner: Floats = self.corner - flat.T @ across.reshape(flat.shape)
        right: Floats = self.further_slope - flat.T @ inner.reshape(-1)
        found = np.linalg.solve(corner, right)
        return inner - across @ found, np.asarray(found, np.float64)

    def _plain(self) -> tuple[Floats, Floats]:
        """The slope (N, D) and the border (N, D, V), divided by the blocks."""
        factor = BlockFactor(self.blocks)
        sides = np.concatenate([self.border, self.slope[..., None]], axis=2)
        divided = factor.divide(sides)
        return divided[..., -1], divided[..., :-1]

    def _compiled(self) -> tuple[Floats, Floats]:
        count, size = self.slope.shape
        further = len(self.further_slope)
        groups = np.zeros((-(-further // BROAD), count * size, BROAD))
        for at, group in enumerate(groups):
            some = self.border[..., BROAD * at : BROAD * (at + 1)].reshape(count * size, -1)
            group[:, : some.shape[1]] = some
        upper, inner = np.ascontiguousarray(self.blocks), self.slope.copy()
        assert library is not None
        given = count, size, address(upper), address(inner), len(groups), address(groups)
        if library.arcwright_band_solve(*given):
            raise np.linalg.LinAlgError("not positive")
        across: Floats = groups.transpose(1, 0, 2).reshape(count, size, len(groups) * BROAD)[
            ..., :further
        ]
        return inner, across
