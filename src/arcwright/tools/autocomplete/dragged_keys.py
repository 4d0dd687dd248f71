"""Dragged keys: key poses that users move in space or time, or add between others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import places
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.kinematics.sample import values_at
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.pose_sequence import PointPath, PoseSequence
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.key_poses import NEAR, KeyPoses
from arcwright.tools.autocomplete.options import AutocompleteOptions
from arcwright.tools.gesture import UNMOVED, Drag

STILL = 1e-7  # rad, m or plain: a channel that moves less gets no key


@dataclass(frozen=True, eq=False)
class DraggedPose:
    """The pose of a key that is dragged."""

    time: float  # s
    values: Floats  # (C,)
    moved: Bools  # (C,)


def moves(take: Take, drag: Drag) -> bool:
    """Whether a drag asks for anything else than what is there."""
    if drag.to_time is not None and abs(drag.to_time - drag.time) > NEAR:
        return True
    position, turned = point_place(take.rig, values_at(take, np.array([drag.time]))[0], drag.point)
    away = np.zeros(3) if drag.position is None else drag.position - position
    away = away if drag.axes is None else drag.axes @ away
    if np.linalg.norm(away) > UNMOVED:
        return True
    if drag.orientation is None:
        return False
    return bool(abs(matrix_from_quaternion(drag.orientation) - turned).max() > UNMOVED)


def dragged_pose(
    scene: Scene,
    edited: EditedClip,
    drags: Sequence[Drag],
    options: AutocompleteOptions,
) -> DraggedPose:
    """The pose at the time of some drags in which their points are where they should be."""
    time = drags[0].time
    times = np.array([time])
    points = [drag.point for drag in drags]
    sequence = PoseSequence(
        scene,
        edited,
        times,
        points,
        body_follows=options.body_follows,
        chain_length=options.chain_length,
        plant_feet=options.plant_feet,
    )
    values = sequence.values[0]
    paths = [_path(edited.take, values, drag) for drag in drags]
    found = sequence.solve(paths).values[0]
    return DraggedPose(time, found, abs(found - values) > STILL)


def _path(take: Take, values: Floats, drag: Drag) -> PointPath:
    """One frame's target; where axes are given, the rest of the position stays."""
    position = drag.position
    if position is not None and drag.axes is not None:
        start, _ = point_place(take.rig, values, drag.point)
        axes = np.linalg.pinv(drag.axes) @ drag.axes
        position = start + axes @ (position - start)
    return PointPath(
        drag.point,
        None if position is None else position[None],
        None if drag.orientation is None else drag.orientation[None],
    )


def with_pose(keys: KeyPoses, pose: DraggedPose, whole: Floats, near: float) -> KeyPoses:
    """The keys with a pose: channels that moved get a key there, all of them where there was none.

    `whole` (C,) is the pose before.
    """
    row = keys.row(pose.time, near)
    if row is not None:
        values, known = np.array(keys.values), np.array(keys.known)
        values[row, pose.moved] = pose.values[pose.moved]
        known[row] |= pose.moved
        return replace(keys, values=values, known=known)
    return with_row(keys, pose.time, np.where(pose.moved, pose.values, whole))


def with_row(keys: KeyPoses, time: float, values: Floats) -> KeyPoses:
    """The keys with one more, of all channels."""
    at = int(np.searchsorted(keys.times, time))
    count = keys.values.shape[1]
    return replace(
        keys,
        times=np.insert(keys.times, at, time),
        values=np.insert(keys.values, at, values, axis=0),
        known=np.insert(keys.known, at, np.full(count, True), axis=0),
        slopes=np.insert(keys.slopes, at, np.full(count, np.nan), axis=0),
    )


def retimed(keys: KeyPoses, moved: Mapping[float, float], rate: float) -> KeyPoses:
    """The keys with some at other times, at least a frame from neighbours of the same channels.

    The first and the last one stay: what lies beyond them does.
    """
    times, gap = np.array(keys.times), 1 / rate
    for time, to in sorted(moved.items()):
        row = keys.row(time, NEAR)
        if row is None or row in (0, len(times) - 1):
            continue
        beside = (keys.known & keys.known[row]).any(axis=1)
        low = float(times[:row][beside[:row]].max()) + gap
        high = float(times[row + 1 :][beside[row + 1 :]].min()) - gap
        times[row] = np.clip(to, low, high) if low < high else times[row]
    return _in_order(replace(keys, times=times)) if moved else keys


def _in_order(keys: KeyPoses) -> KeyPoses:
    """Keys by their times; those of other channels at one time become one."""
    order = np.argsort(keys.times, kind="stable")
    times, values = keys.times[order], keys.values[order]
    known, slopes = keys.known[order], keys.slopes[order]
    for row in np.flatnonzero(np.diff(times) <= NEAR)[::-1].tolist():
        values[row] = np.where(known[row], values[row], values[row + 1])
        known[row] |= known[row + 1]
        times, known = np.delete(times, row + 1), np.delete(known, row + 1, axis=0)
        values, slopes = (np.delete(each, row + 1, axis=0) for each in (values, slopes))
    return replace(keys, times=times, values=values, known=known, slopes=slopes)


def point_place(rig: Rig, values: Floats, point: Point) -> tuple[Floats, Floats]:
    """Position (3,) of a point and orientation (3, 3) of its joint."""
    found = point_jacobian(rig, values[None], places(rig, [point]), [])
    return found.position[0, 0], found.orientation[0, 0]
