"""Calm limbs: elbows and knees that swing about their limbs with no more jerk than they did.

Poses of frames are solved one by one, so what they leave open, the swivel of a limb, is decided one
by one, too. Here it is decided for all frames at once: its third difference is that of the original
as far as it can be, and it stays near the swivel of the solved poses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_from_matrix, slerp
from arcwright.kinematics.swivel import BentLimb, Swivel, swivel, swivelled
from arcwright.objectives.pose_sequence import NEAR, PointPath, PoseSequence, SolvedPoses
from arcwright.solve.banded import Factor
from arcwright.tools.activity.refined_poses import GIVES

CALM = 0.25  # s: deviations of the swivel that last longer stay, shorter ones go
STRAIGHT, BENT = np.radians(5.0), np.radians(15.0)  # flexion from which a swivel says something
SMOOTH = 0.01  # of the weight of the original's swivel: that of smoothness where it says nothing
FIXED = 1e3  # weight of an angle that is given over that of its third difference
YIELDING = 1e-3  # of the weight of targets, of elbows and knees
MOST_JERK = 1.25  # of all joints, over that without calm limbs
THIRD = (-1.0, 3.0, -3.0, 1.0)  # difference


def solve_calmly(
    sequence: PoseSequence,
    limbs: Sequence[BentLimb],
    paths: Sequence[PointPath],
    frames: Ints,
    solved: SolvedPoses,
    rate: float,
) -> tuple[SolvedPoses, list[PointPath]]:
    """Poses of some frames whose limbs swivel calmly, and the paths that they follow.

    Where orientations gave way to places, they are those of the calm poses now. At joint limits
    the rest of the body has to give way to the limbs: where it would jerk, poses stay as they were.
    """
    calm = with_calm_limbs(sequence, limbs, solved.values, frames, rate)
    now = [_as_given_way(sequence, each, calm) for each in paths]
    found = sequence.solve([*now, *_middles(sequence, limbs, calm)], frames, calm, waypoints=NEAR)
    before = _jerk(sequence, solved.values, frames)
    if _jerk(sequence, found.values, frames) > MOST_JERK * before:
        return solved, list(paths)
    return found, now


def _jerk(sequence: PoseSequence, values: Floats, frames: Ints) -> float:
    """Of all joints, in poses (T, C) around some frames: rms of their third differences, m."""
    span = slice(max(int(frames[0]) - 3, 0), int(frames[-1]) + 4)
    place = forward(sequence.rig, values[span])[..., :3, 3]
    return float(np.sqrt((np.diff(place, 3, axis=0) ** 2).sum(axis=-1).mean()))


def _as_given_way(sequence: PoseSequence, path: PointPath, values: Floats) -> PointPath:
    """A path with orientations of poses (T, C) where its own ones count little."""
    if path.orientation is None or path.firmness is None:
        return path
    axes = forward(sequence.rig, values, [sequence.rig.joint(path.point.joint)])[:, 0, :3, :3]
    own = quaternion_from_matrix(axes / np.linalg.norm(axes, axis=-2, keepdims=True))
    gave_way = np.clip(-np.log10(path.firmness) / GIVES[0], 0.0, 1.0)
    return replace(path, orientation=slerp(path.orientation, own, gave_way), firmness=None)


def _middles(sequence: PoseSequence, limbs: Sequence[BentLimb], values: Floats) -> list[PointPath]:
    """Paths of elbows and knees that are points of the sequence, in poses (T, C)."""
    found, weight = [], np.full(len(values), YIELDING)
    joints = {sequence.rig.names[each.middle]: each.middle for each in limbs}
    for point in sequence.points:
        if point.joint in joints and not point.offset.any():
            place = forward(sequence.rig, values, [joints[point.joint]])[:, 0, :3, 3]
            found.append(PointPath(point, place, weight=weight))
    return found


def with_calm_limbs(
    sequence: PoseSequence, limbs: Sequence[BentLimb], values: Floats, frames: Ints, rate: float
) -> Floats:
    """Poses (T, C) with limbs swivelled at some frames; their ends keep their poses.

    Where joint limits allow it.
    """
    rig, before, found = sequence.rig, sequence.values, values.copy()
    span = slice(max(int(frames[0]) - 3, 0), int(frames[-1]) + 4)
    fixed = np.ones(len(values), bool)
    fixed[frames] = False
    if len(values[span]) < len(THIRD):
        return values
    for limb in limbs:
        old, new = (swivel(rig, each[span], limb) for each in (before, found))
        angle = calm_angles(old, new, fixed[span], CALM * rate)
        found[span] = swivelled(rig, found[span], limb, angle)
    low, high = np.minimum(rig.channels.low, before), np.maximum(rig.channels.high, before)
    return np.clip(found, low, high)


def calm_angles(old: Swivel, new: Swivel, fixed: Bools, width: float) -> Floats:
    """(T,) rad to turn a limb by, so that its swivel has the third differences of the old one.

    None where it is `fixed` (T,); deviations that last longer than `width` frames stay.
    """
    trust = _trust(old) * _trust(new)
    wanted = trust * np.diff(old.steps - new.steps, 2)
    weights = width**6 * np.maximum(trust, SMOOTH)
    matrix = np.diag(np.where(fixed, FIXED * width**6, 1.0))
    right, row = np.zeros(len(fixed)), np.arange(len(weights))
    for at, value in enumerate(THIRD):
        right[row + at] += value * weights * wanted
        for other in range(len(THIRD)):
            matrix[row + at, row + other] += value * THIRD[other] * weights
    return Factor(matrix, np.maximum(np.arange(len(fixed)) - 3, 0)).divide(right)


def _trust(limb: Swivel) -> Floats:
    """(T - 3,) 0 to 1, how far the limb is bent in four frames."""
    share = np.clip((limb.flexion - STRAIGHT) / (BENT - STRAIGHT), 0.0, 1.0)
    found: Floats = np.lib.stride_tricks.sliding_window_view(share, len(THIRD)).min(axis=1)
    return found
