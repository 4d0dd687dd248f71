"""A joint of a take as a device: its path is a performance, as if it were acted now."""

from __future__ import annotations

import numpy as np

from arcwright.errors import BadValue
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.tools.gesture import Performance


def performance_from(
    take: Take, point: Point | str, *, relative_to: Point | str | None = None
) -> Performance:
    """The performance of a point of any take: its position and orientation at every frame.

    `relative_to` is a point, such as the hips of a walk, whose way is taken off the position.
    """
    place = Point(point) if isinstance(point, str) else point
    times = take.frame_times()
    if len(times) < 2:
        raise BadValue(f"take {take.name!r}", "two frames or more", len(times))
    path = trail(take, place, times)
    position = path.position
    if relative_to is not None:
        other = Point(relative_to) if isinstance(relative_to, str) else relative_to
        position = position - trail(take, other, times).position
    poses = np.concatenate([position, path.orientation], axis=1)[:, None]
    return Performance(times, poses, device=f"{take.name} {place.joint}")
