"""Path: a smooth curve through given positions."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats


def path_through(times: Floats, places: Floats, at: Floats) -> Floats:
    """(T, 3) m: piecewise cubics through positions (K, 3) at times (K,), with chord slopes."""
    if len(times) == 1:
        return np.tile(places[0], (len(at), 1))
    slope = np.gradient(places, times, axis=0)
    span = np.clip(np.searchsorted(times, at, "right") - 1, 0, len(times) - 2)
    length = (times[span + 1] - times[span])[:, None]
    u = np.clip((at - times[span])[:, None] / length, 0.0, 1.0)
    low, high = places[span], places[span + 1]
    bend = (1 - u) * (slope[span] * length - (high - low)) - u * (
        slope[span + 1] * length - (high - low)
    )
    where: Floats = low + u * (high - low) + u * (1 - u) * bend
    return where
