"""Align the cycles of a motion: at which moment each of them has which phase.

Cycles are cut where the lag path leads from one to the next. Then each is warped in time onto the
mean of all, smoothly, and the mean is retimed so that no cycle's timing is preferred. What comes
before the first cut and after the last one is part of a cycle, too, and is aligned like one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.cycle.extraction.period import Candidate
from arcwright.tools.cycle.extraction.signal import MotionSignal

PHASES = 64  # at which cycles are compared
STIFFNESS = 0.015  # of a warp against the data, where lengths of cycles vary by UNEVEN
UNEVEN, TRUST = 0.1, 1  # standard deviation that is expected, and how many cycles that counts for
STAGES = (4, 12)  # pieces of the warps: first few, then all
ITERATIONS = 4  # in each stage
STARTS = 16  # phases at which the first cut is tried
UNLIKE = 2.5  # a cycle this much further from the mean than the best ones is left out,
SIMILAR = 0.15  # unless it differs less than this from the mean
GROUP = 6  # a sixth of all cycles, at least two, make a group
FEW = 3  # with fewer than a third of all cycles used, the others are another movement
EVEN = 0.015  # standard deviation of lengths (logarithm) up to which their mean is the period
OTHER_TEMPO = 0.15  # the same where the used ones are longer or shorter by this (logarithm)
ALIKE = 1.6  # distance from the middle of the group, in units of those of its members
LEAST_PART = 0.2  # of a cycle, before the first cut or after the last, takes part
SINGLE = 1.0  # difference from a single whole cycle up to which such a part takes part
KEPT_CUTS = 0.02  # how strongly the first timing is kept, in units of the data's mean steepness


@dataclass(frozen=True, eq=False)
class Alignment:
    """K cycles of a signal and their timing."""

    knots: Floats  # (K, W + 1) samples of the signal, at phases 0 to 1 of each cycle
    used: Bools  # (K,) whether the cycle takes part in the mean
    residual: Floats  # (K,) rms difference from the mean, in units of its rms
    period: float  # samples: the mean length of all cycles, or of the used if even or others
    ends: Floats | None = (
        None  # (2, W + 1) knots of the parts before the first cycle, after the last
    )
    parts: tuple[float, float] = (0.0, 0.0)  # how much of a cycle these have that takes part

    def at(self, phases: Floats) -> Floats:
        """Samples of the signal at phases 0 to K, by whole cycles; smooth and rising.

        With ends, phases from -1 to K + 1 have samples, some of which lie beyond the signal.
        """
        pieces = self.knots.shape[1] - 1
        knots = np.append(self.knots[:, :-1].ravel(), self.knots[-1, -1])
        first = 0
        if self.ends is not None:
            knots = np.concatenate([self.ends[0, :-1], knots, self.ends[1, 1:]])
            first = 1
        place = np.clip(phases + first, 0, len(self.knots) + 2 * first) * pieces
        index = np.minimum(place.astype(np.int64), len(knots) - 2)
        slope = _rising_slopes(knots)
        t, gap = place - index, np.diff(knots)
        start, end = slope[index], slope[index + 1]
        bend, twist = 3 * gap[index] - 2 * start - end, start + end - 2 * gap[index]
        moments: Floats = knots[index] + t * (start + t * (bend + t * twist))
        return moments

    def phase(self, sample: float) -> float:
        """The phase, 0 to K, at a sample of the signal; beyond these, that of the nearest cycle."""
        inside = np.linspace(0, len(self), len(self) * PHASES + 1)
        moments = self.at(inside)
        if sample < moments[0]:
            return float((sample - moments[0]) / (moments[PHASES] - moments[0]))
        if sample > moments[-1]:
            beyond = (sample - moments[-1]) / (moments[-1] - moments[-1 - PHASES])
            return len(self) + float(beyond)
        return float(np.interp(sample, moments, inside))

    @property
    def cuts(self) -> Floats:
        """(K + 1,) samples between which the cycles lie."""
        return np.append(self.knots[:, 0], self.knots[-1, -1])

    def __len__(self) -> int:
        return len(self.knots)


def evenly_timed(cuts: Floats) -> Alignment:
    """Cycles between cuts (K + 1,), in samples, without any warp."""
    knots = np.stack([cuts[:-1], cuts[1:]], axis=1)
    even = np.full(len(knots), True)
    return Alignment(knots, even, np.zeros(len(knots)), float(np.diff(cuts).mean()))


def align(signal: MotionSignal, candidate: Candidate) -> Alignment:
    """The cycles of a candidate, aligned."""
    cuts = _best_cuts(candidate, candidate.period * signal.rate)
    cuts = np.concatenate(
        [[cuts[0] - candidate.lag[0]], cuts, [cuts[-1] + candidate.lag[-1]]]
    )  # two more, at or beyond the ends of the signal
    first = knots = cuts[:-1, None] + np.diff(cuts)[:, None] * np.linspace(0, 1, STAGES[0] + 1)
    used = np.concatenate([[False], _alike(signal, knots[1:-1]), [False]])
    for pieces in STAGES:
        even = np.linspace(0, 1, pieces + 1)
        first, knots = (each @ _hats(even, each.shape[1] - 1).T for each in (first, knots))
        for _ in range(ITERATIONS):
            mean = _mean(signal, knots, used)
            warped = _warped(signal, knots, mean, first, _stiffness(knots, used))
            knots = _unbiased(_joined(warped, used), used)
            residual = _residual(signal, knots, _mean(signal, knots, used))
            used = residual <= _highest(residual[1:-1])
    period = candidate.period * signal.rate
    whole, kept = knots[1:-1], used[1:-1]
    lengths = (whole[:, -1] - whole[:, 0])[kept]
    own = float(lengths.mean())
    steady = len(lengths) > 1 and float(np.log(lengths).std()) < EVEN
    if steady or len(lengths) < len(kept) / FEW or abs(np.log(own / period)) > OTHER_TEMPO:
        period = own
    found = Alignment(whole, kept, residual[1:-1], period, knots[[0, -1]])
    return replace(found, parts=_parts(found, len(signal) - 1.0, used))


def _parts(alignment: Alignment, last: float, used: Bools) -> tuple[float, float]:
    """How much of a cycle lies before the first cut and after the last one, where it is used."""
    count = len(alignment)
    inside = np.linspace(-1, count + 1, (count + 2) * PHASES + 1)
    start, end = np.interp([0.0, last], alignment.at(inside), inside)
    return (-float(start) if used[0] else 0.0, float(end) - count if used[-1] else 0.0)


def _best_cuts(candidate: Candidate, length: float) -> Floats:
    """(K + 1,) cuts one lag apart, from the start at which they match best.

    `length` is the mean length of a cycle in samples.
    """
    lag = candidate.lag
    samples = np.arange(len(lag))
    best, least = np.zeros(0), np.inf
    for start in np.linspace(0, min(lag[0], len(lag) - 1), STARTS, endpoint=False):
        cuts = [float(start)]
        while cuts[-1] <= len(lag) - 1:
            cuts.append(cuts[-1] + float(np.interp(cuts[-1], samples, lag)))
        cost = float(np.interp(cuts[:-1], samples, candidate.relative).mean())
        cost -= 0.02 * (cuts[-1] - cuts[0]) / length  # cover the motion
        cost += abs(np.log((cuts[-1] - cuts[0]) / (len(cuts) - 1) / length))
        if cost < least:
            best, least = np.array(cuts), cost
    return best


def _alike(signal: MotionSignal, knots: Floats) -> Bools:
    """(K,) the largest group of cycles that are like one of them, before any alignment."""
    count = len(knots)
    if count < 3:
        return np.full(count, True)
    values, _ = signal.at(knots @ _hats(np.arange(PHASES) / PHASES, knots.shape[1] - 1).T)
    flat = values.reshape(count, -1)
    squared = np.square(flat).sum(axis=1)
    apart = np.sqrt(np.maximum(squared[:, None] + squared - 2 * flat @ flat.T, 0.0))
    near = np.sort(apart, axis=1)[:, 1 : max(2, count // GROUP) + 1].mean(axis=1)
    movement = np.sqrt(np.square(values - values.mean(axis=1, keepdims=True)).sum(axis=(1, 2)))
    middle = int(np.argmin(near / np.maximum(movement, 1e-30)))  # cycles at rest are all alike
    alike: Bools = apart[middle] <= ALIKE * near[middle]
    return alike


def _mean(signal: MotionSignal, knots: Floats, used: Bools) -> Floats:
    """(PHASES, P) the mean of the used cycles, of which all samples are known."""
    phases = np.arange(PHASES) / PHASES
    whole = used[1:-1]
    values, _ = signal.at(knots[1:-1][whole] @ _hats(phases, knots.shape[1] - 1).T)
    mean: Floats = values.mean(axis=0)
    return mean


def _stiffness(knots: Floats, used: Bools) -> float:
    """How stiff warps are: who keeps the tempo of cycles keeps it within them, too."""
    length = np.log(knots[1:-1, -1] - knots[1:-1, 0])[used[1:-1]]
    known = TRUST * UNEVEN**2 + float(np.square(length - length.mean()).sum())
    return STIFFNESS * UNEVEN**2 * (TRUST + len(length) - 1) / known


def _warped(
    signal: MotionSignal, knots: Floats, mean: Floats, first: Floats, stiffness: float
) -> Floats:
    """One Gauss-Newton step of all warps towards the mean; where nothing moves, to the first."""
    pieces = knots.shape[1] - 1
    hats = _hats(np.arange(PHASES) / PHASES, pieces)
    hats = np.concatenate([hats, _hats(np.ones(1), pieces)])
    moments = knots @ hats.T
    values, slope = signal.at(moments)  # (K, PHASES + 1, P)
    residual = values - np.concatenate([mean, mean[:1]])
    inside = _inside(signal, moments)
    slope *= inside[..., None]
    steep = np.square(slope).sum(axis=-1)  # (K, PHASES + 1)
    normal = np.einsum("kf,fa,fb->kab", steep, hats, hats)
    right = -np.einsum("kf,fa->ka", (slope * residual).sum(axis=-1), hats)
    bend = np.diff(np.eye(pieces + 1), n=2, axis=0) * pieces**1.5
    typical = float(steep.sum() / inside.sum())
    stiff = stiffness * typical * (bend.T @ bend)
    keep = KEPT_CUTS * typical * PHASES / pieces
    right -= knots @ stiff + keep * (knots - first)
    normal += stiff + (keep + 1e-12) * np.eye(pieces + 1)
    step = np.linalg.solve(normal, right[..., None])[..., 0]
    most = 0.5 * np.diff(knots, axis=1).min(axis=1, keepdims=True)
    return knots + np.clip(step, -most, most) * 0.9


def _joined(knots: Floats, used: Bools) -> Floats:
    """Cycles that follow each other share a cut; knots rise. Unused ends follow the others."""
    knots = knots.copy()
    shared = 0.5 * (knots[:-1, -1] + knots[1:, 0])
    if not used[0]:
        shared[0] = knots[1, 0]
    if not used[-1]:
        shared[-1] = knots[-2, -1]
    knots[:-1, -1], knots[1:, 0] = shared, shared
    length = knots[:, -1:] - knots[:, :1]
    least = 0.2 / (knots.shape[1] - 1)
    share = np.maximum(np.diff((knots - knots[:, :1]) / length, axis=1), least)
    share /= share.sum(axis=1, keepdims=True)
    knots[:, 1:] = knots[:, :1] + length * np.cumsum(share, axis=1)
    return knots


def _unbiased(knots: Floats, used: Bools) -> Floats:
    """The same cycles with phases retimed, so that the mean warp of the used ones is linear."""
    start, length = knots[:, :1], knots[:, -1:] - knots[:, :1]
    share = (knots - start) / length
    mean = share[1:-1][used[1:-1]].mean(axis=0)
    even = np.linspace(0, 1, knots.shape[1])
    retimed = np.stack([np.interp(even, mean, each) for each in share])
    return np.asarray(start + length * retimed)


def _highest(residual: Floats) -> float:
    """The residual up to which cycles are used: that of a few good ones, and some more."""
    if len(residual) == 1:
        return SINGLE
    best = np.sort(residual)[: max(2, len(residual) // GROUP)]
    return max(min(UNLIKE * float(np.median(best)), 1.0), float(best[0]), SIMILAR)


def _residual(signal: MotionSignal, knots: Floats, mean: Floats) -> Floats:
    """(K,) rms difference from the mean; infinite where too little of a cycle is seen."""
    moments = knots @ _hats(np.arange(PHASES) / PHASES, knots.shape[1] - 1).T
    inside = _inside(signal, moments)
    values, _ = signal.at(moments)
    scale = np.square(mean - mean.mean(axis=0)).sum(axis=-1).mean()
    seen = inside.mean(axis=1)
    apart = (inside * np.square(values - mean).sum(axis=-1)).mean(axis=-1) / np.maximum(seen, 1e-9)
    residual: Floats = np.sqrt(apart / max(scale, 1e-30))
    return np.where(seen >= LEAST_PART, residual, np.inf)


def _inside(signal: MotionSignal, moments: Floats) -> Floats:
    """1 for moments within the signal, 0 for those beyond."""
    return ((moments >= -1e-6) & (moments <= len(signal) - 1 + 1e-6)).astype(np.float64)


def _rising_slopes(knots: Floats) -> Floats:
    """(W,) slopes of a cubic through rising values at even places that rises everywhere."""
    gap = np.diff(knots)
    slope = np.empty(len(knots))
    slope[0], slope[-1] = gap[0], gap[-1]
    slope[1:-1] = np.minimum(0.5 * (gap[1:] + gap[:-1]), 3 * np.minimum(gap[1:], gap[:-1]))
    return slope


def _hats(phases: Floats, pieces: int) -> Floats:
    """(M, pieces + 1) weights of linear interpolation between even knots from 0 to 1."""
    place = np.clip(phases, 0, 1) * pieces
    index = np.minimum(place.astype(np.int64), pieces - 1)
    weights = np.zeros((len(phases), pieces + 1))
    rows = np.arange(len(phases))
    weights[rows, index] = 1 - (place - index)
    weights[rows, index + 1] = place - index
    return weights
