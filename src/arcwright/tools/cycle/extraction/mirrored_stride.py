"""A stride whose two steps mirror each other: a cycle that was seen only once.

A walk or run from a stand to a stop may have one full stride, which no other repeats. Its second
step is the first one in the mirror, though: so its period is seen, and the stride can be closed.
"""

from __future__ import annotations

import numpy as np

from arcwright.tools.cycle.extraction.lag_paths import DISSIMILAR
from arcwright.tools.cycle.extraction.model import PerformedSamples, moves
from arcwright.tools.cycle.extraction.period import Candidate, find_mirrored
from arcwright.tools.cycle.extraction.phase import Alignment, evenly_timed
from arcwright.tools.cycle.extraction.signal import MotionSignal, mirrored_signals

MOST = 0.5  # of all movement must be in the stride, a step before it and a step after it


def mirrored_stride(samples: PerformedSamples) -> tuple[Candidate, Alignment] | None:
    """The period of two steps, and the stride that shows it best; None where none is trusted."""
    if samples.mirrored is None or not moves(samples.features):
        return None
    signal, image = mirrored_signals(samples.time, samples.features, samples.mirrored)
    for candidate in find_mirrored(signal, image):
        alignment = _best_stride(signal, candidate) if candidate.trusted else None
        if alignment is not None:
            return candidate, alignment
    return None


def _best_stride(signal: MotionSignal, candidate: Candidate) -> Alignment | None:
    """The stride that moves most while its steps match, from one step's start to the next but one;
    None where the signal has no two steps in a row."""
    lag = candidate.lag
    moments = np.arange(len(lag), dtype=float)
    starts = moments[moments + lag <= len(lag) - 1]
    if not len(starts):
        return None
    step = lag[: len(starts)]
    ends = starts + step + np.interp(starts + step, moments, lag)
    matching = signal.activity[: len(lag)] * (1 - candidate.relative / DISSIMILAR)
    sums = np.append(0.0, np.cumsum(matching))
    gained = np.interp(ends, np.arange(len(sums)), sums) - sums[: len(starts)]
    best = int(np.argmax(gained))
    start, end = float(starts[best]), float(ends[best])
    half, activity = 0.5 * (end - start), signal.activity
    around = activity[max(int(start - half), 0) : int(end + half) + 1]
    if around.sum() < MOST * activity.sum():
        return None  # a longer motion whose strides would repeat, if they were any
    return evenly_timed(np.array([start, end]))
