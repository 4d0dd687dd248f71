"""Key splines: values and slopes at keys of many channels, by least squares in space.

Channels may have different keys. What counts is how far joints are off, so errors of channels
that cancel each other do not matter. Segments are cubic: Bezier curves whose handles are a third
of them long. A spline that repeats has one key for its first and last frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.tools.cycle.recording.channel_basis import ChannelBasis, Keys, channel_basis

KeySets: TypeAlias = tuple[Keys, ...]  # of each group of channels

RIDGE = 1e-9  # of the largest diagonal entry
CLAMPS = 3  # rounds of fixing what would leave the limits


@dataclass(frozen=True, eq=False)
class Series:
    """Channels at frames; of what repeats, the last frame is the first one again."""

    values: Floats  # (N + 1, M)
    slopes: Floats  # (N + 1, M) per frame
    low: Floats  # (M,) limits
    high: Floats  # (M,)
    closed: bool
    sign: Floats  # (M,) of what repeats: -1 where values come back with the opposite sign,
    climb: Floats  # (M,) and what is added to them then
    groups: Sequence[Ints]  # channels that have the same keys


@dataclass(frozen=True, eq=False)
class KeySplines:
    """Splines of all channels with given keys, and the system that gave them."""

    keys: KeySets
    made: Floats  # (N + 1, M)
    nodes: list[Floats]  # of each channel (2 K,): value and slope of each key
    normal: Floats  # (U, U) the normal equations
    ends: Ints  # (M + 1,) where the unknowns of channels begin and end

    @property
    def key_count(self) -> int:
        """Of all channels."""
        return sum(len(each) for each in self.nodes) // 2


class SplineFit:
    """Fits splines to a series, nearest in a metric with square roots (N + 1, M, M)."""

    def __init__(self, series: Series, roots: Floats) -> None:
        self.series, self._roots = series, roots
        self._known: dict[tuple[Keys, float], ChannelBasis] = {}
        self._group = np.zeros(len(series.sign), np.int64)
        for group, own in enumerate(series.groups):
            self._group[own] = group

    def basis(self, keys: KeySets, channel: int) -> ChannelBasis:
        """How a channel depends on its unknowns."""
        own, sign = keys[self._group[channel]], float(self.series.sign[channel])
        if (own, sign) not in self._known:
            frames = len(self.series.values)
            self._known[own, sign] = channel_basis(own, frames, self.series.closed, sign)
        return self._known[own, sign]

    def solve(self, keys: KeySets, weight: Floats) -> KeySplines:
        """The splines with these keys; frames count by their weight (N + 1,)."""
        series = self.series
        bases = [self.basis(keys, channel) for channel in range(len(series.sign))]
        ends = np.cumsum([0, *(each.rows.shape[1] for each in bases)])
        offset = np.stack([each.climbing for each in bases], axis=1) * series.climb
        roots = np.sqrt(weight)[:, None, None] * self._roots
        parts = [roots[:, :, c, None] * each.rows[:, None] for c, each in enumerate(bases)]
        matrix = np.concatenate(parts, axis=2).reshape(-1, ends[-1])  # ((N + 1) M, U)
        sought = np.einsum("tmc,tc->tm", roots, series.values - offset).ravel()
        normal, right = matrix.T @ matrix, matrix.T @ sought
        normal[np.diag_indices_from(normal)] += RIDGE * normal.diagonal().max()
        found, free = np.linalg.solve(normal, right), np.ones(len(right), bool)
        for _ in range(CLAMPS):
            if not self._hold(found, free, bases, ends):
                break
            fixed = normal[np.ix_(free, ~free)] @ found[~free]
            found[free] = np.linalg.solve(normal[np.ix_(free, free)], right[free] - fixed)
        own = [found[start:end] for start, end in pairwise(ends.tolist())]
        rows = [each.rows @ x for each, x in zip(bases, own, strict=True)]
        nodes = [
            each.nodes_of(x, climb)
            for each, x, climb in zip(bases, own, series.climb.tolist(), strict=True)
        ]
        return KeySplines(keys, offset + np.stack(rows, axis=1), nodes, normal, ends)

    def _hold(self, found: Floats, free: Bools, bases: list[ChannelBasis], ends: Ints) -> bool:
        """Put unknowns that leave limits onto them; they are no longer free. False if none do."""
        series, any_held = self.series, False
        for c, each in enumerate(bases):
            if not (np.isfinite(series.low[c]) or np.isfinite(series.high[c])):
                continue
            part = slice(ends[c], ends[c + 1])
            nodes = each.nodes_of(found[part], series.climb[c])
            own = each.within(nodes, series.low[c], series.high[c])[: ends[c + 1] - ends[c]]
            held = np.abs(own - nodes[: len(own)]) > 1e-9
            if held.any():
                found[part] = np.where(held, own, found[part])
                free[part] &= ~held
                any_held = True
        return any_held

    def removal_costs(self, splines: KeySplines) -> list[tuple[float, int, Keys]]:
        """By how much the error grows without a key of a group: cost, group, the keys left."""
        found, inverse = [], np.asarray(np.linalg.inv(splines.normal), np.float64)
        for group in range(len(splines.keys)):
            own = self.series.groups[group].tolist()
            bases = [self.basis(splines.keys, c) for c in own]
            for left, condition in bases[0].removals:
                if len(left) == 1 and (self.series.climb[own].any() or bases[0].sign < 0):
                    continue
                found.append((self._cost(splines, inverse, own, bases, condition), group, left))
        return sorted(found)

    def _cost(
        self,
        splines: KeySplines,
        inverse: Floats,
        own: list[int],
        bases: list[ChannelBasis],
        condition: Floats,
    ) -> float:
        """The least growth of the error with which `condition` @ nodes is 0 for some channels."""
        count = len(condition)
        rows = np.zeros((count * len(own), splines.ends[-1]))
        broken = np.empty(count * len(own))
        for index, (c, each) in enumerate(zip(own, bases, strict=True)):
            part = slice(index * count, (index + 1) * count)
            rows[part, splines.ends[c] : splines.ends[c + 1]] = condition @ each.nodes
            broken[part] = condition @ splines.nodes[c]
        used = slice(splines.ends[own[0]], splines.ends[own[-1] + 1])
        spread = rows[:, used] @ inverse[used, used] @ rows[:, used].T
        spread[np.diag_indices_from(spread)] += 1e-12 * spread.diagonal().max()
        return float(broken @ np.linalg.solve(spread, broken))
