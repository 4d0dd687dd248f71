"""Rotation channels written anew so that they run on from others."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.fit import euler_triples
from arcwright.kinematics.rotation import nearest_euler, wrap
from arcwright.kinematics.sample import quaternion_channels
from arcwright.scene.rig import Kind, Rig


def nearest_rotations(rig: Rig, values: Floats, near: Floats) -> Floats:
    """The same rotations, written as near to others (T, C) as angles and quaternions can be."""
    found, kind = np.array(values), rig.channels.kind
    for triple in euler_triples(rig):
        found[:, triple] = nearest_euler(values[:, triple], near[:, triple])
    angles = (kind >= Kind.ROTATE_X) & (kind <= Kind.ROTATE_Z)
    found[:, angles] = near[:, angles] + wrap(found[:, angles] - near[:, angles])
    four = quaternion_channels(rig)
    if len(four):
        away = (found[:, four] * near[:, four]).sum(axis=-1, keepdims=True) < 0
        found[:, four] = np.where(away, -found[:, four], found[:, four])
    return found
