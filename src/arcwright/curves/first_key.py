"""First key: channels with no keys, or one, get a key between the key poses around it."""

from __future__ import annotations

import numpy as np

from arcwright.curves.keys import insert_key, keyed
from arcwright.curves.set_key import NEAR
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation


def first_key(clip: Clip, time: float, was: float, value: float) -> Curve:
    """A channel's first key; the key poses before and after it keep what they had."""
    before, after = key_poses_around(clip, time)
    times = [t for t in (before, time, after) if np.isfinite(t)]
    return keyed(times, [value if t == time else was for t in times])


def key_poses_around(clip: Clip, time: float) -> tuple[float, float]:
    """The nearest keys of any channel before and after a time; infinite where there is none."""
    keyed = [curve.time for curve in clip.curves if curve is not None]
    poses = np.concatenate([np.zeros(0), *keyed])
    before, after = poses[poses < time - NEAR], poses[poses > time + NEAR]
    return float(before.max(initial=-np.inf)), float(after.min(initial=np.inf))


def with_guard_keys(
    curve: Curve | None, time: float, value: float, around: tuple[float, float]
) -> Curve:
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
