"""Span: the part of a clip in which a pose may change something."""

from __future__ import annotations

from arcwright.curves.first_key import key_poses_around, with_guard_keys
from arcwright.curves.local_key import keys_around
from arcwright.curves.set_key import has_key, key_through
from arcwright.objectives.pose_model import PreparedPose
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve


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
            guarded = with_guard_keys(self._clip.curves[channel], time, value, self._around)
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
