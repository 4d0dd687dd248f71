"""Time keys: curves that show a loop in a new timing, by moving their keys.

A key goes to the time at which its moment is shown, and its handles are scaled as time runs there.
Keys are added at dragged ticks, so that these are met exactly, at the ends of the affected range,
so that nothing changes beyond, and where joints would be off by more than a tolerance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.evaluate import evaluate
from arcwright.curves.local_key import with_local_handles
from arcwright.curves.pack import PackedCurves
from arcwright.curves.set_key import NEAR
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.tools.cycle.shaping.flat_keys import FlatKeys, fits
from arcwright.tools.cycle.shaping.key_table import KeyTable, alike, repeats
from arcwright.tools.cycle.shaping.loop_timing import STILL, LoopTiming, Tick, loop_timing

STANDING = 1e-7  # m; a channel that changes by less stays as it is
ROUNDS = 12
LEAST_GAP = 0.45  # frames between an added key and another one


Cycle = tuple[float, float, bool]
"""Start and end of a cycle that repeats, or of a take, s; whether it repeats."""


def cycles_of(clip: Clip) -> dict[Cycle, Ints]:
    """Channels that move, by the cycle that they repeat; others by the clip."""
    found: dict[Cycle, list[int]] = {}
    for channel, curve in enumerate(clip.curves):
        if curve is not None and (np.ptp(curve.value) > 0 or curve.tangent[..., 1].any()):
            cycle = 0.0, clip.duration, clip.loops
            if repeats(curve):
                cycle = float(curve.time[0]), float(curve.time[-1]), True
            found.setdefault(cycle, []).append(channel)
    return {cycle: np.array(own, np.int64) for cycle, own in found.items()}


def groups_of(clip: Clip, channels: Ints) -> list[Ints]:
    """Channels that have curves, those together whose keys are alike."""
    groups: dict[tuple[bytes, ...], list[int]] = {}
    for channel in channels.tolist():
        curve = clip.curves[channel]
        assert curve is not None
        groups.setdefault(alike(curve), []).append(channel)
    return [np.array(own, np.int64) for own in groups.values()]


@dataclass(frozen=True, eq=False)
class CycleKeys:
    """Channels that repeat the same cycle, for previews: most of them at once, others apart."""

    cycle: Cycle
    channels: Ints  # (N,) of the flat keys
    flat: FlatKeys | None
    others: list[Ints]  # whose keys are alike

    @classmethod
    def of(cls, clip: Clip, cycle: Cycle, channels: Ints) -> CycleKeys:
        """Of channels that move."""
        tables: list[KeyTable] = []
        own, others = [np.zeros(0, np.int64)], []
        for group in groups_of(clip, channels):
            curves = [clip.curves[each] for each in group.tolist()]
            table = KeyTable.of([curve for curve in curves if curve is not None])
            if fits(table, *cycle[:2]):
                own.append(group)
                tables.append(table)
            else:
                others.append(group)
        return cls(cycle, np.concatenate(own), FlatKeys.of(tables) if tables else None, others)


@dataclass(frozen=True, eq=False)
class Retimed:
    """New curves by channel, and the channels whose cycle is shorter than the take."""

    curves: dict[int, Curve]
    repeating: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class TimeEdit:
    """Ticks of a clip that are dragged in time."""

    clip: Clip
    packed: PackedCurves
    cycles: Mapping[Cycle, Ints]  # channels that move
    ticks: Sequence[Tick]
    reach: float  # s
    _known: dict[Cycle, LoopTiming] = field(default_factory=dict)

    @property
    def timing(self) -> LoopTiming:
        """The timing of the clip."""
        return self._timing((0.0, self.clip.duration, self.clip.loops))

    def _timing(self, cycle: Cycle) -> LoopTiming:
        if cycle not in self._known:
            rate, reach, (start, end, loops) = self.clip.rate, self.reach, cycle
            made = loop_timing(self.ticks, start, end - start, rate, reach, loops=loops)
            self._known[cycle] = made
        return self._known[cycle]

    def curves(self, channels: Ints, tolerance: float, metres: Floats) -> Retimed:
        """The curves of these channels; `metres` (C,) for a unit of each."""
        found: dict[int, Curve] = {}
        repeating: list[int] = []
        for timing, cycle in self._cycles(channels):
            if timing.period < self.clip.duration - NEAR:
                repeating += cycle.tolist()
            for group in groups_of(self.clip, cycle):
                for part, table in self._fitted(group, timing, tolerance, metres):
                    stay = np.ones(len(table), bool)
                    for channel, made in zip(part.tolist(), table.curves(), strict=True):
                        found[channel] = with_local_handles(made, stay)
        return Retimed(dict(sorted(found.items())), tuple(sorted(repeating)))

    def previewed(self, keys: Sequence[CycleKeys]) -> dict[int, Curve]:
        """The curves of some channels, not compared with a tolerance."""
        found: dict[int, Curve] = {}
        for each in keys:
            timing = self._timing(each.cycle)
            needed = self._needed(timing)
            if each.flat is not None:
                made = each.flat.retimed(timing, needed).curves()
                found |= zip(each.channels.tolist(), made, strict=True)
            for group in each.others:
                table = _Loop(self, group, timing).with_keys(needed).retimed()
                found |= zip(group.tolist(), table.curves(), strict=True)
        return found

    def shown(self, times: Floats, channels: Ints) -> Floats:
        """(T, N) what these channels show at times."""
        found = evaluate(self.packed, times, channels)
        for timing, cycle in self._cycles(channels):
            place = np.searchsorted(channels, cycle)
            found[:, place] = _Loop(self, cycle, timing).values(timing.moments(times))
        return found

    def _cycles(self, channels: Ints) -> Iterator[tuple[LoopTiming, Ints]]:
        """Channels that move, and their timing: by the cycles that they repeat."""
        for (start, end, loops), own in self.cycles.items():
            chosen = own[np.isin(own, channels)]
            if len(chosen):
                yield self._timing((start, end, loops)), chosen

    def _fitted(
        self, group: Ints, timing: LoopTiming, tolerance: float, metres: Floats
    ) -> Iterator[tuple[Ints, KeyTable]]:
        """New tables of channels whose keys are alike, and which channels each holds."""
        loop, times = _Loop(self, group, timing), self._samples(timing)
        wanted = loop.values(timing.moments(times))
        change = np.abs(wanted - loop.values(times)) * metres[group]
        moves: Bools = np.asarray((change > STANDING).any(axis=0))
        moves |= loop.table.slerps and bool(moves.any())
        if not moves.any():
            return
        loop, wanted = loop.of_columns(moves), wanted[:, moves]
        places = self._needed(timing)
        for left in range(ROUNDS, -1, -1):
            loop = loop.with_keys(places)
            found = loop.retimed()
            if not left:
                break
            off = np.abs(found.evaluate(times) - wanted) * metres[loop.group] / tolerance
            bad: Bools = np.asarray((off > 1.0).any(axis=0))
            bad |= loop.table.slerps and bool(bad.any())
            places = self._places(loop, found, times, off[:, bad])
            if not places:
                break
            if not bad.all():
                yield loop.group[~bad], found.of_columns(~bad)
                loop, wanted = loop.of_columns(bad), wanted[:, bad]
        yield loop.group, found

    def _needed(self, timing: LoopTiming) -> list[float]:
        """Moments at which keys are needed: ticks, and where the affected range ends."""
        ticks = np.array([tick.time for tick in self.ticks])
        moments: list[float] = timing.moments(np.concatenate([ticks, timing.ends])).tolist()
        return moments

    def _samples(self, timing: LoopTiming) -> Floats:
        """(T,) whole frames and those in the middle between them."""
        steps = np.arange(max(round(timing.period * self.clip.rate * 2), 2) + 1)
        return np.asarray(timing.time[0] + steps * (timing.period / steps[-1]))

    def _places(self, loop: _Loop, found: KeyTable, times: Floats, off: Floats) -> list[float]:
        """Moments for further keys: in each segment that is off, where it is most."""
        worst = off.max(axis=1, initial=0.0)
        worst[worst <= 1.0] = 0.0
        near = np.abs(times[:, None] - found.time).min(axis=1)
        worst[near <= LEAST_GAP / self.clip.rate] = 0.0
        segment = np.searchsorted(found.time, times, "right")
        places = []
        for each in np.unique(segment[worst > 0]).tolist():
            own = np.flatnonzero(segment == each)
            places.append(float(times[own[np.argmax(worst[own])]]))
        moments: list[float] = loop.timing.moments(np.array(places)).tolist()
        return moments


@dataclass(frozen=True, eq=False)
class _Loop:
    """Curves of one cycle or take in their old timing, from the moment that is shown first."""

    edit: TimeEdit
    group: Ints
    timing: LoopTiming
    made: KeyTable | None = None

    @cached_property
    def table(self) -> KeyTable:
        """The keys; where the seam shows another moment, cut there."""
        if self.made is not None:
            return self.made
        curves = [self.edit.clip.curves[each] for each in self.group.tolist()]
        table, timing = KeyTable.of([each for each in curves if each is not None]), self.timing
        first = float(timing.time[0])
        shift = float(timing.shown[0]) - first
        if not timing.loops or abs(shift) < STILL:
            return table
        table = table.inserted((first, first + timing.period), self._was)
        table = table.between(first, first + timing.period)
        cut = first + shift % timing.period
        climb = table.value[-1] - table.value[0]
        table = table.inserted([cut], self._was).rotated(cut, timing.period)
        turns = round((cut - first - shift) / timing.period)
        time, value = table.time - turns * timing.period, table.value - turns * climb
        return replace(table, time=time, value=value)

    def values(self, moments: Floats) -> Floats:
        """(T, N) as it was at moments, also beyond the cycle."""
        timing, packed = self.timing, self.edit.packed
        if not timing.loops:
            return evaluate(packed, moments, self.group)
        first = timing.time[0]
        turns = np.floor((moments - first) / timing.period)
        inside = evaluate(packed, moments - turns * timing.period, self.group)
        if not turns.any():
            return inside
        ends = evaluate(packed, np.array([first, first + timing.period]), self.group)
        return np.asarray(inside + turns[:, None] * (ends[1] - ends[0]))

    def _was(self, time: float) -> Floats:
        found: Floats = self.values(np.array([time]))[0]
        return found

    def with_keys(self, moments: Sequence[float]) -> _Loop:
        """With keys at moments; on a loop at those of the cycle that is shown."""
        if self.timing.loops:
            start, period = float(self.timing.shown[0]), self.timing.period
            moments = [start + (moment - start) % period for moment in moments]
        return replace(self, made=self.table.inserted(moments, self._was))

    def of_columns(self, columns: Bools) -> _Loop:
        """Some of the curves."""
        return replace(self, group=self.group[columns], made=self.table.of_columns(columns))

    def retimed(self) -> KeyTable:
        """Each key at the time at which its moment is shown."""
        table = self.table
        time, run, moved, even = self.timing.moved_keys(table.time, table.run)
        smooth, changed = table.smooth & even[:, None], table.changed | moved
        return replace(table, time=time, run=run, smooth=smooth, changed=changed)
