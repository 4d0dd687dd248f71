"""Key removal: choose key times of a motion, the same for all channels.

Keys are removed one by one, the cheapest first. A removal refits the spline around it and may
shift the keys beside it. So every number of keys has its set of moments and its deviation, and
the keys for any tolerance are a look-up.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from arcwright.arrays import Floats, Ints
from arcwright.curves.keyed_spline import Spline
from arcwright.curves.spline_part import Refit, Target

Singles: TypeAlias = NDArray[np.float32]  # precise enough to continue from

ROUNDS = 3  # of weighting a refit
SHIFTS = (-2, -1, 1, 2)  # by which a key beside a removed one may move, in first key distances
SPARSE = 4  # keys at first for one that is left, from where on keys are shifted
GAIN = 0.98  # of the deviation, below which a shift is worth while
FINEST = 0.001  # of the body's size: where keys at first are farther off, there are more
COARSEST = 0.03  # of the body's size: removal ends at this deviation


@dataclass(frozen=True, eq=False)
class Step:
    """A key removed, or moved to another time, and the refitted part of the spline."""

    removed: int
    added: int | None
    keys: Ints  # (K,) moments
    nodes: Singles  # (K, 3, M)


@dataclass(frozen=True, eq=False)
class Removals:
    """Keys removed one by one: stage i has i keys fewer than the first."""

    first: Ints  # (K,) the moments that are keys at first
    nodes: Floats  # (T, 3, M) at first
    deviation: Floats  # (S,) of each stage
    steps: tuple[tuple[Step, ...], ...]  # (S - 1,) to each stage but the first

    def within(self, tolerance: float) -> int:
        """The last stage whose deviation is at most `tolerance`, or the first."""
        return int(np.append(0, np.flatnonzero(self.deviation <= tolerance))[-1])

    def at(self, stage: int) -> tuple[Ints, Floats]:
        """The moments (K,) that are keys at a stage, and their nodes (K, 3, M)."""
        is_key, nodes = np.full(len(self.nodes), False), self.nodes.copy()
        is_key[self.first] = True
        for step in (each for steps in self.steps[:stage] for each in steps):
            is_key[step.removed] = False
            if step.added is not None:
                is_key[step.added] = True
            nodes[step.keys] = step.nodes
        keys = np.flatnonzero(is_key)
        return keys, nodes[keys]


def remove_keys(
    target: Target, keys: Ints, progress: Callable[[float], None] | None = None
) -> Removals:
    """Remove keys until the first and last are left, or the deviation exceeds `COARSEST`."""
    keys = _refined(target, keys)
    search = _Search(target, keys)
    first = search.spline.nodes.copy()
    deviation, steps = [float(search.spline.deviation.max())], []
    while deviation[-1] <= COARSEST * target.aim.size and search.remove_one():
        deviation.append(float(search.spline.deviation.max()))
        steps.append(tuple(search.steps))
        if progress is not None:
            progress(len(steps) / len(keys))
    return Removals(keys, first, np.array(deviation), tuple(steps))


def _refined(target: Target, keys: Ints) -> Ints:
    """Keys, and all moments around which the motion is too sudden for them."""
    sudden = Spline(target, keys).deviation > FINEST * target.aim.size
    near = np.flatnonzero(sudden)
    return np.union1d(keys, np.concatenate([near - 1, near, near + 1]).clip(0, len(sudden) - 1))


class _Search:
    """A spline that loses its keys, and what removing each of them would cost."""

    def __init__(self, target: Target, keys: Ints) -> None:
        count = len(target.time)
        self.target, self.count, self.sparse = target, len(keys), len(keys) / SPARSE
        self.step = max(1, round(len(target.time) / len(keys)))  # moments from key to key
        self.spline = Spline(target, keys)
        self.version = np.zeros(count, np.int64)  # of the spline around each key
        self.tried: dict[int, tuple[int, Refit]] = {}  # version and spline without a key
        self.queue = [(0.0, at) for at in keys[1:-1].tolist() if target.cost[at] < np.inf]
        self.steps: list[Step] = []  # of the last removal

    def remove_one(self) -> bool:
        """Remove the key that costs least; costs mostly grow, so only that one is re-evaluated."""
        while self.queue:
            _, at = heapq.heappop(self.queue)
            if not self.spline.is_key[at]:
                continue
            version = int(self.version[at])
            known, refit = self.tried.get(at, (-1, None))
            if refit is None or known != version:
                keys = self.spline.around(at)
                refit = self.spline.refit(keys[keys != at], ROUNDS)
                cost = refit.worst * float(self.target.cost[at])
                if self.queue and cost > self.queue[0][0]:
                    self.tried[at] = version, refit
                    heapq.heappush(self.queue, (cost, at))
                    continue
            self._remove(at, refit)
            return True
        return False

    def _remove(self, at: int, refit: Refit) -> None:
        left, right = int(self.spline.before[at]), int(self.spline.after[at])
        self.tried.pop(at, None)
        self.count -= 1
        self._accept(refit)
        self.steps = [Step(at, None, refit.keys, refit.nodes.astype(np.float32))]
        if self.count <= self.sparse:
            self._shift(left)
            self._shift(right)

    def _accept(self, refit: Refit) -> None:
        self.spline.accept(refit)
        self.version[refit.keys] += 1

    def _shift(self, at: int) -> None:
        """Move an ordinary key to where the deviation around it is smaller, if it is anywhere."""
        spline = self.spline
        if not spline.may_slide[at]:
            return
        keys, left, right = spline.around(at), int(spline.before[at]), int(spline.after[at])
        best, least = None, float(spline.deviation[keys[0] : keys[-1] + 1].max()) * GAIN
        step = self.step
        for to in (at + by * step for by in SHIFTS if left < at + by * step < right):
            refit = spline.refit(np.where(keys == at, to, keys), ROUNDS)
            if refit.worst < least:
                best, least = (to, refit), refit.worst * GAIN
        if best is None:
            return
        to, refit = best
        self.tried.pop(at, None)
        self._accept(refit)
        self.steps.append(Step(at, to, refit.keys, refit.nodes.astype(np.float32)))
        heapq.heappush(self.queue, (refit.worst, to))
