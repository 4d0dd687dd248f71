"""Layer: a displacement on top of a take, as cubic B-splines over a range of time."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints, frozen
from arcwright.errors import BadValue


@dataclass(frozen=True, eq=False)
class Layer:
    """N control values evenly spaced over [start, end]; the splines meet the first and last one.

    Joints rotate by `R(base) exp(turn)`, those without a parent by `exp(turn) R(base)`; `add` is
    added to other channels. Outside the range the layer has no effect.
    """

    name: str
    start: float  # s
    end: float  # s
    joints: Ints  # (R,) joints that are rotated
    turn: Floats  # (N, R, 3) rad, rotation vectors in the joint, of roots in the world
    channels: Ints  # (A,) others, and angles of joints that have one or two only
    add: Floats  # (N, A) m, rad or plain
    weight: float = 1.0  # 0 to 1, how much of it is used
    muted: bool = False

    def __post_init__(self) -> None:
        keep = object.__setattr__
        keep(self, "joints", frozen(self.joints, "Layer.joints", ("R",), np.int64))
        keep(self, "turn", frozen(self.turn, "Layer.turn", ("N", "R", 3)))
        keep(self, "channels", frozen(self.channels, "Layer.channels", ("A",), np.int64))
        keep(self, "add", frozen(self.add, "Layer.add", ("N", "A")))
        for name in ("start", "end", "weight"):
            keep(self, name, float(getattr(self, name)))
        self._check()

    def _check(self) -> None:
        if not -np.inf < self.start < self.end < np.inf:
            raise BadValue("Layer.end", f"after start ({self.start} s)", self.end)
        if len(self.turn) != len(self.add) or len(self.add) < 4:
            expected = "the same 4 or more control values in turn and add"
            raise BadValue("Layer.turn", expected, f"{len(self.turn)} and {len(self.add)}")
        if self.turn.shape[1] != len(self.joints):
            raise BadValue("Layer.turn", f"{len(self.joints)} joints", self.turn.shape[1])
        if self.add.shape[1] != len(self.channels):
            raise BadValue("Layer.add", f"{len(self.channels)} channels", self.add.shape[1])
        if not 0 <= self.weight <= 1:
            raise BadValue("Layer.weight", "0 to 1", self.weight)
