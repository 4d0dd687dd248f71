"""Fit tolerances of node properties from a tolerance of joint positions in metres.

The effect of a rotation error grows with the distance to the farthest joint below, that of a
translation error with the scale above: metres are divided by these factors.
"""

from __future__ import annotations

import numpy as np

from arcwright.files.gltf.node_properties import NodeProperty
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.take import Take

FINEST, SHARE = 1e-5, 1e-6  # m, and of the height: what a joint may be off
_ACCUMULATION = 6.0  # errors along a chain accumulate to this multiple of one
_MESH_RADIUS = 0.05  # of the height: how far a mesh reaches beyond its joint
_POSES = 16  # poses of a take that are measured
_STEP = 2.0**-24  # of a number: what rounding to 32 bits costs
_COARSEST = 1e-6  # of rotations, scales and weights, however short the chain below


class FitTolerance:
    """The largest displacement in metres per unit of each property, over a take."""

    def __init__(self, take: Take) -> None:
        rig = take.rig
        values = values_at(take, np.linspace(0.0, take.duration, _POSES))
        world = forward(rig, np.concatenate([values, rig.channels.default[None]]))
        place = world[:, :, :3, 3]
        self.height = float(np.ptp(place, axis=1).max(initial=0.0))
        self.allowed = max(FINEST, SHARE * self.height)  # m
        parents = rig.parents
        known = np.maximum(parents, 0)
        bone = np.linalg.norm(place - place[:, known], axis=2).max(axis=0)
        self._reach_below = np.full(
            len(parents), _MESH_RADIUS * self.height
        )  # m, farthest below each joint
        for joint in range(len(parents) - 1, -1, -1):
            if (parent := parents[joint]) >= 0:
                below = bone[joint] + self._reach_below[joint]
                self._reach_below[parent] = max(self._reach_below[parent], below)
        size = np.linalg.norm(world[:, :, :3, :3], axis=2).max(axis=(0, 2))  # of the longest axis
        self._above = np.where(parents >= 0, size[known], 1.0)
        self._scale = np.abs(rig.scale).min(axis=1)

    def metres(self, target: NodeProperty) -> float:
        """Displacement of the joints below per unit of a property, m; 0 for weights."""
        reach = float(self._reach_below[target.joint])
        if target.path == "translation":
            return float(self._above[target.joint])
        if target.path == "rotation":
            return 2 * reach
        return (
            reach / max(float(self._scale[target.joint]), 1e-6) if target.path == "scale" else 0.0
        )

    def tolerance(self, target: NodeProperty) -> float:
        """Fit tolerance of a property, in its own unit."""
        metres = self.metres(target)
        tolerance = self.allowed / _ACCUMULATION / metres if metres > 0 else _COARSEST
        if target.path != "translation":
            tolerance = min(tolerance, _COARSEST)
        return max(tolerance, _STEP * float(abs(target.rest_value).max()))
