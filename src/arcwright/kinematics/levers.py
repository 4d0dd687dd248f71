"""Levers: how much of a channel moves the farthest point that it carries by a metre."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.deviation import UNSEEN, Deviation
from arcwright.scene.rig import Kind, Rig


def units_per_metre(rig: Rig, aim: Deviation) -> Floats:
    """(C,) channel units that move the farthest point below, or a point off it, by a metre."""
    kind, reach = rig.channels.kind, _reach(rig, aim)[rig.channels.joint]
    units = np.full(len(kind), 1 / (UNSEEN * aim.size))
    units[kind <= Kind.TRANSLATE_Z] = 1
    turning = (kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z)
    units[turning] = 1 / reach[turning]
    # A quaternion turns by twice the angle that its components change by.
    four = (kind >= Kind.QUATERNION_W) & (kind <= Kind.QUATERNION_Z)
    units[four] = 0.5 / reach[four]
    scale = (kind >= Kind.SCALE_X) & (kind <= Kind.SCALE_Z)
    units[scale] = 1 / reach[scale]
    return units


def _reach(rig: Rig, aim: Deviation) -> Floats:
    """(J,) m, the farthest that any joint below, or a point off it, ever is."""
    place = aim.world[..., 3]
    reach = np.full(len(rig.names), aim.flesh)
    for joint in range(len(rig.names)):
        above = int(rig.parents[joint])
        while above >= 0:
            far = np.linalg.norm(place[:, joint] - place[:, above], axis=-1).max() + aim.flesh
            reach[above] = max(reach[above], far)
            above = int(rig.parents[above])
    return reach
