"""Curves within joint limits, between their keys, too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.curves.evaluate import evaluate_curve
from arcwright.scene.curve import Curve, Handle

BETWEEN = 9  # times of each segment at which limits are checked


def limited_curve(curve: Curve, low: float, high: float) -> Curve:
    """A curve that stays within limits: where it leaves them, its keys and handles do not.

    A key may get a corner there, as poses at a limit have one; not where the loop starts.
    """
    if len(curve) < 2:
        return curve
    at = np.linspace(curve.time[:-1], curve.time[1:], BETWEEN, axis=1)
    values = evaluate_curve(curve, at.ravel()).reshape(at.shape)
    beyond = ((values < low) | (values > high)).any(axis=1)
    if not beyond.any():
        return curve
    value = np.clip(curve.value, low, high)
    rise = curve.tangent[:, :, 1] * [-1.0, 1.0]  # from the key to the end of each handle
    room = np.where(rise > 0, (high - value)[:, None], (value - low)[:, None])
    share = np.clip(room / np.maximum(np.abs(rise), 1e-12), 0.0, 1.0)
    touched = np.stack([np.insert(beyond, 0, beyond[-1]), np.append(beyond, beyond[0])], axis=1)
    share = np.where(touched, share, 1.0)
    share[[0, -1]] = share[[0, -1]].min()
    tangent, kinds = curve.tangent.copy(), curve.handles.copy()
    tangent[:, :, 1] *= share
    kinds[share[:, 0] != share[:, 1]] = Handle.FREE
    return replace(curve, value=value, tangent=tangent, handles=kinds)
