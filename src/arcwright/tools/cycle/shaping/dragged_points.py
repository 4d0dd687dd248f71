"""Dragged points: values of a rig in which points are where they are dragged to.

A joint that has translation channels of its own is moved by these; else the body is solved, at all
affected frames at once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.places import places
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.tools.cycle.shaping.joint_values import rotated, translated
from arcwright.tools.cycle.shaping.shaped_clip import AffectedFrames, ShapedClip
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


Solve = Callable[[ShapedClip, AffectedFrames, PointPaths], tuple[Floats, Floats]]
"""Values (T, C) of a body whose points follow paths, and (T, P) m that are left."""


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


def body_stage(frames: AffectedFrames, drags: Drags, solve: Solve) -> Stage:
    """The body solved for all dragged points at all affected frames."""
    rig, was = frames.clip.rig, frames.was
    paths = PointPaths([], [], [])
    for own in by(drags, _point_key).values():
        point = own[0].point
        place, now = at_values(rig, was, point)
        moving = [each for each in own if each.position is not None]
        turning = [each for each in own if each.orientation is not None]
        if moving:
            shifts = np.stack([_shift(frames, was, each) for each in moving])
            place = place + frames.spread(moving, shifts)
        paths.points.append(point)
        paths.position.append(place)
        paths.orientation.append(_rotated_path(frames, turning, now) if turning else None)
    if _stays(frames, paths):
        return Stage(frames.clip, frames, was, None, tuple(paths.points))
    values, left = solve(frames.clip, frames, paths)
    step = np.abs(values - was).max(axis=0) * frames.clip.metres
    values = np.where(step > NEGLIGIBLE, values, was)
    return Stage(frames.clip, frames, values, left, tuple(paths.points))


def _stays(frames: AffectedFrames, paths: PointPaths) -> bool:
    """Whether all points should be where they are."""
    for point, place, turn in zip(paths.points, paths.position, paths.orientation, strict=True):
        now, turned = at_values(frames.clip.rig, frames.was, point)
        if place is not None and np.abs(place - now).max() > UNMOVED:
            return False
        if turn is not None and np.abs(np.abs((turn * turned).sum(axis=1)) - 1).max() > UNTURNED:
            return False
    return True


def _shift(frames: AffectedFrames, values: Floats, drag: Drag) -> Floats:
    """(3,) m, from where a point is to where it is dragged."""
    assert drag.position is not None
    pose = pose_at(frames, values, drag)
    away = drag.position - at_values(frames.clip.rig, pose[None], drag.point)[0][0]
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


def at_values(rig: Rig, values: Floats, point: Point) -> tuple[Floats, Floats]:
    """(T, 3) m, and (T, 4): where a point is and how its joint is rotated."""
    where = places(rig, [point])
    joint = where.joints.tolist()
    world = forward(rig, values, joint)[:, 0]
    place = world[:, :3, :3] @ where.offsets[0] + world[:, :3, 3]
    return place, orientation(rig, values, joint)[:, 0]


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
