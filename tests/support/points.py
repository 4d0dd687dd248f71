"""A rig of free points: what a performance of plain numbers moves."""

from __future__ import annotations

import numpy as np

from arcwright.scene.rig import ChannelTable, Kind, Rig


def points_rig(count: int) -> Rig:
    """A still root and `count` points below it, each moved by three translations."""
    joints = np.repeat(np.arange(1, count + 1), 3)
    size = len(joints)
    channels = ChannelTable(
        joint=joints,
        kind=np.tile([Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z], count),
        default=np.zeros(size),
        low=np.full(size, -np.inf),
        high=np.full(size, np.inf),
        stiffness=np.ones(size),
        label=("",) * size,
    )
    return Rig(
        names=("Root", *(f"Point{index}" for index in range(count))),
        parents=np.array([-1] + [0] * count),
        offset=np.zeros((count + 1, 3)),
        rest=np.tile([1.0, 0.0, 0.0, 0.0], (count + 1, 1)),
        scale=np.ones((count + 1, 3)),
        modes=("XYZ",) * (count + 1),
        channels=channels,
    )
