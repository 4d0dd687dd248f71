"""A clip that is a loop already: its period is its length, or a whole part that repeats in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.cycle.extraction.model import PerformedSamples, moves
from arcwright.tools.cycle.extraction.period import DISTINCT, SHORTEST_PERIOD, Candidate
from arcwright.tools.cycle.extraction.phase import evenly_timed
from arcwright.tools.cycle.extraction.search import (
    CycleSearch,
    caution,
    nearest_first,
    search_cycles,
)
from arcwright.tools.cycle.extraction.signal import MotionSignal

Harmonics: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.complex128]]

MOST_PARTS = 16
REPEATS = 0.02  # relative difference of parts up to which they are one cycle, done again
UNLIKE = 0.5  # above this, parts that a search took for cycles are none
SAME = 0.005  # of the body's size: joints that end this near to their start have come back,
WHOLE = 0.01  # of a frame: a clip may be so much longer or shorter than whole frames
NEAR = 0.5  # or within this share of the farthest step of a frame


@dataclass(frozen=True)
class ClipEnds:
    """What is known of a clip that may be a loop as a whole."""

    loops: bool  # whether its file says so
    duration: float  # s
    size: float  # m, of the body


def search_clip(
    views: Sequence[PerformedSamples], ends: ClipEnds, period: float | None
) -> CycleSearch:
    """The cycles of a keyed clip. One that loops repeats as a whole, if none of its parts does.

    Files such as .glb have no word for a loop: of a clip that ends as it starts, in which nothing
    repeats, the whole is a period to choose. A `period` chooses the candidate nearest to it.
    """
    samples = views[0]
    if not moves(samples.features) or not _is_closed(samples, ends):
        return search_cycles(views, period)
    parts = _parts(samples.features, ends)
    if ends.loops or (period is None and parts[0].parts > 1):
        return _evenly_cut(samples, parts, period)
    found = search_cycles(views)
    if period is not None:
        return _nearest(samples, parts, found, views, period)
    if found.alignment is not None and not _doubtful(found):
        return found
    likely = _likely(samples, parts, found)
    if likely is None:
        return _offered(found, parts)
    return _evenly_cut(samples, [likely, *found.candidates], None)


def _likely(
    samples: PerformedSamples, parts: Sequence[Candidate], found: CycleSearch
) -> Candidate | None:
    """The part nearest to a doubtful period, or the whole of one stride; it stays as doubtful."""
    whole = _whole(parts)
    if found.alignment is not None:
        doubtful = found.candidates[0]
        nearest = nearest_first(parts, doubtful.period)[0]
        if nearest is not whole and nearest.away(doubtful.period) <= DISTINCT:
            return replace(nearest, repeated=doubtful.repeated)
    if samples.mirrored is None:
        return None
    unlike = _mirror_difference(samples.features, samples.mirrored)
    stride = replace(whole, cost=unlike, difference=unlike, repeated=1.0, mirrored=True)
    return stride if unlike <= UNLIKE else None


def _parts(features: Floats, ends: ClipEnds) -> list[Candidate]:
    """The shortest whole part of a clip that repeats, all of it if none does, then the others."""
    harmonics = _harmonics(features)
    power = _weights(harmonics) * np.square(np.abs(harmonics)).sum(axis=1)
    harmonic = np.arange(1.0, len(power) + 1)
    most = min(MOST_PARTS, max(1, int(ends.duration / SHORTEST_PERIOD)))
    found = [
        _part(ends, count, float(power @ (1 - np.cos(2 * np.pi * harmonic / count))))
        for count in range(1, most + 1)
    ]
    best = [each for each in found if each.cost <= REPEATS][-1]
    others = (each for each in found if each is not best and each.cost <= UNLIKE)
    return [best, *sorted(others, key=lambda each: each.cost)]


def _mirror_difference(features: Floats, mirrored: Floats) -> float:
    """How much a clip differs from its mirror image half of it later: about 1 by chance."""
    own, image = _harmonics(features), _harmonics(mirrored)
    later = own * np.where(np.arange(1, len(own) + 1) % 2, -1, 1)[:, None]
    energy = np.square(np.abs(image - later)).sum(axis=1)
    return 0.5 * float(_weights(own) @ energy)


def _weights(harmonics: Harmonics) -> Floats:
    """(H,) by which energies of harmonics become those of pose and velocity, 1 in all."""
    energy, number = np.square(np.abs(harmonics)).sum(axis=1), np.arange(1.0, len(harmonics) + 1)
    weights: Floats = 0.5 / energy.sum() + 0.5 * number**2 / (number**2 @ energy)
    return weights


def _harmonics(features: Floats) -> Harmonics:
    """(H, D) the harmonics of a clip that goes on as it starts."""
    found: Harmonics = np.fft.rfft(features[:-1], axis=0)[1:]
    return found


def _part(ends: ClipEnds, count: int, unlike: float) -> Candidate:
    """A clip is itself again after all of it, so its parts are compared around its end, too."""
    return Candidate(
        period=ends.duration / count,
        lag=np.zeros(0),
        relative=np.zeros(0),
        cost=unlike,
        difference=unlike,
        meeting=1.0,
        repeated=np.inf if ends.loops else count,
        parts=count,
    )


def _evenly_cut(
    samples: PerformedSamples, candidates: Sequence[Candidate], period: float | None
) -> CycleSearch:
    """The cycles of the first candidate, or of that nearest to a period: parts of the clip."""
    chosen = candidates if period is None else nearest_first(candidates, period)
    rate = (len(samples.time) - 1) / float(samples.time[-1] - samples.time[0])
    signal = MotionSignal(samples.features, float(samples.time[0]), rate)
    length = chosen[0].parts * chosen[0].period * rate
    alignment = evenly_timed(np.linspace(0.0, length, chosen[0].parts + 1))
    return CycleSearch(samples, signal, tuple(chosen), None, alignment)


def _nearest(
    samples: PerformedSamples,
    parts: Sequence[Candidate],
    found: CycleSearch,
    views: Sequence[PerformedSamples],
    period: float,
) -> CycleSearch:
    """The cycles of the part or the candidate nearest to a period."""
    if not found.candidates or parts[0].away(period) <= found.candidates[0].away(period):
        return _evenly_cut(samples, parts, period)
    return search_cycles(views, period)


def _offered(found: CycleSearch, parts: Sequence[Candidate]) -> CycleSearch:
    """No cycles, but the whole clip to choose."""
    reason = (
        "no movement comes back, but it ends as it starts: "
        f"as the period, {_whole(parts).period:.3g} s makes all of it one cycle"
    )
    candidates = (_whole(parts), *found.candidates)
    return replace(found, candidates=candidates, reason=reason, alignment=None)


def _whole(parts: Sequence[Candidate]) -> Candidate:
    return next(each for each in parts if each.parts == 1)


def _doubtful(found: CycleSearch) -> bool:
    return caution(found.candidates, 0.0, len(found.alignment or ())) is not None


def _is_closed(samples: PerformedSamples, ends: ClipEnds) -> bool:
    """Whether a clip of whole frames ends in the pose of its start."""
    features = samples.features
    if len(features) < 4 or abs(samples.time[-1] - ends.duration) > WHOLE * samples.time[1]:
        return False
    joints = features.reshape(len(features), -1, 3)
    step = np.linalg.norm(np.diff(joints, axis=0), axis=-1).max()
    apart = np.linalg.norm(joints[-1] - joints[0], axis=-1).max()
    return bool(apart <= max(SAME * ends.size, NEAR * step))
