"""Edits of channel limits and stiffness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import same
from arcwright.edits.edited_take import actor_address, check_channel, check_finite, quantity
from arcwright.errors import BadValue
from arcwright.scene.edit import Change, Edit
from arcwright.scene.rig import ChannelTable
from arcwright.scene.scene import Actor, Scene


def set_limits(
    scene: Scene, character: str, channel: int, low: float | None, high: float | None
) -> Edit:
    """Set the limits of a channel, in m, rad or unitless; None is no limit."""
    actor = scene.actor(character)
    name = actor.rig.channel_names[check_channel(actor, channel)]
    lowest = -np.inf if low is None else low
    highest = np.inf if high is None else high
    if not lowest <= highest:
        raise BadValue(f"limits of {name}", "low <= high", f"{low} and {high}")
    table = actor.rig.channels
    lows, highs = np.array(table.low), np.array(table.high)
    lows[channel], highs[channel] = lowest, highest
    free = lowest == -np.inf and highest == np.inf
    label = f"{'No limits on' if free else 'Limit'} {name}"
    return _with_table(scene, actor, replace(table, low=lows, high=highs), label)


def set_stiffness(scene: Scene, character: str, channels: Sequence[int], stiffness: float) -> Edit:
    """Set the stiffness of channels, their resistance to edits; 1 is the default."""
    actor = scene.actor(character)
    check_finite(stiffness=stiffness)
    if not stiffness > 0:
        raise BadValue("stiffness", "a number above 0", stiffness)
    chosen = sorted({check_channel(actor, channel) for channel in channels})
    numbers = np.array(actor.rig.channels.stiffness)
    numbers[chosen] = stiffness
    one = actor.rig.channel_names[chosen[0]] if len(chosen) == 1 else ""
    label = f"Stiffness {stiffness:g} of {one or quantity(len(chosen), 'channel')}"
    return _with_table(scene, actor, replace(actor.rig.channels, stiffness=numbers), label)


def _with_table(scene: Scene, actor: Actor, table: ChannelTable, label: str) -> Edit:
    """The edit that replaces the channel table only, without meshes or takes."""
    before = actor.rig.channels
    if same(before, table):
        return Edit(label)
    return Edit(label, (Change((*actor_address(scene, actor), "rig", "channels"), before, table),))
