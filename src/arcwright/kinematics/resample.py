"""Resample a motion between its samples with cubics, so that velocities stay continuous."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import quaternion_normalise, wrap
from arcwright.kinematics.sample import angle_channels, quaternion_channels
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Rig


def cubic_values(motion: Motion, rig: Rig, times: Floats) -> Floats:
    """(T, C) Catmull-Rom splines through the samples; angles and quaternions by the shorter arc."""
    count = len(motion.time)
    place = np.interp(times, motion.time, np.arange(count))
    low = np.minimum(place.astype(np.int64), max(count - 2, 0))
    share = (place - low)[:, None]
    around = [np.clip(low + step, 0, count - 1) for step in (-1, 0, 1, 2)]
    before, start, end, after = (motion.values[each] for each in around)
    angles, four = angle_channels(rig), quaternion_channels(rig)
    for other in (before, end, after):
        other[:, angles] = start[:, angles] + wrap(other[:, angles] - start[:, angles])
        if len(four):
            sign = (other[:, four] * start[:, four]).sum(axis=-1, keepdims=True) < 0
            other[:, four] = np.where(sign, -other[:, four], other[:, four])
    out, into = (end - before) / 2, (after - start) / 2
    square, cube = share**2, share**3
    values: Floats = (
        (2 * cube - 3 * square + 1) * start
        + (cube - 2 * square + share) * out
        + (3 * square - 2 * cube) * end
        + (cube - square) * into
    )
    if len(four):
        values[:, four] = quaternion_normalise(values[:, four])
    return values
