"""Evaluations of a model at some unknowns: values, slopes, and the Jacobian of its points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.jacobian import PointJacobian

_FLOAT = np.dtype(np.float64)


class Evaluation:
    """Values, slopes and Jacobian at some unknowns, as views of one block, made on demand."""

    def __init__(self, channels: Ints, shapes: Sequence[tuple[int, ...]], block: Floats) -> None:
        self._channels, self._shapes = channels, shapes
        self.block = block

    def _part(self, number: int) -> Floats:
        before = sum(math.prod(shape) for shape in self._shapes[:number])
        return np.ndarray(self._shapes[number], _FLOAT, self.block, 8 * before)

    @cached_property
    def values(self) -> Floats:
        """(T, C)."""
        return self._part(0)

    @cached_property
    def slopes(self) -> Floats:
        """(T, D, each) of the channels that move any point, by their unknowns."""
        return self._part(1)

    @cached_property
    def jacobian(self) -> PointJacobian:
        """Where the points are."""
        return PointJacobian(self._channels, *(self._part(number) for number in range(2, 6)))


class DescentEnd:
    """Poses and points at the end of a compiled descent."""

    def __init__(self, x: Floats, block: Floats, first: int, shape: tuple[int, int, int]) -> None:
        self.x = x
        self._block = block  # from `first` on: values, positions and orientations
        self._first, self._shape = first, shape  # T, C, P

    def pose(self, time: int) -> Floats:
        """(C,) channel values."""
        first = self._first + time * self._shape[1]
        return self._block[first : first + self._shape[1]]

    def reached(self, time: int, point: int) -> Floats:
        """(3,) where a point is."""
        times, channels, points = self._shape
        first = self._first + times * channels + 3 * (time * points + point)
        return self._block[first : first + 3]

    @property
    def position(self) -> Floats:
        """(T, P, 3); nan at times when a point has no task."""
        times, channels, points = self._shape
        first = self._first + times * channels
        return np.ndarray((times, points, 3), _FLOAT, self._block, 8 * first)

    @property
    def places(self) -> PointJacobian:
        """Where the points are, without derivatives."""
        times, channels, points = self._shape
        first = self._first + times * (channels + 3 * points)
        orientation = np.ndarray((times, points, 3, 3), _FLOAT, self._block, 8 * first)
        none = np.zeros((times, points, 3, 0))
        return PointJacobian(np.zeros(0, np.int64), self.position, orientation, none, none)


def cached(memo: tuple[Floats, Evaluation] | None, x: Floats) -> Evaluation | None:
    """The last evaluation, if it was at these unknowns."""
    if memo is None:
        return None
    return memo[1] if memo[0] is x or np.array_equal(memo[0], x) else None


def evaluation_of(values: Floats, slopes: Floats, jacobian: PointJacobian) -> Evaluation:
    """An evaluation from the results of NumPy."""
    evaluation = Evaluation(jacobian.channels, (), values)
    evaluation.values, evaluation.slopes, evaluation.jacobian = values, slopes, jacobian
    return evaluation
