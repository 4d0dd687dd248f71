"""Model: wishes that depend on unknowns, and what a descent asks of whoever has some."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

from arcwright.arrays import Floats, Ints
from arcwright.solve.rows import Rows


@dataclass(frozen=True, eq=False)
class Wishes:
    """How far wishes are from being met, and how the unknowns change that."""

    miss: Floats  # (M,) wanted minus is
    matrix: Floats | Rows  # (M, N) derivative of what is
    weight: Floats  # (M,)
    cost: float  # 1/2 sum weight miss^2, or what it stands for where a wish pulls less when far
    wish: Ints | None = None  # (M,) which wish a row belongs to, for whoever asks

    @property
    def dense(self) -> Floats:
        """(M, N) the matrix with its zeros."""
        return self.matrix.dense if isinstance(self.matrix, Rows) else self.matrix


class Residuals(Protocol):
    """How far wishes are from being met: `Wishes` without their derivatives."""

    @property
    def miss(self) -> Floats:
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
    def wish(self) -> Ints | None:
        """(M,)."""
        ...


class FoundResiduals(NamedTuple):
    """The residuals that a compiled descent ended with."""

    miss: Floats
    weight: Floats
    cost: float
    wish: Ints


class Model(Protocol):
    """Anything whose wishes can be worked out for given unknowns."""

    def wishes(self, x: Floats) -> Wishes:
        """The wishes at x."""
        ...
