"""The signal in which repetition is looked for: few components of a motion and their velocity."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints

RATE = 30.0  # samples per second
LONG, LONG_RATE = 240.0, 15.0  # s, and the samples per second of motions longer than that
COMPONENTS = 16  # principal components, at most
KEPT_VARIANCE = 0.995  # of the motion, in the components
FINE_VARIANCE = 0.99999  # of the motion, in fewer directions than there are features
ACTIVITY_WINDOW = 0.5  # s


@dataclass(frozen=True, eq=False)
class MotionSignal:
    """Principal components of a motion at even times, without its mean."""

    components: Floats  # (N, P) in the unit of the features
    start: float  # s, the time of the first sample
    rate: float

    @cached_property
    def features(self) -> Floats:
        """(N, 2 P) components and their velocity, scaled to the same variance."""
        velocity = np.gradient(self.components, axis=0)
        scale = np.sqrt(np.square(self.components).sum() / max(np.square(velocity).sum(), 1e-30))
        return np.concatenate([self.components, scale * velocity], axis=1)

    @cached_property
    def activity(self) -> Floats:
        """(N,) speed around each sample, 1 on average."""
        squared = np.square(np.gradient(self.components, axis=0)).sum(axis=1)
        window = int(ACTIVITY_WINDOW * self.rate) | 1
        padded = np.pad(squared, window // 2, mode="edge")
        around = np.convolve(padded, np.full(window, 1 / window), mode="valid")
        activity: Floats = np.sqrt(around / max(around.mean(), 1e-30))
        return activity

    def __len__(self) -> int:
        return len(self.components)

    def times(self, samples: Floats) -> Floats:
        """The times, s, of samples given by number, fractions included."""
        return self.start + samples / self.rate

    def at(self, samples: Floats) -> tuple[Floats, Floats]:
        """Components (..., P) at fractional samples, and their derivative by the sample."""
        last = len(self) - 1
        samples = np.clip(samples, 0.0, last)
        index = np.clip(samples.astype(np.int64), 0, max(last - 1, 0))
        return cubic(self.components, index, samples - index)


def motion_signal(time: Floats, features: Floats) -> MotionSignal:
    """The signal of features (N, D), all of one unit, at rising times (N,)."""
    rate = RATE if time[-1] - time[0] <= LONG else LONG_RATE
    even = _averaged_at(time, features, _even_times(time, rate), 0.5 / rate)
    return MotionSignal(_principal_components(even), float(time[0]), rate)


def narrow_features(features: Floats) -> Floats:
    """(N, Q) features with the same distances, nearly: fewer than there are samples.

    Small components hold most of the detail, so far more of them are kept than show repetition.
    """
    if features.shape[1] <= len(features):
        return features
    return _principal_components(features, len(features), FINE_VARIANCE)


def mirrored_signals(
    time: Floats, features: Floats, mirrored: Floats
) -> tuple[MotionSignal, MotionSignal]:
    """The signals of features (N, D) and of their mirror image, in the same components."""
    rate = RATE if time[-1] - time[0] <= LONG else LONG_RATE
    at, half = _even_times(time, rate), 0.5 / rate
    both = [_averaged_at(time, each, at, half) for each in (features, mirrored)]
    own, image = np.split(_principal_components(np.concatenate(both)), 2)
    start = float(time[0])
    return MotionSignal(own, start, rate), MotionSignal(image, start, rate)


def _even_times(time: Floats, rate: float) -> Floats:
    count = int(np.floor((time[-1] - time[0]) * rate + 1e-6)) + 1
    times: Floats = time[0] + np.arange(count) / rate
    return times


def _averaged_at(time: Floats, values: Floats, at: Floats, half: float) -> Floats:
    """The mean of values within `half` seconds of each time, so that resampling cannot alias."""
    if len(time) == 1:
        return values
    if (time[-1] - time[0]) <= 2 * half * (len(time) - 1):  # samples are further apart than that
        gaps = np.diff(time)[:, None]
        area = np.zeros_like(values)
        np.cumsum(0.5 * (values[1:] + values[:-1]) * gaps, axis=0, out=area[1:])
        low, high = np.maximum(at - half, time[0]), np.minimum(at + half, time[-1])
        mean: Floats = _linear(time, area, high) - _linear(time, area, low)
        mean /= (high - low)[:, None]
        return mean
    return _linear(time, values, at)


def _linear(time: Floats, values: Floats, at: Floats) -> Floats:
    index = np.clip(np.searchsorted(time, at, side="right") - 1, 0, len(time) - 2)
    share = ((at - time[index]) / (time[index + 1] - time[index]))[:, None]
    between: Floats = values[index] * (1 - share) + values[index + 1] * share
    return between


def _principal_components(
    values: Floats, most: int = COMPONENTS, kept: float = KEPT_VARIANCE
) -> Floats:
    """(N, P): the smaller of the two Gram matrices has the same components."""
    centred = values - values.mean(axis=0)
    wide = centred.shape[1] > len(centred)
    variance, vectors = np.linalg.eigh(centred @ centred.T if wide else centred.T @ centred)
    variance, vectors = np.maximum(variance[::-1], 0.0), vectors[:, ::-1]
    share = np.cumsum(variance) / max(variance.sum(), 1e-30)
    count = min(most, int(np.searchsorted(share, kept)) + 1)
    if wide:
        return np.asarray(vectors[:, :count] * np.sqrt(variance[:count]))
    return np.asarray(centred @ vectors[:, :count])


def cubic(values: Floats, index: Ints, share: Floats) -> tuple[Floats, Floats]:
    """Catmull-Rom interpolation after samples `index`, and its derivative."""
    last = len(values) - 1
    before, here = values[np.maximum(index - 1, 0)], values[index]
    after, beyond = values[np.minimum(index + 1, last)], values[np.minimum(index + 2, last)]
    t = share[..., None]
    linear = 0.5 * (after - before)
    quadratic = before - 2.5 * here + 2 * after - 0.5 * beyond
    cubic = 0.5 * (beyond - before) + 1.5 * (here - after)
    value = here + t * (linear + t * (quadratic + t * cubic))
    return value, linear + t * (2 * quadratic + 3 * t * cubic)
