"""Model: tasks as functions of unknowns, and their linearisation: what a descent needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from arcwright.arrays import Floats, Ints
from arcwright.solve.rows import Rows


@dataclass(frozen=True, eq=False)
class Linearisation:
    """How far tasks are from being met, and how the unknowns change that."""

    residual: Floats  # (M,) target minus value
    matrix: Floats | Rows  # (M, N) derivative of the values
    weight: Floats  # (M,)
    cost: float  # 1/2 sum weight residual^2, less for tasks with a Huber loss
    task: Ints | None = None  # (M,) index of the task of each row

    @property
    def dense(self) -> Floats:
        """(M, N) the matrix with its zeros."""
        return self.matrix.dense if isinstance(self.matrix, Rows) else self.matrix


class Residuals(Protocol):
    """How far tasks are from being met: `Linearisation` without their derivatives."""

    @property
    def residual(self) -> Floats:
        """(M,)."""
        ...

    @property
    def weight(self) -> Floats:
        """(M,)."""
        ...

    @property
    def cost(self) -> float:
        """The cost of the tasks, without regularisation."""
        ...

    @property
    def task(self) -> Ints | None:
        """(M,)."""
        ...


class FoundResiduals(NamedTuple):
    """The residuals that a compiled descent ended with."""

    residual: Floats
    weight: Floats
    cost: float
    task: Ints


class Model(Protocol):
    """Anything whose tasks can be linearised at given unknowns."""

    def linearise(self, x: Floats) -> Linearisation:
        """The tasks at x."""
        ...
