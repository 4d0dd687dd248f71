"""Edits of handles: move one, set handle types, interpolation and extrapolation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats, Ints, same
from arcwright.curves.pack import quaternion_channels
from arcwright.edits.edited_take import check_finite, find_take, quantity
from arcwright.edits.merge_keys import update_auto_handles
from arcwright.edits.selection import KeyAt, selected, with_quaternions
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene

VERTICAL = 1e-9  # s; a handle of less time is vertical
AUTOMATIC = (Handle.AUTO, Handle.AUTO_CLAMPED, Handle.FLAT)


def move_handle(
    scene: Scene,
    character: str,
    take: str,
    channel: int,
    key: int,
    side: int,
    dt: float,
    dv: float,
) -> Edit:
    """Move the in (side 0) or out (1) handle of a key to `dt` s and `dv` from it, dt >= 0 on both.

    A handle longer than its segment is shortened to it and keeps its slope, as in evaluation.
    Automatic handles become aligned, vector ones free; where both are aligned the other one
    rotates with it and keeps its length.
    """
    edited = find_take(scene, character, take)
    check_finite(dt=dt, dv=dv)
    if side not in (0, 1):
        raise BadValue("side", "0 for in or 1 for out", side)
    selected(edited, [(channel, key)])
    curve = edited.curve(channel)
    assert curve is not None
    label = f"Move handle of {edited.actor.rig.channel_names[channel]}"
    target = np.array([dt if dt > VERTICAL else 0.0, dv])
    if same(target, np.array(curve.tangent[key, side])):
        return Edit(label)
    return edited.edit(label, {channel: _dragged(curve, key, side, target)})


def set_handles(
    scene: Scene, character: str, take: str, keys: Sequence[KeyAt], kind: Handle
) -> Edit:
    """Set the type of both handles of keys; free ones stay in place, others are recomputed."""
    edited = find_take(scene, character, take)
    after: dict[int, Curve] = {}
    chosen = selected(edited, keys)
    for channel, own in chosen.items():
        curve = edited.curve(channel)
        assert curve is not None
        kinds = np.array(curve.handles)
        kinds[own] = Handle(kind)
        if not same(kinds, np.array(curve.handles)):
            after[channel] = _with_updated_handles(curve, replace(curve, handles=kinds), own)
    word = Handle(kind).name.lower().replace("_", " ")
    count = sum(map(len, chosen.values()))
    return edited.edit(f"Make {quantity(count, 'key')} {word}", after)


def set_interpolation(
    scene: Scene, character: str, take: str, keys: Sequence[KeyAt], kind: Interpolation
) -> Edit:
    """Set the interpolation of the segments after keys; quaternion components change together."""
    edited = find_take(scene, character, take)
    chosen = with_quaternions(edited, selected(edited, keys))
    if (
        kind == Interpolation.SLERP
        and not np.isin(list(chosen), quaternion_channels(edited.actor.rig)).all()
    ):
        raise BadValue("interpolation", "slerp on quaternions only", "other channels")
    after: dict[int, Curve] = {}
    for channel, own in chosen.items():
        curve = edited.curve(channel)
        assert curve is not None
        modes = np.array(curve.interpolation)
        modes[own] = Interpolation(kind)
        after[channel] = replace(curve, interpolation=modes)
    count = sum(map(len, chosen.values()))
    return edited.edit(
        f"Make {quantity(count, 'segment')} {Interpolation(kind).name.lower()}", after
    )


def set_extrapolation(
    scene: Scene,
    character: str,
    take: str,
    channels: Sequence[int],
    before: Extrapolation,
    after: Extrapolation,
) -> Edit:
    """Set the extrapolation before the first and after the last key; skips unkeyed channels."""
    edited = find_take(scene, character, take)
    changed: dict[int, Curve] = {}
    for channel in channels:
        curve = edited.curve(channel)
        if curve is not None and (curve.before, curve.after) != (before, after):
            other = replace(curve, before=before, after=after)
            changed[channel] = _with_updated_handles(curve, other, np.array([0, len(curve) - 1]))
    ways = [Extrapolation(way).name.lower().replace("_", " ") for way in (before, after)]
    words = ways[0] if ways[0] == ways[1] else f"{ways[0]} before and {ways[1]} after"
    return edited.edit(f"Make ends of {quantity(len(set(channels)), 'curve')} {words}", changed)


def _dragged(curve: Curve, key: int, side: int, target: Floats) -> Curve:
    kinds, tangent = np.array(curve.handles), np.array(curve.tangent)
    kinds[key] = _kinds_when_dragged(kinds[key], side)
    tangent[key, side] = _fitted_to_segment(curve, key, side, target)
    other = 1 - side
    length = float(np.hypot(*target))
    if length > 0 and (kinds[key] == Handle.ALIGNED).all():
        tangent[key, other] = target / length * np.hypot(*tangent[key, other])
    return _with_updated_handles(
        curve, replace(curve, tangent=tangent, handles=kinds), np.array([key])
    )


def _kinds_when_dragged(kinds: Ints, side: int) -> Ints:
    """(2,) the handle types of a key after one of its handles is dragged, as in Blender."""
    now = np.where(np.isin(kinds, AUTOMATIC), Handle.ALIGNED, kinds)
    if kinds[side] == Handle.VECTOR or now[1 - side] == Handle.VECTOR:
        now[side] = Handle.FREE
    return np.asarray(now, np.int64)


def _fitted_to_segment(curve: Curve, key: int, side: int, handle: Floats) -> Floats:
    """The handle, shortened to the duration of its segment; unchanged beyond the end keys."""
    neighbour = key + (1 if side else -1)
    if not 0 <= neighbour < len(curve):
        return handle
    length = abs(float(curve.time[neighbour] - curve.time[key]))
    return handle * (length / max(float(handle[0]), length))


def _with_updated_handles(before: Curve, after: Curve, keys: Ints) -> Curve:
    """Recompute automatic handles at and next to `keys`, which changed in place."""
    origin = np.arange(len(before))
    origin[keys] = -1
    return update_auto_handles(before, after, origin)
