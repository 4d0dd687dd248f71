"""Span: the part of a clip in which a pose may change something."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools
from arcwright.curves.keys import with_auto_handles
from arcwright.curves.set_key import NEAR, has_key
from arcwright.kinematics.changed import changed_curve
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Handle
from arcwright.tools.first_key import key_poses_around
from arcwright.tools.posing import PoseGrip


def posed_span(clip: Clip, held: PoseGrip, *, key_moved: bool) -> tuple[float, float]:
    """From the first to the last time at which a key posed now may be seen, inside the clip."""
    low = high = held.time
    for channel in held.channels.tolist():
        curve = clip.curves[channel]
        if curve is None or len(curve) == 1:
            start, end = key_poses_around(clip, held.time) if key_moved else (low, high)
            if curve is not None:
                start, end = -np.inf, np.inf
        elif not key_moved and not has_key(curve, held.time):
            continue
        else:
            start, end = _seen(curve, held.time)
        low, high = min(low, start), max(high, end)
    return max(low, min(held.time, 0.0)), min(high, max(held.time, clip.duration))


def _seen(curve: Curve, time: float) -> tuple[float, float]:
    """Where a curve may change when a key is set or moved at a time."""
    if curve.cyclic:
        return -np.inf, np.inf
    near = int(np.abs(curve.time - time).argmin())
    if abs(curve.time[near] - time) <= NEAR:
        first = last = near
    else:
        last = int(np.searchsorted(curve.time, time))
        first = last - 1
    follows = _follows(curve, first, last)
    start = _edge(curve, follows, range(first - 1, -1, -1), curve.before)
    end = _edge(curve, follows, range(last + 1, len(curve)), curve.after)
    # Handles that are not what they would be if worked out anew are so when any key moves.
    stale = changed_curve(curve, with_auto_handles(curve))
    if stale is not None:
        start, end = min(start, stale[0]), max(end, stale[1])
    return start, end


def _edge(curve: Curve, follows: Bools, keys: range, beyond: Extrapolation) -> float:
    """The time of the first of these keys that stays as it is."""
    for key in keys:
        if not follows[key]:
            return float(curve.time[key])
    outwards = -np.inf if keys.step < 0 else np.inf
    if not len(keys) or beyond != Extrapolation.HOLD:
        return outwards
    return float(curve.time[keys[-1]])


def _follows(curve: Curve, first: int, last: int) -> Bools:
    """(K,) keys whose handles may follow others: automatic ones, unless at an extreme for good."""
    kinds = curve.handles
    auto = (kinds == Handle.AUTO) | (kinds == Handle.AUTO_CLAMPED)
    rise = np.diff(curve.value)
    extreme = np.zeros(len(curve), bool)
    extreme[1:-1] = rise[:-1] * rise[1:] <= 0
    extreme[max(first - 1, 0) : last + 2] = False
    extreme &= (kinds == Handle.AUTO_CLAMPED).all(axis=1)
    follows: Bools = auto.any(axis=1) & ~extreme
    return follows
