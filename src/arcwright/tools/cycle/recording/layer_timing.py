"""Layer timing: which period a new layer has in the loop that plays, and where it starts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.recording.acted_loop import ActedLoop
from arcwright.tools.cycle.recording.take_loop import TakeLoop

RATIOS = {
    "1:1": (1, 1),
    "1:2": (1, 2),
    "1:3": (1, 3),
    "2:1": (2, 1),
    "3:1": (3, 1),
    "3:2": (3, 2),
}
NEAR = 0.12  # of a ratio: a period this near snaps to it
MOST_LOOPS = 8  # of the take, in which a free period must come out even
EVEN = 0.02  # of a free period, by which it may change for that


@dataclass(frozen=True, eq=False)
class LayerTiming:
    """A layer in the take: its loop has phase 0 at `start` and every `period` from there."""

    period: float  # s
    start: float  # s, of the take
    duration: float  # s, of the take with the layer
    ratio: str = ""  # to the period of the loop, where it is one of `RATIOS`
    note: str = ""  # what people should know about it
    closes: bool = False  # whether the take becomes a loop with the layer

    def phases(self, times: Floats) -> Floats:
        """(T,) phases of the layer at times of the take."""
        phases: Floats = (times - self.start) / self.period
        return phases


def layer_timing(
    acted: ActedLoop, loop: TakeLoop, options: CycleOptions, cut: float | None
) -> LayerTiming:
    """The timing of an acted loop; `cut` is the phase that people want at the take's start."""
    rate = loop.take.rate
    ratio = "" if loop.period is None else snapped_ratio(acted.period, loop.period, options.ratio)
    if loop.period is None or (loop.replaceable and options.ratio == "auto" and not ratio):
        period = max(2, round(acted.period * rate)) / rate  # whole frames
        return LayerTiming(period, 0.0 if cut is None else -cut * period, period)
    closes = False
    if not loop.loops:
        period, closes, note = _in_one_round(acted.period, loop.period, loop, options.ratio)
        duration, ratio = loop.period, ""
    elif ratio:
        times, of = RATIOS[ratio]
        period, duration, note = loop.period * times / of, loop.period * times, ""
    else:
        period, duration = _free(acted.period, loop.period)
        note = "" if options.ratio == "free" else _free_note(acted.period, loop.period, duration)
    start = -cut * period if cut is not None else seen_start(acted.cuts, acted.weights, period)
    return LayerTiming(period, start, duration, ratio, note, closes)


def _in_one_round(
    acted: float, length: float, loop: TakeLoop, wanted: str
) -> tuple[float, bool, str]:
    """The period in a take that is not said to loop, whether it does with it, and a note."""
    even = length / max(1, round(length / acted))
    name = loop.take.name.rpartition("|")[2]  # as the page shows it
    if wanted == "free" or not loop.ends_meet or abs(even / acted - 1) > NEAR:
        return acted, False, f"{name} does not loop: the layer ends with it"
    return (
        even,
        True,
        (
            f"{name} ends as it starts, so it becomes a loop: the layer was acted in "
            f"{acted:.2f} s and repeats every {even:.2f} s"
        ),
    )


def snapped_ratio(acted: float, loop: float, wanted: str) -> str:
    """The ratio of a layer's period to that of the loop; empty where it keeps its own."""
    if wanted != "auto":
        return wanted if wanted in RATIOS else ""
    near = {name: abs(acted / (loop * times / of) - 1) for name, (times, of) in RATIOS.items()}
    best = min(near, key=lambda name: near[name])
    return best if near[best] <= NEAR else ""


def _free_note(acted: float, loop: float, duration: float) -> str:
    *first, last = RATIOS
    known = f"{', '.join(first)} or {last}"
    return (
        f"{acted:.2f} s is not near {known} of the loop ({loop:.2f} s): the layer "
        f"keeps its own period, and the take becomes {duration:.2f} s long"
    )


def _free(acted: float, loop: float) -> tuple[float, float]:
    """The nearest period that comes out even after a few loops, and how long these are."""
    best, least = (acted, loop), np.inf
    for loops in range(1, MOST_LOOPS + 1):
        period = loops * loop / max(1, round(loops * loop / acted))
        change = abs(period / acted - 1)
        if change < least:
            best, least = (period, loops * loop), change
        if change <= EVEN:
            return period, loops * loop
    return best


def seen_start(cuts: Floats, weights: Floats, period: float) -> float:
    """When the loop starts, s, so that it is where it was acted: the circular mean of the cuts."""
    return circular_mean(cuts[: len(weights)].tolist(), weights.tolist(), period)


def circular_mean(moments: Sequence[float], weights: Sequence[float], period: float) -> float:
    """The mean of moments on a circle, 0 to `period`."""
    angles = 2 * np.pi * np.asarray(moments) / period
    total = (np.asarray(weights) * np.exp(1j * angles)).sum()
    return float(np.angle(total) / (2 * np.pi) % 1.0 * period)
