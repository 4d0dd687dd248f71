"""Toe bend: toes stay as the clip has them where a stretched leg tilts its foot."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import Places
from arcwright.scene.rig import Kind
from arcwright.tools.puppet.limb_ik import sine_vectors
from arcwright.tools.puppet.locomotion.leg_ik import Legs

TILTED = 0.02  # sine of the angle by which toes must be off before they are bent
DAMPING = 1e-4  # of the way that channels of toes go at once
STEPS = 2


class ToeBend:
    """Rotations of toes whose ankle is a joint of its own."""

    def __init__(self, legs: Legs) -> None:
        table, own = legs.rig.channels, legs.flat & (legs.toes.joints != legs.ankles)
        self._rig = legs.rig
        self._feet = np.flatnonzero(own)
        self._toes = Places(legs.toes.joints[own], legs.toes.offsets[own])
        turns = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
        self._channels = np.flatnonzero(turns & np.isin(table.joint, self._toes.joints))

    def bent(self, values: Floats, wanted: Floats) -> Floats:
        """(C,) the pose with toes oriented as wanted (F, 3, 3), as far as they bend."""
        if not len(self._channels):
            return values
        for _ in range(STEPS):
            there = point_jacobian(self._rig, values[None], self._toes, self._channels)
            apart = wanted[self._feet] @ there.orientation[0].transpose(0, 2, 1)
            off = sine_vectors(apart)
            if np.abs(off).max() < TILTED:
                return values
            turns = there.angular[0].reshape(-1, len(there.channels))
            normal = turns.T @ turns + DAMPING * np.eye(len(there.channels))
            step = np.linalg.solve(normal, turns.T @ off.ravel())
            low, high = self._rig.channels.low, self._rig.channels.high
            own, values = there.channels, values.copy()
            values[own] = np.clip(values[own] + step, low[own], high[own])
        return values
