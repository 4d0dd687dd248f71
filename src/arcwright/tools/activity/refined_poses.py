"""Refined poses: limbs that turn only as far as they can, and move without jerks.

Where a hand cannot be both where it should be and turned as it should be, its place counts. Then
displacements of joints are smoothed in time and led back to their targets, so that elbows and
knees swing as calmly as they did.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.displacement_layer import displacement
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layering import displaced
from arcwright.objectives.pose_sequence import (
    FINE,
    NEAR,
    PointPath,
    PoseSequence,
    SolvedPoses,
    Waypoints,
)
from arcwright.objectives.smooth_sequence import smoothed

MISSED = 2e-4  # m from its target, beyond which the orientation of a point gives way
AT_LIMIT = 1e-6  # rad
GIVES = (5.0, 7.0)  # powers of ten by which it counts less then, and where that is too much still
JUMP = 1.2  # of the body's size in a second, that a joint is faster than before
GIVES_OVER = 0.4  # s before and after such frames, over which it counts less and less
FADES = 0.3  # s beside frames that change, in which other joints than those of targets may move
WIDTHS = (0.3, 0.2, 0.12, 0.06)  # s, of the Gaussians in turn


def solve_places_first(
    sequence: PoseSequence,
    paths: Sequence[PointPath],
    others: Sequence[PointPath],
    frames: Ints,
    start: Floats,
    rate: float,
    *,
    waypoints: Waypoints = FINE,
) -> tuple[SolvedPoses, list[PointPath]]:
    """Poses of some frames, and all paths; orientations of the first gave way to places.

    They give way a little where joints come to their limits, and more where that is not enough.
    """
    solved, now = sequence.solve([*paths, *others], frames, start, waypoints=waypoints), list(paths)
    if all(path.orientation is None for path in paths):
        return solved, [*paths, *others]
    powers = np.zeros(len(start))
    for gives in GIVES:
        strained = _missed(sequence, paths, solved, frames)
        if gives == GIVES[0]:
            strained |= _at_limits(sequence, paths, solved, frames)
        jumps = _jumps(sequence, solved, frames, start, rate)
        if not (strained | jumps).any():
            break
        more = gives * _nearby(strained | jumps, frames, GIVES_OVER * rate)
        if jumps.any():  # all orientations that gave way give way more
            more = np.maximum(more, powers / max(powers.max(), 1e-9) * gives)
        again, powers = frames[(more > powers)[frames]], np.maximum(more, powers)
        loose = 10.0**-powers
        now = [
            each if each.orientation is None else replace(each, firmness=loose) for each in paths
        ]
        better = sequence.solve([*now, *others], again, start, waypoints=waypoints)
        solved = _merged(solved, better, again)
    return solved, [*now, *others]


def _jumps(
    sequence: PoseSequence, solved: SolvedPoses, frames: Ints, start: Floats, rate: float
) -> Bools:
    """(T,) frames beside which a joint goes much farther in a frame than it did."""
    found = np.zeros(len(start), bool)
    if len(frames) < 2 or (np.diff(frames) > 1).mean() > 0.5:  # a preview: frames are far apart
        return found
    places = (forward(sequence.rig, each[frames])[..., :3, 3] for each in (solved.values, start))
    moved = np.subtract(*places)
    steps = np.linalg.norm(np.diff(moved, axis=0), axis=-1).max(axis=1)
    jumps = (steps * rate > JUMP * sequence.size) & (np.diff(frames) == 1)
    found[frames[:-1][jumps]] = found[frames[1:][jumps]] = True
    return found


def _missed(
    sequence: PoseSequence, paths: Sequence[PointPath], solved: SolvedPoses, frames: Ints
) -> Bools:
    """(T,) frames in which a point is not where it should be."""
    found = np.zeros(len(sequence.times), bool)
    for path in paths:
        if path.position is not None:
            away = path.position - solved.position[:, sequence.index(path.point)]
            found[frames] |= np.any(np.abs(away[frames]) > MISSED, axis=1)
    return found


def _at_limits(
    sequence: PoseSequence, paths: Sequence[PointPath], solved: SolvedPoses, frames: Ints
) -> Bools:
    """(T,) frames in which a joint that is turned as a path asks has come to one of its limits."""
    rig, table = sequence.rig, sequence.rig.channels
    joints = [rig.joint(path.point.joint) for path in paths if path.orientation is not None]
    own = np.intersect1d(np.flatnonzero(np.isin(table.joint, joints)), sequence.channels)
    after, before = solved.values[:, own], sequence.values[:, own]
    low = (after < table.low[own] + AT_LIMIT) & (after < before - AT_LIMIT)
    high = (after > table.high[own] - AT_LIMIT) & (after > before + AT_LIMIT)
    found = np.zeros(len(after), bool)
    found[frames] = np.any(low | high, axis=1)[frames]
    return found


def _nearby(flags: Bools, frames: Ints, width: float) -> Floats:
    """(T,) 1 at flagged frames and up to the next of `frames`, less and less around them."""
    known = np.interp(np.arange(len(flags)), frames, flags[frames].astype(float)) > 0
    away = np.abs(np.arange(len(flags))[:, None] - np.flatnonzero(known)).min(axis=1)
    share = np.clip(1 - away / max(width, 1.0), 0.0, 1.0)
    eased: Floats = share**2 * (3 - 2 * share)
    return eased


def _merged(first: SolvedPoses, second: SolvedPoses, frames: Ints) -> SolvedPoses:
    """The first poses with some frames of the second ones."""
    found = [each.copy() for each in (first.values, first.position, first.remaining)]
    for into, source in zip(found, (second.values, second.position, second.remaining), strict=True):
        into[frames] = source[frames]
    return SolvedPoses(*found)


def smooth_in_time(
    sequence: PoseSequence,
    paths: Sequence[PointPath],
    frames: Ints,
    base: Floats,
    solved: SolvedPoses,
    rate: float,
) -> SolvedPoses:
    """Poses with displacements from `base` (T, C) that are smooth in time, and the same targets."""
    rig = sequence.rig
    others = np.setdiff1d(np.arange(len(base)), frames)
    low, high = np.minimum(rig.channels.low, base), np.maximum(rig.channels.high, base)
    for width in WIDTHS:
        moved = displacement(rig, base, solved.values)
        if moved.none:
            return solved
        turn = smoothed(moved.turn.reshape(len(base), -1), width * rate, closed=False)
        add = smoothed(moved.add, width * rate, closed=False)
        rotations = moved.joints, turn.reshape(moved.turn.shape)
        start = np.clip(displaced(rig, rotations, (moved.channels, add), base), low, high)
        start[others] = solved.values[others]
        solved = sequence.solve(paths, frames, start, waypoints=NEAR)
    return solved


def with_neighbours(changed: Bools, rate: float) -> Bools:
    """(T,) frames in which displacements may fade out, beside those that change."""
    width = round(FADES * rate)
    padded = np.pad(changed, width)
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1)
    return np.asarray(np.any(windows, axis=1))
