"""The loop in a performance: cycles found, a slow drift removed, one closed loop of all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import cast

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.cycle.extraction.loop import (
    Shape,
    around_loop,
    cycle_weights,
    unit_quaternions,
)
from arcwright.tools.cycle.extraction.model import (
    LEAST_SAMPLES,
    PerformedSamples,
    extract,
    signal_of,
)
from arcwright.tools.cycle.extraction.paper import find_as_published
from arcwright.tools.cycle.extraction.period import Candidate
from arcwright.tools.cycle.extraction.phase import Alignment, evenly_timed
from arcwright.tools.cycle.extraction.search import CycleSearch, caution, search_cycles
from arcwright.tools.cycle.extraction.signal import MotionSignal
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.recording.single_cycle import closing_length, closing_part

PHASES = 240  # samples of the loop
CHOSEN = 0.35  # a period this near (natural logarithm) to the chosen one is meant
OFFERED = 1e-3  # s; a period this near to the length of the single cycle was chosen by it
SINGLE = 0.6  # of the recording: a single cycle is at least this long
HIGHEST = 8.0, 12.0  # Hz: slower movements stay, faster ones are jitter
RATE = 60.0  # samples per second for the published method
DRIFTS = 0.02  # of the loop's rms, per cycle: a drift above this is removed


def _none() -> Floats:
    return np.zeros(0)


@dataclass(frozen=True, eq=False)
class ActedLoop:
    """What was found in a performance: a closed loop, or the reason why there is none."""

    reason: str | None
    alternatives: tuple[Candidate, ...]  # possible periods, the best first
    single: float | None = None  # s, length of the best single cycle where nothing repeats
    period: float = 0.0  # s
    loop: Floats = field(default_factory=_none)  # (PHASES, V) at even phases; closed
    quaternions: Ints = field(default_factory=lambda: np.zeros((0, 4), np.int64))  # (Q, 4) columns
    cuts: Floats = field(default_factory=_none)  # (K + 1,) s, where phase 0 was acted
    weights: Floats = field(default_factory=_none)  # (K,) how much each cycle counts
    moments: Floats = field(default_factory=_none)  # (G,) s, times of ...
    phases: Floats = field(default_factory=_none)  # (G,) ... rising phases, by whole cycles
    caution: str | None = None  # why the loop may not be one

    def at(self, phases: Floats) -> Floats:
        """(T, V) values at any phases."""
        return around_loop(self.loop, phases, self.quaternions)

    def phase_of(self, time: float) -> float:
        """The phase, 0 to 1, that was acted at a time."""
        if time <= self.moments[0]:
            return float((time - self.moments[0]) / self.period % 1.0)
        if time >= self.moments[-1]:
            return float((time - self.moments[-1]) / self.period % 1.0)
        return float(np.interp(time, self.moments, self.phases) % 1.0)


def find_loop(samples: PerformedSamples, options: CycleOptions) -> ActedLoop:
    """The loop of acted samples, with the period and the shape that the options ask for."""
    if options.method == "paper":
        return _as_published(samples)
    wanted = options.period
    single = closing_length(samples) if len(samples.time) >= LEAST_SAMPLES else None
    if wanted is not None and single is not None and abs(wanted - single) < OFFERED:
        unasked = search_cycles(_views(samples), None, CHOSEN)
        if unasked.alignment is None:  # the single cycle is meant, not a weak period near it
            return _single(samples, unasked.candidates, single)
    found = search_cycles(_views(samples), wanted, CHOSEN)
    if found.alignment is not None:
        return _extracted(found, options)
    if wanted is not None and single is not None and wanted >= SINGLE * single:
        return _single(samples, found.candidates, single)
    return ActedLoop(found.reason, found.candidates, single)


def _views(samples: PerformedSamples) -> Iterator[PerformedSamples]:
    yield samples
    if len(samples.time) >= LEAST_SAMPLES:
        yield _without_trend(samples)


def _extracted(found: CycleSearch, options: CycleOptions) -> ActedLoop:
    signal, alignment = found.signal, found.alignment
    assert signal is not None
    assert alignment is not None
    shape = cast(Shape, options.shape)
    weights = cycle_weights(alignment, shape)
    samples = _without_drift(found.samples, signal.times(alignment.cuts), weights)
    cycle = extract(samples, signal, alignment, PHASES, shape, start=0.0, by_hand=True)
    loop = _band_limited(cycle.loop, alignment.period / signal.rate, samples.quaternions)
    acted = _acted(samples, signal, alignment, loop)
    lengths = np.diff(acted.cuts)[alignment.used]
    return replace(
        acted,
        alternatives=found.candidates,
        weights=cycle.weights,
        caution=caution(found.candidates, cycle.error, sum(cycle.used)),
        period=float(lengths.mean()),
    )


def _acted(
    samples: PerformedSamples, signal: MotionSignal, alignment: Alignment, loop: Floats
) -> ActedLoop:
    phases = np.linspace(0, len(alignment), 32 * len(alignment) + 1)
    return ActedLoop(
        None,
        (),
        period=alignment.period / signal.rate,
        loop=loop,
        quaternions=samples.quaternions,
        cuts=signal.times(alignment.cuts),
        weights=np.ones(len(alignment)),
        moments=signal.times(alignment.at(phases)),
        phases=phases,
    )


def _band_limited(loop: Floats, period: float, quaternions: Ints) -> Floats:
    """The loop without what is faster than hands move: the jitter of a device.

    A rotation by a whole turn ends at the negative quaternion, so two rounds are filtered.
    """
    sign = np.ones(loop.shape[1])
    for four in quaternions:
        sign[four] = 1.0 if loop[-1, four] @ loop[0, four] >= 0 else -1.0
    spectrum = np.fft.rfft(np.concatenate([loop, sign * loop]), axis=0)
    frequency = np.arange(len(spectrum)) / (2 * period)
    fade = np.clip((HIGHEST[1] - frequency) / (HIGHEST[1] - HIGHEST[0]), 0.0, 1.0)
    smooth = np.fft.irfft(spectrum * fade[:, None], 2 * len(loop), axis=0)[: len(loop)]
    return unit_quaternions(smooth, quaternions)


def _as_published(samples: PerformedSamples) -> ActedLoop:
    """The published method on even samples."""
    time = samples.time
    even = np.arange(time[0], time[-1], 1 / RATE) if len(time) else time
    if len(even) < LEAST_SAMPLES:
        return ActedLoop(f"there are only {len(time)} samples", ())
    features, values = (
        np.stack([np.interp(even, time, column) for column in each.T], axis=1)
        for each in (samples.features, samples.values)
    )
    found = find_as_published(features)
    if found is None or len(found.cuts) < 2:
        return ActedLoop("the published method finds no two cuts", ())
    signal = MotionSignal(features, float(time[0]), RATE)
    acted = _acted(samples, signal, evenly_timed(found.cuts.astype(float)), values)
    short = unit_quaternions(found.mean(values), samples.quaternions)
    whole = replace(acted, loop=short)
    return replace(acted, loop=whole.at(np.arange(PHASES) / PHASES), period=found.period / RATE)


def _without_trend(samples: PerformedSamples) -> PerformedSamples:
    """Without the straight line through the features: an even drift of the device."""
    place = samples.time - samples.time.mean()
    slope = place @ samples.features / max(float(place @ place), 1e-30)
    features = samples.features - np.outer(place, slope)
    values, plain = samples.values.copy(), _plain_columns(samples)
    slope = place @ values[:, plain] / max(float(place @ place), 1e-30)
    values[:, plain] -= np.outer(place, slope)
    return replace(samples, values=values, features=features)


def _without_drift(samples: PerformedSamples, cuts: Floats, weights: Floats) -> PerformedSamples:
    """Without the drift of whole cycles' means; what drifts on average stays where it was."""
    if len(cuts) < 3:
        return samples
    plain = _plain_columns(samples)
    values, time = samples.values[:, plain], samples.time
    area = np.zeros_like(values)
    np.cumsum(0.5 * (values[1:] + values[:-1]) * np.diff(time)[:, None], axis=0, out=area[1:])
    at = np.stack([np.interp(cuts, time, column) for column in area.T], axis=1)
    mean = np.diff(at, axis=0) / np.diff(cuts)[:, None]  # (K, V)
    middle = 0.5 * (cuts[1:] + cuts[:-1])
    weight = (weights > 0).astype(float)
    centre = (weight @ middle) / weight.sum()
    place = middle - centre
    spread = float(weight @ place**2)
    if spread <= 0:
        return samples
    slope = (weight * place) @ (mean - (weight @ mean) / weight.sum()) / spread
    moving = np.sqrt(np.square(values - values.mean(axis=0)).sum(axis=1).mean())
    if np.linalg.norm(slope) * np.diff(cuts).mean() <= DRIFTS * moving:
        return samples
    steady = samples.values.copy()
    steady[:, plain] -= np.outer(time - centre, slope)
    return replace(samples, values=steady)


def _plain_columns(samples: PerformedSamples) -> list[int]:
    rotations = set(samples.quaternions.ravel().tolist())
    return [column for column in range(samples.values.shape[1]) if column not in rotations]


def _single(samples: PerformedSamples, found: Sequence[Candidate], single: float) -> ActedLoop:
    """One cycle, closed by bending its ends together."""
    part = closing_part(samples)
    assert part is not None
    signal = signal_of(samples)
    cuts = (samples.time[list(part)] - signal.start) * signal.rate
    alignment = evenly_timed(cuts)
    cycle = extract(samples, signal, alignment, PHASES, start=0.0)
    loop = _band_limited(cycle.loop, alignment.period / signal.rate, samples.quaternions)
    acted = _acted(samples, signal, alignment, loop)
    return replace(acted, alternatives=tuple(found), single=single)
