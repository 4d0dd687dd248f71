"""Sampled curves: curves of a take and the samples they should follow, by groups of alike keys.

Each group has its own time: its cycle, the loop, or the whole take.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.evaluate import evaluate
from arcwright.curves.pack import PackedCurves
from arcwright.curves.set_key import NEAR
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import quaternion_channels
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.take import Take
from arcwright.tools.cycle.shaping.changed_ranges import ChangedRanges, Span
from arcwright.tools.cycle.shaping.key_fit import FittedTable, Samples, TableFit
from arcwright.tools.cycle.shaping.key_table import Evaluated, KeyTable, alike, repeats

UNCHANGED = 1e-9  # m, rad or plain
LEAST_GAP = 0.45  # frames between an added key and another one


@dataclass(frozen=True, eq=False)
class ChangedSamples:
    """Some times of a take, and the ranges to which all changes are confined.

    Ranges are not wrapped: on a loop they may begin before 0 or end after its end, and one as long
    as the loop is all of it. On a take that does not loop they are open there.
    """

    times: Floats  # (T,) s, from 0 to the end
    ranges: tuple[Span, ...]  # s
    exact: Bools  # (T,) which samples must be met


@dataclass(frozen=True, eq=False)
class Part:
    """Fitted curves of some channels, and the samples that they follow."""

    channels: Ints
    chosen: Ints  # of the samples
    fit: FittedTable


@dataclass(frozen=True, eq=False)
class _Domain:
    """The time on which a curve is fitted: its own cycle, the loop, or the whole take."""

    ranges: ChangedRanges
    tied: bool
    ends: tuple[float, ...] = ()  # s, where it needs keys first
    span: Span = (-np.inf, np.inf)  # s, samples beyond are left out


class SampledCurves:
    """The samples of all channels, with quaternions as the curves have them."""

    def __init__(self, take: Take, clip: Clip, packed: PackedCurves, where: ChangedSamples) -> None:
        self.take, self.clip, self.packed, self.where = take, clip, packed, where
        self.was = evaluate(packed, where.times)
        self._four = quaternion_channels(take.rig)
        self._loops = clip.loops and clip.duration > NEAR

    def as_keyed(self, values: Floats) -> Floats:
        """The values with quaternions of the sign and length that the curves have."""
        four = self._four
        if not len(four):
            return values
        found, keyed, new = values.copy(), self.was[:, four], values[:, four]
        size = np.sqrt((keyed * keyed).sum(axis=-1, keepdims=True))
        size = np.where(size > 0, size, 1.0) / np.sqrt((new * new).sum(axis=-1, keepdims=True))
        away = (keyed * new).sum(axis=-1, keepdims=True) < 0
        found[:, four] = np.where(away, -size, size) * new
        return found

    def moved(self, wanted: Floats, channels: Ints) -> Ints:
        """Channels that change; quaternions as a whole."""
        moves = np.zeros(len(self.clip.curves), bool)
        moves[channels] = (np.abs(wanted - self.was)[:, channels] > UNCHANGED).any(axis=0)
        moves[self._four] = moves[self._four].any(axis=1, keepdims=True)
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

    def fitted(self, group: Ints, wanted: Floats, tolerance: Floats) -> Iterator[Part]:
        """New tables of channels whose keys are alike."""
        size = np.abs(wanted[:, group] - self.was[:, group]).max(axis=1)
        fit, table, chosen, was = self._begun(group, size)
        samples = self._samples(group, chosen, fit.ranges, wanted)
        if len(chosen):
            for each in fit.fitted(table, samples, tolerance, was):
                yield Part(group[each.columns], chosen, each)

    def prepared(self, group: Ints) -> Iterator[Part]:
        """Tables for any values, with keys at every sample."""
        times, exact = self.where.times, self.where.times[self.where.exact]
        apart = np.abs(times[:, None] - exact).min(axis=1, initial=np.inf)
        fit, table, chosen, was = self._begun(group, -apart)
        samples = self._samples(group, chosen, fit.ranges, self.was)
        if len(chosen):
            yield Part(group, chosen, fit.dense(table, samples, was))

    def _begun(self, group: Ints, matters: Floats) -> tuple[TableFit, KeyTable, Ints, Evaluated]:
        """What channels whose keys are alike are fitted with.

        Of several samples at one time of their cycle, the one that matters (T,) most is chosen.
        """

        def was(time: float) -> Floats:
            found: Floats = evaluate(self.packed, np.array([time]), group)[0]
            return found

        domain = self._domain(self.clip.curves[int(group[0])])
        fit = TableFit(domain.ranges, LEAST_GAP / self.clip.rate, domain.tied)
        table = self._table(group).inserted(domain.ends, was)
        return fit, table, self._chosen(domain, matters), was

    def curves(self, part: Part, wanted: Floats) -> list[tuple[int, Curve]]:
        """The curves of a part that are not as they were, by channel."""
        table = part.fit.moved(self._change(part, wanted))[0]
        return list(zip(part.channels.tolist(), part.fit.curves(table), strict=False))

    def previewed(
        self, parts: Sequence[Part], wanted: Floats, moved: Ints
    ) -> tuple[dict[int, Curve], float]:
        """The curves of moved channels, and how far joints are from where they should be, m."""
        shown = wanted.copy()
        found: dict[int, Curve] = {}
        for part in parts:
            table, off = part.fit.moved(self._change(part, wanted))
            shown[np.ix_(part.chosen, part.channels)] += off
            found |= zip(part.channels.tolist(), part.fit.curves(table), strict=False)
        error = float(self._apart(shown, wanted).max(initial=0.0))
        return {each: found[each] for each in moved.tolist() if each in found}, error

    def _change(self, part: Part, wanted: Floats) -> Floats:
        own = np.ix_(part.chosen, part.channels)
        change: Floats = wanted[own] - self.was[own]
        return change

    def errors(self, wanted: Floats, parts: Sequence[Part]) -> Floats:
        """(J,) how far each joint is from where it should be at any sample, m."""
        shown = wanted.copy()
        for part in parts:
            off = part.fit.moved(self._change(part, wanted))[1]
            shown[np.ix_(part.chosen, part.channels)] += off
        return self._apart(shown, wanted)

    def _apart(self, shown: Floats, wanted: Floats) -> Floats:
        both = forward(self.take.rig, np.concatenate([shown, wanted]))[..., :3, 3]
        off = both[: len(shown)] - both[len(shown) :]
        return np.asarray(np.sqrt((off * off).sum(axis=-1).max(axis=0, initial=0.0)))

    def above(self, joints: Ints) -> Bools:
        """(C,) channels of these joints and of those above them."""
        rig, found = self.take.rig, set(joints.tolist())
        for joint in joints.tolist():
            while (joint := int(rig.parents[joint])) >= 0:
                found.add(joint)
        return np.isin(rig.channels.joint, sorted(found))

    def _table(self, group: Ints) -> KeyTable:
        curves = [self.clip.curves[channel] for channel in group.tolist()]
        keyed = [curve for curve in curves if curve is not None]
        if keyed and len(keyed[0]) > 1:
            return KeyTable.of(keyed)
        spans = self.where.ranges
        time = float(keyed[0].time[0]) if keyed else max(spans[0][0], 0.0)
        if not keyed and self._loops:
            whole = ChangedRanges(spans, 0.0, self.clip.duration).whole
            time = 0.0 if whole else spans[0][0] % self.clip.duration
        return KeyTable.constant(time, self.was[0, group])

    def _domain(self, curve: Curve | None) -> _Domain:
        """How time goes for a curve."""
        asked, duration = ChangedRanges(self.where.ranges), self.clip.duration
        constant = curve is None or len(curve) == 1
        if not constant and curve is not None and curve.cyclic:
            first, last = float(curve.time[0]), float(curve.time[-1])
            if repeats(curve):
                return _Domain(asked.on_cycle(first, last - first), tied=True)
            return _Domain(asked.opened(duration), tied=False, span=(first, last))
        if not self._loops:
            return _Domain(asked.opened(duration), tied=False)
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

    def _chosen(self, domain: _Domain, matters: Floats) -> Ints:
        """Samples in the time of a curve; of several at one time, the one that matters most."""
        times, exact = domain.ranges.fold(self.where.times), self.where.exact
        inside = (times >= domain.span[0] - NEAR) & (times <= domain.span[1] + NEAR)
        inside &= domain.ranges.inside(times)
        order = np.lexsort((-matters, ~exact))
        order = order[inside[order]]
        _, first = np.unique(np.round(times[order] / NEAR), return_index=True)
        return order[first]

    def _samples(self, group: Ints, chosen: Ints, ranges: ChangedRanges, wanted: Floats) -> Samples:
        """The chosen samples in the time of the curves."""
        times, own = ranges.fold(self.where.times)[chosen], np.ix_(chosen, group)
        was = evaluate(self.packed, times, group)
        return Samples(times, was, was + wanted[own] - self.was[own], self.where.exact[chosen])

    def repeating(self, channels: Ints) -> list[int]:
        """Channels whose cycle is shorter than the take."""
        curves = [(channel, self.clip.curves[channel]) for channel in channels.tolist()]
        return [
            channel
            for channel, curve in curves
            if curve is not None
            and repeats(curve)
            and curve.time[-1] - curve.time[0] < self.clip.duration - NEAR
        ]
