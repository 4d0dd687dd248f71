"""Span: the part of a clip in which a pose may change something."""

from __future__ import annotations

import numpy as np

from arcwright.curves.first_key import key_poses_around
from arcwright.curves.keys import insert_key, keyed
from arcwright.curves.local_key import keys_around
from arcwright.curves.set_key import NEAR, has_key, key_through
from arcwright.objectives.pose_model import PreparedPose
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation


class CurvesWithKey:
    """The curves of a clip as they are, with a key at the held time; each made once.

    While a drag moves, only the values of these keys change.
    """

    def __init__(self, clip: Clip, held: PreparedPose) -> None:
        self._clip, self._held = clip, held
        self._around = key_poses_around(clip, held.time)
        self._made: dict[int, Curve] = {}

    def __getitem__(self, channel: int) -> Curve:
        if channel not in self._made:
            time, value = self._held.time, float(self._held.values[channel])
            guarded = _guarded(self._clip.curves[channel], time, value, self._around)
            found = key_through(guarded, time, value)
            self._made[channel] = guarded if found is None else found.curve
        return self._made[channel]


def pose_span(
    clip: Clip, held: PreparedPose, curves: CurvesWithKey, *, auto_key: bool, time_reach: int = 0
) -> tuple[float, float]:
    """From the first to the last time at which a key posed now may be seen, inside the clip."""
    low = high = held.time
    for channel in held.channels.tolist():
        curve = clip.curves[channel]
        if not auto_key and (curve is None or not has_key(curve, held.time)):
            continue
        start, end = keys_around(curves[channel], held.time, clip.duration, time_reach)
        low, high = min(low, start), max(high, end)
    return max(low, min(held.time, 0.0)), min(high, max(held.time, clip.duration))


def _guarded(curve: Curve | None, time: float, value: float, around: tuple[float, float]) -> Curve:
    """The same curve with keys at the key poses around a time that lies beyond its own keys.

    A channel without keys has a value; one key says it for the whole clip, and the last for all
    that follows: without these keys, a pose would change it as far.
    """
    if curve is None:
        times = [t for t in (around[0], time, around[1]) if np.isfinite(t)]
        return keyed(times, [value] * len(times))
    first, last = float(curve.time[0]), float(curve.time[-1])
    holds = curve.before == curve.after == Extrapolation.HOLD
    if not holds or (len(curve) > 1 and first - NEAR <= time <= last + NEAR):
        return curve
    for pose in around:
        if np.isfinite(pose) and not first - NEAR <= pose <= last + NEAR:
            curve = insert_key(curve, pose)
    return curve
