"""Edits of keys: move, copy, delete and add them, as in a dope sheet or graph editor.

The keys of a quaternion's four components at one time change together and stay aligned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints, same
from arcwright.curves.evaluate import evaluate
from arcwright.curves.keys import insert_key, keyed
from arcwright.curves.pack import PackedCurves, pack
from arcwright.curves.set_key import key_time
from arcwright.edits.edited_take import (
    EditedTake,
    at_frames,
    check_channel,
    check_finite,
    find_take,
    quantity,
)
from arcwright.edits.merge_keys import MAX_TIME, KeyArrays, merge_keys
from arcwright.edits.selection import (
    SAME_KEY,
    KeyAt,
    complete_quaternions,
    selected,
    with_quaternions,
)
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
    """Move keys to `pivot + scale (key - pivot) + offset`, in seconds and channel units.

    Handles move with them. Keys may pass others and replace those they land on; a negative
    time scale reverses their order. Of a quaternion, only the given components change value.
    """
    edited = find_take(scene, character, take)
    transform = _KeyTransform(time, value, scale_time, scale_value, pivot_time, pivot_value)
    check_finite(**transform.__dict__)
    chosen = selected(edited, keys)
    moved = with_quaternions(edited, chosen)
    after: dict[int, Curve] = {}
    for channel, own in moved.items():
        curve = _curve(edited, channel)
        placed = transform.rows(curve, own, np.isin(own, chosen.get(channel, NO_KEYS)))
        if not same(placed.__dict__, KeyArrays.of(curve, own).__dict__):
            after[channel] = merge_keys(curve, np.setdiff1d(np.arange(len(curve)), own), placed)
    verb = "Move" if scale_time == scale_value == 1 else "Scale"
    return edited.edit(_label(verb, edited, moved), after)


def copy_keys(
    scene: Scene,
    character: str,
    take: str,
    keys: Sequence[KeyAt],
    time: float,
    *,
    pasted: bool = False,
) -> Edit:
    """Copy keys to `time` seconds later; the copies replace keys they land on."""
    edited = find_take(scene, character, take)
    check_finite(time=time)
    moved = with_quaternions(edited, selected(edited, keys))
    after: dict[int, Curve] = {}
    for channel, own in moved.items():
        curve = _curve(edited, channel)
        rows = KeyArrays.of(curve, own)
        if time != 0:
            placed = replace(rows, time=rows.time + time)
            after[channel] = merge_keys(curve, np.arange(len(curve)), placed)
    verb = "Paste" if pasted else "Copy"
    return edited.edit(_label(verb, edited, moved, time), after)


def delete_keys(scene: Scene, character: str, take: str, keys: Sequence[KeyAt]) -> Edit:
    """Delete keys; a curve that would lose all keeps its first one."""
    edited = find_take(scene, character, take)
    after: dict[int, Curve] = {}
    gone: dict[int, Ints] = {}
    for channel, own in with_quaternions(edited, selected(edited, keys)).items():
        curve = _curve(edited, channel)
        removed = own[1:] if len(own) == len(curve) else own
        gone[channel] = removed
        if len(removed):
            stay = np.setdiff1d(np.arange(len(curve)), removed)
            after[channel] = merge_keys(curve, stay, KeyArrays.of(curve, NO_KEYS))
    return edited.edit(_label("Delete", edited, gone), after)


def add_keys(scene: Scene, character: str, take: str, channels: Sequence[int], time: float) -> Edit:
    """Insert keys on the curves, which keep their shape; no channels means all keyed ones, or all.

    A channel without a curve gets one at its default value. Beyond the keys of a cyclic curve
    the key is inserted at the same phase of the keyed cycle; where only the other side is
    cyclic, none is inserted.
    """
    edited = find_take(scene, character, take)
    if not abs(time) <= MAX_TIME:
        raise BadValue("time", f"at most {MAX_TIME:g} s from 0", time)
    clip, rig = edited.clip, edited.actor.rig
    requested = [check_channel(edited.actor, channel) for channel in channels]
    requested = requested or [c for c, curve in enumerate(clip.curves) if curve is not None]
    packed = pack(clip, rig)
    after: dict[int, Curve] = {}
    for channel in complete_quaternions(rig, requested or range(len(rig.channels))):
        curve = clip.curves[channel]
        if curve is None:
            after[channel] = keyed([time], [rig.channels.default[channel]])
        elif (inside := key_time(curve, time)) is not None:
            after[channel] = _with_key(curve, inside, packed, channel)
    count = sum(len(curve) - len(clip.curves[c] or ()) for c, curve in after.items())
    where = at_frames([time], clip.rate)
    return edited.edit(f"Add {quantity(count, 'key')}{where}", after)


def _label(verb: str, edited: EditedTake, keys: Mapping[int, Ints], later: float = 0.0) -> str:
    """What is done to how many keys at which frames, `later` seconds after where they are."""
    times = [time + later for c, own in keys.items() for time in _curve(edited, c).time[own]]
    where = at_frames(times, edited.clip.rate)
    return f"{verb} {quantity(sum(map(len, keys.values())), 'key')}{where}"


@dataclass(frozen=True)
class _KeyTransform:
    """Scaling of keys about a pivot, then an offset, in time and value."""

    time: float
    value: float
    scale_time: float
    scale_value: float
    pivot_time: float
    pivot_value: float

    def rows(self, curve: Curve, keys: Ints, valued: Bools) -> KeyArrays:
        """The transformed keys of a curve; those not `valued` keep their value."""
        placed = KeyArrays.of(curve, keys)
        if self.scale_time < 0:
            placed = _reversed_in_time(curve, keys, placed)
        rise = np.where(valued, self.scale_value, 1.0)
        length = np.stack([np.full(len(keys), abs(self.scale_time)), rise], axis=-1)
        times = _scaled(placed.time, self.scale_time, self.pivot_time) + self.time
        values = _scaled(placed.value, self.scale_value, self.pivot_value) + self.value
        return replace(
            placed,
            time=times,
            value=np.where(valued, values, placed.value),
            tangent=placed.tangent * length[:, None],
        )


def _scaled(numbers: Floats, scale: float, pivot: float) -> Floats:
    # a scale of 1 leaves the numbers unchanged to the last bit
    return numbers if scale == 1 else pivot + scale * (numbers - pivot)


def _reversed_in_time(curve: Curve, keys: Ints, rows: KeyArrays) -> KeyArrays:
    """Swap in and out handles; the segment before a key becomes the one after it."""
    return replace(
        rows,
        tangent=rows.tangent[:, ::-1] * [1.0, -1.0],
        handles=rows.handles[:, ::-1],
        interpolation=curve.interpolation[np.maximum(keys - 1, 0)],
    )


def _curve(edited: EditedTake, channel: int) -> Curve:
    curve = edited.clip.curves[channel]
    assert curve is not None
    return curve


def _with_key(curve: Curve, time: float, packed: PackedCurves, channel: int) -> Curve:
    if np.abs(curve.time - time).min() <= SAME_KEY:
        return curve
    longer = insert_key(curve, time)
    place = int(np.searchsorted(longer.time, time))
    if longer.interpolation[place] != Interpolation.SLERP:
        return longer
    # a single component does not determine the slerp of its quaternion
    values = np.array(longer.value)
    values[place] = evaluate(packed, [time], [channel])[0, 0]
    return replace(longer, value=values)
