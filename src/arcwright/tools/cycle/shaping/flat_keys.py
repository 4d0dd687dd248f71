"""Flat keys: keys of curves with unlike key times in one row of arrays, to be retimed at once.

A *row* is a key time of a group of alike curves, a *cell* the key of one curve there. It holds
what most loops have: curves without steps or straight segments, with keys at both ends of the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.bezier_parameter import bezier_parameter
from arcwright.curves.set_key import NEAR
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.tools.cycle.shaping.key_table import KeyTable, in_line
from arcwright.tools.cycle.shaping.loop_timing import STILL, LoopTiming

Ways = tuple[Extrapolation, Extrapolation]
"""Before the first key of a curve and after its last one."""


@dataclass(frozen=True, eq=False)
class FlatKeys:
    """R rows and V cells of N curves in G groups."""

    first: Ints  # (G,) the first row of each group
    count: Ints  # (G,) rows of each group
    time: Floats  # (R,) s
    run: Floats  # (R, 2) s, dt of the handles in and out
    changed: Bools  # (R,) whether the key is not as it was
    group: Ints  # (N,) of each curve
    value: Floats  # (V,) curve by curve
    rise: Floats  # (V, 2) dv of the handles in and out
    kinds: Ints  # (V, 2) Handle
    smooth: Bools  # (V,) whether both handles are in one line
    ways: tuple[Ways, ...]  # (N,)

    @classmethod
    def of(cls, tables: Sequence[KeyTable]) -> FlatKeys:
        """Of tables that `fits` lets in, one for each group."""
        count = np.array([len(table) for table in tables])
        ways = [way for table in tables for way in table.ways.T.tolist()]
        return cls(
            first=np.cumsum(count) - count,
            count=count,
            time=np.concatenate([table.time for table in tables]),
            run=np.concatenate([table.run for table in tables]),
            changed=np.concatenate([table.changed for table in tables]),
            group=np.repeat(np.arange(len(tables)), [table.value.shape[1] for table in tables]),
            value=np.concatenate([table.value.T.ravel() for table in tables]),
            rise=np.concatenate(
                [np.moveaxis(table.rise, -1, 0).reshape(-1, 2) for table in tables]
            ),
            kinds=np.concatenate(
                [np.moveaxis(table.kinds, -1, 0).reshape(-1, 2) for table in tables]
            ),
            smooth=np.concatenate([table.smooth.T.ravel() for table in tables]),
            ways=tuple((Extrapolation(before), Extrapolation(after)) for before, after in ways),
        )

    @property
    def _starts(self) -> Ints:
        """(N,) the first cell of each curve."""
        count = self.count[self.group]
        return np.cumsum(count) - count

    @property
    def _rows(self) -> Ints:
        """(V,) the row of each cell."""
        count = self.count[self.group]
        local = np.arange(len(self.value)) - np.repeat(self._starts, count)
        return np.asarray(np.repeat(self.first[self.group], count) + local)

    def inserted(self, moment: float) -> FlatKeys:
        """The same curves with a key at a moment, where they have none beside it."""
        ahead = np.add.reduceat(self.time <= moment + NEAR, self.first)
        known = np.abs(self.time[self.first + np.maximum(ahead - 1, 0)] - moment) <= NEAR
        cut = (ahead > 0) & (ahead < self.count) & ~known
        if not cut.any():
            return self
        k = (self.first + ahead - 1)[cut]
        length = self.time[k + 1] - self.time[k]
        out, into = self.run[k, 1], self.run[k + 1, 0]
        shrink_out, shrink_in = length / np.maximum(out, length), length / np.maximum(into, length)
        out, into = out * shrink_out, into * shrink_in
        part = bezier_parameter(out / length, into / length, (moment - self.time[k]) / length)
        run, speed = self.run.copy(), _slope(out, length - into - out, into, part)
        run[k, 1], run[k + 1, 0] = part * out, (1.0 - part) * into
        near = np.stack([part, 1.0 - part], axis=1)
        longer = self._with_rows(k + 1, cut, moment, run, near * speed[:, None])
        which = np.cumsum(cut) - 1  # of the groups that are cut
        own = cut[self.group]
        at, one = (self._starts + ahead[self.group] - 1)[own], which[self.group[own]]
        climb, part = shrink_out[one] * self.rise[at, 1], part[one]
        fall = shrink_in[one] * self.rise[at + 1, 0]
        step = self.value[at + 1] - self.value[at]
        slope, rest = _slope(climb, step - fall - climb, fall, part), 1.0 - part
        height = self.value[at] + part * part * (3.0 - 2.0 * part) * step
        height += 3.0 * part * rest * (rest * climb - part * fall)
        rise = self.rise.copy()
        rise[at, 1], rise[at + 1, 0] = part * climb, rest * fall
        return longer._with_cells(self, at + 1, height, rise, near[one] * slope[:, None])

    def _with_rows(
        self, at: Ints, cut: Bools, moment: float, run: Floats, runs: Floats
    ) -> FlatKeys:
        """With rows before the rows `at`; cells are still to follow."""
        changed = self.changed.copy()
        changed[at - 1] = changed[at] = True
        order = np.insert(np.arange(len(self.time)), at, len(self.time) + np.arange(len(at)))
        count = self.count + cut
        return replace(
            self,
            first=np.cumsum(count) - count,
            count=count,
            time=np.append(self.time, np.full(len(at), moment))[order],
            run=np.concatenate([run, runs])[order],
            changed=np.append(changed, np.ones(len(at), bool))[order],
        )

    def _with_cells(
        self, before: FlatKeys, at: Ints, height: Floats, rise: Floats, rises: Floats
    ) -> FlatKeys:
        """With cells before the cells `at`."""
        order = np.insert(np.arange(len(before.value)), at, len(before.value) + np.arange(len(at)))
        aligned = np.full((len(at), 2), int(Handle.ALIGNED))
        return replace(
            self,
            value=np.append(before.value, height)[order],
            rise=np.concatenate([rise, rises])[order],
            kinds=np.concatenate([before.kinds, aligned])[order],
            smooth=np.append(before.smooth, np.ones(len(at), bool))[order],
        )

    def rotated(self, cut: float, period: float) -> FlatKeys:
        """From the keys at a moment `cut` to the same ones a period later.

        The old first and last keys become one.
        """
        near = np.add.reduceat(self.time < cut - NEAR, self.first)  # (G,) keys before the cut
        each = np.repeat(np.arange(len(self.count)), self.count)
        rows, late = _turned(
            np.arange(len(self.time)) - self.first[each], self.count[each], near[each]
        )
        source = self.first[each] + rows
        curve = np.repeat(np.arange(len(self.group)), self.count[self.group])
        own = self.group[curve]
        starts = self._starts
        cells, after = _turned(np.arange(len(curve)) - starts[curve], self.count[own], near[own])
        ends = self.value[starts + self.count[self.group] - 1] - self.value[starts]
        run, changed = self.run[source], self.changed[source]
        seams = self.first + self.count - 1 - near
        run[seams, 1] = self.run[self.first, 1]
        changed[[*self.first, *seams, *(self.first + self.count - 1)]] = True
        cells += starts[curve]
        rise, smooth = self.rise[cells], self.smooth[cells]
        seam = starts + (self.count - 1 - near)[self.group]
        rise[seam, 1] = self.rise[starts, 1]
        smooth[seam] = in_line(run[seams[self.group]], rise[seam][..., None])[:, 0]
        return replace(
            self,
            time=self.time[source] + np.where(late, period, 0.0),
            run=run,
            changed=changed,
            value=self.value[cells] + np.where(after, ends[curve], 0.0),
            rise=rise,
            kinds=self.kinds[cells],
            smooth=smooth,
        )

    def retimed(self, timing: LoopTiming, moments: Sequence[float]) -> FlatKeys:
        """Each key at the time at which its moment is shown, with keys at some moments."""
        keys, start, period = self, float(timing.time[0]), timing.period
        shift = float(timing.shown[0]) - start
        turned = timing.loops and abs(shift) >= STILL
        if timing.loops:
            moments = [start + (moment - start) % period for moment in moments]
        for moment in moments:
            keys = keys.inserted(moment)
        if turned:
            cut = start + shift % period
            keys = keys.inserted(cut).rotated(cut, period)
            turns = round((cut - start - shift) / period)
            climb = keys.value[keys._starts + keys.count[keys.group] - 1] - keys.value[keys._starts]
            late = np.repeat(turns * climb, keys.count[keys.group])
            keys = replace(keys, time=keys.time - turns * period, value=keys.value - late)
        time, run, moved, even = timing.moved_keys(keys.time, keys.run)
        smooth = keys.smooth & even[keys._rows]
        return replace(keys, time=time, run=run, changed=keys.changed | moved, smooth=smooth)

    def curves(self) -> list[Curve]:
        """(N,) the curves; automatic handles of changed keys become aligned, or free at corners."""
        rows = self._rows
        smooth = self.smooth & (self.run[rows] > 0).all(axis=1)
        stored = np.where(smooth, int(Handle.ALIGNED), int(Handle.FREE))[:, None]
        kinds = np.where(self.changed[rows, None], stored, self.kinds)
        tangent = np.stack([self.run[rows], self.rise], axis=-1)
        starts, count = self._starts, self.count[self.group].tolist()
        alike: dict[tuple[int, Ways, bytes], list[int]] = {}
        for curve, start in enumerate(starts.tolist()):
            own = kinds[start : start + count[curve]].tobytes()
            alike.setdefault((int(self.group[curve]), self.ways[curve], own), []).append(curve)
        made: dict[int, Curve] = {}
        for (group, ways, _), curves in alike.items():
            time = self.time[self.first[group] : self.first[group] + self.count[group]]
            cells = np.add.outer(starts[curves], np.arange(len(time)))
            mode = np.full(len(time), int(Interpolation.BEZIER))
            keys = time, self.value[cells], tangent[cells], kinds[cells[0]], mode
            made |= zip(curves, Curve.side_by_side(*keys, *ways), strict=True)
        return [made[curve] for curve in range(len(self.group))]


def fits(table: KeyTable, start: float, end: float) -> bool:
    """Whether a table can be among flat keys of a loop or take."""
    spans = abs(table.time[0] - start) <= NEAR and abs(table.time[-1] - end) <= NEAR
    return bool(spans and (table.mode == Interpolation.BEZIER).all())


def _turned(local: Ints, count: Ints, first: Ints) -> tuple[Ints, Bools]:
    """Which key comes at each place when a cycle begins at another one, and if a cycle later."""
    late = local >= count - first
    return np.where(late, local - (count - first) + 1, local + first), late


def _slope(first: Floats, middle: Floats, last: Floats, part: Floats) -> Floats:
    """A third of the derivative of Bezier segments by the steps between their control points."""
    rest = 1.0 - part
    return np.asarray(rest * rest * first + 2.0 * rest * part * middle + part * part * last)
