"""Keys: move, copy, delete and add them, as in a dope sheet or a graph.

Keys of a quaternion's components at one time go together, so that they keep lining up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints, same
from arcwright.curves.evaluate import evaluate
from arcwright.curves.keys import insert_key, keyed
from arcwright.curves.pack import PackedCurves, pack
from arcwright.curves.set_key import key_time
from arcwright.edits.held import Held, checked, counted, hold, known_channel
from arcwright.edits.relaid import FARTHEST, Rows, relaid
from arcwright.edits.selection import NEAR, KeyAt, selected, whole_quaternions, with_quaternions
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Interpolation
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene

NO_KEYS = np.zeros(0, np.int64)


def move_keys(
    scene: Scene,
    character: str,
    take: str,
    keys: Sequence[KeyAt],
    *,
    time: float = 0.0,
    value: float = 0.0,
    scale_time: float = 1.0,
    scale_value: float = 1.0,
    pivot_time: float = 0.0,
    pivot_value: float = 0.0,
) -> Edit:
    """Keys at `pivot + scale (key - pivot) + move`, in seconds and channel units.

    Handles come along. Keys may pass others and replace those they land on; a negative time
    scale turns them round. Of a quaternion, only the components named change their value.
    """
    held = hold(scene, character, take)
    way = _Way(time, value, scale_time, scale_value, pivot_time, pivot_value)
    checked(**way.__dict__)
    chosen = selected(held, keys)
    everything = with_quaternions(held, chosen)
    after: dict[int, Curve] = {}
    for channel, own in everything.items():
        curve = _curve(held, channel)
        there = way.rows(curve, own, np.isin(own, chosen.get(channel, NO_KEYS)))
        if not same(there.__dict__, Rows.of(curve, own).__dict__):
            after[channel] = relaid(curve, np.setdiff1d(np.arange(len(curve)), own), there)
    verb = "Move" if scale_time == scale_value == 1 else "Scale"
    return held.edit(f"{verb} {counted(sum(map(len, everything.values())), 'key')}", after)


def copy_keys(scene: Scene, character: str, take: str, keys: Sequence[KeyAt], time: float) -> Edit:
    """Copies of keys, `time` seconds later; they replace what they land on."""
    held = hold(scene, character, take)
    checked(time=time)
    everything = with_quaternions(held, selected(held, keys))
    after: dict[int, Curve] = {}
    for channel, own in everything.items():
        curve = _curve(held, channel)
        rows = Rows.of(curve, own)
        if time != 0:
            there = replace(rows, time=rows.time + time)
            after[channel] = relaid(curve, np.arange(len(curve)), there)
    return held.edit(f"Copy {counted(sum(map(len, everything.values())), 'key')}", after)


def delete_keys(scene: Scene, character: str, take: str, keys: Sequence[KeyAt]) -> Edit:
    """Keys taken away; a curve that would lose all keeps its first one."""
    held = hold(scene, character, take)
    after: dict[int, Curve] = {}
    count = 0
    for channel, own in with_quaternions(held, selected(held, keys)).items():
        curve = _curve(held, channel)
        gone = own[1:] if len(own) == len(curve) else own
        count += len(gone)
        if len(gone):
            stay = np.setdiff1d(np.arange(len(curve)), gone)
            after[channel] = relaid(curve, stay, Rows.of(curve, NO_KEYS))
    return held.edit(f"Delete {counted(count, 'key')}", after)


def add_keys(scene: Scene, character: str, take: str, channels: Sequence[int], time: float) -> Edit:
    """Keys where the curves are, which keep their shape; no channels means all keyed ones, or all.

    A channel without a curve gets one, at its default value. Beyond the keys of a cyclic curve
    the key comes at the same moment of the round that has keys; where only the other side is
    cyclic there can be none.
    """
    held = hold(scene, character, take)
    if not abs(time) <= FARTHEST:
        raise BadValue("time", f"at most {FARTHEST:g} s from 0", time)
    clip, rig = held.clip, held.actor.rig
    asked = [known_channel(held.actor, channel) for channel in channels]
    asked = asked or [c for c, curve in enumerate(clip.curves) if curve is not None]
    packed = pack(clip, rig)
    after: dict[int, Curve] = {}
    for channel in whole_quaternions(rig, asked or range(len(rig.channels))):
        curve = clip.curves[channel]
        if curve is None:
            after[channel] = keyed([time], [rig.channels.default[channel]])
        elif (inside := key_time(curve, time)) is not None:
            after[channel] = _with_key(curve, inside, packed, channel)
    count = sum(len(curve) - len(clip.curves[c] or ()) for c, curve in after.items())
    return held.edit(f"Add {counted(count, 'key')}", after)


@dataclass(frozen=True)
class _Way:
    """How keys are scaled, then moved."""

    time: float
    value: float
    scale_time: float
    scale_value: float
    pivot_time: float
    pivot_value: float

    def rows(self, curve: Curve, keys: Ints, valued: Bools) -> Rows:
        """Keys of a curve where they go; those not `valued` keep their value."""
        there = Rows.of(curve, keys)
        if self.scale_time < 0:
            there = _turned_round(curve, keys, there)
        rise = np.where(valued, self.scale_value, 1.0)
        length = np.stack([np.full(len(keys), abs(self.scale_time)), rise], axis=-1)
        times = _scaled(there.time, self.scale_time, self.pivot_time) + self.time
        values = _scaled(there.value, self.scale_value, self.pivot_value) + self.value
        return replace(
            there,
            time=times,
            value=np.where(valued, values, there.value),
            tangent=there.tangent * length[:, None],
        )


def _scaled(numbers: Floats, scale: float, pivot: float) -> Floats:
    # apart, so that what is not scaled stays the same to the last bit
    return numbers if scale == 1 else pivot + scale * (numbers - pivot)


def _turned_round(curve: Curve, keys: Ints, rows: Rows) -> Rows:
    """In becomes out, and the segment that came before a key comes after it."""
    return replace(
        rows,
        tangent=rows.tangent[:, ::-1] * [1.0, -1.0],
        handles=rows.handles[:, ::-1],
        interpolation=curve.interpolation[np.maximum(keys - 1, 0)],
    )


def _curve(held: Held, channel: int) -> Curve:
    curve = held.clip.curves[channel]
    assert curve is not None
    return curve


def _with_key(curve: Curve, time: float, packed: PackedCurves, channel: int) -> Curve:
    if np.abs(curve.time - time).min() <= NEAR:
        return curve
    longer = insert_key(curve, time)
    place = int(np.searchsorted(longer.time, time))
    if longer.interpolation[place] != Interpolation.SLERP:
        return longer
    # by itself a curve does not know the arc of its quaternion
    values = np.array(longer.value)
    values[place] = evaluate(packed, [time], [channel])[0, 0]
    return replace(longer, value=values)
