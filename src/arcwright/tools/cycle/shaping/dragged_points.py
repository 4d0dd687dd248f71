"""Dragged points: values of a rig in which points are where they are dragged to.

A joint that has translation channels of its own is moved by these; else the body is solved, at all
affected frames at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import orientation
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.scene.point import Point
from arcwright.tools.cycle.shaping.affected_frames import (
    AffectedFrames,
    orientation_at,
    place_at,
)
from arcwright.tools.cycle.shaping.joint_values import rotated, translated
from arcwright.tools.cycle.shaping.shaped_stage import Stage, pose_at
from arcwright.tools.gesture import Drag

UNMOVED = 1e-8  # m, rad or plain; a smaller change is none
UNTURNED = 1e-15  # of the cosine of half an angle
NEGLIGIBLE = 1e-6  # m; what a solver changes by less stays as it is
Drags = Sequence[Drag]


@dataclass(frozen=True, eq=False)
class PointPaths:
    """Where points of a body should be at the affected frames."""

    points: list[Point]
    position: list[Floats | None]  # (T, 3) m, of each
    orientation: list[Floats | None]  # (T, 4) wxyz, of each


class Body(Protocol):
    """What finds poses of a body whose points follow paths."""

    def solve(self, frames: AffectedFrames, paths: PointPaths) -> tuple[Floats, Floats]:
        """Values (T, C) in which points follow their paths, and (T, P) m that are left."""
        ...

    def body(self, frames: AffectedFrames, paths: PointPaths) -> object:
        """Prepare to solve."""
        ...


def direct_values(frames: AffectedFrames, drags: Drags) -> Floats:
    """(T, C) with joints rotated and moved by their own channels, parents before children."""
    rig, values = frames.clip.rig, frames.was.copy()
    joints = {rig.joint(each.point.joint) for each in drags}
    for joint in sorted(joints):
        own = [each for each in drags if rig.joint(each.point.joint) == joint]
        turning = [each for each in own if each.orientation is not None]
        if turning:
            now = orientation(rig, values, [joint])[:, 0]
            values = rotated(rig, joint, values, _rotated_path(frames, turning, now))
        moving = [each for each in own if each.position is not None]
        if moving:
            shifts = np.stack([_shift(frames, values, each) for each in moving])
            values = translated(rig, joint, values, frames.spread(moving, shifts))
    return values


def body_stage(frames: AffectedFrames, drags: Drags, body: Body) -> Stage:
    """The body solved for all dragged points at all affected frames."""
    rig, was = frames.clip.rig, frames.was
    paths, stays = PointPaths([], [], []), True
    for own in by(drags, _point_key).values():
        point, rotated_path = own[0].point, None
        place = now = frames.place(point)
        moving = [each for each in own if each.position is not None]
        turning = [each for each in own if each.orientation is not None]
        if moving:
            shifts = np.stack([_shift(frames, was, each) for each in moving])
            place = now + frames.spread(moving, shifts)
        stays &= bool(np.abs(place - now).max() <= UNMOVED)
        if turning:
            turned = orientation_at(rig, was, point)
            rotated_path = _rotated_path(frames, turning, turned)
            cosine = np.abs((rotated_path * turned).sum(axis=1))
            stays &= bool(np.abs(cosine - 1).max() <= UNTURNED)
        paths.points.append(point)
        paths.position.append(place)
        paths.orientation.append(rotated_path)
    if stays:
        body.body(frames, paths)
        return Stage(frames.clip, frames, was, None, tuple(paths.points))
    values, left = body.solve(frames, paths)
    step = np.abs(values - was).max(axis=0) * frames.clip.metres
    values = np.where(step > NEGLIGIBLE, values, was)
    rotates = tuple(each is not None for each in paths.orientation)
    return Stage(frames.clip, frames, values, left, tuple(paths.points), rotates)


def _shift(frames: AffectedFrames, values: Floats, drag: Drag) -> Floats:
    """(3,) m, from where a point is to where it is dragged."""
    assert drag.position is not None
    pose = pose_at(frames, values, drag)
    away = drag.position - place_at(frames.clip.rig, pose[None], drag.point)[0]
    if drag.axes is not None:
        away = np.linalg.pinv(drag.axes) @ (drag.axes @ away)
    return still(away)


def by(drags: Drags, key: Callable[[Drag], Hashable]) -> dict[Hashable, list[Drag]]:
    """Drags that have the same key."""
    found: dict[Hashable, list[Drag]] = {}
    for drag in drags:
        found.setdefault(key(drag), []).append(drag)
    return found


def _point_key(drag: Drag) -> Hashable:
    return drag.point.joint, drag.point.offset.tobytes()


def _rotated_path(frames: AffectedFrames, drags: Drags, now: Floats) -> Floats:
    """(T, 4) orientations, rotated further by what drags ask for, spread over the frames."""
    asked = np.array([drag.orientation for drag in drags])
    at = np.array([frames.index(drag) for drag in drags])
    turns = quaternion_multiply(asked, quaternion_conjugate(now[at]))
    vectors = np.stack([still(each) for each in vector_from_quaternion(turns)])
    further = quaternion_from_vector(frames.spread(drags, vectors))
    return quaternion_multiply(further, now)


def still(change: Floats) -> Floats:
    """The change, or none where it is too small."""
    return np.where(np.abs(change).max() > UNMOVED, change, 0.0)
