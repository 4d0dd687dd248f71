"""Trail: the path of a point through a take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, frozen
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.layout import layout
from arcwright.kinematics.places import Places, Where, places
from arcwright.kinematics.rotation import quaternion_from_matrix, unwrap_quaternion
from arcwright.kinematics.sample import values_at
from arcwright.scene.take import Take


@dataclass(frozen=True, eq=False)
class Trail:
    """Where a point is over time."""

    time: Floats  # (T,) s
    position: Floats  # (T, 3) m, in the world
    orientation: Floats  # (T, 4) wxyz of its joint, without sign jumps; leaves scale out
    speed: Floats  # (T,) m/s by central differences, one-sided at the ends

    def __len__(self) -> int:
        return len(self.time)


def trail(take: Take, point: Where, times: ArrayLike) -> Trail:
    """The path of a point, joint, or (joint, offset) at rising times."""
    return trails(take, [point], times)[0]


def trails(take: Take, points: Places | Sequence[Where], times: ArrayLike) -> list[Trail]:
    """The paths of several points; only the joints above them are evaluated."""
    moments = frozen(times, "times", ("T",))
    values = values_at(take, moments)
    where = places(take.rig, points)
    joints = where.joints.tolist()
    world = forward(take.rig, values, joints)
    position = (world[..., :3, :3] @ where.offsets[..., None])[..., 0] + world[..., :3, 3]
    if len(layout(take.rig, joints).stretching):
        turned = orientation(take.rig, values, joints)
    else:
        turned = quaternion_from_matrix(world[..., :3, :3])
    turned = unwrap_quaternion(turned)
    swift = speed(moments, position)
    return [Trail(moments, position[:, p], turned[:, p], swift[:, p]) for p in range(len(where))]


def speed(time: Floats, position: Floats) -> Floats:
    """m/s along axis 0 of positions (T, ..., 3)."""
    if len(time) < 2:
        return np.zeros(position.shape[:-1])
    before = np.maximum(np.arange(len(time)) - 1, 0)
    after = np.minimum(np.arange(len(time)) + 1, len(time) - 1)
    gone = np.linalg.norm(position[after] - position[before], axis=-1)
    lasted = (time[after] - time[before]).reshape(-1, *[1] * (gone.ndim - 1))
    swift: Floats = gone / lasted
    return swift
