"""A single acted cycle: the part of a recording that closes best."""

from __future__ import annotations

import numpy as np

from arcwright.tools.cycle.extraction.model import LEAST_SAMPLES, PerformedSamples


def closing_length(samples: PerformedSamples) -> float | None:
    """Seconds of the part that closes best as a single cycle; None where nothing moves."""
    part = closing_part(samples)
    return None if part is None else float(samples.time[part[1]] - samples.time[part[0]])


def closing_part(samples: PerformedSamples) -> tuple[int, int] | None:
    """First and last sample of the longest part that nearly comes back to where it began."""
    features, time = samples.features, samples.time
    if len(time) < LEAST_SAMPLES or np.ptp(features, axis=0).max() <= 1e-6:
        return None
    speed = np.linalg.norm(np.gradient(features, time, axis=0), axis=1)
    moves = np.flatnonzero(speed > 0.1 * np.sqrt(np.square(speed).mean()))
    first, last = int(moves[0]), int(moves[-1])
    length = time[last] - time[first]
    starts = np.flatnonzero((time >= time[first]) & (time <= time[first] + 0.2 * length))
    ends = np.flatnonzero((time <= time[last]) & (time >= time[last] - 0.2 * length))
    starts, ends = starts[:: max(1, len(starts) // 40)], ends[:: max(1, len(ends) // 40)]
    velocity = np.gradient(features, time, axis=0) * 0.1 * length
    state = np.concatenate([features, velocity], axis=1)
    apart = np.linalg.norm(state[starts][:, None] - state[ends], axis=-1)
    apart = apart / np.sqrt(np.square(features - features.mean(0)).sum(1).mean())
    lost = (time[last] - time[first] - (time[ends] - time[starts][:, None])) / length
    at = np.unravel_index(int((apart + lost).argmin()), apart.shape)
    return int(starts[at[0]]), int(ends[at[1]])
