"""Motion stick: an invisible stick from a device to a puppet, fixed when the puppet is grabbed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_rotate

SHORTEST = 0.02  # of its length: the stick is never shorter


@dataclass(frozen=True, eq=False)
class MotionStick:
    """Where the grip is, seen from the device; length 0 makes the device the puppet itself."""

    grip: Floats  # (3,) m, in the device's frame

    @classmethod
    def grabbed(cls, device: Floats, grip: Floats) -> MotionStick:
        """The stick from a device (7,), position and rotation, to a grip (3,) in the world."""
        away = grip - device[:3]
        return cls(np.asarray(quaternion_rotate(quaternion_conjugate(device[3:]), away)))

    @property
    def length(self) -> float:
        """Metres from the device to the grip."""
        return float(np.linalg.norm(self.grip))

    def end(self, device: Floats) -> Floats:
        """(3,) m, where the grip is for a device (7,)."""
        return np.asarray(device[:3] + quaternion_rotate(device[3:], self.grip))


def shortened(device: Floats, end: Floats, lowest: float) -> Floats:
    """(3,) the end of a stick that is shorter where its end would be below a height.

    A device that is below that height itself pushes its end up instead.
    """
    if end[1] >= lowest:
        return end
    if device[1] <= lowest:
        return np.array([end[0], lowest, end[2]])
    share = max((device[1] - lowest) / (device[1] - end[1]), SHORTEST)
    return np.asarray(device[:3] + share * (end - device[:3]))
