"""Periodic spline: a cycle of samples as a uniform cubic B-spline, smooth between and at them."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats


def control_values(samples: Floats) -> Floats:
    """(N, ...) the values whose periodic cubic B-spline goes through samples (N, ...)."""
    count = len(samples)
    angle = 2 * np.pi * np.arange(count // 2 + 1) / count
    response = (2 + np.cos(angle)) / 3  # of the weights 1/6, 2/3, 1/6 at a sample
    spectrum = np.fft.rfft(samples, axis=0)
    scaled = spectrum / response.reshape(-1, *[1] * (samples.ndim - 1))
    return np.asarray(np.fft.irfft(scaled, count, axis=0))


def spline_weights(share: Floats) -> Floats:
    """(..., 4) weights of the control values from one before a place to two after it.

    `share` (...) is how far the place is, 0 to 1, between the second and the third of them.
    """
    left = 1 - share
    first, last = left**3 / 6, share**3 / 6
    second = 2 / 3 - share**2 * (1 + left) / 2
    return np.stack([first, second, 1 - first - second - last, last], axis=-1)


def resampled(samples: Floats, count: int) -> Floats:
    """(count, ...) the spline through samples (N, ...) at even places of the cycle."""
    at = np.arange(count) * len(samples) / count
    before = np.floor(at).astype(np.int64)
    control, weights = control_values(samples), spline_weights(at - before)
    members = (before[:, None] + np.arange(-1, 3)) % len(samples)
    return np.asarray(np.einsum("pk,pk...->p...", weights, control[members]))
