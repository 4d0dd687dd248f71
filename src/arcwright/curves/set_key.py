"""Set a key: a curve goes through a value at a time, also beyond the keys of a cyclic one."""

from __future__ import annotations

from math import ceil, floor

import numpy as np

from arcwright.curves.evaluate import evaluate_curve
from arcwright.curves.keys import insert_key, move_key
from arcwright.scene.curve import Curve, Extrapolation

NEAR = 1e-6  # s; a key this near to the time is at it


def key_time(curve: Curve, time: float) -> float | None:
    """The time of the key that matters at a time: the same, or one in the round that has keys.

    None where only the other side is cyclic: a key there would change every round.
    """
    first, last = float(curve.time[0]), float(curve.time[-1])
    if first <= time <= last or not curve.cyclic:
        return time
    way = curve.before if time < first else curve.after
    if way < Extrapolation.CYCLE:
        return None
    if first == last:
        return first
    period = last - first
    turns = floor((time - first) / period) if time < first else ceil((time - last) / period)
    inside = min(max(time - turns * period, first), last)
    return first + last - inside if way == Extrapolation.MIRROR and turns % 2 else inside


def has_key(curve: Curve, time: float) -> bool:
    """Whether such a key is there."""
    inside = key_time(curve, time)
    return inside is not None and bool(np.abs(curve.time - inside).min() <= NEAR)


def set_key(curve: Curve, time: float, value: float) -> Curve | None:
    """The curve with a key that takes it through a value at a time; None where no key can."""
    inside = key_time(curve, time)
    if inside is None:
        return None
    if not has_key(curve, time):
        curve = insert_key(curve, inside)
    key = int(np.abs(curve.time - inside).argmin())
    if inside == time:
        return move_key(curve, key, value=value)
    was = float(curve.value[key])
    now, risen = (
        float(evaluate_curve(each, [time])[0])
        for each in (curve, move_key(curve, key, value=was + 1))
    )
    # where every round is higher by what the last one rose, an end counts more than once
    return move_key(curve, key, value=was + (value - now) / (risen - now))
