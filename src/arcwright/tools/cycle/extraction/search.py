"""Search a motion for cycles: possible periods, the best one's cycles, or why there are none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from arcwright.tools.cycle.extraction.mirrored_stride import mirrored_stride
from arcwright.tools.cycle.extraction.model import (
    LEAST_SAMPLES,
    PerformedSamples,
    no_cycle_reason,
    no_loop_reason,
    periods,
    signal_of,
)
from arcwright.tools.cycle.extraction.period import Candidate
from arcwright.tools.cycle.extraction.phase import Alignment, align
from arcwright.tools.cycle.extraction.signal import MotionSignal

SELDOM = 1.25  # repetitions: with fewer, two alike movements may be chance,
SINGLE = 1.5  # and with fewer than this where only one whole cycle is seen between its parts
UNSURE, UNLIKE = 0.4, 0.6  # confidence below which, and error above which a person should look


@dataclass(frozen=True, eq=False)
class CycleSearch:
    """What was found in some samples."""

    samples: PerformedSamples
    signal: MotionSignal | None  # None where there are too few samples for one
    candidates: tuple[Candidate, ...]  # the best first, or that nearest to a chosen period
    reason: str | None  # why there is no loop
    alignment: Alignment | None  # the cycles of the first candidate; None with a reason


def search_cycles(
    views: Iterable[PerformedSamples], period: float | None = None, within: float = np.inf
) -> CycleSearch:
    """The cycles in the first of several views of a motion in which something repeats.

    Where nothing does, a stride whose two steps mirror each other is looked for in the first view.
    A `period` chooses the candidate nearest to it, trusted or not, unless it is farther away than
    `within` (natural logarithm).
    """
    first: CycleSearch | None = None
    for samples in views:
        found = _searched(samples)
        if found.alignment is not None:
            break
        first = first or found
    else:
        assert first is not None, "no view to search"
        found = _with_stride(first)
    return found if period is None else _chosen(found, period, within)


def caution(candidates: tuple[Candidate, ...], error: float, whole: int) -> str | None:
    """Why a loop of the first candidate may not be one; so many `whole` cycles, with some error."""
    if not candidates:
        return None
    best = candidates[0]
    if best.mirrored:
        return "one stride is seen: its period is that of two steps that mirror each other"
    if best.parts == 1:
        return None  # a clip that ends as it starts
    if best.repeated < (SELDOM if whole > 1 else SINGLE):
        times = f"{1 + best.repeated:.1f} times"
        return f"the movement is seen only {times}: it may have been repeated by chance"
    if best.confidence < UNSURE or error > UNLIKE:
        return "its cycles have little in common"
    return None


def _searched(samples: PerformedSamples) -> CycleSearch:
    if len(samples.time) < LEAST_SAMPLES:
        return CycleSearch(samples, None, (), no_cycle_reason(samples, ()), None)
    signal = signal_of(samples)
    found = tuple(periods(samples, signal))
    reason = no_cycle_reason(samples, found)
    if reason is not None:
        return CycleSearch(samples, signal, found, reason, None)
    alignment = align(signal, found[0])
    reason = no_loop_reason(alignment)
    return CycleSearch(samples, signal, found, reason, None if reason else alignment)


def _with_stride(found: CycleSearch) -> CycleSearch:
    stride = None if found.signal is None else mirrored_stride(found.samples)
    if stride is None:
        return found
    candidate, alignment = stride
    candidates = (candidate, *found.candidates)
    return replace(found, candidates=candidates, reason=None, alignment=alignment)


def nearest_first(candidates: Iterable[Candidate], period: float) -> tuple[Candidate, ...]:
    """Candidates by how near they are to a period, in ratio."""
    return tuple(sorted(candidates, key=lambda each: each.away(period)))


def _chosen(found: CycleSearch, period: float, within: float) -> CycleSearch:
    nearest = nearest_first(found.candidates, period)
    if not nearest or nearest[0].away(period) > within or found.signal is None:
        return found
    best = found.candidates[0]
    kept = found.alignment if nearest[0] is best else None
    alignment = kept or align(found.signal, nearest[0])
    return replace(found, candidates=nearest, reason=None, alignment=alignment)
