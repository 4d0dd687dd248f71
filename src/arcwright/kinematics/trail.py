"""Motion trail: the path of a point through a take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import overload

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


@overload
def trail(take: Take, points: Where, times: ArrayLike) -> Trail: ...


@overload
def trail(take: Take, points: list[Where] | Places, times: ArrayLike) -> list[Trail]: ...


def trail(
    take: Take, points: Where | list[Where] | Places, times: ArrayLike
) -> Trail | list[Trail]:
    """The path of a point at increasing times, or of each point of a list.

    A point is a `Point`, a joint by name or index, or a pair of such a joint and an offset.
    Only the joints above the points are evaluated.
    """
    if isinstance(points, list | Places):
        return _trails(take, places(take.rig, points), times)
    return _trails(take, places(take.rig, [points]), times)[0]


def _trails(take: Take, where: Places, times: ArrayLike) -> list[Trail]:
    moments = frozen(times, "times", ("T",))
    values = values_at(take, moments)
    joints = where.joints.tolist()
    world = forward(take.rig, values, joints)
    position = (world[..., :3, :3] @ where.offsets[..., None])[..., 0] + world[..., :3, 3]
    if len(layout(take.rig, joints).stretching):
        turned = orientation(take.rig, values, joints)
    else:
        turned = quaternion_from_matrix(world[..., :3, :3])
    turned = unwrap_quaternion(turned)
    speeds = speed(moments, position)
    return [Trail(moments, position[:, p], turned[:, p], speeds[:, p]) for p in range(len(where))]


def speed(time: Floats, position: Floats) -> Floats:
    """m/s along axis 0 of positions (T, ..., 3)."""
    if len(time) < 2:
        return np.zeros(position.shape[:-1])
    before = np.maximum(np.arange(len(time)) - 1, 0)
    after = np.minimum(np.arange(len(time)) + 1, len(time) - 1)
    distance = np.linalg.norm(position[after] - position[before], axis=-1)
    duration = (time[after] - time[before]).reshape(-1, *[1] * (distance.ndim - 1))
    speeds: Floats = distance / duration
    return speeds
