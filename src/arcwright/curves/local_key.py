"""Set a key locally: beyond the keys beside it, the curve stays the same bit for bit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools
from arcwright.curves.handles import with_auto_handles
from arcwright.curves.keys import kinds_that_stay
from arcwright.curves.set_key import NEAR, key_through
from arcwright.scene.curve import Curve, Extrapolation, Handle

SAME = 1e-9  # of a handle's size: automatic handles this near to the stored ones stay automatic
_STORED = (Handle.FREE, Handle.ALIGNED)  # that other keys do not change


def set_key_locally(curve: Curve, time: float, value: float, reach: int = 0) -> Curve | None:
    """The curve with a key that takes it through a value at a time; None where no key can.

    Handles are recomputed at that key and at `reach` keys on both sides. All others keep
    theirs; automatic ones that would follow become aligned, or free at corners.
    """
    found = key_through(curve, time, value)
    if found is None:
        return None
    original, key, moved = found
    values = np.array(original.value)
    values[key] = moved
    local = replace(original, value=values)
    away = np.abs(np.arange(len(local)) - key)
    if curve.cyclic:  # the last key is the first again
        away = np.minimum(away, len(local) - 1 - away)
    return with_local_handles(local, away > reach)


def with_local_handles(local: Curve, stays: Bools) -> Curve:
    """The curve with handles recomputed except those of some keys (K,).

    Automatic ones among them that would follow become aligned, or free at corners.
    """
    while len(local) > 1 and not np.isin(local.handles, _STORED).all():
        auto = with_auto_handles(local)
        size = np.abs(local.tangent).max(axis=(1, 2))
        follows = np.abs(auto.tangent - local.tangent).max(axis=(1, 2)) > SAME * size
        tangent = np.where(stays[:, None, None], local.tangent, auto.tangent)
        local = replace(local, tangent=tangent)
        if not (follows & stays).any():
            break
        local = replace(local, handles=kinds_that_stay(local, np.flatnonzero(follows & stays)))
    return local


def keys_around(curve: Curve, time: float, duration: float, reach: int = 0) -> tuple[float, float]:
    """From where to where a curve changes, between 0 and `duration`, when a key is so set."""
    if curve.cyclic and (curve.time[0] > NEAR or curve.time[-1] < duration - NEAR):
        return -np.inf, np.inf  # more than one round is played
    before = np.flatnonzero(curve.time < time - NEAR)
    after = np.flatnonzero(curve.time > time + NEAR)
    start = curve.time[before[-1 - reach]] if len(before) > reach else -np.inf
    end = curve.time[after[reach]] if len(after) > reach else np.inf
    if curve.cyclic and not (np.isfinite(start) and np.isfinite(end)):
        return -np.inf, np.inf
    # Where all keys on one side are in reach, a curve that holds beyond them ends its change there.
    if not np.isfinite(start) and len(before) and curve.before == Extrapolation.HOLD:
        start = curve.time[0]
    if not np.isfinite(end) and len(after) and curve.after == Extrapolation.HOLD:
        end = curve.time[-1]
    return float(start), float(end)
