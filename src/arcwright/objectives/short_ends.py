"""Short ends: joints so near to a moved point that rotating them is no way to move it.

A wrist moves little mass, so it would bend by a right angle to lead a hand along a path of a
few centimetres, before the arm does anything.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind, Rig

SHORT = 1 / 3  # of the bone above a joint: how near the point is to a short end
STIFFER = 1e3  # times as much a rotation of it costs


def short_end_weights(rig: Rig, points: Sequence[Point], channels: Ints) -> Floats:
    """(F,) factors of the weights of channels: more than 1 for rotations of short ends."""
    place = forward(rig, rig.channels.default[None])[0]
    kinds, joints = rig.channels.kind[channels], rig.channels.joint[channels]
    rotates = (kinds >= Kind.ROTATE_X) & (kinds <= Kind.QUATERNION_Z)
    factor = np.ones(len(channels))
    for point in points:
        joint = rig.joint(point.joint)
        there = place[joint, :3, :3] @ point.offset + place[joint, :3, 3]
        end = joint if point.offset.any() else int(rig.parents[joint])
        above = int(rig.parents[end]) if end >= 0 else -1
        if above < 0:
            continue
        own, bone = place[end, :3, 3] - there, place[end, :3, 3] - place[above, :3, 3]
        if np.linalg.norm(own) < SHORT * np.linalg.norm(bone):
            factor[rotates & (joints == end)] = STIFFER
    return factor
