"""Punch-in: a part of a loop acted again; the rest stays, and both join smoothly.

The period is that of the loop, so no cycle is looked for: what was acted at a phase is the mean of
all passes of the playhead over it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.deviation import Deviation
from arcwright.kinematics.lever_arms import units_per_metre
from arcwright.kinematics.sample import values_at
from arcwright.tools.cycle.extraction.loop import FORGOTTEN, unit_quaternions
from arcwright.tools.cycle.extraction.model import PerformedSamples
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.recording.performed_item import ItemSamples, PerformedItem
from arcwright.tools.cycle.recording.take_loop import TakeLoop
from arcwright.tools.cycle.shaping.loop_keys import FittedKeys, NewValues, fit_keys

JOIN = 0.25  # of the part, at most, over which it joins the rest
LONGEST_JOIN = 0.25  # s
SPREAD = np.linspace(-0.5, 0.5, 5)  # frames around each over which jitter is averaged
LEAST_FRAMES = 3


@dataclass(frozen=True, eq=False)
class PunchedPart:
    """New poses of a part of a loop."""

    new: NewValues
    channels: Ints  # (n,) that may change
    remaining: Floats  # (T,) m
    passes: int

    def fitted(self, loop: TakeLoop, tolerance: float) -> FittedKeys:
        """Keys for it; those outside the part stay bit for bit."""
        rig = loop.take.rig
        metres = 1.0 / units_per_metre(rig, Deviation.of(rig, self.new.values))
        return fit_keys(loop.take, self.new, self.channels, tolerance, metres)


def is_punched(options: CycleOptions, loop: TakeLoop) -> bool:
    """Whether only a part of a loop is acted."""
    start, end = options.punch_start, options.punch_end
    return start is not None and end is not None and start != end and loop.period is not None


def punched_part(
    item: PerformedItem, mapped: ItemSamples, loop: TakeLoop, options: CycleOptions
) -> PunchedPart | str:
    """The part that was acted, or why there is none."""
    period, rate = loop.period or 0.0, loop.take.rate
    start, end = _range(options, period)
    frames = np.arange(np.ceil(start * rate - 1e-6), np.floor(end * rate + 1e-6) + 1)
    times = frames / rate
    acted, passes = _mean_of_passes(mapped.samples, times, period, options.shape, rate)
    covered = np.flatnonzero(np.isfinite(acted[:, 0]))
    if len(covered) < LEAST_FRAMES:
        return f"Nothing was acted between {start:.2f} and {end:.2f} s of the loop"
    part = slice(int(covered[0]), int(covered[-1]) + 1)
    times, acted = times[part], _filled(acted[part])
    span = max(start, times[0] - 1 / rate), min(end, times[-1] + 1 / rate)
    inside = times % period
    now = item.now(inside)
    columns = blended(now, acted, _weights(times, span), mapped.samples.quaternions)
    order = np.argsort(inside)
    found = item.poses(columns[order], mapped.parts, loop.take, inside[order])
    new = _new_values(loop, inside[order], found.values, span)
    return PunchedPart(new, item.channels(mapped.parts), found.remaining, passes)


def _range(options: CycleOptions, period: float) -> tuple[float, float]:
    """Start and end of the part, s; over the loop's end where it ends before it starts."""
    start, end = (options.punch_start or 0.0) * period, (options.punch_end or 0.0) * period
    return start, end + (period if end <= start else 0.0)


def _new_values(
    loop: TakeLoop, times: Floats, values: Floats, span: tuple[float, float]
) -> NewValues:
    """All frames of the loop, those of the part with new poses."""
    every = loop.take.frame_times()
    if loop.loops:
        every = every[every < (loop.period or 0.0) - 1e-6]
    whole = values_at(loop.take, every)
    whole[np.searchsorted(every, times - 1e-6) % len(every)] = values
    return NewValues(every, (span,), np.zeros(len(every), bool), whole)


def _mean_of_passes(
    samples: PerformedSamples, times: Floats, period: float, shape: str, rate: float
) -> tuple[Floats, int]:
    """(T, V) what was acted at times of the loop, NaN where nothing was; and in how many passes."""
    first, last = float(samples.time[0]), float(samples.time[-1])
    rounds = np.arange(np.floor((first - times[-1]) / period), np.ceil(last / period) + 1)
    total, weights = np.zeros((len(times), samples.values.shape[1])), np.zeros(len(times))
    reference: Floats | None = None
    passes = 0
    for turn in rounds[::-1].tolist():
        at = times + turn * period
        seen = (at >= first) & (at <= last)
        if not seen.any():
            continue
        values = _around(samples, at, rate)
        reference = values if reference is None else reference
        values = _same_signs(values, reference, samples.quaternions)
        weight = {"average": 1.0, "latest": FORGOTTEN**passes, "best": float(passes == 0)}[shape]
        weight = max(weight, 1e-9)
        total += np.where(seen, weight, 0.0)[:, None] * values
        weights += np.where(seen, weight, 0.0)
        passes += 1
    with np.errstate(invalid="ignore"):
        mean = total / weights[:, None]
    return unit_quaternions(mean, samples.quaternions), passes


def _around(samples: PerformedSamples, at: Floats, rate: float) -> Floats:
    """(T, V) values at times, averaged over the frame around each."""
    near = at[:, None] + SPREAD / rate
    columns = [np.interp(near, samples.time, column).mean(axis=1) for column in samples.values.T]
    return np.stack(columns, axis=1)


def _same_signs(values: Floats, like: Floats, quaternions: Ints) -> Floats:
    for four in quaternions:
        away = (values[:, four] * like[:, four]).sum(axis=1, keepdims=True) < 0
        values[:, four] *= np.where(away, -1.0, 1.0)
    return values


def _filled(values: Floats) -> Floats:
    """Without gaps between the passes: straight over them."""
    known = np.isfinite(values[:, 0])
    rows = np.arange(len(values))
    return np.stack([np.interp(rows, rows[known], column[known]) for column in values.T], axis=1)


def _weights(times: Floats, span: tuple[float, float]) -> Floats:
    """(T,) from 0 at the ends of the part to 1, smoothly."""
    join = min(JOIN * (span[1] - span[0]), LONGEST_JOIN)
    t = np.clip(np.minimum(times - span[0], span[1] - times) / join, 0.0, 1.0)
    return np.asarray(t * t * (3 - 2 * t))


def blended(now: Floats, acted: Floats, weight: Floats, quaternions: Ints) -> Floats:
    """(T, V) from what is there now to what was acted, by weights (T,)."""
    acted = _same_signs(acted.copy(), now, quaternions)
    blended = now + weight[:, None] * (acted - now)
    return unit_quaternions(blended, quaternions)
