"""Extract one clean loop from a motion that repeats: period, cuts, alignment, mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.tools.cycle.extraction.closure import Closure, calm_frame, closure
from arcwright.tools.cycle.extraction.loop import (
    FIRST_DETAIL,
    NO_ROTATIONS,
    Shape,
    closed_cycle,
    closing_share,
    cycle_weights,
    detail_share,
    detail_source,
    detrended,
    end_weights,
    mean_cycle,
    unit_quaternions,
    with_detail,
)
from arcwright.tools.cycle.extraction.period import Candidate, find_candidates
from arcwright.tools.cycle.extraction.phase import PHASES, Alignment
from arcwright.tools.cycle.extraction.signal import (
    MotionSignal,
    cubic,
    motion_signal,
    narrow_features,
)

LEAST_SAMPLES = 8
STILL = 1e-9  # standard deviation of the features, in their unit, below which nothing moves
DETAIL_BAND = 10.0  # Hz, up to which detail is kept
MOST_NUMBERS = 1_000_000  # of all cycles at a time
SEAM = 1e-4  # of a cycle, near the seam, where gaps are measured
CHANCE = 0.8  # difference from their mean above which cycles are no repetition; about 1 by chance
LEAST_BLENDED = 1.15  # cycles; with fewer, the ends of a single one are bent to meet


@dataclass(frozen=True, eq=False)
class PerformedSamples:
    """What was acted: values to loop, and features of one unit in which repetition is seen."""

    time: Floats  # (N,) s, rising
    values: Floats  # (N, V)
    features: Floats  # (N, D)
    quaternions: Ints = field(default_factory=lambda: np.zeros((0, 4), np.int64))  # (Q, 4) columns
    mirrored: Floats | None = None  # (N, D) features of the mirror image, where there are two sides

    def __post_init__(self) -> None:
        if not len(self.time) == len(self.values) == len(self.features):
            raise BadValue("samples", "as many values and features as times", len(self.values))
        if (np.diff(self.time) <= 0).any():
            raise BadValue("samples", "increasing times", "a time out of order")
        finite = np.isfinite(self.values).all(axis=1) & np.isfinite(self.features).all(axis=1)
        if not finite.all():
            broken = int(np.flatnonzero(~finite)[0])
            raise BadValue("samples", "finite numbers", f"sample {broken} with a NaN or infinity")


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
    start: float = 0.0  # phase of the loop's first sample, after the cuts
    starts: Floats = field(default_factory=lambda: np.zeros(0))  # (K,) s, that phase of each cycle


def moves(features: Floats) -> bool:
    """Whether any of these (N, D) moves."""
    return bool(features.std(axis=0).max(initial=0.0) > STILL)


def no_cycle_reason(samples: PerformedSamples, candidates: Sequence[Candidate]) -> str | None:
    """Why no loop can be made, in words for people; None where one can."""
    time = samples.time
    if len(time) < LEAST_SAMPLES:
        return f"there are only {len(time)} samples"
    if not moves(samples.features):
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
    used = alignment.residual[alignment.used]
    if len(used) and np.sqrt(np.mean(np.square(used))) > CHANCE:
        return "its cycles have too little in common"
    if len(alignment) == 1 and not any(alignment.parts):
        return "what comes back after the first cycle is unlike it"
    return None


def signal_of(samples: PerformedSamples) -> MotionSignal:
    """The signal in which repetition is looked for."""
    return motion_signal(samples.time, samples.features)


def periods(samples: PerformedSamples, signal: MotionSignal) -> list[Candidate]:
    """Possible periods, the trusted ones first, the best of each first."""
    if len(samples.time) < LEAST_SAMPLES or not moves(samples.features):
        return []
    return sorted(find_candidates(signal), key=lambda each: (not each.trusted, each.score))


def extract(
    samples: PerformedSamples,
    signal: MotionSignal,
    alignment: Alignment,
    frames: int,
    shape: Shape = "average",
    start: float | None = None,
    *,
    by_hand: bool = False,
) -> Cycle:
    """The loop, `frames` samples long, of aligned cycles.

    It starts at the phase `start`, by default at a cut or as near to one as it is calm. What cycles
    that were acted `by_hand` do not share is noise, and their mean is the loop; of a captured body
    it is movement, and the mean gets as much of it as a single cycle has.
    """
    weights = cycle_weights(alignment, shape)
    mean = _MeanLoop(samples, signal, alignment, weights, end_weights(alignment, shape))
    if len(alignment) + sum(mean.parts) < LEAST_BLENDED:
        loop, gaps, start = _single_loop(mean, frames, start)
    else:
        make = _plain if by_hand else _detailed
        loop = make(mean, frames, 0.0 if start is None else start)
        if start is None:
            later = calm_frame(_without_signs(loop, samples.quaternions))
            loop, start = np.roll(loop, -later, axis=0), later / frames
        gaps = _closure_of_mean(mean, loop, start)
    used = alignment.used
    return Cycle(
        period=alignment.period / signal.rate,
        loop=loop,
        cuts=signal.times(alignment.cuts),
        used=tuple(used.tolist()),
        weights=weights,
        closure=gaps,
        error=float(np.sqrt(np.mean(np.square(alignment.residual[used])))),
        alignment=alignment,
        start=start % 1,
        starts=signal.times(alignment.at(np.arange(len(alignment), dtype=np.float64) + start % 1)),
    )


@dataclass(frozen=True, eq=False)
class _MeanLoop:
    """The weighted mean of all cycles of some samples, at any phase."""

    samples: PerformedSamples
    signal: MotionSignal
    alignment: Alignment
    weights: Floats  # (K,)
    ends: tuple[float, float]  # weights of the parts before the first cycle and after the last

    @property
    def parts(self) -> tuple[float, float]:
        """How much of a cycle there is before the first one and after the last one."""
        before, after = self.alignment.parts
        return (before if self.ends[0] > 0 else 0.0, after if self.ends[1] > 0 else 0.0)

    @property
    def highest(self) -> int:
        """The harmonic up to which detail is kept."""
        highest = int(DETAIL_BAND * self.alignment.period / self.signal.rate)
        return min(max(highest, FIRST_DETAIL), PHASES // 2)

    @property
    def all_weights(self) -> Floats:
        """(K + 2,)"""
        return np.concatenate([self.ends[:1], self.weights, self.ends[1:]])

    def cycles(self, phases: Floats) -> Floats:
        """(K + 2, F, V) values of each cycle and the parts before and after, at these phases."""
        count = len(self.alignment)
        return self._at(self.samples.values, np.arange(-1, count + 1)[:, None] + phases)

    def features(self, phases: Floats) -> Floats:
        """(K + 2, F, Q) features of the same, in as many columns as matter."""
        count = len(self.alignment)
        narrow = narrow_features(self.samples.features)
        return self._at(narrow, np.arange(-1, count + 1)[:, None] + phases)

    def _at(self, values: Floats, phases: Floats) -> Floats:
        """(..., V) values (N, V) of the samples at phases from -1 to K + 1, by whole cycles."""
        at, time = self.signal.times(self.alignment.at(phases)), self.samples.time
        index = np.clip(np.searchsorted(time, at, side="right") - 1, 0, len(time) - 2)
        share = np.clip((at - time[index]) / (time[index + 1] - time[index]), 0.0, 1.0)
        return cubic(values, index, share)[0]

    def at(self, phases: Floats) -> Floats:
        """(F, V) the mean, a few phases at a time to save memory."""
        each = max(1, MOST_NUMBERS // ((len(self.weights) + 2) * self.samples.values.shape[1]))
        parts = []
        for start in range(0, len(phases), each):
            some, turns = phases[start : start + each], self.samples.quaternions
            cycles = self.cycles(some)
            parts.append(mean_cycle(cycles, some, self.all_weights, turns, self.parts))
        return np.concatenate(parts)

    def closed(self, cycle: int, phases: Floats) -> Floats:
        """(F, V) a single cycle whose ends are bent to meet, at these phases."""
        turns, count = self.samples.quaternions, max(len(phases), PHASES)
        even = cycle + np.arange(count + 1) / count
        whole = closed_cycle(self._at(self.samples.values, even), turns)
        index = (phases * count).astype(np.int64) % count
        around = np.concatenate([whole[-2:-1], whole, whole[1:2]])
        return unit_quaternions(cubic(around, index + 1, phases * count - index)[0], turns)


def _single_loop(
    mean: _MeanLoop, frames: int, start: float | None
) -> tuple[Floats, Closure, float]:
    """A loop of the first cycle alone, its closure, and the phase at which it starts.

    Bending its ends takes some of its detail, which is given back by harmonics.
    """
    turns, highest = mean.samples.quaternions, mean.highest
    own = mean.cycles(np.arange(frames + 1) / frames)[1]
    closed = closed_cycle(own, turns)
    share = closing_share(mean.features(np.arange(PHASES + 1) / PHASES)[1], highest)
    detailed = with_detail(closed[:-1], detrended(own, turns), share, turns, highest)
    if start is None:
        later = calm_frame(_without_signs(detailed, turns))
    else:
        later = round(start % 1 * frames)
    loop = np.roll(detailed, -later, axis=0)
    ends = _without_signs(np.concatenate([closed[:3], closed[:-4:-1], loop]), turns)
    return loop, closure(ends[6:], ends[:3], ends[3:6], 1.0), later / frames


def _plain(mean: _MeanLoop, frames: int, start: float) -> Floats:
    """The mean from the phase `start` on."""
    return mean.at((start + np.arange(frames) / frames) % 1)


def _detailed(mean: _MeanLoop, frames: int, start: float) -> Floats:
    """The mean from the phase `start` on, with detail of one cycle where averaging blurs."""
    alignment = mean.alignment
    later = (start + np.arange(frames) / frames) % 1
    phases = np.arange(PHASES + 1) / PHASES
    features, highest = mean.features(phases), mean.highest
    used = np.flatnonzero(alignment.used)
    wanted, source = detail_source(features[1:-1][used], alignment.residual[used], highest)
    cycle = int(used[source])
    own = mean_cycle(features, phases, mean.all_weights, NO_ROTATIONS, mean.parts)[:-1]
    other = closed_cycle(features[cycle + 1], NO_ROTATIONS)[:-1]
    share = detail_share(own, other, wanted, highest)
    if share <= 0:
        return mean.at(later)
    turns = mean.samples.quaternions
    return with_detail(mean.at(later), mean.closed(cycle, later), share, turns)


def _closure_of_mean(mean: _MeanLoop, loop: Floats, start: float) -> Closure:
    """The gaps of the mean, the largest of those at its cut and at its first sample.

    The detail that was added is periodic.
    """
    found = [_gaps(mean, loop, phase) for phase in {0.0, start % 1}]
    return Closure(
        max(each.position for each in found),
        max(each.velocity for each in found),
        found[0].acceleration,
    )


def _gaps(mean: _MeanLoop, loop: Floats, phase: float) -> Closure:
    """Gaps between the mean just after a phase and just before it, a cycle later."""
    near = SEAM * np.array([0.0, 1.0, 2.0])
    before = phase - near if phase > 0 else 1 - near
    values = np.concatenate([mean.at(np.concatenate([phase + near, before])), loop])
    values = _without_signs(values, mean.samples.quaternions)
    return closure(values[6:], values[:3], values[3:6], SEAM * len(loop))


def _without_signs(values: Floats, quaternions: Ints) -> Floats:
    """Values with quaternions (Q, 4) as rotation matrices, which have no two signs."""
    plain = np.delete(values, quaternions.ravel(), axis=1)
    turns = matrix_from_quaternion(values[:, quaternions])
    return np.concatenate([plain, turns.reshape(len(values), -1)], axis=1)
