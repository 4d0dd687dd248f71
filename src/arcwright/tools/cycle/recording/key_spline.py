"""Key splines: values and slopes at keys of many channels, by least squares in space.

Channels may have different keys. What counts is how far joints are off, so errors of channels
that cancel each other do not matter. Segments are cubic: Bezier curves whose handles are a third
of them long. A spline that repeats has one key for its first and last frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.tools.cycle.recording.channel_basis import ChannelBasis, Keys, channel_basis

KeySets: TypeAlias = tuple[Keys, ...]  # of each group of channels

SLOPES = 0.05  # weight of slopes at keys beside that of values: between keys on neighbouring frames
# nothing else says how the curve goes
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

    def comes_back_otherwise(self, channels: Ints) -> bool:
        """Whether some of these channels climb or change their sign: then they cannot stay."""
        return bool(self.climb[channels].any() or (self.sign[channels] < 0).any())


@dataclass(frozen=True, eq=False)
class KeySplines:
    """Splines of all channels with given keys."""

    keys: KeySets
    made: Floats  # (N + 1, M)
    nodes: list[Floats]  # of each channel (2 K,): value and slope of each key

    @property
    def key_count(self) -> int:
        """Of all channels."""
        return sum(len(each) for each in self.nodes) // 2


@dataclass(frozen=True, eq=False)
class Solved:
    """Splines of which some channels were solved together, and the normal equations of these."""

    splines: KeySplines
    channels: list[int]
    ends: Ints  # (n + 1,) where the unknowns of these channels begin and end
    normal: Floats  # (U, U)


class SplineFit:
    """Fits splines to a series, nearest in a metric (N + 1, M, M) of each frame, made at need."""

    def __init__(self, series: Series, metric: Callable[[], Floats]) -> None:
        self.series, self._make_metric = series, metric
        self._roots: dict[tuple[int, ...], Floats] = {}
        self._known: dict[tuple[Keys, float], ChannelBasis] = {}
        self._group = np.zeros(len(series.sign), np.int64)
        for group, own in enumerate(series.groups):
            self._group[own] = group

    @cached_property
    def _metric(self) -> Floats:
        return self._make_metric()

    def basis(self, keys: KeySets, channel: int) -> ChannelBasis:
        """How a channel depends on its unknowns."""
        own, sign = keys[self._group[channel]], float(self.series.sign[channel])
        if (own, sign) not in self._known:
            frames = len(self.series.values)
            self._known[own, sign] = channel_basis(own, frames, self.series.closed, sign)
        return self._known[own, sign]

    def apart(self, keys: KeySets, weight: Floats) -> KeySplines:
        """The splines with these keys, each channel nearest to its own values.

        Frames count by their weight (N + 1,). Channels with the same keys err alike, so that errors
        of joints below each other cancel.
        """
        series, made, nodes = self.series, np.empty_like(self.series.values), list[Floats]()
        root = np.sqrt(weight)[:, None]
        for c, climb in enumerate(series.climb.tolist()):
            basis = self.basis(keys, c)
            rows, offset = root * basis.rows, climb * basis.climbing
            right = rows.T @ (root[:, 0] * (series.values[:, c] - offset))
            normal = rows.T @ rows
            self._hold_slopes(normal, right, c, basis, weight)
            found = self._limited(normal, right, [c], [basis], np.array([0, rows.shape[1]]))
            made[:, c] = basis.rows @ found + offset
            nodes.append(basis.nodes_of(found, climb))
        return KeySplines(keys, made, nodes)

    def together(
        self, keys: KeySets, weight: Floats, channels: list[int], others: KeySplines
    ) -> Solved:
        """Splines of some channels with these keys, nearest in space; others are as they are."""
        series, bases = self.series, [self.basis(keys, c) for c in channels]
        ends = np.cumsum([0, *(each.rows.shape[1] for each in bases)])
        roots = np.sqrt(weight)[:, None, None] * self._root(channels)
        parts = [roots[:, :, i, None] * each.rows[:, None] for i, each in enumerate(bases)]
        matrix = np.concatenate(parts, axis=2).reshape(-1, ends[-1])  # ((N + 1) n, U)
        offset = others.made.copy()
        for c, basis in zip(channels, bases, strict=True):
            offset[:, c] = series.climb[c] * basis.climbing
        sought = np.einsum("tnm,tm->tn", self._metric[:, channels], series.values - offset)
        sought *= weight[:, None]
        right = np.concatenate([b.rows.T @ own for b, own in zip(bases, sought.T, strict=True)])
        normal = matrix.T @ matrix
        for index, (c, basis) in enumerate(zip(channels, bases, strict=True)):
            part = slice(ends[index], ends[index + 1])
            counts = weight * self._metric[:, c, c]
            self._hold_slopes(normal[part, part], right[part], c, basis, counts)
        found = self._limited(normal, right, channels, bases, ends)
        nodes = list(others.nodes)
        for index, (c, basis) in enumerate(zip(channels, bases, strict=True)):
            own = found[ends[index] : ends[index + 1]]
            offset[:, c] += basis.rows @ own
            nodes[c] = basis.nodes_of(own, float(series.climb[c]))
        return Solved(KeySplines(keys, offset, nodes), channels, ends, normal)

    def _hold_slopes(
        self, normal: Floats, right: Floats, channel: int, basis: ChannelBasis, weight: Floats
    ) -> None:
        """Add, to normal equations of a channel, that slopes at keys are those of the series."""
        slopes = np.arange(1, len(right), 2)
        at = basis.keys[: len(slopes)]
        normal[slopes, slopes] += SLOPES * weight[at]
        right[slopes] += SLOPES * weight[at] * self.series.slopes[at, channel]

    def _root(self, channels: list[int]) -> Floats:
        """(N + 1, n, n) the square root of the metric for some channels alone."""
        key = tuple(channels)
        if key not in self._roots:
            own = self._metric[:, channels][:, :, channels]
            self._roots[key] = np.asarray(np.linalg.cholesky(own).transpose(0, 2, 1), np.float64)
        return self._roots[key]

    def _limited(
        self,
        normal: Floats,
        right: Floats,
        channels: list[int],
        bases: list[ChannelBasis],
        ends: Ints,
    ) -> Floats:
        """The unknowns that normal equations give, within joint limits."""
        normal[np.diag_indices_from(normal)] += RIDGE * normal.diagonal().max()
        found: Floats = np.asarray(np.linalg.solve(normal, right), np.float64)
        free = np.ones(len(right), bool)
        for _ in range(CLAMPS):
            if not self._hold(found, free, channels, bases, ends):
                break
            fixed = normal[np.ix_(free, ~free)] @ found[~free]
            found[free] = np.linalg.solve(normal[np.ix_(free, free)], right[free] - fixed)
        return found

    def _hold(
        self,
        found: Floats,
        free: Bools,
        channels: list[int],
        bases: list[ChannelBasis],
        ends: Ints,
    ) -> bool:
        """Put unknowns that leave limits onto them; they are no longer free. False if none do."""
        series, any_held = self.series, False
        for index, (c, each) in enumerate(zip(channels, bases, strict=True)):
            if not (np.isfinite(series.low[c]) or np.isfinite(series.high[c])):
                continue
            part = slice(ends[index], ends[index + 1])
            nodes = each.nodes_of(found[part], float(series.climb[c]))
            own = each.within(nodes, float(series.low[c]), float(series.high[c]))[
                : len(found[part])
            ]
            held = np.abs(own - nodes[: len(own)]) > 1e-9
            if held.any():
                found[part] = np.where(held, own, found[part])
                free[part] &= ~held
                any_held = True
        return any_held

    def removal_costs(self, solved: Solved) -> list[tuple[float, int, Keys]]:
        """By how much the error grows without a key of a group: cost, group, the keys left."""
        found: list[tuple[int, Keys]] = []
        rows: list[Floats] = []
        ends, keys = [0], solved.splines.keys
        for group in sorted({int(self._group[c]) for c in solved.channels}):
            own = self.series.groups[group]
            stays = not self.series.comes_back_otherwise(own)
            for left, condition in self.basis(keys, int(own[0])).removals:
                if len(left) > 1 or stays:
                    found.append((group, left))
                    rows.append(self._condition(solved, own.tolist(), condition))
                    ends.append(ends[-1] + len(rows[-1]))
        if not found:
            return []
        costs = _broken_costs(np.concatenate(rows), np.array(ends), solved.normal).tolist()
        return sorted((cost, *each) for cost, each in zip(costs, found, strict=True))

    def _condition(self, solved: Solved, own: list[int], condition: Floats) -> Floats:
        """(Q, U + 1) what of the unknowns would be 0 for some channels, and what it is now."""
        splines, count = solved.splines, len(condition)
        rows = np.zeros((count * len(own), len(solved.normal) + 1))
        for index, c in enumerate(own):
            part, at = slice(index * count, (index + 1) * count), solved.channels.index(c)
            nodes = self.basis(splines.keys, c).nodes
            rows[part, solved.ends[at] : solved.ends[at + 1]] = condition @ nodes
            rows[part, -1] = condition @ splines.nodes[c]
        return rows


def _broken_costs(matrix: Floats, ends: Ints, normal: Floats) -> Floats:
    """(B,) what it costs to meet each block of conditions (R, U + 1), from end to end."""
    conditions, broken = matrix[:, :-1], matrix[:, -1]
    spread = conditions @ np.linalg.inv(normal)
    costs, sizes = np.empty(len(ends) - 1), np.diff(ends)
    for size in np.unique(sizes).tolist():
        blocks = np.flatnonzero(sizes == size)
        rows = ends[blocks, None] + np.arange(size)
        own = spread[rows] @ conditions[rows].transpose(0, 2, 1)
        own[:, np.arange(size), np.arange(size)] *= 1 + 1e-12
        met = np.linalg.solve(own, broken[rows][..., None])[..., 0]
        costs[blocks] = (broken[rows] * met).sum(axis=1)
    return costs
