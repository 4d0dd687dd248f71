"""Transition: what a pose was off from the next one fades, so that nothing jumps."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
    wrap,
)
from arcwright.tools.puppet.fade import left_of_fade


class Transition:
    """An offset of channel values and root that fades over some seconds."""

    def __init__(
        self,
        before: tuple[Floats, Floats],
        after: tuple[Floats, Floats],
        angles: Bools,
        seconds: float,
    ) -> None:
        self.values = before[0] - after[0]
        self.values[angles] = wrap(self.values[angles])
        self.position = before[1][:3] - after[1][:3]
        turn = quaternion_multiply(before[1][3:], quaternion_conjugate(after[1][3:]))
        self.rotation = vector_from_quaternion(turn if turn[0] >= 0 else -turn)
        self.seconds, self.passed = seconds, 0.0

    def advance(self, seconds: float) -> bool:
        """Let time pass; whether something is left of it."""
        self.passed += seconds
        return self.passed < self.seconds

    def applied(self, values: Floats, root: Floats) -> tuple[Floats, Floats]:
        """The pose with what is left of the offset."""
        left = left_of_fade(self.passed / self.seconds)
        turn = quaternion_from_vector(left * self.rotation)
        rotation = quaternion_multiply(turn, root[3:])
        moved = np.concatenate([root[:3] + left * self.position, rotation])
        return values + left * self.values, moved
