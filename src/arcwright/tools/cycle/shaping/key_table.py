"""Key table: the keys of curves with the same key and handle times, as arrays side by side.

Inside a segment a curve is a weighted sum of two key values and two handles; the weights depend
on times alone. So all curves of a table are evaluated, cut and fitted at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.bezier_parameter import bezier_parameter
from arcwright.curves.set_key import NEAR
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.tools.cycle.shaping.segment_cut import bezier_at, cut_parameters

ROUND = (Extrapolation.CYCLE, Extrapolation.CYCLE_OFFSET)
ONE_LINE = 1e-9  # of the lengths of two handles: how far they may be from one line

Evaluated = Callable[[float], Floats]
"""Values (N,) of the curves of a table at a time, as they were."""

Template = tuple[list[int], Curve]
"""Columns of a table, and a curve that has all that their curves have in common."""


@dataclass(frozen=True, eq=False)
class KeyTable:
    """K keys of N curves."""

    time: Floats  # (K,) s
    run: Floats  # (K, 2) s, dt of the handles in and out
    value: Floats  # (K, N)
    rise: Floats  # (K, 2, N) dv of the handles in and out
    kinds: Ints  # (K, 2, N) Handle
    mode: Ints  # (K,) Interpolation of the segment after the key
    smooth: Bools  # (K, N) whether both handles are in one line
    changed: Bools  # (K,) whether the key is not as it was
    ways: Ints  # (2, N) Extrapolation before and after

    @classmethod
    def of(cls, curves: Sequence[Curve]) -> KeyTable:
        """Of curves that `alike` put together."""
        first = curves[0]
        return cls(
            time=np.array(first.time),
            run=np.array(first.tangent[..., 0]),
            value=np.stack([curve.value for curve in curves], axis=-1),
            rise=np.stack([curve.tangent[..., 1] for curve in curves], axis=-1),
            kinds=np.stack([curve.handles for curve in curves], axis=-1),
            mode=np.array(first.interpolation),
            smooth=in_line(
                np.array(first.tangent[..., 0]),
                np.stack([curve.tangent[..., 1] for curve in curves], axis=-1),
            ),
            changed=np.zeros(len(first), bool),
            ways=np.array([[curve.before, curve.after] for curve in curves], np.int64).T,
        )

    @classmethod
    def constant(cls, time: float, value: Floats) -> KeyTable:
        """One key for each of the values (N,)."""
        count = len(value)
        return cls(
            time=np.array([time]),
            run=np.zeros((1, 2)),
            value=value[None].copy(),
            rise=np.zeros((1, 2, count)),
            kinds=np.full((1, 2, count), Handle.ALIGNED, np.int64),
            mode=np.full(1, Interpolation.BEZIER, np.int64),
            smooth=np.ones((1, count), bool),
            changed=np.ones(1, bool),
            ways=np.full((2, count), Extrapolation.HOLD, np.int64),
        )

    def __len__(self) -> int:
        return len(self.time)

    def of_columns(self, columns: Bools | Ints) -> KeyTable:
        """Some of the curves."""
        return replace(
            self,
            value=self.value[:, columns],
            rise=self.rise[..., columns],
            kinds=self.kinds[..., columns],
            smooth=self.smooth[:, columns],
            ways=self.ways[:, columns],
        )

    @property
    def slerps(self) -> bool:
        """Whether four of the curves are one rotation: they need the same keys."""
        return bool((self.mode == Interpolation.SLERP).any())

    def key_at(self, time: float) -> int | None:
        """The key at a time, if there is one."""
        key = int(np.abs(self.time - time).argmin())
        return key if abs(self.time[key] - time) <= NEAR else None

    def weights(self, times: Floats) -> tuple[Ints, Floats]:
        """(T,) the segment of each time, (T, 4) weights of value, dv out, dv in and value.

        Beyond the keys the first or the last value counts.
        """
        weight = np.zeros((len(times), 4))
        if len(self) == 1:
            weight[:, 0] = 1.0
            return np.zeros(len(times), np.int64), weight
        segment = np.clip(np.searchsorted(self.time, times, "right") - 1, 0, len(self) - 2)
        length = np.diff(self.time)[segment]
        u = np.clip((times - self.time[segment]) / length, 0.0, 1.0)
        out, into = self.run[segment, 1], self.run[segment + 1, 0]
        shrink_out, shrink_in = length / np.maximum(out, length), length / np.maximum(into, length)
        part = bezier_parameter(out * shrink_out / length, into * shrink_in / length, u)
        rest = 1.0 - part
        weight[:, 1] = 3.0 * part * rest * rest * shrink_out
        weight[:, 2] = -3.0 * part * part * rest * shrink_in
        weight[:, 3] = part * part * (3.0 - 2.0 * part)
        for mode, share in ((Interpolation.STEP, np.floor(u)), (Interpolation.LINEAR, u)):
            own = self.mode[segment] == mode
            weight[own, 1:3] = 0.0
            weight[own, 3] = share[own]
        slerp = self.mode[segment] == Interpolation.SLERP
        weight[slerp, 1:3], weight[slerp, 3] = 0.0, u[slerp]
        weight[:, 0] = 1.0 - weight[:, 3]
        return segment, weight

    def evaluate(self, times: Floats) -> Floats:
        """(T, N) values; slerp segments run straight."""
        segment, weight = self.weights(times)
        end = np.minimum(segment + 1, len(self) - 1)
        found: Floats = weight[:, :1] * self.value[segment] + weight[:, 3:] * self.value[end]
        found += weight[:, 1:2] * self.rise[segment, 1] + weight[:, 2:3] * self.rise[end, 0]
        return found

    def inserted(self, times: Iterable[float], was: Evaluated) -> KeyTable:
        """The same curves with keys at some times."""
        table = self
        inside: list[float] = []
        for time in sorted(times):
            if table.key_at(time) is not None or time in inside:
                continue
            if table.time[0] < time < table.time[-1]:
                inside.append(time)
            else:
                table = table._lengthened(time, was)
        cuts: dict[int, list[float]] = {}
        for time in inside:
            cuts.setdefault(int(np.searchsorted(table.time, time)) - 1, []).append(time)
        for k in sorted(cuts, reverse=True):
            table = table._cut(k, cuts[k], was)
        return table

    def straight(self, segments: Ints) -> KeyTable:
        """The same curves, some linear or slerp segments as Bezier segments with straight handles.

        The way of a slerp segment is not exactly the same.
        """
        modes = (Interpolation.LINEAR, Interpolation.SLERP)
        bent = segments[np.isin(self.mode[segments], modes)]
        if not len(bent):
            return self
        run, rise, mode = self.run.copy(), self.rise.copy(), self.mode.copy()
        kinds, smooth, changed = self.kinds.copy(), self.smooth.copy(), self.changed.copy()
        third = np.diff(self.time)[bent] / 3.0
        climb = np.diff(self.value, axis=0)[bent] / 3.0
        run[bent, 1], run[bent + 1, 0] = third, third
        rise[bent, 1], rise[bent + 1, 0] = climb, climb
        mode[bent] = Interpolation.BEZIER
        for ends in (bent, bent + 1):
            kinds[ends], smooth[ends], changed[ends] = Handle.FREE, False, True
        return replace(
            self, run=run, rise=rise, mode=mode, kinds=kinds, smooth=smooth, changed=changed
        )

    def between(self, start: float, end: float) -> KeyTable:
        """The keys from a key at `start` to one at `end`."""
        kept = (self.time >= start - NEAR) & (self.time <= end + NEAR)
        if kept.all():
            return self
        fields = ("time", "run", "value", "rise", "kinds", "mode", "smooth", "changed")
        return replace(self, **{name: getattr(self, name)[kept] for name in fields})

    def rotated(self, start: float, period: float) -> KeyTable:
        """One cycle from a key at `start` to the same key a period later.

        The old first and last key become one key.
        """
        first = self.key_at(start)
        assert first is not None
        if first in (0, len(self) - 1):
            by = self.time[0] if first == 0 else self.time[-1]
            return replace(self, time=self.time + (start - by))
        climb = self.value[-1] - self.value[0]
        order = np.concatenate([np.arange(first, len(self)), np.arange(1, first + 1)])
        late = np.arange(len(order)) >= len(self) - first
        seam = len(self) - first - 1
        run, rise, mode = self.run[order], self.rise[order], self.mode[order]
        kinds, changed = self.kinds[order], self.changed[order]
        run[seam, 1], rise[seam, 1], mode[seam] = self.run[0, 1], self.rise[0, 1], self.mode[0]
        kinds[seam, 1] = self.kinds[0, 1]
        smooth = self.smooth[order]
        smooth[seam] = in_line(run[seam], rise[seam])
        changed[[0, seam, -1]] = True
        return replace(
            self,
            time=self.time[order] + np.where(late, period, 0.0),
            value=self.value[order] + np.where(late[:, None], climb, 0.0),
            run=run,
            rise=rise,
            mode=mode,
            kinds=kinds,
            smooth=smooth,
            changed=changed,
        )

    def _cut(self, k: int, times: list[float], was: Evaluated) -> KeyTable:
        """A segment cut at some times into segments of the same shape."""
        if self.mode[k] != Interpolation.BEZIER:
            moments = np.array(times)
            height = np.stack([was(time) for time in times])
            bounds = np.concatenate([[self.time[k]], moments, [self.time[k + 1]]])
            ends = np.concatenate([self.value[k : k + 1], height, self.value[k + 1 : k + 2]])
            runs, climbs = np.diff(bounds) / 3.0, np.diff(ends, axis=0) / 3.0
            run = np.stack([runs[:-1], runs[1:]], axis=1)
            rise = np.stack([climbs[:-1], climbs[1:]], axis=1)
            return self._with_keys(k + 1, moments, height, run, rise)
        length = self.time[k + 1] - self.time[k]
        ends = np.array([self.run[k, 1], self.run[k + 1, 0]])
        shrink = length / np.maximum(ends, length)
        runs = ends * shrink
        along = np.array([0.0, runs[0], length - runs[1], length])[:, None]
        first, last = self.value[k], self.value[k + 1]
        into, out = shrink[1] * self.rise[k + 1, 0], shrink[0] * self.rise[k, 1]
        up = np.stack([first, first + out, last - into, last])
        share = (np.array(times) - self.time[k]) / length
        both = np.repeat(runs[:, None] / length, len(times), axis=1)
        asked = bezier_parameter(both[0], both[1], share)
        parts = cut_parameters(along, asked)
        at, speed = bezier_at(along, parts)
        height, climb = bezier_at(up, parts)
        step, speed = np.diff(parts) / 3.0, np.maximum(speed[:, 0], 0.0)
        run, rise, changed = self.run.copy(), self.rise.copy(), self.changed.copy()
        run[k, 1], rise[k, 1] = step[0] * speed[0], step[0] * climb[0]
        run[k + 1, 0], rise[k + 1, 0] = step[-1] * speed[-1], step[-1] * climb[-1]
        changed[[k, k + 1]] = True
        moments = self.time[k] + at[1:-1, 0]
        moments[np.searchsorted(parts[1:-1], asked)] = times
        near = np.stack([step[:-1], step[1:]], axis=1)
        own = replace(self, run=run, rise=rise, changed=changed)
        inner = near * speed[1:-1, None], near[..., None] * climb[1:-1, None]
        return own._with_keys(k + 1, moments, height[1:-1], *inner)

    def _lengthened(self, time: float, was: Evaluated) -> KeyTable:
        """A key before the first or after the last one, where the curve already passes."""
        end = 0 if time < self.time[0] else len(self) - 1
        value, side = was(time), int(end > 0 or time > self.time[0])
        run, rise, changed = self.run.copy(), self.rise.copy(), self.changed.copy()
        away = abs(time - self.time[end]) / 3.0
        climb = (value - self.value[end]) / 3.0 * (1.0 if side else -1.0)
        run[end, side], rise[end, side], changed[end] = away, climb, True
        smooth = self.smooth.copy()
        smooth[end] = in_line(run[end], rise[end]) if len(self) > 1 else True
        longer = replace(self, run=run, rise=rise, changed=changed, smooth=smooth)
        both, way = np.full((1, 2), away), np.stack([climb, climb])[None]
        return longer._with_keys(len(self) if side else 0, np.array([time]), value[None], both, way)

    def _with_keys(
        self, at: int, times: Floats, value: Floats, run: Floats, rise: Floats
    ) -> KeyTable:
        """With keys (n,) before the key `at`."""
        count, curves = len(times), self.value.shape[1]
        smooth = np.repeat((run > 0).all(axis=1, keepdims=True), curves, axis=1)
        kind = np.where(smooth, int(Handle.ALIGNED), int(Handle.FREE))[:, None]
        mode = np.full(count, self.mode[max(at - 1, 0)])

        def joined(old: Any, new: Any) -> Any:
            return np.concatenate([old[:at], new, old[at:]])

        return replace(
            self,
            time=joined(self.time, times),
            run=joined(self.run, run),
            value=joined(self.value, value),
            rise=joined(self.rise, rise),
            kinds=joined(self.kinds, np.repeat(kind, 2, axis=1)),
            mode=joined(self.mode, mode),
            smooth=joined(self.smooth, smooth),
            changed=joined(self.changed, np.ones(count, bool)),
        )

    def curves(self, templates: Sequence[Template] | None = None) -> list[Curve]:
        """The curves; `templates` may be those of a table that differs in values and rises only."""
        tangent = np.empty((self.value.shape[1], len(self), 2, 2))
        tangent[..., 0] = self.run
        tangent[..., 1] = np.moveaxis(self.rise, -1, 0)
        values = np.ascontiguousarray(self.value.T)
        made: dict[int, Curve] = {}
        for own, first in self.templates() if templates is None else templates:
            made |= zip(own, first.with_values(values[own], tangent[own]), strict=True)
        return [made[column] for column in range(len(values))]

    def templates(self) -> list[Template]:
        """Columns that have the same kinds of handles, and a curve with these.

        Automatic handles of changed keys become aligned, or free at corners.
        """
        smooth = self.smooth & (self.run > 0).all(axis=1, keepdims=True)
        stored = np.where(smooth, int(Handle.ALIGNED), int(Handle.FREE))[:, None]
        kinds = np.where(self.changed[:, None, None], stored, self.kinds)
        patterns: dict[bytes, list[int]] = {}
        for column in range(self.value.shape[1]):
            pattern = kinds[..., column].tobytes() + self.ways[:, column].tobytes()
            patterns.setdefault(pattern, []).append(column)
        found = []
        for own in patterns.values():
            before, after = (Extrapolation(way) for way in self.ways[:, own[0]].tolist())
            tangent = np.stack([self.run, self.rise[..., own[0]]], axis=-1)
            keys = self.time, self.value[:, own[0]], tangent, kinds[..., own[0]], self.mode
            found.append((own, Curve(*keys, before, after)))
        return found


def repeats(curve: Curve) -> bool:
    """Whether its keys are one cycle of many."""
    return len(curve) > 1 and curve.before in ROUND and curve.after in ROUND


def alike(curve: Curve) -> tuple[bytes, ...]:
    """Equal for curves that can be in one table."""
    slerps = (curve.interpolation == Interpolation.SLERP).any()
    runs = b"" if slerps else curve.tangent[..., 0].tobytes()
    kept = b"round" if repeats(curve) else bytes((curve.before, curve.after))
    return curve.time.tobytes(), curve.interpolation.tobytes(), kept, runs


def in_line(run: Floats, rise: Floats) -> Bools:
    """(..., N) whether the handles (..., 2), (..., 2, N) of keys are in one line."""
    cross = np.abs(run[..., :1] * rise[..., 1, :] - run[..., 1:] * rise[..., 0, :])
    size = np.hypot(run[..., :1], rise[..., 0, :]) * np.hypot(run[..., 1:], rise[..., 1, :])
    return np.asarray(cross <= ONE_LINE * size)
