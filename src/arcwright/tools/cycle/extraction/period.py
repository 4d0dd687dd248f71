"""Find the period of a motion: propose lag paths of many lengths, then judge them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.cycle.extraction.lag_paths import LagDifferences, lag_paths
from arcwright.tools.cycle.extraction.signal import MotionSignal

SHORTEST_PERIOD, LONGEST_PERIOD = 0.2, 30.0  # s
LONGEST_SHARE = 0.56  # of the motion; so that nearly two cycles are seen
LONGEST_LAG = 0.8  # of the motion
RATIO = 1.2  # of the middle lags of neighbouring paths
LEAST_REPEATED = 0.85  # cycles that must come after the first one
DISTINCT = 0.2  # paths of periods closer than this (natural logarithm) are one candidate
OCTAVE_COST = 0.08  # of a twice as long period: a double period fits as well as the single one
ONCE_COST = 0.3  # of a single repetition, which may be chance; less for more of them
CHANCE = 0.5  # that a repetition means nothing; of several, that all of them do
TRUSTED = 0.33, 0.1, 0.65  # highest mean cost of two repeated cycles, more for each further, most
STARTS = 12  # phases at which cycles are counted


@dataclass(frozen=True, eq=False)
class Candidate:
    """A possible period and how well the motion repeats with it."""

    period: float  # s, mean length of its cycles
    lag: Floats  # (M,) samples, after which each sample of the signal comes back
    relative: Floats  # (M,) how much it differs then
    cost: float  # mean relative difference, where both moments move; 0 repeats exactly
    difference: float  # the same, where either moves, and all that is compared with nothing
    meeting: float  # share of the movement that is compared with movement, not with rest
    repeated: float  # cycles after the first one
    mirrored: bool = False  # whether steps were compared with the mirror image of the next ones
    parts: int = 0  # of a clip that is a loop as a whole, how many such cycles it has

    @property
    def score(self) -> float:
        """Lower is better: the rms difference, and costs of long periods and of few repetitions."""
        rarely = ONCE_COST / max(self.repeated, LEAST_REPEATED)
        return float(np.sqrt(self.cost) + OCTAVE_COST * np.log2(self.period)) + rarely

    def away(self, period: float) -> float:
        """How far this is from a period, as a natural logarithm of their ratio."""
        return abs(float(np.log(self.period / period)))

    @property
    def confidence(self) -> float:
        """1 for many exact repetitions, a half for one of them, 0 for none."""
        repeated = min(self.repeated, 1.0) if self.mirrored else self.repeated
        return float(np.clip(1 - self.difference, 0.0, 1.0) * (1 - CHANCE**repeated))

    @property
    def trusted(self) -> bool:
        """Whether this is a repetition: the fewer cycles, the more alike they must be."""
        few, more, most = TRUSTED
        highest = min(few + more * max(self.repeated - 2, 0), most)
        unlike = self.meeting * self.cost + (1 - self.meeting) * self.difference
        return unlike <= highest


def find_candidates(signal: MotionSignal) -> list[Candidate]:
    """Distinct possible periods of a signal, the best one first; none for very short signals."""
    count = len(signal)
    shortest = max(SHORTEST_PERIOD * signal.rate, 4)
    longest = min(LONGEST_SHARE * count, LONGEST_PERIOD * signal.rate)
    if longest < shortest:
        return []
    return _judged(signal, shortest, longest, LEAST_REPEATED)


def find_mirrored(signal: MotionSignal, image: MotionSignal) -> list[Candidate]:
    """The same by comparing each step with the mirror image of the next one, on the other side.

    A period is that of two steps. Each has the lags (M,) from one step to the next.
    """
    shortest = max(0.5 * SHORTEST_PERIOD * signal.rate, 4)
    longest = min(len(signal) / (1 + 2 * LEAST_REPEATED), 0.5 * LONGEST_PERIOD * signal.rate)
    if longest < shortest:
        return []
    steps = _judged(signal, shortest, longest, 2 * LEAST_REPEATED, image)
    return [
        replace(each, period=2 * each.period, repeated=0.5 * each.repeated, mirrored=True)
        for each in steps
    ]


def _judged(
    signal: MotionSignal,
    shortest: float,
    longest: float,
    least: float,
    later: MotionSignal | None = None,
) -> list[Candidate]:
    """Distinct lags of `shortest` to `longest` samples that come back `least` times or more."""
    furthest = min(int(LONGEST_LAG * len(signal)), int(1.6 * longest) + 2)
    differences = LagDifferences.of(signal, furthest, later)
    paths = int(np.log(longest / shortest) / np.log(RATIO)) + 1
    middle = np.asarray(shortest * RATIO ** np.arange(float(paths)), float)
    found = []
    for lag in lag_paths(differences, middle):
        candidate = _candidate(signal, differences, lag)
        if candidate is not None and candidate.repeated >= least:
            found.append(candidate)
    return sorted(_distinct(found), key=lambda each: each.score)


def _candidate(signal: MotionSignal, differences: LagDifferences, lag: Floats) -> Candidate | None:
    if len(lag) < 4:
        return None
    moments = np.arange(len(lag))
    now = signal.activity[: len(lag)]
    later = np.interp(moments + lag, np.arange(len(signal)), signal.activity)
    relative = differences.relative(lag)
    both, either = np.minimum(now, later), 0.5 * (now + later)
    if both.sum() <= 1e-9:
        return None
    alone = float(signal.activity[len(lag) : int(lag[0])].sum())  # neither has nor is a repetition
    length = _mean_length(lag, both / (0.05 + relative))
    return Candidate(
        period=length / signal.rate,
        lag=lag,
        relative=relative,
        cost=float((both * relative).sum() / both.sum()),
        difference=float(((either * relative).sum() + alone) / (either.sum() + alone)),
        meeting=float(both.sum() / (either.sum() + alone)),
        repeated=len(lag) / float(lag.mean()),
    )


def _mean_length(lag: Floats, weight: Floats) -> float:
    """The mean length of cycles, from several starts; those that move and match count more."""
    samples = np.arange(len(lag))
    total = weights = 0.0
    for start in np.linspace(0, min(lag[0], len(lag) - 1), STARTS, endpoint=False):
        at = float(start)
        while at < len(lag) - 1:
            length, own = np.interp(at, samples, lag), np.interp(at, samples, weight) + 1e-9
            total, weights, at = total + own * length, weights + own, at + length
    return float(total / weights) if weights else float(lag.mean())


def _distinct(found: list[Candidate]) -> list[Candidate]:
    kept: list[Candidate] = []
    for each in sorted(found, key=lambda candidate: candidate.cost):
        if all(abs(np.log(each.period / other.period)) > DISTINCT for other in kept):
            kept.append(each)
    return kept
