"""Curves within joint limits, between their keys, too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.curves.evaluate import evaluate_curve
from arcwright.scene.curve import Curve, Handle

BETWEEN = 9  # times of each segment at which limits are checked
HALVINGS = 4  # to find how little handles must be shortened
HAIR = 0.01  # rad or m, by which a curve may leave its limits between poses that keep them


def limited_curve(curve: Curve, low: float, high: float) -> Curve:
    """A curve that stays within limits: where it leaves them, its keys and handles do not.

    A key may get a corner there, as poses at a limit have one; not where the loop starts.
    """
    if len(curve) < 2:
        return curve
    beyond = _beyond(curve, low, high)
    if not beyond.any():
        return curve
    value = np.clip(curve.value, low, high)
    rise = curve.tangent[:, :, 1] * [-1.0, 1.0]  # from the key to the end of each handle
    room = np.where(rise > 0, (high - value)[:, None], (value - low)[:, None])
    least = np.clip(room / np.maximum(np.abs(rise), 1e-12), 0.0, 1.0)
    touched = np.stack([np.insert(beyond, 0, beyond[-1]), np.append(beyond, beyond[0])], axis=1)
    least = np.where(touched, least, 1.0)
    least[[0, -1]] = least[[0, -1]].min()
    shortest, longest = 0.0, 1.0  # of what is surely enough
    found = _shortened(curve, value, least)
    for _ in range(HALVINGS):
        middle = 0.5 * (shortest + longest)
        tried = _shortened(curve, value, 1 + middle * (least - 1))
        if _beyond(tried, low, high).any():
            shortest = middle
        else:
            longest, found = middle, tried
    return found


def _beyond(curve: Curve, low: float, high: float) -> Bools:
    """(K - 1,) segments that leave the limits."""
    at = np.linspace(curve.time[:-1], curve.time[1:], BETWEEN, axis=1)
    values = evaluate_curve(curve, at.ravel()).reshape(at.shape)
    return np.asarray(((values < low - HAIR) | (values > high + HAIR)).any(axis=1))


def _shortened(curve: Curve, value: Floats, share: Floats) -> Curve:
    """The curve with these values, its handles rising by a share (K, 2) of what they did."""
    tangent, kinds = curve.tangent.copy(), curve.handles.copy()
    tangent[:, :, 1] *= share
    kinds[share[:, 0] != share[:, 1]] = Handle.FREE
    return replace(curve, value=value, tangent=tangent, handles=kinds)
