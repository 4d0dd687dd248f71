"""Lever arms: channel units per metre of displacement of the farthest point below a joint."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.deviation import UNITLESS_SCALE, Deviation
from arcwright.scene.rig import Kind, Rig


def units_per_metre(rig: Rig, aim: Deviation) -> Floats:
    """(C,) channel units that move the farthest point below, or a point off it, by a metre."""
    kind, reach = rig.channels.kind, _reach(rig, aim)[rig.channels.joint]
    units = np.full(len(kind), 1 / (UNITLESS_SCALE * aim.size))
    units[kind <= Kind.TRANSLATE_Z] = 1
    turning = (kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z)
    units[turning] = 1 / reach[turning]
    # The rotation angle changes by twice the change of the quaternion's components.
    four = (kind >= Kind.QUATERNION_W) & (kind <= Kind.QUATERNION_Z)
    units[four] = 0.5 / reach[four]
    scale = (kind >= Kind.SCALE_X) & (kind <= Kind.SCALE_Z)
    units[scale] = 1 / reach[scale]
    return units


def _reach(rig: Rig, aim: Deviation) -> Floats:
    """(J,) m, the largest distance to any joint below, or a point off it."""
    position = aim.world[..., 3]
    reach = np.full(len(rig.names), aim.surface_offset)
    for joint in range(len(rig.names)):
        above = int(rig.parents[joint])
        while above >= 0:
            far = (
                np.linalg.norm(position[:, joint] - position[:, above], axis=-1).max()
                + aim.surface_offset
            )
            reach[above] = max(reach[above], far)
            above = int(rig.parents[above])
    return reach
