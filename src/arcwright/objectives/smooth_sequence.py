"""Smooth sequences: poses of a path that is partly out of reach, or that bends limbs suddenly.

Near the end of their reach limbs stretch ever faster, and beyond it the nearest pose jumps. So a
point that would go there stops softly before it. Where poses still jump, as of a neck that buckles
to the other side, they are smoothed in time and led back to the path, several times.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.objectives.pose_sequence import OUT_OF_REACH, PointPath, PoseSequence, SolvedPoses
from arcwright.scene.rig import Rig

INSIDE = 0.01  # of the body's size: how far inside its reach a point stays that would leave it
EASED = 0.025  # of a cycle: how early a point on its way there slows down
JUMPS = 2.0  # largest step of a joint, in medians of its next ten: poses with more are smoothed
MOVES = 0.002  # of the body's size: steps of joints that count for that
WIDTHS = (0.15, 0.15, 0.125, 0.125, 0.1, 0.1, 0.075, 0.075, 0.05, 0.05, 0.025, 0.025)  # of a cycle


def solve_smoothly(
    sequence: PoseSequence, path: PointPath, cycle: int, closed: bool
) -> SolvedPoses:
    """Poses in which a point is on its path, or as near as a smooth motion can be.

    A cycle has so many frames; `closed` says that the last frame is followed by the first.
    """
    wanted = path.position
    assert wanted is not None
    solved = sequence.solve([path])
    missed = np.linalg.norm(solved.position[:, 0] - wanted, axis=1) > OUT_OF_REACH
    if missed.any():
        path = within_reach(sequence, path, solved.position[:, 0], cycle, closed)
        solved = sequence.solve([path])
    jump = largest_jump(sequence, solved.values, closed)
    for width in WIDTHS if jump > JUMPS else ():
        moved = smoothed(solved.values - sequence.values, width * cycle, closed)
        solved = sequence.solve([path], start=sequence.values + moved)
    away = np.linalg.norm(solved.position[:, 0] - wanted, axis=1)
    return replace(solved, remaining=np.maximum(solved.remaining, away[:, None]))


def within_reach(
    sequence: PoseSequence, path: PointPath, nearest: Floats, cycle: int, closed: bool
) -> PointPath:
    """The path, where it is out of reach, from the nearest places (T, 3) a little farther inside.

    What remains to the nearest place is straight out of the reach. Where there is more of it, the
    point keeps a larger distance from its end, so that frames in reach stay as they are.
    """
    assert path.position is not None
    back = nearest - path.position
    remains = np.linalg.norm(back, axis=1)
    inside = INSIDE * sequence.size
    farther = remains + inside * (1 - np.exp(-remains / inside))
    inward = back / np.maximum(remains, 1e-12)[:, None]
    pull = np.where(remains > OUT_OF_REACH, farther, 0.0)[:, None] * inward
    return replace(path, position=path.position + smoothed(pull, EASED * cycle, closed))


def largest_jump(sequence: PoseSequence, values: Floats, closed: bool) -> float:
    """The largest step of a joint between frames, in medians of its ten largest others.

    Steps are those of what the poses change; joints that hardly move do not count.
    """
    moved = _places(sequence.rig, values) - _places(sequence.rig, sequence.values)
    steps = np.linalg.norm(np.diff(moved, axis=0, append=moved[: int(closed)]), axis=-1)
    if len(steps) < 3:
        return 0.0
    ranked = np.sort(steps, axis=0)[::-1]
    usual = np.median(ranked[1:11], axis=0)
    counts = ranked[0] > MOVES * sequence.size
    return float((ranked[0] / np.maximum(usual, 1e-9))[counts].max(initial=0.0))


def _places(rig: Rig, values: Floats) -> Floats:
    places: Floats = forward(rig, values)[..., :3, 3]
    return places


def smoothed(values: Floats, width: float, closed: bool) -> Floats:
    """Values (T, C) averaged over time by a Gaussian of so many frames; open ends stay."""
    far = min(int(np.ceil(3 * width)), len(values) - 1)
    weight = np.exp(-0.5 * (np.arange(-far, far + 1) / max(width, 1e-9)) ** 2)
    beyond = (far, far), (0, 0)
    if closed:
        padded = np.pad(values, beyond, mode="wrap")
    else:
        padded = np.pad(values, beyond, mode="reflect", reflect_type="odd")
    near = sliding_window_view(padded, 2 * far + 1, axis=0)
    return np.asarray(near @ (weight / weight.sum()))
