"""Extract one clean loop from a motion that repeats: period, cuts, alignment, mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.tools.cycle.loop import (
    Shape,
    closed_cycle,
    cycle_weights,
    detail_share,
    mean_cycle,
    with_detail,
)
from arcwright.tools.cycle.period import Candidate, find_candidates
from arcwright.tools.cycle.phase import PHASES, Alignment
from arcwright.tools.cycle.signal import MotionSignal, cubic, motion_signal

LEAST_SAMPLES = 8
STILL = 1e-9  # standard deviation of the features, in their unit, below which nothing moves
DETAIL_BAND = 10.0  # Hz, up to which detail is kept
MOST_NUMBERS = 1_000_000  # of all cycles at a time
SEAM = 1e-4  # of a cycle, near the seam, where gaps are measured


@dataclass(frozen=True, eq=False)
class PerformedSamples:
    """What was acted: values to loop, and features of one unit in which repetition is seen."""

    time: Floats  # (N,) s, rising
    values: Floats  # (N, V)
    features: Floats  # (N, D)
    quaternions: Ints = field(default_factory=lambda: np.zeros((0, 4), np.int64))  # (Q, 4) columns

    def __post_init__(self) -> None:
        if not len(self.time) == len(self.values) == len(self.features):
            raise BadValue("samples", "as many values and features as times", len(self.values))
        if (np.diff(self.time) <= 0).any():
            raise BadValue("samples", "increasing times", "a time out of order")
        finite = np.isfinite(self.values).all(axis=1) & np.isfinite(self.features).all(axis=1)
        if not finite.all():
            broken = int(np.flatnonzero(~finite)[0])
            raise BadValue("samples", "finite numbers", f"sample {broken} with a NaN or infinity")


@dataclass(frozen=True)
class Closure:
    """How well a loop closes, in units of its own movement."""

    position: float  # gap between end and start, in mean frame steps
    velocity: float  # gap of the velocities, in mean speeds


@dataclass(frozen=True, eq=False)
class Cycle:
    """A loop and where it came from."""

    period: float  # s, mean length of the cycles
    loop: Floats  # (M, V) values at even times within a cycle; the next would be the first again
    cuts: Floats  # (K + 1,) s
    used: tuple[bool, ...]  # (K,) whether each cycle takes part
    weights: Floats  # (K,)
    closure: Closure
    error: float  # rms difference of the used cycles from their mean, in units of its rms
    alignment: Alignment


def no_cycle_reason(samples: PerformedSamples, candidates: Sequence[Candidate]) -> str | None:
    """Why no loop can be made, in words for people; None where one can."""
    time = samples.time
    if len(time) < LEAST_SAMPLES:
        return f"there are only {len(time)} samples"
    if samples.features.std(axis=0).max() <= STILL:
        return "nothing moves"
    if not candidates:
        return f"{time[-1] - time[0]:.2f} s are too short for two cycles"
    if not any(each.trusted for each in candidates):
        return "no movement comes back"
    return None


def no_loop_reason(alignment: Alignment) -> str | None:
    """Why aligned cycles give no loop; None where they do."""
    if len(alignment) > 2 and alignment.used.sum() < 2:
        return f"no two of its {len(alignment)} cycles are alike"
    return None


def signal_of(samples: PerformedSamples) -> MotionSignal:
    """The signal in which repetition is looked for."""
    return motion_signal(samples.time, samples.features)


def periods(samples: PerformedSamples, signal: MotionSignal) -> list[Candidate]:
    """Possible periods, the trusted ones first, the best of each first."""
    if len(samples.time) < LEAST_SAMPLES or samples.features.std(axis=0).max() <= STILL:
        return []
    return sorted(find_candidates(signal), key=lambda each: (not each.trusted, each.score))


def extract(
    samples: PerformedSamples,
    signal: MotionSignal,
    alignment: Alignment,
    frames: int,
    shape: Shape = "average",
) -> Cycle:
    """The loop, `frames` samples long, of aligned cycles."""
    weights = cycle_weights(alignment, shape)
    count = len(alignment)
    if count == 1:
        phases = np.arange(frames + 1) / frames
        cycle = _at_phases(samples, signal, alignment, phases)[0]
        loop, closure = closed_cycle(cycle, samples.quaternions), Closure(0.0, 0.0)
    else:
        loop = _detailed_mean(samples, signal, alignment, weights, frames)
        closure = _closure(samples, signal, alignment, weights, loop)
    used = alignment.used
    return Cycle(
        period=alignment.period / signal.rate,
        loop=loop,
        cuts=signal.times(alignment.cuts),
        used=tuple(used.tolist()),
        weights=weights,
        closure=closure,
        error=float(np.sqrt(np.mean(np.square(alignment.residual[used])))),
        alignment=alignment,
    )


def _detailed_mean(
    samples: PerformedSamples,
    signal: MotionSignal,
    alignment: Alignment,
    weights: Floats,
    frames: int,
) -> Floats:
    """The mean, with as much of the best cycle's detail as averaging has blurred."""
    best = cycle_weights(alignment, "best")
    none = np.zeros((0, 4), np.int64)
    phases = np.arange(PHASES) / PHASES
    components, _ = signal.at(alignment.at(np.arange(len(alignment))[:, None] + phases))
    period = alignment.period / signal.rate
    share = detail_share(
        components[alignment.used],
        mean_cycle(components, phases, weights, none),
        mean_cycle(components, phases, best, none),
        min(max(int(DETAIL_BAND * period), 4), PHASES // 2),
    )
    phases = np.arange(frames) / frames
    mean = _mean(samples, signal, alignment, weights, phases)
    if share <= 0:
        return mean
    model = _mean(samples, signal, alignment, best, phases)
    return with_detail(mean, model, share, samples.quaternions)


def _mean(
    samples: PerformedSamples,
    signal: MotionSignal,
    alignment: Alignment,
    weights: Floats,
    phases: Floats,
) -> Floats:
    """(F, V) the weighted mean of all cycles, a few phases at a time to save memory."""
    each = max(1, MOST_NUMBERS // (len(alignment) * samples.values.shape[1]))
    parts = []
    for start in range(0, len(phases), each):
        some = phases[start : start + each]
        cycles = _at_phases(samples, signal, alignment, some)
        parts.append(mean_cycle(cycles, some, weights, samples.quaternions))
    return np.concatenate(parts)


def _at_phases(
    samples: PerformedSamples, signal: MotionSignal, alignment: Alignment, phases: Floats
) -> Floats:
    """(K, F, V) the values of each cycle at these phases."""
    at = signal.times(alignment.at(np.arange(len(alignment))[:, None] + phases))
    time = samples.time
    index = np.clip(np.searchsorted(time, at, side="right") - 1, 0, len(time) - 2)
    share = np.clip((at - time[index]) / (time[index + 1] - time[index]), 0.0, 1.0)
    return cubic(samples.values, index, share)[0]


def _closure(
    samples: PerformedSamples,
    signal: MotionSignal,
    alignment: Alignment,
    weights: Floats,
    loop: Floats,
) -> Closure:
    """Gaps between the mean just after its start and just before its end."""
    near = SEAM * np.array([0.0, 1.0, 2.0])
    phases = np.concatenate([near, 1 - near])
    mean = _mean(samples, signal, alignment, weights, phases)
    step = np.diff(loop, axis=0, append=loop[:1])
    frame = float(np.sqrt(np.square(step).sum(axis=1).mean()))
    if len(samples.quaternions):
        away = (mean[:, samples.quaternions] * mean[0, samples.quaternions]).sum(axis=-1) < 0
        mean[:, samples.quaternions] *= np.where(away, -1.0, 1.0)[..., None]
    after, before = mean[:3], mean[3:]
    slope = (-1.5 * each[0] + 2 * each[1] - 0.5 * each[2] for each in (after, before))
    gap = sum(slope) / SEAM / len(loop)  # per frame
    return Closure(
        float(np.linalg.norm(after[0] - before[0])) / max(frame, 1e-30),
        float(np.linalg.norm(gap)) / max(frame, 1e-30),
    )
