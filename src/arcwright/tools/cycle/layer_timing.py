"""Layer timing: which period a new layer has in the loop that plays, and where it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.cycle.acted_loop import ActedLoop
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.take_loop import TakeLoop

RATIOS = {"1:1": (1, 1), "1:2": (1, 2), "2:1": (2, 1), "3:2": (3, 2)}
NEAR = 0.12  # of a ratio: a period this near snaps to it
MOST_LOOPS = 8  # of the take, in which a free period must come out even
EVEN = 0.02  # of a free period, by which it may change for that


@dataclass(frozen=True, eq=False)
class LayerTiming:
    """A layer in the take: its loop has phase 0 at `start` and every `period` from there."""

    period: float  # s
    start: float  # s, of the take
    duration: float  # s, of the take with the layer
    note: str = ""  # what people should know about it

    def phases(self, times: Floats) -> Floats:
        """(T,) phases of the layer at times of the take."""
        phases: Floats = (times - self.start) / self.period
        return phases


def layer_timing(
    acted: ActedLoop, loop: TakeLoop, options: CycleOptions, cut: float | None
) -> LayerTiming:
    """The timing of an acted loop; `cut` is the phase that people want at the take's start."""
    rate = loop.take.rate
    if loop.period is None:
        period = max(2, round(acted.period * rate)) / rate  # whole frames
        start = 0.0 if cut is None else -cut * period
        return LayerTiming(period, start, period)
    period, loops, note = snapped_period(acted.period, loop.period, options.ratio)
    if not loop.loops:
        period, loops = acted.period, 1
        note = f"{loop.take.name} does not loop: the layer repeats until its end"
    start = -cut * period if cut is not None else seen_start(acted.cuts, acted.weights, period)
    return LayerTiming(period, start, loops * loop.period, note)


def snapped_period(acted: float, loop: float, ratio: str) -> tuple[float, int, str]:
    """The period of a layer, s, how many loops of the take it needs to come out even, a note."""
    if ratio in RATIOS:
        times, of = RATIOS[ratio]
        return loop * times / of, times, ""
    if ratio == "auto":
        near = {name: abs(acted / (loop * a / b) - 1) for name, (a, b) in RATIOS.items()}
        best = min(near, key=lambda name: near[name])
        if near[best] <= NEAR:
            times, of = RATIOS[best]
            return loop * times / of, times, ""
    period, loops = _free(acted, loop)
    note = ""
    if ratio == "auto":
        note = (
            f"{acted:.2f} s is not near 1:1, 1:2, 2:1 or 3:2 of the loop ({loop:.2f} s): the layer "
            f"keeps its own period, and the take is {loops * loop:.2f} s long"
        )
    return period, loops, note


def _free(acted: float, loop: float) -> tuple[float, int]:
    """The nearest period that comes out even after a few loops."""
    best, least = (acted, 1), np.inf
    for loops in range(1, MOST_LOOPS + 1):
        period = loops * loop / max(1, round(loops * loop / acted))
        change = abs(period / acted - 1)
        if change < least:
            best, least = (period, loops), change
        if change <= EVEN:
            return period, loops
    return best


def seen_start(cuts: Floats, weights: Floats, period: float) -> float:
    """When the loop starts, s, so that it is where it was acted: the circular mean of the cuts."""
    return circular_mean(cuts[: len(weights)].tolist(), weights.tolist(), period)


def circular_mean(moments: Sequence[float], weights: Sequence[float], period: float) -> float:
    """The mean of moments on a circle, 0 to `period`."""
    angles = 2 * np.pi * np.asarray(moments) / period
    total = (np.asarray(weights) * np.exp(1j * angles)).sum()
    return float(np.angle(total) / (2 * np.pi) % 1.0 * period)
