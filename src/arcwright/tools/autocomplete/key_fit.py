"""Key fit: few in-between keys, so that curves follow a completion within a tolerance.

In-between keys are added where joints are farthest off; channels that can do without them get
none, or fewer.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.lever_arms import units_per_metre
from arcwright.tools.autocomplete.key_curves import ChannelKeys, FitTask, Fitted, fitted
from arcwright.tools.autocomplete.key_thinning import thinned

MOST_PER_SECOND = 8.0  # in-between keys
FEWEST_PER_SECOND = 6.0  # of those, where the user's own keys are dense
SPARSE_PER_SECOND = 4.0  # of the user's own, up to which they are not
ROUNDS = 12  # of adding keys
BENDS = 0.25  # m/s, for a body of 1 m: slopes that differ by more at a key are two


@dataclass(frozen=True, eq=False)
class KeyFit:
    """Curves through all keys, and how far joints are off at the samples."""

    channels: tuple[ChannelKeys, ...]
    added: Ints  # (G,) samples of in-between keys
    error: float  # m


def fit_keys(task: FitTask) -> KeyFit:
    """The fewest in-between keys that this search finds."""
    aim = Deviation.of(task.rig, task.values)
    weighted = Deviation(
        aim.rig, aim.values, aim.world, aim.surface_offset, aim.surface, aim.size, task.strict
    )
    units = units_per_metre(task.rig, aim)
    broken = _broken(task, units, aim.size)
    length = float(task.times[-1] - task.times[0])
    dense = max(len(task.rows) / length - SPARSE_PER_SECOND, 0.0)
    most = int(max(MOST_PER_SECOND - dense, FEWEST_PER_SECOND) * length)
    best, added = _with_more(task, [], broken, weighted, most)
    if len({*task.rows.tolist(), *added}) > MOST_PER_SECOND * length:
        best, added = _with_fewer(task, added, broken, weighted)
        best, added = _with_more(task, added, broken, weighted, most)
    best = thinned(task, added, broken, weighted, units)
    return KeyFit(best[1], np.array(added, np.int64), float(aim.largest(best[0]).max()))


def _with_more(
    task: FitTask, added: list[int], broken: Bools, aim: Deviation, most: int
) -> tuple[Fitted, list[int]]:
    """In-between keys added where joints are farthest off, until all are within tolerance."""
    best = fitted(task, added, broken)
    for _ in range(ROUNDS):
        new = _worst(task, added, aim.largest(best[0]))[: most - len(added)]
        if not new:
            break
        added = sorted([*added, *new])
        best = fitted(task, added, broken)
    return best, added


def _with_fewer(
    task: FitTask, added: list[int], broken: Bools, aim: Deviation
) -> tuple[Fitted, list[int]]:
    """Without in-between keys that later ones have made needless."""
    best = fitted(task, added, broken)
    most = max(task.tolerance, float(aim.largest(best[0]).max()))
    for row in list(added):
        fewer = [each for each in added if each != row]
        trial = fitted(task, fewer, broken)
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
