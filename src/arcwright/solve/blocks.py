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

    def back(self, pull: Floats) -> Floats:
        """(N, D) what pulls (T, D) at the moments are at the steps: the transpose of `at`."""
        total = np.zeros((self.count, pull.shape[1]))
        if len(pull):
            for k in range(WIDE):
                share = np.add.reduceat(self.weight[:, k, None] * pull, self._starts)
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
    """The factors of a positive matrix given by its upper blocks (N, D, 4, D).

    Elimination step by step: below a pivot, 3 D rows are left to change.
    """

    def __init__(self, blocks: Floats) -> None:
        count, size, _, _ = blocks.shape
        rest = (WIDE - 1) * size
        self._inverse = np.empty((count, size, size))
        self._beside = np.empty((count, size, rest))  # the inverse of the pivot, times its row
        carried = np.zeros((rest, rest))
        row = np.ascontiguousarray(blocks[:, :, 1:]).reshape(count, size, rest)
        for step in range(count):
            row[step, :, : rest - size] += carried[:size, size:]
            inverse = np.linalg.inv(blocks[step, :, 0] + carried[:size, :size])
            self._inverse[step] = inverse
            self._beside[step] = inverse @ row[step]
            after = -row[step].T @ self._beside[step]
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
            own = left[here : here + size]
            left[here + size : here + size + rest] -= self._beside[step].T @ own
        found = np.zeros_like(left)
        pivots = self._inverse @ left[: count * size].reshape(count, size, width)
        for step in reversed(range(count)):
            here = step * size
            after = found[here + size : here + size + rest]
            found[here : here + size] = pivots[step] - self._beside[step] @ after
        return found[: count * size].reshape(vector.shape)


class System(NamedTuple):
    """A positive matrix in blocks, with V further unknowns that each couple with any step."""

    blocks: Floats  # (N, D, 4, D) the upper half
    slope: Floats  # (N, D) the right side
    border: Floats  # (N, D, V)
    corner: Floats  # (V, V)
    pull: Floats  # (V,) the right side of the further unknowns

    @classmethod
    def bare(cls, blocks: Floats, slope: Floats, further: int) -> System:
        """With so many further unknowns, about which nothing is said yet."""
        border = np.zeros((*slope.shape, further))
        return cls(blocks, slope, border, np.zeros((further, further)), np.zeros(further))

    def solved(self) -> tuple[Floats, Floats]:
        """(N, D) and (V,); the blocks are used up."""
        count, size = self.slope.shape
        sides = np.concatenate([self.border, self.slope[..., None]], axis=2)
        if library is not None:
            right = np.ascontiguousarray(sides.transpose(2, 0, 1))
            upper = np.ascontiguousarray(self.blocks)
            given = count, size, address(upper), len(right), address(right)
            if library.arcwright_band_solve(*given):
                raise np.linalg.LinAlgError("not positive")
            answer = right.transpose(1, 2, 0)
        else:
            answer = BlockFactor(self.blocks).divide(sides)
        inner, further = answer[..., -1], len(self.pull)
        if not further:
            return inner, self.pull
        flat = self.border.reshape(-1, further)
        corner = self.corner - flat.T @ answer[..., :-1].reshape(flat.shape)
        found = np.linalg.solve(corner, self.pull - flat.T @ inner.reshape(-1))
        return inner - answer[..., :-1] @ found, found
