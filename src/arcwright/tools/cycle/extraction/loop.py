"""One loop of all cycles: a weighted mean at each phase, which closes by itself.

The weight of a moment changes smoothly along the motion and is 0 at its ends. So the mean has the
same value, velocity and acceleration where the loop starts and where it ends: those of the cuts
between the cycles.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.cycle.extraction.phase import Alignment
from arcwright.tools.cycle.extraction.signal import cubic

Shape: TypeAlias = Literal["average", "best", "latest"]

BLEND = 0.3  # of a cycle: over which weights change, and a single cycle is closed
FADE = 0.2  # of a cycle: over which the weights rise and fall at the ends of the motion
FORGOTTEN = 0.6  # weight of a cycle, in units of the next one, where the latest count most
OPPOSITE = 0.5  # cosine of half the angle (120 degrees) at which rotations have nothing in common
FIRST_DETAIL = 4  # harmonics from this one on are detail
KEPT_DETAIL = 0.93  # energy of the detail, in units of that of the median cycle
NO_ROTATIONS = np.zeros((0, 4), np.int64)  # columns of quaternions among features


def cycle_weights(alignment: Alignment, shape: Shape) -> Floats:
    """(K,) how much each cycle counts."""
    count = len(alignment)
    weights = alignment.used.astype(np.float64)
    if shape == "latest":
        weights *= FORGOTTEN ** np.arange(count - 1, -1, -1.0)
    elif shape == "best":
        residual = np.where(alignment.used, alignment.residual, np.inf)
        weights = (np.arange(count) == np.argmin(residual)).astype(np.float64)
    return weights


def end_weights(alignment: Alignment, shape: Shape) -> tuple[float, float]:
    """How much the parts of a cycle before the first one and after the last one count."""
    if shape == "best":
        return 0.0, 0.0
    before, after = (float(part > 0) for part in alignment.parts)
    if shape == "latest":
        return before * FORGOTTEN ** len(alignment), after / FORGOTTEN
    return before, after


def mean_cycle(
    cycles: Floats,
    phases: Floats,
    weights: Floats,
    quaternions: Ints,
    parts: tuple[float, float] = (0.0, 0.0),
) -> Floats:
    """(F, V) the weighted mean of consecutive cycles (K, F, V) at phases (F,).

    The first and the last of them may be of weight 0; the motion reaches by `parts` of a cycle
    into them. `quaternions` (Q, 4) are columns of unit quaternions, whose mean is a rotation.
    Rotations far from the others, as captures have where a joint flips over, count for nothing.
    """
    weight = _phase_weights(weights, phases, parts)
    mean: Floats = np.einsum("kf,kfv->fv", weight, cycles)
    if len(quaternions):
        rotations = cycles[:, :, quaternions]  # (K, F, Q, 4)
        mean[:, quaternions] = _mean_rotation(rotations, weight, int(np.argmax(weights)))
    return unit_quaternions(mean, quaternions)


def closed_cycle(cycle: Floats, quaternions: Ints) -> Floats:
    """A single cycle (M + 1, V), both ends included, bent to their common mean and slope."""
    values = _same_end_signs(cycle, quaternions)
    frames = len(values) - 1
    place = np.arange(frames + 1) / frames
    gap = values[-1] - values[0]
    slope = -_end_slope(values[::-1]) - _end_slope(values)
    loop = values - np.outer(place - 0.5, gap)
    t = np.clip(place / BLEND, 0, 1)
    bump = t * (1 - t) ** 3 * (1 + 3 * t)  # 0 at both ends, with a slope at the first one only
    loop += np.outer(0.5 * (bump + bump[::-1]) / float(_end_slope(bump)), slope)
    return unit_quaternions(loop, quaternions)


def detrended(cycle: Floats, quaternions: Ints) -> Floats:
    """A cycle (F + 1, P) without the ramp between its ends, which has all harmonics; (F, P)."""
    values = _same_end_signs(cycle, quaternions)
    gap = values[-1] - values[0]
    return values[:-1] - np.outer(np.arange(len(values) - 1) / (len(values) - 1), gap)


def detail_source(cycles: Floats, residual: Floats, highest: int) -> tuple[float, int]:
    """The energy of detail that a loop of cycles (K, F + 1, P) should have, and the cycle to take
    it from: the one nearest to the mean, `residual` (K,), of those that have as much when closed,
    else the one that has most."""
    wanted = KEPT_DETAIL * float(
        np.median([_energy(detrended(each, NO_ROTATIONS), highest) for each in cycles])
    )
    kept = np.array([_energy(closed_cycle(each, NO_ROTATIONS)[:-1], highest) for each in cycles])
    if kept.max() < wanted:
        return wanted, int(np.argmax(kept))
    return wanted, int(np.argmin(np.where(kept >= wanted, residual, np.inf)))


def detail_share(mean: Floats, best: Floats, wanted: float, highest: int) -> float:
    """How much of a cycle's detail to add so that the mean has as much energy as is wanted.

    The mean and the closed cycle are (F, P); harmonics up to `highest` count.
    """
    own, other = _harmonics(mean, highest), _harmonics(best, highest)
    step = other - own
    a = float(np.square(np.abs(step)).sum())
    b = float((own.conj() * step).real.sum())
    c = float(np.square(np.abs(own)).sum()) - wanted
    if c >= 0 or a <= 0:
        return 0.0
    return float(np.clip((-b + np.sqrt(max(b * b - a * c, 0.0))) / a, 0.0, 1.0))


def closing_share(cycle: Floats, highest: int) -> float:
    """How much of a cycle's detail (F + 1, P) to give back to it after its ends are bent."""
    closed, level = closed_cycle(cycle, NO_ROTATIONS)[:-1], detrended(cycle, NO_ROTATIONS)
    return detail_share(closed, level, KEPT_DETAIL * _energy(level, highest), highest)


def with_detail(
    mean: Floats, best: Floats, share: float, quaternions: Ints, highest: int | None = None
) -> Floats:
    """(M, V) the mean with this share of its detail replaced by that of one cycle.

    Harmonics above `highest` stay; so what is added is smooth even where the cycle has a corner.
    """
    if share <= 0:
        return mean
    reference = best.copy()
    if len(quaternions):
        away = (mean[:, quaternions] * best[:, quaternions]).sum(axis=-1, keepdims=True) < 0
        reference[:, quaternions] *= np.where(away, -1.0, 1.0)
    spectrum = np.fft.rfft(reference - mean, axis=0)
    spectrum[:FIRST_DETAIL] = 0
    spectrum[len(spectrum) if highest is None else highest + 1 :] = 0
    return unit_quaternions(mean + share * np.fft.irfft(spectrum, len(mean), axis=0), quaternions)


def around_loop(loop: Floats, phases: Floats, quaternions: Ints) -> Floats:
    """(T, V) values of a closed loop (M, V), whose next row would be the first, at any phases."""
    place = (phases % 1.0) * len(loop)
    index = place.astype(np.int64) % len(loop)
    near = loop[(index[:, None] + np.arange(-1, 3)) % len(loop)]  # (T, 4, V)
    for four in quaternions:
        away = (near[..., four] * near[:, 1:2, four]).sum(axis=-1, keepdims=True) < 0
        near[..., four] *= np.where(away, -1.0, 1.0)
    rows = 4 * np.arange(len(place))
    values, _ = cubic(near.reshape(-1, near.shape[-1]), rows + 1, place - np.floor(place))
    return unit_quaternions(values, quaternions)


def unit_quaternions(values: Floats, quaternions: Ints) -> Floats:
    """The values with these columns (Q, 4) scaled to unit length, in place."""
    if len(quaternions):
        length = np.linalg.norm(values[..., quaternions], axis=-1, keepdims=True)
        values[..., quaternions] /= np.maximum(length, 1e-30)
    return values


def _mean_rotation(rotations: Floats, weight: Floats, reference: int) -> Floats:
    """(F, Q, 4) the weighted mean of (K, F, Q, 4), not yet of unit length.

    The middle is the first eigenvector of the summed outer products, which no sign of a quaternion
    changes; so it is the same where a loop starts and where it ends, also where joints flip over.
    """
    products = np.einsum("kf,kfqa,kfqb->fqab", weight, rotations, rotations)
    middle = _same_signs(np.linalg.eigh(products)[1][..., -1], rotations[reference, 0])
    near = (rotations * middle).sum(axis=-1, keepdims=True)
    alike = smooth_step((np.abs(near) - OPPOSITE) / (1 - OPPOSITE)) + 1e-9
    found: Floats = np.einsum("kf,kfqc->fqc", weight, alike * np.sign(near) * rotations)
    return found


def _same_signs(rotations: Floats, first: Floats) -> Floats:
    """Quaternions (F, Q, 4) with signs that go on from those of `first` (Q, 4)."""
    before = np.concatenate([first[None], rotations[:-1]])
    away = (rotations * before).sum(axis=-1, keepdims=True) < 0
    return rotations * np.cumprod(np.where(away, -1.0, 1.0), axis=0)


def _phase_weights(weights: Floats, phases: Floats, parts: tuple[float, float]) -> Floats:
    """(K, F) the weight of each cycle at each phase: blended around the cuts, 1 in all.

    The motion starts `parts[0]` before the end of the first cycle and ends `parts[1]` after the
    start of the last one; there is nothing beyond to blend with.
    """
    last = len(weights)
    place = np.arange(last)[:, None] + phases
    total = np.zeros(place.shape)
    for cycle, weight in enumerate(weights.tolist()):
        if weight > 0:
            started = smooth_step((place - cycle) / BLEND + 0.5)
            total += weight * started * smooth_step((cycle + 1 - place) / BLEND + 0.5)
    total += 1e-12
    total *= smooth_step((place - 1 + parts[0]) / FADE)
    total *= smooth_step((last - 1 + parts[1] - place) / FADE)
    shares: Floats = total / total.sum(axis=0)
    return shares


def smooth_step(share: Floats) -> Floats:
    """From 0 to 1 for shares from 0 to 1, with slope and curvature 0 at both ends."""
    t = np.clip(share, 0.0, 1.0)
    step: Floats = t**3 * (10 + t * (6 * t - 15))
    return step


def _same_end_signs(cycle: Floats, quaternions: Ints) -> Floats:
    """A copy in which the last quaternions have the signs of the first."""
    values = cycle.copy()
    if len(quaternions):
        away = (values[0, quaternions] * values[-1, quaternions]).sum(axis=-1) < 0
        values[-1, quaternions[away]] *= -1
    return values


def _end_slope(values: Floats) -> Floats:
    """(V,) change per frame at the first sample, from a parabola through three."""
    slope: Floats = -1.5 * values[0] + 2 * values[1] - 0.5 * values[2]
    return slope


def _harmonics(cycle: Floats, highest: int) -> np.ndarray:
    found: np.ndarray = np.fft.rfft(cycle, axis=0)[FIRST_DETAIL : highest + 1]
    return found


def _energy(cycle: Floats, highest: int) -> float:
    return float(np.square(np.abs(_harmonics(cycle, highest))).sum())
