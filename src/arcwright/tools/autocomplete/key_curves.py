"""Key curves: curves with keys at given samples that follow a completion by least squares.

Values at known keys are fixed; those of in-between keys, and the slopes at all keys, are found.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.scene.rig import Rig

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


Fitted: TypeAlias = tuple[Floats, tuple[ChannelKeys, ...]]  # values (T, C), and their keys


def fitted(task: FitTask, added: list[int], broken: Bools) -> Fitted:
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
