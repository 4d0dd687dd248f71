"""Lag paths: for each moment, how much later the same pose and velocity come back.

The lag may change along the motion, so that cycles of uneven tempo are still followed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.cycle.extraction.signal import MotionSignal

Singles: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
Bytes: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.int8]]

SHORTEST, LONGEST = 0.6, 1.6  # lags of a path, in units of its middle lag
STEPS = 41  # lags between these, in equal ratios
STEP_COST = 0.02  # of changing the lag by one of these ratios, in units of a typical difference
DISSIMILAR = 1.5  # differences count at most this much, in units of the mean over shorter lags


@dataclass(frozen=True, eq=False)
class LagDifferences:
    """How much the signal differs from itself some samples later."""

    squared: Singles  # (L + 1, N) squared difference of sample n and n + lag; 0 beyond the end
    mean: Singles  # (L + 1, N) mean over all lags up to this one

    @staticmethod
    def of(signal: MotionSignal, longest: int, later: MotionSignal | None = None) -> LagDifferences:
        """The differences for lags of 0 to `longest` samples, from itself or another signal."""
        features = signal.features.astype(np.float32)
        after = features if later is None else later.features.astype(np.float32)
        count = len(features)
        squared = np.zeros((longest + 1, count), np.float32)
        for lag in range(1, longest + 1):
            step = after[lag:] - features[:-lag]
            np.einsum("nf,nf->n", step, step, out=squared[lag, : count - lag])
        mean = np.cumsum(squared, axis=0)
        mean /= np.maximum(np.arange(longest + 1, dtype=np.float32), 1)[:, None]
        return LagDifferences(squared, mean)

    @property
    def longest(self) -> int:
        """The longest lag, in samples."""
        return len(self.squared) - 1

    def relative(self, lag: Floats) -> Floats:
        """(M,) the difference at samples 0 to M - 1 and these lags, in units of the mean."""
        moment = np.arange(len(lag))
        squared, mean = _between(self.squared, lag, moment), _between(self.mean, lag, moment)
        return np.minimum(squared / np.maximum(mean, 1e-30), DISSIMILAR)


def lag_paths(differences: LagDifferences, middle: Floats) -> list[Floats]:
    """For each middle lag, samples, the path (M,) of lags near it with the least difference."""
    count = differences.squared.shape[1]
    ratio = np.geomspace(SHORTEST, LONGEST, STEPS)
    lags = np.minimum(middle[:, None] * ratio, differences.longest - 1)
    ends = np.maximum(np.floor(count - 1 - middle).astype(np.int64), 1)
    came_from, best = _search(_costs(differences, lags, count), ends)
    return _traced(lags, came_from, best, ends, count)


def _costs(differences: LagDifferences, lags: Floats, count: int) -> Singles:
    """(N, C, W) the cost of each lag at each sample, 1 for a typical difference."""
    index = lags.astype(np.int64)
    share = (lags - index).astype(np.float32)[..., None]
    squared = differences.squared
    costs = (1 - share) * squared[index] + share * squared[index + 1]
    typical = max(float(differences.mean[-1].mean()), 1e-30)
    costs /= typical
    beyond = np.arange(count) + lags[..., None] > count - 1
    costs[beyond] = 2.0
    return np.ascontiguousarray(np.moveaxis(costs, -1, 0))


def _search(costs: Singles, ends: Ints) -> tuple[Bytes, Ints]:
    """Dynamic programming over samples, for all paths at once.

    Returns (N, C, W) int8, the step from the best lag of the sample before, and (C,) the best lag
    at the end of each path.
    """
    count, paths, width = costs.shape
    came_from = np.zeros(costs.shape, np.int8)
    best = np.zeros(paths, np.int64)
    total = np.full((paths, width + 2), np.inf, np.float32)  # one more at each side
    total[:, 1:-1] = costs[0]
    for sample in range(count):
        if sample:
            stay, longer, shorter = total[:, 1:-1], total[:, 2:], total[:, :-2]
            changed = np.minimum(longer, shorter) + np.float32(STEP_COST)
            step = np.where(longer <= shorter, 1, -1)
            came_from[sample] = np.where(stay <= changed, 0, step)
            total[:, 1:-1] = np.minimum(stay, changed) + costs[sample]
        for path in np.flatnonzero(ends == sample):
            best[path] = int(np.argmin(total[path, 1:-1]))
    return came_from, best


def _traced(lags: Floats, came_from: Bytes, best: Ints, ends: Ints, count: int) -> list[Floats]:
    """The lags of each path from its start to where it leaves the signal."""
    all_paths = np.arange(len(lags))
    traced = np.zeros((count, len(lags)))
    at = best.copy()
    for sample in range(int(ends.max()), -1, -1):
        inside = sample <= ends
        at = np.where(sample == ends, best, at)
        traced[sample, inside] = lags[all_paths, at][inside]
        at = np.where(inside, at + came_from[sample, all_paths, at], at)
    found = []
    for path, end in enumerate(ends):
        lag = traced[: end + 1, path]
        inside = np.arange(end + 1) + lag <= count - 1
        found.append(lag[: int(np.flatnonzero(inside)[-1]) + 1] if inside.any() else lag[:0])
    return found


def _between(table: Singles, lag: Floats, moment: Ints) -> Floats:
    index = np.minimum(lag.astype(np.int64), len(table) - 2)
    share = lag - index
    value: Floats = (1 - share) * table[index, moment] + share * table[index + 1, moment]
    return value
