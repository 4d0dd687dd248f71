"""Model: tasks that depend on unknowns, and what a descent asks of whoever has some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from arcwright.arrays import Floats, Ints
from arcwright.solve.rows import Rows


@dataclass(frozen=True, eq=False)
class Linearisation:
    """How far tasks are from being met, and how the unknowns change that."""

    residual: Floats  # (M,) wanted minus is
    matrix: Floats | Rows  # (M, N) derivative of what is
    weight: Floats  # (M,)
    cost: float  # 1/2 sum weight residual^2, or what it stands for where a task pulls less when far
    task: Ints | None = None  # (M,) which task a row belongs to, for whoever asks

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
        """What is minimised, without what the unknowns cost."""
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
    """Anything whose tasks can be worked out for given unknowns."""

    def linearise(self, x: Floats) -> Linearisation:
        """The tasks at x."""
        ...
