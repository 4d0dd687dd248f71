"""Loop keys: curves that take new values over a part of a loop, with the keys that are there.

Inside the changed ranges the values and handles of keys are fitted to samples (`key_fit.py`). Keys
are added only at the ends of a range, at samples that must be met and are far from any key, and
where joints would be off by more than a tolerance. All other keys stay bit for bit. Where a curve
repeats, its first and last key are one key, and it is edited within its own cycle.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.evaluate import evaluate
from arcwright.curves.local_key import with_local_handles
from arcwright.curves.pack import PackedCurves, pack
from arcwright.curves.set_key import NEAR
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import quaternion_channels
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation
from arcwright.scene.take import Take
from arcwright.tools.cycle.changed_ranges import ChangedRanges, Span
from arcwright.tools.cycle.key_fit import Samples, TableFit
from arcwright.tools.cycle.key_table import KeyTable, alike

TRIES = 4  # to keep joints within the tolerance, each time with half of it for single channels
UNCHANGED = 1e-9  # m, rad or plain
LEAST_GAP = 0.45  # frames between an added key and another one
_ROUND = (Extrapolation.CYCLE, Extrapolation.CYCLE_OFFSET)


@dataclass(frozen=True, eq=False)
class NewValues:
    """Values of a take at some of its times, and the ranges to which all changes are confined.

    Ranges are not wrapped: on a loop they may begin before 0 or end after its end, and one as long
    as the loop is all of it. On a take that does not loop they may be infinite.
    """

    times: Floats  # (T,) s, from 0 to the end
    values: Floats  # (T, C)
    ranges: tuple[Span, ...]  # s
    exact: Bools  # (T,) which samples must be met


@dataclass(frozen=True, eq=False)
class FittedKeys:
    """New curves, how far joints are from the samples, and how many keys were added."""

    curves: dict[int, Curve] = field(default_factory=dict)  # by channel
    error: float = 0.0  # m
    added: int = 0  # keys
    repeating: tuple[int, ...] = ()  # channels whose cycle is shorter than the take


def fit_keys(
    take: Take, new: NewValues, channels: Ints, tolerance: float, metres: Floats
) -> FittedKeys:
    """The curves of these channels with new values; joints within `tolerance`, m, at the samples.

    `metres` (C,) is how far a unit of each channel moves a joint, at most.
    """
    clip = take.base
    if not isinstance(clip, Clip):
        raise BadValue(f"take {take.name!r}", "keys", "samples")
    work = _Work(take, clip, pack(clip, take.rig), new)
    moved = work.moved(channels)
    if not len(moved):
        return FittedKeys()
    aim, asked = forward(take.rig, work.wanted)[..., :3, 3], tolerance
    for _ in range(TRIES):
        tables = [
            made
            for group in work.groups(moved)
            for made in work.fitted(group, asked / np.maximum(metres[group], 1e-9))
        ]
        error = work.error(tables, aim)
        if error <= tolerance:
            break
        asked *= 0.5
    curves = dict(sorted(pair for table in tables for pair in _curves(*table)))
    before = [clip.curves[channel] for channel in curves]
    added = sum(map(len, curves.values())) - sum(len(each) for each in before if each is not None)
    return FittedKeys(curves, error, added, tuple(work.repeating(moved)))


@dataclass(frozen=True, eq=False)
class _Domain:
    """The time on which a curve is fitted: its own cycle, the loop, or the whole take."""

    ranges: ChangedRanges
    tied: bool
    ends: tuple[float, ...] = ()  # s, where it needs keys first
    span: Span = (-np.inf, np.inf)  # s, samples beyond are left out


class _Work:
    """The samples of all channels, with quaternions as the curves have them."""

    def __init__(self, take: Take, clip: Clip, packed: PackedCurves, new: NewValues) -> None:
        self.take, self.clip, self.packed, self.new = take, clip, packed, new
        self.was = evaluate(packed, new.times)
        self.wanted = _as_keyed(take, self.was, new.values)

    def moved(self, channels: Ints) -> Ints:
        """Channels that change; quaternions as a whole."""
        moves = np.zeros(len(self.clip.curves), bool)
        moves[channels] = (np.abs(self.wanted - self.was) > UNCHANGED).any(axis=0)[channels]
        four = quaternion_channels(self.take.rig)
        moves[four] = moves[four].any(axis=1, keepdims=True)
        return np.flatnonzero(moves)

    def groups(self, channels: Ints) -> list[Ints]:
        """Channels whose keys are alike."""
        found: dict[tuple[bytes, ...], list[int]] = {}
        for channel in channels.tolist():
            curve = self.clip.curves[channel]
            key = () if curve is None else alike(curve)
            if curve is not None and len(curve) == 1:
                key = (curve.time.tobytes(),)
            found.setdefault(key, []).append(channel)
        return [np.array(each, np.int64) for each in found.values()]

    def fitted(self, group: Ints, tolerance: Floats) -> list[tuple[Ints, KeyTable]]:
        """New tables of channels whose keys are alike."""

        def was(time: float) -> Floats:
            return evaluate(self.packed, np.array([time]), group)[0]

        table = self._table(group)
        domain = self._domain(self.clip.curves[int(group[0])])
        for end in domain.ends:
            table = table.inserted(end, was)
        samples = self._samples(group, domain)
        if not len(samples.times):
            return []
        fit = TableFit(domain.ranges, LEAST_GAP / self.clip.rate, domain.tied)
        made = fit.fitted(table, samples, tolerance, was)
        return [(group[columns], each) for columns, each in made]

    def _table(self, group: Ints) -> KeyTable:
        curves = [self.clip.curves[channel] for channel in group.tolist()]
        keyed = [curve for curve in curves if curve is not None]
        if keyed and len(keyed[0]) > 1:
            return KeyTable.of(keyed)
        spans = self.new.ranges
        time = float(keyed[0].time[0]) if keyed else max(spans[0][0], 0.0)
        if not keyed and self.clip.loops:
            time = max(spans[0][0] % self.clip.duration, 0.0)
        return KeyTable.constant(time, self.was[0, group])

    def _domain(self, curve: Curve | None) -> _Domain:
        """How time goes for a curve."""
        asked, duration = ChangedRanges(self.new.ranges), self.clip.duration
        constant = curve is None or len(curve) == 1
        if not constant and curve is not None and curve.cyclic:
            first, last = float(curve.time[0]), float(curve.time[-1])
            if curve.before in _ROUND and curve.after in _ROUND:
                return _Domain(asked.on_cycle(first, last - first), tied=True)
            return _Domain(asked, tied=False, span=(first, last))
        if not self.clip.loops:
            return _Domain(asked, tied=False)
        low, high = (0.0, 0.0) if curve is None else (curve.time[0], curve.time[-1])
        if low < -NEAR or high > duration + NEAR:
            return _Domain(asked.cut(duration), tied=False)
        cut = asked.cut(duration)
        within = all(low - NEAR <= start and end <= high + NEAR for start, end in cut.spans)
        seam = any(not np.isfinite(span).all() for span in cut.spans)
        closed = not constant and low <= NEAR and high >= duration - NEAR
        if closed or seam:
            return _Domain(asked.on_cycle(0.0, duration), tied=True, ends=(0.0, duration))
        return _Domain(cut, tied=False, ends=() if within or constant else (0.0, duration))

    def _samples(self, group: Ints, domain: _Domain) -> Samples:
        """The samples in the time of the curve; of several at one time, the one that matters."""
        times, exact = domain.ranges.fold(self.new.times), self.new.exact
        change = self.wanted[:, group] - self.was[:, group]
        inside = (times >= domain.span[0] - NEAR) & (times <= domain.span[1] + NEAR)
        inside &= domain.ranges.inside(times)
        matters = np.lexsort((-np.abs(change).max(axis=1), ~exact))
        matters = matters[inside[matters]]
        _, first = np.unique(np.round(times[matters] / NEAR), return_index=True)
        chosen = matters[first]
        was = evaluate(self.packed, times[chosen], group)
        return Samples(times[chosen], was, was + change[chosen], exact[chosen])

    def error(self, tables: list[tuple[Ints, KeyTable]], aim: Floats) -> float:
        """How far a joint is from where it should be at any sample, m."""
        shown = self.wanted.copy()
        for channels, table in tables:
            domain = self._domain(self.clip.curves[int(channels[0])])
            times = domain.ranges.fold(self.new.times)
            now = table.evaluate(times) - evaluate(self.packed, times, channels)
            shown[:, channels] = self.was[:, channels] + now
        off = forward(self.take.rig, shown)[..., :3, 3] - aim
        return float(np.sqrt((off * off).sum(axis=-1)).max(initial=0.0))

    def repeating(self, channels: Ints) -> list[int]:
        """Channels whose cycle is shorter than the take."""
        curves = [(channel, self.clip.curves[channel]) for channel in channels.tolist()]
        return [
            channel
            for channel, curve in curves
            if curve is not None
            and len(curve) > 1
            and curve.before in _ROUND
            and curve.after in _ROUND
            and curve.time[-1] - curve.time[0] < self.clip.duration - NEAR
        ]


def _as_keyed(take: Take, was: Floats, values: Floats) -> Floats:
    """The values with quaternions of the sign and length that the curves have."""
    four = quaternion_channels(take.rig)
    if not len(four):
        return values
    found, keyed, new = values.copy(), was[:, four], values[:, four]
    size = np.sqrt((keyed * keyed).sum(axis=-1, keepdims=True))
    size = np.where(size > 0, size, 1.0) / np.sqrt((new * new).sum(axis=-1, keepdims=True))
    away = (keyed * new).sum(axis=-1, keepdims=True) < 0
    found[:, four] = np.where(away, -size, size) * new
    return found


def _curves(channels: Ints, table: KeyTable) -> list[tuple[int, Curve]]:
    """Curves by channel, with automatic handles that would follow stored as they are."""
    stay = np.ones(len(table), bool)
    made = zip(channels.tolist(), table.curves(), strict=True)
    return [(channel, with_local_handles(curve, stay)) for channel, curve in made]
