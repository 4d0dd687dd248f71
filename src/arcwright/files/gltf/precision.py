"""Precision: how exactly each lane must be fitted, so that no joint ends up off its place.

An error in a rotation grows with what hangs on the joint, one in a translation with the scale of
what is above: tolerances are set in metres and divided by that.
"""

from __future__ import annotations

import numpy as np

from arcwright.files.gltf.lanes import Lane
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.take import Take

FINEST, SHARE = 1e-5, 1e-6  # m, and of the height: what a joint may be off
_ADDED_UP = 6.0  # the lanes along a chain add up to that many times the error of one
_GIRTH = 0.05  # of the height: how far a mesh reaches beyond its joint
_LOOKS = 16  # moments at which a take is looked at
_STEP = 2.0**-24  # of a number: what rounding to 32 bits costs
_COARSEST = 1e-6  # of rotations, scales and weights, however little hangs on the joint


class Precision:
    """Metres that a unit of each lane is worth in a take, at most."""

    def __init__(self, take: Take) -> None:
        rig = take.rig
        values = values_at(take, np.linspace(0.0, take.duration, _LOOKS))
        world = forward(rig, np.concatenate([values, rig.channels.default[None]]))
        place = world[:, :, :3, 3]
        self.height = float(np.ptp(place, axis=1).max(initial=0.0))
        self.allowed = max(FINEST, SHARE * self.height)  # m
        parents = rig.parents
        known = np.maximum(parents, 0)
        bone = np.linalg.norm(place - place[:, known], axis=2).max(axis=0)
        self._hanging = np.full(len(parents), _GIRTH * self.height)  # m, farthest below each joint
        for joint in range(len(parents) - 1, -1, -1):
            if (parent := parents[joint]) >= 0:
                below = bone[joint] + self._hanging[joint]
                self._hanging[parent] = max(self._hanging[parent], below)
        size = np.linalg.norm(world[:, :, :3, :3], axis=2).max(axis=(0, 2))  # of the longest axis
        self._above = np.where(parents >= 0, size[known], 1.0)
        self._scale = np.abs(rig.scale).min(axis=1)

    def metres(self, lane: Lane) -> float:
        """How far a unit of a lane moves what hangs on its joint, m; 0 for weights."""
        hanging = float(self._hanging[lane.joint])
        if lane.path == "translation":
            return float(self._above[lane.joint])
        if lane.path == "rotation":
            return 2 * hanging
        return hanging / max(float(self._scale[lane.joint]), 1e-6) if lane.path == "scale" else 0.0

    def tolerance(self, lane: Lane) -> float:
        """How far a fit of a lane may be off, in the lane's own numbers."""
        metres = self.metres(lane)
        wanted = self.allowed / _ADDED_UP / metres if metres > 0 else _COARSEST
        if lane.path != "translation":
            wanted = min(wanted, _COARSEST)
        return max(wanted, _STEP * float(abs(lane.still).max()))
