"""Loop timing: which moment of a loop each time shows, when some frames are dragged in time.

A dragged frame moves those around it (`retime.py`); frames beyond the affected range keep their
moment, so a drag is local. A range too short for a drag is widened to twice its way, at most to
the frame opposite on the loop. Between frames time runs on monotone cubics.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, exp

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.bezier_parameter import bezier_parameter
from arcwright.tools.cycle.shaping.retime import LEAST_FRAMES, retime

WIDENED = 2.0  # times the way of a tick: the least range
LEAST_SCALE = 0.2  # of even steps, of frames that are tightened
LEAST_BESIDE = 0.5  # of even steps, of those beside frames that are spread
ON_FRAME = 1e-6  # frames
STILL = 1e-12  # s, or of an even rate: a smaller change is none
EVEN = 1e-6  # by how much rates before and after a key may differ without a corner
LEAST_GAIN = 0.1  # of what a tick between frames may follow the frame beside it
_CLOSER = 8  # rounds for ticks between frames


@dataclass(frozen=True)
class Tick:
    """At `time` the moment `shown` is to be seen; `spread` above 0 spreads the frames there."""

    time: float  # s
    shown: float  # s
    spread: float = 0.0


@dataclass(frozen=True, eq=False)
class LoopTiming:
    """Moments shown at K knots, s; beyond them time goes on as it did, or repeats."""

    time: Floats  # (K,) s, growing
    shown: Floats  # (K,) s, growing
    slope: Floats  # (K, 2) of the moment, into and out of the knot
    loops: bool  # the last knot is the first, one period later
    moved: Bools  # (K - 1,) whether a segment between knots is not as it was
    missed: tuple[tuple[Tick, float], ...] = ()  # ticks that stopped, s, shown less wanted

    @property
    def period(self) -> float:
        """From the first to the last knot, s."""
        return float(self.time[-1] - self.time[0])

    def moments(self, times: Floats) -> Floats:
        """(T,) the moments shown at times."""
        inside, turns = self._folded(times, self.time)
        k, length, way = self._segments(inside, self.time)
        u = np.clip((inside - self.time[k]) / length, 0.0, 1.0)
        a, b = self.slope[k, 1] * length, self.slope[k + 1, 0] * length
        bend, turn = 3 * way - 2 * a - b, a + b - 2 * way
        found = self.shown[k] + u * (a + u * (bend + u * turn))
        return self._beyond(times, self.time, found) + turns

    def times(self, moments: Floats) -> Floats:
        """(T,) the times at which moments are shown: the inverse."""
        inside, turns = self._folded(moments, self.shown)
        k, length, way = self._segments(inside, self.shown)
        share = np.clip((inside - self.shown[k]) / way, 0.0, 1.0)
        third = length / (3.0 * way)
        runs = self.slope[k, 1] * third, self.slope[k + 1, 0] * third
        u = bezier_parameter(np.minimum(runs[0], 1.0), np.minimum(runs[1], 1.0), share)
        return self._beyond(moments, self.shown, self.time[k] + u * length) + turns

    def rates(self, times: Floats) -> Floats:
        """(T, 2) how fast moments pass before and after times."""
        inside, _ = self._folded(times, self.time)
        found = np.empty((len(times), 2))
        for side, nudge in enumerate((-1e-9, 1e-9)):
            k, length, way = self._segments(inside + nudge * self.period, self.time)
            u = np.clip((inside - self.time[k]) / length, 0.0, 1.0)
            a, b = self.slope[k, 1] * length, self.slope[k + 1, 0] * length
            bend, turn = 3 * way - 2 * a - b, a + b - 2 * way
            found[:, side] = (a + u * (2 * bend + 3 * u * turn)) / length
        if not self.loops:
            outside = (times < self.time[0]) | (times > self.time[-1])
            found[outside] = 1.0
        return np.maximum(found, 1e-6)

    def moved_keys(self, time: Floats, run: Floats) -> tuple[Floats, Floats, Bools, Bools]:
        """Keys at the times at which their moments are shown, their handles scaled as time runs.

        Times (K,) and handles (K, 2), which keys are not as they were, and where both handles
        are scaled alike. What hardly changes stays bit for bit.
        """
        shown = self.times(time)
        rates = self.rates(shown)
        same_time, same_rate = np.abs(shown - time) < STILL, np.abs(rates - 1.0) < STILL
        even = np.abs(rates[:, 0] - rates[:, 1]) < EVEN
        return (
            np.where(same_time, time, shown),
            np.where(same_rate, run, run / rates),
            ~same_time | ~same_rate.all(axis=1),
            np.asarray(even),
        )

    def affected(self, times: Floats) -> Bools:
        """(T,) which times may show another moment."""
        inside, _ = self._folded(times, self.time)
        k = self._segments(inside, self.time)[0]
        known = (inside >= self.time[0]) & (inside <= self.time[-1])
        return np.asarray(self.moved[k] & (known | self.loops))

    @property
    def windows(self) -> list[tuple[float, float]]:
        """From where to where time changes, s; on a loop it may go on beyond its end."""
        runs = [(0, len(self.moved))] if self.moved.all() else _runs(self.moved, self.loops)
        found = []
        for first, count in runs:
            last = first + count
            turn = self.period if last >= len(self.time) else 0.0
            end = self.time[last - len(self.moved) if turn else last] + turn
            found.append((float(self.time[first]), float(end)))
        return found

    @property
    def ends(self) -> Floats:
        """(E,) times at which a changed part begins or ends."""
        edges = self.moved != np.roll(self.moved, 1)
        if not self.loops:
            edges[0] = self.moved[0]
        return np.asarray(self.time[:-1][edges])

    def _folded(self, times: Floats, knots: Floats) -> tuple[Floats, Floats]:
        """(T,) times on the loop that begins at the first knot, and the turns taken away, s."""
        if not self.loops:
            return times, np.zeros(len(times))
        turns = np.floor((times - knots[0]) / self.period) * self.period
        return times - turns, turns

    def _segments(self, times: Floats, knots: Floats) -> tuple[Ints, Floats, Floats]:
        k = np.clip(np.searchsorted(knots, times, "right") - 1, 0, len(knots) - 2)
        return k, np.diff(self.time)[k], np.diff(self.shown)[k]

    def _beyond(self, given: Floats, knots: Floats, found: Floats) -> Floats:
        if self.loops:
            return found
        outside = (given < knots[0]) | (given > knots[-1])
        return np.where(outside, given, found)


def loop_timing(
    ticks: Sequence[Tick], start: float, length: float, rate: float, reach: float, *, loops: bool
) -> LoopTiming:
    """The timing of a loop, or of a take from `start` on, with these ticks; `reach` in s."""
    frames = max(round(length * rate), LEAST_FRAMES)
    step = length / frames
    local = [_local(tick, start, step, frames if loops else None) for tick in ticks]
    aims = {round(tick.time) % (frames if loops else frames + 1): tick for tick in local}
    own = np.arange(frames + 1.0)
    moved, changed, off = _led(own, aims, reach / step, loops)
    knots = own.copy()
    for frame, tick in aims.items():
        if tick.time % 1.0 > 0 and abs(off[frame]) < 10 * ON_FRAME:
            _set(knots, frame, tick.time - round(tick.time), loops)
            _set(moved, frame, tick.shown - round(tick.time) - (moved[frame] - frame), loops)
    made = _timing(knots, moved, changed, loops)
    if loops and knots[0]:
        made = _from_zero(made)
    missed = [
        (tick, (_moment(made, each.time) - each.shown) * step)
        for tick, each in zip(ticks, local, strict=True)
    ]
    return LoopTiming(
        start + made.time * step,
        start + made.shown * step,
        made.slope,
        loops,
        made.moved,
        tuple((tick, off) for tick, off in missed if abs(off) > ON_FRAME * step),
    )


def _led(
    own: Floats, aims: dict[int, Tick], reach: float, loops: bool
) -> tuple[Floats, Bools, dict[int, float]]:
    """Frames moved so that ticks between them are met, too, and how far each tick is off.

    Each of these leads the frame beside it farther or less far, by the secant method.
    """
    frames, ways = len(own) - 1, {frame: tick.shown - tick.time for frame, tick in aims.items()}
    between = [frame for frame, tick in aims.items() if tick.time % 1.0 > 0]
    last: dict[int, tuple[float, float]] = {}
    for left in range(_CLOSER, -1, -1):
        moved, changed = _moved(frames, aims, ways, reach, loops)
        found = _timing(own, moved, changed, loops)
        off = {frame: each.shown - _moment(found, each.time) for frame, each in aims.items()}
        if not left or all(abs(off[frame]) < ON_FRAME for frame in between):
            break
        for frame in between:
            gain = 1.0
            if frame in last and last[frame][0] != ways[frame]:
                gain = (last[frame][1] - off[frame]) / (ways[frame] - last[frame][0])
            last[frame] = ways[frame], off[frame]
            ways[frame] += off[frame] / min(max(gain, LEAST_GAIN), 1.0 / LEAST_GAIN)
    return moved, changed, off


def _from_zero(timing: LoopTiming) -> LoopTiming:
    """The same timing of a loop, from a knot at 0 on."""
    period = timing.period
    turns = np.floor(timing.time[:-1] / period)
    order = np.argsort(timing.time[:-1] - turns * period)
    shown, rates = timing.moments(np.zeros(1)), timing.rates(np.zeros(1))
    seam = order[-1:]  # the segment over it
    time, moments = timing.time[:-1] - turns * period, timing.shown[:-1] - turns * period
    return LoopTiming(
        np.concatenate([[0.0], time[order], [period]]),
        np.concatenate([shown, moments[order], shown + period]),
        np.concatenate([rates, timing.slope[:-1][order], rates]),
        timing.loops,
        np.concatenate([timing.moved[seam], timing.moved[order]]),
    )


def _moment(timing: LoopTiming, time: float) -> float:
    return float(timing.moments(np.array([time]))[0])


def _set(knots: Floats, frame: int, by: float, loops: bool) -> None:
    """Shift a knot; the first and last of a loop are one."""
    knots[[0, -1] if loops and frame == 0 else [frame]] += by


def _local(tick: Tick, start: float, step: float, frames: int | None) -> Tick:
    """A tick in frames from the start; on a loop the short way round."""
    time, way = (tick.time - start) / step, (tick.shown - tick.time) / step
    if frames is not None:
        time, way = time % frames, (way + frames / 2) % frames - frames / 2
    if abs(time - round(time)) < ON_FRAME:
        time = float(round(time))
        time = 0.0 if time == frames else time
    return Tick(time, time + way, tick.spread)


def _moved(
    frames: int, aims: dict[int, Tick], ways: dict[int, float], reach: float, loops: bool
) -> tuple[Floats, Bools]:
    """(M + 1,) the moment shown at each frame, and (M,) which steps may have changed."""
    moved, changed = np.arange(frames + 1.0), np.zeros(frames, bool)
    pins: dict[int, float] = {}  # how much later a moment than its own a frame shows
    for frame, tick in aims.items():
        wide = ceil(max(reach, WIDENED * abs(tick.shown - tick.time), 2.0) - ON_FRAME)
        steps = np.arange(frame - wide, frame + wide)
        inside = (steps >= 0) & (steps < frames) | loops
        changed[steps[inside] % frames] = True
        own = _pins(frame, ways[frame], tick.spread, wide)
        for each, by in own.items():
            pins.setdefault(each % frames if loops else each, by)
    if loops and changed.sum() >= frames - 1:
        return _whole(frames, pins), np.ones(frames, bool)
    for low, count in _runs(changed, loops):
        wide = count + 2
        edge = {0: 0.0, 1: 1.0, wide - 1: wide - 1.0}
        places = {
            ((each - low) % frames if loops else each - low) + 1: by for each, by in pins.items()
        }
        inner = {each: each + by for each, by in places.items() if 1 < each < wide - 1}
        found = retime(wide, float(wide), edge | inner).time[1:wide] - np.arange(1, wide)
        own_frames = np.arange(low, low + count + 1)
        moved[own_frames % frames if loops else own_frames] += found
    if loops:
        moved[-1] = moved[0] + frames
    return moved, changed


def _whole(frames: int, pins: dict[int, float]) -> Floats:
    """All frames of a loop; the one farthest from what is pinned keeps its moment."""
    own = np.arange(frames)
    apart = np.min([np.minimum((own - at) % frames, (at - own) % frames) for at in pins], axis=0)
    far = int(np.argmax(apart))
    return retime(
        frames, float(frames), {far: float(far)} | {f: f + by for f, by in pins.items()}
    ).time


def _runs(changed: Bools, loops: bool) -> Iterator[tuple[int, int]]:
    """The first step and the number of steps of each run; one may go over the seam of a loop."""
    edge = np.roll(changed, 1)
    if not loops:
        edge[0] = False
    for start in np.flatnonzero(changed & ~edge).tolist():
        rest = np.roll(changed, -start) if loops else changed[start:]
        yield start, len(rest) if rest.all() else int(np.argmin(rest))


def _pins(frame: int, way: float, spread: float, wide: int) -> dict[int, float]:
    """How much later moments frames show; those beside a tick that is spread pass further ones."""
    pins = {frame: way}
    if spread:
        half = max(1, wide // 2)
        most = (wide - LEAST_BESIDE * (wide - half) - abs(way)) / half
        more = half * (min(max(exp(min(spread, 50.0)), LEAST_SCALE), max(most, LEAST_SCALE)) - 1.0)
        pins |= {frame - half: way - more, frame + half: way + more}
    return pins


def _timing(time: Floats, shown: Floats, changed: Bools, loops: bool) -> LoopTiming:
    """Monotone cubics through the knots (Fritsch and Carlson); as it was where nothing changed."""
    length, way = np.diff(time), np.diff(shown)
    rate = np.maximum(way, 1e-9) / length
    before, after = np.append(rate[-1:], rate), np.append(rate, rate[:1])
    short, long = np.append(length[-1:], length), np.append(length, length[:1])
    first, second = 2 * long + short, long + 2 * short
    mean = (first + second) / (first / before + second / after)
    still = np.append(changed[-1:], changed) & np.append(changed, changed[:1])
    if not loops:
        still[[0, -1]] = False
    knots = np.where(still, mean, 1.0)
    slope = np.empty((len(time), 2))
    slope[:-1, 1] = np.minimum(knots[:-1], 3 * rate)
    slope[1:, 0] = np.minimum(knots[1:], 3 * rate)
    slope[0, 0], slope[-1, 1] = slope[-1, 0], slope[0, 1]
    return LoopTiming(time, shown, slope, loops, changed)
