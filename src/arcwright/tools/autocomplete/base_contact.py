"""Base contact: what has no feet, such as a lamp, stays where its base rests.

A base that rests at one place at two of its keys follows the spline between them, whatever a model
adds; elsewhere it is kept out of the floor.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_rotate
from arcwright.scene.rig import Kind, Rig
from arcwright.tools.autocomplete.foot_paths import LOW, SAME
from arcwright.tools.autocomplete.key_poses import KeyPoses

TURNED = 0.02  # rad or plain, in which rotations of a base at two keys are the same


def with_resting_base(
    rig: Rig, keys: KeyPoses, times: Floats, values: Floats, spline: Floats
) -> Floats:
    """(T, C) with the base where the spline has it, while it rests."""
    table = rig.channels
    moving = table.joint[table.kind <= Kind.TRANSLATE_Z]
    if not len(moving):
        return values
    base, found = int(moving.min()), np.array(values)
    own = np.flatnonzero((table.joint == base) & (table.kind <= Kind.QUATERNION_Z))
    size, rows = rig_size(rig), np.flatnonzero(keys.known[:, own].any(axis=1))
    at = abs(times[:, None] - keys.times[rows]).argmin(axis=0)
    place = forward(rig, spline[at], [base])[:, 0, :3, 3]
    floor = float(place[:, 1].min())
    turning = own[table.kind[own] >= Kind.ROTATE_X]
    for (first, start), (last, end) in pairwise(enumerate(at.tolist())):
        low = place[[first, last], 1].max() <= floor + LOW * size
        near = np.linalg.norm(place[last] - place[first]) <= SAME * size
        turned = abs(spline[end, turning] - spline[start, turning]).max(initial=0.0)
        if low and near and turned <= TURNED:
            found[start : end + 1, own] = spline[start : end + 1, own]
    _raise_above_floor(rig, base, found, floor)
    return found


def _raise_above_floor(rig: Rig, base: int, values: Floats, floor: float) -> None:
    """Lift a base by as much as it is below the floor, where one of its channels is height."""
    table = rig.channels
    up = quaternion_rotate(rig.rest[base][None], np.array([[0.0, 1.0, 0.0]]))[0]
    own = np.flatnonzero((table.joint == base) & (table.kind == Kind.TRANSLATE_Y))
    if rig.parents[base] >= 0 or up[1] < 1 - 1e-9 or not len(own):
        return
    height = forward(rig, values, [base])[:, 0, 1, 3]
    values[:, own[0]] += np.maximum(floor - height, 0.0)
