"""Key fit: few in-between keys, so that curves follow a completion within a tolerance.

Values at known keys are fixed. In-between keys are added where joints are farthest off; their
values, and the slopes at all keys, are those of least squares.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.lever_arms import units_per_metre
from arcwright.scene.rig import Rig

MOST_PER_SECOND = 8.0  # in-between keys
ROUNDS = 12  # of adding keys
BENDS = 0.25  # m/s, for a body of 1 m: slopes that differ by more at a key are two
RIDGE = 1e-6  # weight of slopes as sampled beside values: keys on neighbouring frames need it


@dataclass(frozen=True, eq=False)
class FitTask:
    """A completion, and the keys that its curves must pass."""

    rig: Rig
    times: Floats  # (T,) s
    values: Floats  # (T, C)
    rows: Ints  # (K,) samples at which there are keys
    known: Bools  # (K, C)
    fixed: Floats  # (K, C) values there
    tolerance: float  # m
    strict: Floats  # (T, J) weight of each joint's deviation
    frames: Bools  # (T,) samples that may become keys
    loops: bool = False  # whether the first key follows the last one: both have one slope


@dataclass(frozen=True, eq=False)
class ChannelKeys:
    """The keys of one channel."""

    rows: Ints  # (N,) samples
    values: Floats  # (N,)
    slopes: Floats  # (N, 2) 1/s, into and out of each key


@dataclass(frozen=True, eq=False)
class KeyFit:
    """Curves through all keys, and how far joints are off at the samples."""

    channels: tuple[ChannelKeys, ...]
    added: Ints  # (G,) samples of in-between keys
    error: float  # m


Fitted: TypeAlias = tuple[Floats, tuple[ChannelKeys, ...]]  # values (T, C), and their keys


def fit_keys(task: FitTask) -> KeyFit:
    """The fewest in-between keys that this search finds."""
    aim = Deviation.of(task.rig, task.values)
    weighted = Deviation(
        aim.rig, aim.values, aim.world, aim.surface_offset, aim.surface, aim.size, task.strict
    )
    broken = _broken(task, units_per_metre(task.rig, aim), aim.size)
    length = float(task.times[-1] - task.times[0])
    most = int(MOST_PER_SECOND * length)
    best, added = _with_more(task, [], broken, weighted, most)
    if len({*task.rows.tolist(), *added}) > MOST_PER_SECOND * length:
        best, added = _with_fewer(task, added, broken, weighted)
        best, added = _with_more(task, added, broken, weighted, most)
    return KeyFit(best[1], np.array(added, np.int64), float(aim.largest(best[0]).max()))


def _with_more(
    task: FitTask, added: list[int], broken: Bools, aim: Deviation, most: int
) -> tuple[Fitted, list[int]]:
    """In-between keys added where joints are farthest off, until all are within tolerance."""
    best = _fitted(task, added, broken)
    for _ in range(ROUNDS):
        new = _worst(task, added, aim.largest(best[0]))[: most - len(added)]
        if not new:
            break
        added = sorted([*added, *new])
        best = _fitted(task, added, broken)
    return best, added


def _with_fewer(
    task: FitTask, added: list[int], broken: Bools, aim: Deviation
) -> tuple[Fitted, list[int]]:
    """Without in-between keys that later ones have made needless."""
    best = _fitted(task, added, broken)
    most = max(task.tolerance, float(aim.largest(best[0]).max()))
    for row in list(added):
        fewer = [each for each in added if each != row]
        trial = _fitted(task, fewer, broken)
        if aim.largest(trial[0]).max() <= most:
            best, added = trial, fewer
    return best, added


def _broken(task: FitTask, units: Floats, size: float) -> Bools:
    """(K,) keys at which the motion has two slopes: impacts, where something lands or leaves."""
    found, last = np.zeros(len(task.rows), bool), len(task.times) - 1
    for key, row in enumerate(task.rows.tolist()):
        if 2 <= row <= last - 2:
            before = _side_slope(task, row, -1)
            after = _side_slope(task, row, 1)
            beside = (_side_slope(task, row - 1, -1, 1), _side_slope(task, row + 1, 1, 1))
            jump = abs(after - before) - abs(beside[0] - before) - abs(after - beside[1])
            found[key] = bool((jump / units > BENDS * size).any())
    return found


def _side_slope(task: FitTask, row: int, way: int, steps: int = 1) -> Floats:
    """(C,) slope at a sample, from those on one side."""
    end = int(np.clip(row + way * steps, 0, len(task.times) - 1))
    if end == row:
        return np.zeros(task.values.shape[1])
    run = task.times[end] - task.times[row]
    slope: Floats = (task.values[end] - task.values[row]) / run
    return slope


def _worst(task: FitTask, added: list[int], off: Floats) -> list[int]:
    """The frames nearest to where joints are farthest off, one in each gap out of tolerance.

    A key that only some channels know may become one of the others, too.
    """
    partial = set(task.rows[~task.known.all(axis=1)].tolist()) - set(added)
    ends = sorted({*task.rows.tolist(), *added})
    found: dict[int, float] = {}
    for first, last in pairwise(ends):
        around = off[first : last + 1]
        inside = np.flatnonzero(task.frames[first + 1 : last]) + first + 1
        choices = np.array([*inside, *({first, last} & partial)], np.int64)
        if len(choices) and around.max() > task.tolerance:
            nearest = int(choices[abs(choices - first - around.argmax()).argmin()])
            found[nearest] = max(float(around.max()), found.get(nearest, 0.0))
    return sorted(found, key=lambda row: -found[row])


def _fitted(task: FitTask, added: list[int], broken: Bools) -> Fitted:
    """Values (T, C) of curves with these in-between keys, and their keys."""
    values = np.array(task.values)
    found: list[ChannelKeys | None] = [None] * values.shape[1]
    patterns, pattern = np.unique(task.known, axis=1, return_inverse=True)
    for index in range(patterns.shape[1]):
        channels, own = np.flatnonzero(pattern.reshape(-1) == index), patterns[:, index]
        more = np.setdiff1d(np.array(added, np.int64), task.rows[own])
        rows = np.concatenate([task.rows[own], more])
        order = np.argsort(rows)
        known = (np.arange(len(rows)) < own.sum())[order]
        two = np.isin(rows, task.rows[broken])[order]
        given = np.concatenate([task.fixed[own][:, channels], task.values[more][:, channels]])
        made, nodes, slopes = _least_squares(task, rows[order], known, two, given[order], channels)
        values[:, channels] = made
        for at, channel in enumerate(channels.tolist()):
            found[channel] = ChannelKeys(rows[order], nodes[:, at], slopes[:, :, at])
    return values, tuple(each for each in found if each is not None)


def _least_squares(
    task: FitTask, rows: Ints, known: Bools, two: Bools, given: Floats, channels: Ints
) -> tuple[Floats, Floats, Floats]:
    """Values (T, M) of curves, values (N, M) and slopes (N, 2, M) at their keys."""
    times, target = task.times, task.values[:, channels]
    at, count = times[rows], len(rows)
    segment = np.clip(np.searchsorted(at, times, side="right") - 1, 0, count - 2)
    run = np.diff(at)[segment]
    u = np.clip((times - at[segment]) / run, 0.0, 1.0)
    basis = np.zeros((len(times), 3, count))  # of values, of slopes out of keys, and into keys
    moment = np.arange(len(times))
    basis[moment, 0, segment] = (1 + 2 * u) * (1 - u) ** 2
    basis[moment, 0, segment + 1] = u * u * (3 - 2 * u)
    basis[moment, 1, segment] = u * (1 - u) ** 2 * run
    basis[moment, 2, segment + 1] = -u * u * (1 - u) * run
    free, split = np.flatnonzero(~known), np.flatnonzero(two)
    slopes = basis[:, 1] + np.where(two, 0.0, basis[:, 2])  # one slope where keys are smooth
    columns = np.concatenate([basis[:, 0, free], slopes, basis[:, 2][:, split]], axis=1)
    start = np.concatenate([given[free], *_sampled_slopes(task, rows, two, split, channels)])
    left = target - basis[:, 0][:, known] @ given[known]
    solved = _solved(
        columns, left, start, (len(free), len(free) + count - 1) if task.loops else None
    )
    nodes = np.array(given)
    nodes[free] = solved[: len(free)]
    out = solved[len(free) : len(free) + count]
    into = np.array(out)
    into[split] = solved[len(free) + count :]
    made = basis[:, 0] @ nodes + basis[:, 1] @ out + basis[:, 2] @ into
    return made, nodes, np.stack([into, out], axis=1)


def _solved(columns: Floats, target: Floats, start: Floats, tied: tuple[int, int] | None) -> Floats:
    """Least squares near a start, with two unknowns made one where they are tied."""
    if tied is not None:
        first, last = tied
        columns = np.array(columns)
        columns[:, first] += columns[:, last]
        columns[:, last] = 0.0
        start = np.array(start)
        start[first] = (start[first] + start[last]) / 2
    square = columns.T @ columns
    ridge = RIDGE * np.maximum(np.diag(square), square.diagonal().max() * 1e-6)
    right = columns.T @ (target - columns @ start)
    solved = start + np.linalg.solve(square + np.diag(ridge), right)
    if tied is not None:
        solved[last] = solved[first]
    return np.asarray(solved)


def _sampled_slopes(
    task: FitTask, rows: Ints, two: Bools, split: Ints, channels: Ints
) -> tuple[Floats, Floats]:
    """Slopes out of keys, of both sides where they are smooth, and into those that are not."""
    last = len(task.times) - 1
    low, high = np.where(two, rows, np.maximum(rows - 1, 0)), np.minimum(rows + 1, last)
    low = np.where(low == high, low - 1, low)
    values, times = task.values[:, channels], task.times
    out = (values[high] - values[low]) / (times[high] - times[low])[:, None]
    end = rows[split]
    start = np.maximum(end - 1, 0)
    into = (values[end] - values[start]) / np.maximum(times[end] - times[start], 1e-12)[:, None]
    return out, into
