"""Selection: the keys that an edit changes, by channel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.pack import quaternion_channels
from arcwright.edits.edited_take import EditedTake
from arcwright.errors import BadValue
from arcwright.scene.rig import Rig

SAME_KEY = 1e-4  # s; keys of a channel closer than this are at the same time

KeyAt = tuple[int, int]
"""(channel, index of a key on its curve)."""
Selection = dict[int, Ints]
"""Key indices by channel, increasing."""


def selected(edited: EditedTake, keys: Sequence[KeyAt]) -> Selection:
    """The given keys by channel, each once; raises for keys that do not exist."""
    found: dict[int, set[int]] = {}
    for channel, key in keys:
        curve = edited.curve(channel)
        name = edited.actor.rig.channel_names[channel]
        if curve is None:
            raise BadValue(f"channel {name}", "a curve with keys", "none")
        if not 0 <= key < len(curve):
            raise BadValue(f"key of {name}", f"0 to {len(curve) - 1}", key)
        found.setdefault(channel, set()).add(key)
    return {channel: np.array(sorted(own), np.int64) for channel, own in found.items()}


def with_quaternions(edited: EditedTake, chosen: Selection) -> Selection:
    """The selection with the keys of the other quaternion components at the same times."""
    complete = dict(chosen)
    for components in quaternion_channels(edited.actor.rig).tolist():
        own = [channel for channel in components if channel in chosen]
        if not own:
            continue
        times = np.concatenate([_times(edited, channel)[chosen[channel]] for channel in own])
        times.sort()
        for channel in components:
            near = nearest_distance(_times(edited, channel), times) <= SAME_KEY
            keys = np.union1d(np.flatnonzero(near), chosen.get(channel, np.zeros(0, np.int64)))
            if len(keys):
                complete[channel] = keys
    return complete


def complete_quaternions(rig: Rig, channels: Iterable[int]) -> list[int]:
    """The channels with all components of their quaternions, increasing."""
    complete = set(channels)
    for components in quaternion_channels(rig).tolist():
        if not complete.isdisjoint(components):
            complete.update(components)
    return sorted(complete)


def nearest_distance(times: Floats, others: Floats) -> Floats:
    """(N,) s from each time to the nearest of `others` (M,), which increase."""
    place = np.searchsorted(others, times)
    padded = np.concatenate([[-np.inf], others, [np.inf]])
    found: Floats = np.minimum(times - padded[place], padded[place + 1] - times)
    return found


def _times(edited: EditedTake, channel: int) -> Floats:
    curve = edited.clip.curves[channel]
    return np.zeros(0) if curve is None else curve.time
