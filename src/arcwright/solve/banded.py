"""Banded: factors of large matrices that couple only what is near in their order."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats, Ints

BLOCK = 96


class Factor:
    """Cholesky factor of a positive matrix (S, S), of which only the lower half is read.

    `first` (S,) is the first column that each row couples with. The matrix is used up. Raises
    LinAlgError where it is not positive.
    """

    def __init__(self, matrix: Floats, first: Ints) -> None:
        size = len(matrix)
        edges = [*range(0, size, BLOCK), size]
        self._spans = [slice(*pair) for pair in pairwise(edges)]
        self._first = [int(first[span].min()) // BLOCK for span in self._spans]
        self._lower = matrix
        self._inverse: list[Floats] = []  # of the blocks on the diagonal
        for row, span in enumerate(self._spans):
            begin = self._first[row]
            for column in range(begin, row):
                self._reduce(row, column)
                matrix[span, self._spans[column]] @= self._inverse[column].T
            self._reduce(row, row)
            self._inverse.append(np.linalg.inv(np.linalg.cholesky(matrix[span, span])))

    def _reduce(self, row: int, column: int) -> None:
        """Take from a block what the columns before it explain."""
        begin = max(self._first[row], self._first[column])
        if begin >= column:
            return
        before = slice(begin * BLOCK, column * BLOCK)
        span, other, lower = self._spans[row], self._spans[column], self._lower
        lower[span, other] -= lower[span, before] @ lower[other, before].T

    def divide(self, vector: Floats) -> Floats:
        """The inverse of the matrix times a vector."""
        found = vector.copy()
        for row, span in enumerate(self._spans):
            before = slice(self._first[row] * BLOCK, row * BLOCK)
            found[span] -= self._lower[span, before] @ found[before]
            found[span] = self._inverse[row] @ found[span]
        for row in reversed(range(len(self._spans))):
            span, before = self._spans[row], slice(self._first[row] * BLOCK, row * BLOCK)
            found[span] = found[span] @ self._inverse[row]
            found[before] -= found[span] @ self._lower[span, before]
        return found
