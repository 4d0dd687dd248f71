"""Search a motion for cycles: possible periods, the best one's cycles, or why there are none."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.tools.cycle.extraction.model import (
    PerformedSamples,
    no_cycle_reason,
    no_loop_reason,
    periods,
    signal_of,
)
from arcwright.tools.cycle.extraction.period import Candidate
from arcwright.tools.cycle.extraction.phase import Alignment, align
from arcwright.tools.cycle.extraction.signal import MotionSignal


@dataclass(frozen=True, eq=False)
class CycleSearch:
    """What was found in some samples."""

    signal: MotionSignal
    candidates: tuple[Candidate, ...]  # the best first
    reason: str | None  # why there is no loop
    alignment: Alignment | None  # the cycles of the first candidate; None with a reason


def search_cycles(samples: PerformedSamples, period: float | None = None) -> CycleSearch:
    """The cycles of the best period, or of that nearest to `period`, trusted or not."""
    signal = signal_of(samples)
    found = periods(samples, signal)
    reason = no_cycle_reason(samples, found)
    if period is not None and found:
        found.sort(key=lambda each: abs(np.log(each.period / period)))
        return CycleSearch(signal, tuple(found), None, align(signal, found[0]))
    if reason is not None:
        return CycleSearch(signal, tuple(found), reason, None)
    alignment = align(signal, found[0])
    reason = no_loop_reason(alignment)
    return CycleSearch(signal, tuple(found), reason, None if reason else alignment)
