"""Key fit: values and slopes of keys by least squares, with some samples met exactly.

Unknown are the changes of the keys inside the changed ranges. They start at the displacement of the
samples there, and a small weight keeps them near it: keys that few samples determine stay smooth.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.set_key import NEAR
from arcwright.scene.curve import Curve, Interpolation
from arcwright.tools.cycle.shaping.changed_ranges import ChangedRanges
from arcwright.tools.cycle.shaping.key_table import Evaluated, KeyTable, Template
from arcwright.tools.cycle.shaping.key_unknowns import key_unknowns, leading_keys

RIDGE = 1e-4  # of the diagonal, towards the displacement at the keys
ROUNDS = 16  # in each of which keys are added
SEEN = 0.5  # of a sample that must be met: what keys that may change must count for there
QUIET = 0.5  # of the tolerance: a key that is asked for less, at the end of a range, stays
MET = 1e-10  # what a sample that must be met may be off


Quiet = list[tuple[float, int, float]]
"""Ends of ranges, their sides (+1 for a start), and the keys inside up to which all stays."""


@dataclass(frozen=True, eq=False)
class Samples:
    """What N curves should be at T times of their cycle, and what they are now."""

    times: Floats  # (T,) s, rising
    was: Floats  # (T, N)
    wanted: Floats  # (T, N)
    exact: Bools  # (T,)

    def of_columns(self, columns: Bools) -> Samples:
        """Of some curves."""
        return replace(self, was=self.was[:, columns], wanted=self.wanted[:, columns])


@dataclass(frozen=True, eq=False)
class FittedTable:
    """Curves with all keys that they need, and how these follow the samples: linearly."""

    columns: Ints  # (N,) which curves
    table: KeyTable  # as it was, with the keys that were added
    unknowns: Ints  # (K,) the first of the two unknowns of each key, or -1
    later: Floats  # (K,) s, how much later the key is than the one whose unknowns it has
    rows: Floats  # (T, U) values at the samples by the unknowns
    solution: Floats  # (U, T) unknowns by the changes of the samples
    closing: Floats  # (U, T) unknowns by what is missing to them
    misfit: Floats  # (T, N) by how much the table is below the samples as they were
    tied: bool

    @cached_property
    def _templates(self) -> list[Template]:
        """Of its curves; these differ in values and rises only."""
        return self.moved(np.zeros_like(self.misfit))[0].templates()

    def curves(self, table: KeyTable) -> list[Curve]:
        """The curves of a table that `moved` gave; none where no key changes."""
        return table.curves(self._templates) if table.changed.any() else []

    def moved(self, change: Floats) -> tuple[KeyTable, Floats]:
        """The curves for samples that change by (T, N), and by how much they are above them."""
        if not self.rows.shape[1]:
            return self.table, -change - self.misfit
        found = self.solution @ change + self.closing @ self.misfit
        off = self.rows @ found - change - self.misfit
        table, keys = self.table, np.flatnonzero(self.unknowns >= 0)
        value, rise, run = table.value.copy(), table.rise.copy(), table.run.copy()
        slope = found[self.unknowns[keys] + 1]
        value[keys] += found[self.unknowns[keys]] + self.later[keys, None] * slope
        rise[keys] += run[keys][..., None] * slope[:, None]
        if (
            self.tied and self.unknowns[0] >= 0
        ):  # handles beyond the seam are those of the other end
            run[0, 0], rise[0, 0] = run[-1, 0], rise[-1, 0]
            run[-1, 1], rise[-1, 1] = run[0, 1], rise[0, 1]
        changed = table.changed | (self.unknowns >= 0)
        return replace(table, value=value, rise=rise, run=run, changed=changed), off

    def of_columns(self, columns: Bools) -> FittedTable:
        """Some of the curves."""
        table, misfit = self.table.of_columns(columns), self.misfit[:, columns]
        return replace(self, columns=self.columns[columns], table=table, misfit=misfit)


@dataclass(frozen=True, eq=False)
class TableFit:
    """Fits a table of curves to samples inside the ranges; adds keys where that is not enough."""

    ranges: ChangedRanges
    gap: float  # s, the least time between an added key and another one
    tied: bool  # whether the first and the last key are one key of a cycle

    def fitted(
        self, table: KeyTable, samples: Samples, tolerance: Floats, was: Evaluated
    ) -> Iterator[FittedTable]:
        """The curves (N,) in one or more tables; `tolerance` (N,) in their units."""
        columns = np.arange(table.value.shape[1])
        table, fixed = self._with_ends(table, samples, tolerance, was)
        table = self._seen(table, samples, fixed, was)
        for left in range(ROUNDS, -1, -1):
            found = self._solved(columns, table, samples, fixed)
            off = np.abs(found.moved(samples.wanted - samples.was)[1])
            missed = samples.exact & (off > MET).any(axis=1)
            far = (off > tolerance) | (missed[:, None] & (off > MET))
            bad: Bools = np.asarray(far.any(axis=0))
            bad |= table.slerps and bool(bad.any())
            if not bad.any() or not left:
                break
            far &= self._may_change(samples.times, fixed)[:, None]
            places = self._places(table, samples, far[:, bad], (off / tolerance)[:, bad])
            if not places:
                break
            if not bad.all():
                yield found.of_columns(~bad)
                samples, tolerance, columns = samples.of_columns(bad), tolerance[bad], columns[bad]
                table, was = table.of_columns(bad), _of_columns(was, bad)
            table = table.inserted(places, was)
        yield found

    def dense(self, table: KeyTable, samples: Samples, was: Evaluated) -> FittedTable:
        """The curves (N,) with a key at every sample."""
        ends = [time for time, _ in self.ranges.ends()]
        near = np.abs(samples.times[:, None] - table.time).min(axis=1)
        places = samples.times[near >= np.where(samples.exact, 0.0, self.gap)]
        table = table.inserted([*ends, *places.tolist()], was)
        return self._solved(np.arange(table.value.shape[1]), table, samples, [])

    def _with_ends(
        self, table: KeyTable, samples: Samples, tolerance: Floats, was: Evaluated
    ) -> tuple[KeyTable, Quiet]:
        """With a key at each end of a range, and the quiet parts that need none."""
        fixed: Quiet = []
        added: list[float] = []
        size = (np.abs(samples.wanted - samples.was) / tolerance).max(axis=1)
        for time, side in self.ranges.ends():
            if table.key_at(time) is not None:
                continue
            inner = self._next_key(table, time, side)
            if inner is not None:
                way = self._way(samples.times - time, side)
                passed = (way > -NEAR) & (
                    way <= self._way(np.array([inner - time]), side)[0] + NEAR
                )
                if not (passed & ((size > QUIET) | (samples.exact & (size > 0)))).any():
                    fixed.append((time, side, inner))
                    continue
            added.append(time)
        return table.inserted(added, was), fixed

    def _next_key(self, table: KeyTable, time: float, side: int) -> float | None:
        """The first key inside the range that begins or ends at a time."""
        inside = table.time[self.ranges.inside(table.time)]
        way = self._way(inside - time, side)
        ahead = np.flatnonzero(way > 0)
        return float(inside[ahead[np.argmin(way[ahead])]]) if len(ahead) else None

    def _way(self, apart: Floats, side: int) -> Floats:
        """How far times lie inside of the end of a range."""
        way: Floats = side * apart
        return way if self.ranges.period is None else way % self.ranges.period

    def _free(self, table: KeyTable, fixed: Quiet) -> Bools:
        """(K,) keys that may change."""
        free = self._may_change(table.time, fixed)
        if self.tied:
            free[[0, -1]] = free[0] and free[-1]
        return free

    def _may_change(self, times: Floats, fixed: Quiet) -> Bools:
        """(T,) times inside the ranges and not in their quiet parts."""
        may = self.ranges.inside(times)
        for end, side, inner in fixed:
            may &= self._way(times - end, side) > self._way(np.array([inner - end]), side) + NEAR
        return may

    def _seen(self, table: KeyTable, samples: Samples, fixed: Quiet, was: Evaluated) -> KeyTable:
        """With keys at samples that must be met, where others count for too little."""
        times, free = samples.times[samples.exact], self._free(table, fixed)
        times = times[self._may_change(times, fixed)]
        segment, weight = table.weights(times)
        end = np.minimum(segment + 1, len(table) - 1)
        seen = weight[:, 0] * free[segment] + weight[:, 3] * free[end]
        return table.inserted(times[seen < SEEN].tolist(), was)

    def _places(self, table: KeyTable, samples: Samples, far: Bools, size: Floats) -> list[float]:
        """Times for further keys: in each segment that is off, where it is most."""
        if (table.mode == Interpolation.STEP).all():
            return []
        worst = np.where(far.any(axis=1), size.max(axis=1, initial=0.0), 0.0)
        near = np.abs(samples.times[:, None] - table.time).min(axis=1)
        worst[near < np.where(samples.exact, NEAR, self.gap)] = 0.0
        segment = np.searchsorted(table.time, samples.times, "right")
        places = []
        for each in np.unique(segment[worst > 0]).tolist():
            own = np.flatnonzero(segment == each)
            places.append(float(samples.times[own[np.argmax(worst[own])]]))
        return places

    def _solved(
        self, columns: Ints, table: KeyTable, samples: Samples, fixed: Quiet
    ) -> FittedTable:
        """How the keys inside the ranges follow the samples."""
        free, count = self._free(table, fixed), len(samples.times)
        table = table.straight(np.flatnonzero(free[:-1] | free[1:]))
        misfit = samples.was - table.evaluate(samples.times)
        leads = leading_keys(table.time, free, self.gap)
        later, unknowns = table.time - table.time[leads], key_unknowns(free, leads, tied=self.tied)
        if not free.any():
            none = np.zeros((count, 0))
            parts = none, none.T, none.T, misfit
            return FittedTable(columns, table, unknowns, later, *parts, self.tied)
        rows = _rows(table, samples.times, unknowns, later)
        leading = np.flatnonzero(free & (later == 0))
        start = self._displacement(table, samples, unknowns, leading)
        closing = _least_squares(rows, samples.exact)
        solution = start + closing - closing @ (rows @ start)
        parts = rows, solution, closing, misfit
        return FittedTable(columns, table, unknowns, later, *parts, self.tied)

    def _displacement(
        self, table: KeyTable, samples: Samples, unknowns: Ints, keys: Ints
    ) -> Floats:
        """(U, T) the unknowns from the displacement of each sample, at the keys."""
        time, value = samples.times, np.eye(len(samples.times))
        ends = np.array([each for each, _ in self.ranges.ends()])
        if len(ends):
            clear = (np.abs(time[:, None] - ends) > NEAR).all(axis=1)
            time = np.concatenate([time[clear], ends])
            value = np.concatenate([value[clear], np.zeros((len(ends), value.shape[1]))])
            order = np.argsort(time, kind="stable")
            time, value = time[order], value[order]
        if self.ranges.period is not None:
            around = self.ranges.period * np.array([-1.0, 0.0, 1.0])
            time, value = (around[:, None] + time).ravel(), np.tile(value, (3, 1))
        height, slope = _interpolated(time, value, table.time[keys])
        found = np.empty((unknowns.max() + 2, value.shape[1]))
        found[unknowns[keys]], found[unknowns[keys] + 1] = height, slope
        return found


def _of_columns(was: Evaluated, columns: Bools) -> Evaluated:
    return lambda time: was(time)[columns]


def _rows(table: KeyTable, times: Floats, unknowns: Ints, later: Floats) -> Floats:
    """(T, U) how the values at times depend on the unknowns."""
    segment, weight = table.weights(times)
    end, count = np.minimum(segment + 1, len(table) - 1), int(unknowns.max()) + 2
    rows = np.zeros((len(times), count + 2))  # the last two are for keys that stay
    at = np.arange(len(times))
    first, last = (np.where(unknowns[each] < 0, count, unknowns[each]) for each in (segment, end))
    rows[at, first] += weight[:, 0]
    rows[at, first + 1] += weight[:, 1] * table.run[segment, 1] + weight[:, 0] * later[segment]
    rows[at, last + 1] += weight[:, 2] * table.run[end, 0] + weight[:, 3] * later[end]
    rows[at, last] += weight[:, 3]
    return rows[:, :count]


def _least_squares(rows: Floats, exact: Bools) -> Floats:
    """(U, T) from what is missing at samples to unknowns that bring them nearest.

    Exact samples are met.
    """
    normal = rows.T @ rows
    size = np.diagonal(normal)
    normal[np.diag_indices(len(normal))] += RIDGE * size + 1e-12 * max(float(size.max()), 1e-30)
    free: Floats = np.asarray(np.linalg.solve(normal, rows.T), float)
    met = rows[exact]
    if not len(met):
        return free
    answer = np.linalg.solve(normal, met.T)
    missing = np.eye(len(rows))[exact] - met @ free
    return np.asarray(free + answer @ (np.linalg.pinv(met @ answer, hermitian=True) @ missing))


def _interpolated(time: Floats, value: Floats, at: Floats) -> tuple[Floats, Floats]:
    """Values and slopes (K, N) at times, by cubics through values (T, N) at rising times."""
    if len(time) == 1:
        return np.repeat(value, len(at), axis=0), np.zeros((len(at), value.shape[1]))
    slopes = np.gradient(value, time, axis=0)
    k = np.clip(np.searchsorted(time, at, "right") - 1, 0, len(time) - 2)
    length = (time[k + 1] - time[k])[:, None]
    u = np.clip((at - time[k])[:, None] / length, 0.0, 1.0)
    a, b, da, db = value[k], value[k + 1], slopes[k] * length, slopes[k + 1] * length
    bend, turn = 3 * (b - a) - 2 * da - db, 2 * (a - b) + da + db
    height = a + u * (da + u * (bend + u * turn))
    slope = (da + u * (2 * bend + 3 * u * turn)) / length
    return height, slope
