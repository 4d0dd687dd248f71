"""Set a key so that a curve passes through a value, also beyond the keys of a cyclic one."""

from __future__ import annotations

from math import ceil, floor
from typing import NamedTuple

import numpy as np

from arcwright.curves.keys import insert_key, move_key
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Extrapolation

NEAR = 1e-6  # s; a key this near to the time is at it


def key_time(curve: Curve, time: float) -> float | None:
    """The key time that controls a time: the same, or its phase in the keyed cycle.

    None where only the other side is cyclic: a key there would change every cycle.
    """
    found = _in_round(curve, time)
    return None if found is None else found[0]


def has_key(curve: Curve, time: float) -> bool:
    """Whether such a key is there."""
    inside = key_time(curve, time)
    return inside is not None and bool(np.abs(curve.time - inside).min() <= NEAR)


def set_key(curve: Curve, time: float, value: float) -> Curve | None:
    """The curve with a key that takes it through a value at a time; None where no key can."""
    found = key_through(curve, time, value)
    return None if found is None else move_key(found.curve, found.key, value=found.value)


class KeyThrough(NamedTuple):
    """A key of a curve, and the value at which the curve passes through its target."""

    curve: Curve  # as it was, with the key
    key: int
    value: float


def key_through(curve: Curve, time: float, value: float) -> KeyThrough | None:
    """The key that takes a curve through a value, not yet moved; None where no key can."""
    found = _in_round(curve, time)
    if found is None:
        return None
    inside, climbs = found
    if not has_key(curve, time):
        curve = insert_key(curve, inside)
    key = int(np.abs(curve.time - inside).argmin())
    was = float(curve.value[key])
    now = was + climbs * float(curve.value[-1] - curve.value[0])
    # where every round is higher by what the last one rose, an end counts more than once
    counts = 1 + climbs * ((key == len(curve) - 1) - (key == 0))
    if counts == 0:
        raise BadValue("set_key time", "a time at which the nearest key can be seen", time)
    return KeyThrough(curve, key, was + (value - now) / counts)


def _in_round(curve: Curve, time: float) -> tuple[float, int] | None:
    """The same phase in the keyed cycle, and the number of cycle offsets between.

    A time just beyond a cycle counts as its end: 32-bit key times are that far off.
    Not for a plain cycle: it may jump there, and already has its start value.
    """
    first, last = float(curve.time[0]), float(curve.time[-1])
    if first <= time <= last or not curve.cyclic:
        return time, 0
    way = curve.before if time < first else curve.after
    if way != Extrapolation.CYCLE and first - NEAR <= time <= last + NEAR:
        return min(max(time, first), last), 0
    if way < Extrapolation.CYCLE:
        return None
    if first == last:
        return first, 0
    period = last - first
    hair = 0.0 if way == Extrapolation.CYCLE else NEAR  # a cycle may jump between its rounds
    early, late = (time - first + hair) / period, (time - last - hair) / period
    turns = floor(early) if time < first else ceil(late)
    inside = min(max(time - turns * period, first), last)
    if way == Extrapolation.MIRROR and turns % 2:
        inside = first + last - inside
    return inside, turns if way == Extrapolation.CYCLE_OFFSET else 0
