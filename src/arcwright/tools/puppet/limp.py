"""Limp: a body that hangs on a stick without physics, swinging as a damped pendulum."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import (
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_rotate,
)
from arcwright.tools.puppet.jump import GRAVITY

DAMPING = 0.25  # of the critical one
MOST = 1.2  # rad from hanging straight


class Pendulum:
    """How a body hangs: its angles about x and z of the world, driven by how it is moved."""

    def __init__(self, length: float) -> None:
        self._frequency = (GRAVITY / max(length, 0.05)) ** 0.5  # rad/s
        self._length = max(length, 0.05)
        self.angles, self.rates = np.zeros(2), np.zeros(2)  # about x, about z
        self._velocity: Floats | None = None

    def advance(self, velocity: Floats, seconds: float) -> None:
        """Let time pass while the grip moves with a velocity (3,)."""
        before = velocity if self._velocity is None else self._velocity
        pull = np.clip((velocity - before) / seconds, -40.0, 40.0)
        self._velocity = velocity
        drive = np.array([pull[2], -pull[0]]) / self._length
        slower = 2 * DAMPING * self._frequency * self.rates
        self.rates = self.rates + seconds * (drive - slower - self._frequency**2 * self.angles)
        self.angles = np.clip(self.angles + seconds * self.rates, -MOST, MOST)

    def hung(self, root: Floats, grip: Floats) -> Floats:
        """(7,) a root turned about a grip (3,) by how the body hangs."""
        turn = quaternion_from_vector(np.array([self.angles[0], 0.0, self.angles[1]]))
        position = grip + quaternion_rotate(turn, root[:3] - grip)
        return np.concatenate([position, quaternion_multiply(turn, root[3:])])
