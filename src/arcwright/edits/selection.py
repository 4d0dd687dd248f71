"""Selection: keys that the hand has hold of, channel by channel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.pack import quaternion_channels
from arcwright.edits.held import Held
from arcwright.errors import BadValue
from arcwright.scene.rig import Rig

NEAR = 1e-4  # s; keys of a channel that are nearer count as one when they meet

KeyAt = tuple[int, int]
"""A channel, and a key of its curve."""
Selection = dict[int, Ints]
"""Per channel its keys, rising."""


def selected(held: Held, keys: Sequence[KeyAt]) -> Selection:
    """The keys named, checked; each once."""
    found: dict[int, set[int]] = {}
    for channel, key in keys:
        curve = held.curve(channel)
        name = held.actor.rig.channel_names[channel]
        if curve is None:
            raise BadValue(f"channel {name}", "a curve with keys", "none")
        if not 0 <= key < len(curve):
            raise BadValue(f"key of {name}", f"0 to {len(curve) - 1}", key)
        found.setdefault(channel, set()).add(key)
    return {channel: np.array(sorted(own), np.int64) for channel, own in found.items()}


def with_quaternions(held: Held, chosen: Selection) -> Selection:
    """Also the keys at the same times of the other components of each quaternion."""
    grown = dict(chosen)
    for four in quaternion_channels(held.actor.rig).tolist():
        own = [channel for channel in four if channel in chosen]
        if not own:
            continue
        times = np.concatenate([_times(held, channel)[chosen[channel]] for channel in own])
        times.sort()
        for channel in four:
            near = distance(_times(held, channel), times) <= NEAR
            keys = np.union1d(np.flatnonzero(near), chosen.get(channel, np.zeros(0, np.int64)))
            if len(keys):
                grown[channel] = keys
    return grown


def whole_quaternions(rig: Rig, channels: Iterable[int]) -> list[int]:
    """The channels, and all components of the quaternions they belong to; rising."""
    wanted = set(channels)
    for four in quaternion_channels(rig).tolist():
        if not wanted.isdisjoint(four):
            wanted.update(four)
    return sorted(wanted)


def distance(times: Floats, others: Floats) -> Floats:
    """(N,) s from each time to the nearest of others (M,), which rise."""
    place = np.searchsorted(others, times)
    around = np.concatenate([[-np.inf], others, [np.inf]])
    found: Floats = np.minimum(times - around[place], around[place + 1] - times)
    return found


def _times(held: Held, channel: int) -> Floats:
    curve = held.clip.curves[channel]
    return np.zeros(0) if curve is None else curve.time
