"""Edited: the curves of a clip with a pose set at one time."""

from __future__ import annotations

from arcwright.arrays import Floats
from arcwright.curves.set_key import has_key, set_key
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve
from arcwright.scene.edit import Change, Edit
from arcwright.tools.first_key import first_key
from arcwright.tools.hold import Hold
from arcwright.tools.posing import PoseGrip

UNCHANGED = 1e-9  # m, rad or plain


def edited(hold: Hold, held: PoseGrip, values: Floats, label: str, key_moved: bool) -> Edit:
    """Keys at the held time with new values; set where there is none, if wanted."""
    changes: list[Change] = []
    for channel in held.channels.tolist():
        was, value = float(held.values[channel]), float(values[channel])
        before = hold.clip.curves[channel]
        if abs(value - was) <= UNCHANGED:
            continue
        after = _keyed(hold.clip, before, held.time, was, value, key_moved)
        if after is not None:
            changes.append(Change((*hold.curves, channel), before, after))
    return Edit(label, tuple(changes))


def _keyed(
    clip: Clip, curve: Curve | None, time: float, was: float, value: float, key_moved: bool
) -> Curve | None:
    if curve is None:
        return first_key(clip, time, was, value) if key_moved else None
    return set_key(curve, time, value) if key_moved or has_key(curve, time) else None
