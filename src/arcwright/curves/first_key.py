"""First key: a channel that has no keys gets one, between the key poses around it."""

from __future__ import annotations

import numpy as np

from arcwright.curves.keys import keyed
from arcwright.curves.set_key import NEAR
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve


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
