"""Handles: drag one, and say what kind handles, segments and ends of curves are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats, Ints, same
from arcwright.curves.pack import quaternion_channels
from arcwright.edits.held import checked, counted, hold
from arcwright.edits.relaid import handles_anew
from arcwright.edits.selection import KeyAt, selected, with_quaternions
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Extrapolation, Handle, Interpolation
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene

UPRIGHT = 1e-9  # s; a handle of less time is vertical
WORKED_OUT = (Handle.AUTO, Handle.AUTO_CLAMPED, Handle.FLAT)


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
    """The handle into (side 0) or out of (1) a key, at `dt` s and `dv` from it, dt >= 0 on both.

    One dragged beyond its segment is shrunk to it and keeps its slope, as when evaluated.
    Handles that were worked out become aligned, vector ones free; where both are aligned the
    other one turns along and keeps its length.
    """
    held = hold(scene, character, take)
    checked(dt=dt, dv=dv)
    if side not in (0, 1):
        raise BadValue("side", "0 for in or 1 for out", side)
    selected(held, [(channel, key)])
    curve = held.curve(channel)
    assert curve is not None
    label = f"Move handle of {held.actor.rig.channel_names[channel]}"
    wanted = np.array([dt if dt > UPRIGHT else 0.0, dv])
    if same(wanted, np.array(curve.tangent[key, side])):
        return Edit(label)
    return held.edit(label, {channel: _dragged(curve, key, side, wanted)})


def set_handles(
    scene: Scene, character: str, take: str, keys: Sequence[KeyAt], kind: Handle
) -> Edit:
    """The kind of both handles of keys; free ones stay where they are, others are worked out."""
    held = hold(scene, character, take)
    after: dict[int, Curve] = {}
    chosen = selected(held, keys)
    for channel, own in chosen.items():
        curve = held.curve(channel)
        assert curve is not None
        kinds = np.array(curve.handles)
        kinds[own] = Handle(kind)
        if not same(kinds, np.array(curve.handles)):
            after[channel] = _anew(curve, replace(curve, handles=kinds), own)
    word = Handle(kind).name.lower().replace("_", " ")
    count = sum(map(len, chosen.values()))
    return held.edit(f"Make {counted(count, 'key')} {word}", after)


def set_interpolation(
    scene: Scene, character: str, take: str, keys: Sequence[KeyAt], kind: Interpolation
) -> Edit:
    """How the segments after keys run; of a quaternion, those of all its components."""
    held = hold(scene, character, take)
    chosen = with_quaternions(held, selected(held, keys))
    if (
        kind == Interpolation.SLERP
        and not np.isin(list(chosen), quaternion_channels(held.actor.rig)).all()
    ):
        raise BadValue("interpolation", "slerp on quaternions only", "other channels")
    after: dict[int, Curve] = {}
    for channel, own in chosen.items():
        curve = held.curve(channel)
        assert curve is not None
        modes = np.array(curve.interpolation)
        modes[own] = Interpolation(kind)
        after[channel] = replace(curve, interpolation=modes)
    count = sum(map(len, chosen.values()))
    return held.edit(f"Make {counted(count, 'segment')} {Interpolation(kind).name.lower()}", after)


def set_extrapolation(
    scene: Scene,
    character: str,
    take: str,
    channels: Sequence[int],
    before: Extrapolation,
    after: Extrapolation,
) -> Edit:
    """What curves do before their first and after their last key; channels without one stay so."""
    held = hold(scene, character, take)
    changed: dict[int, Curve] = {}
    for channel in channels:
        curve = held.curve(channel)
        if curve is not None and (curve.before, curve.after) != (before, after):
            other = replace(curve, before=before, after=after)
            changed[channel] = _anew(curve, other, np.array([0, len(curve) - 1]))
    ways = [Extrapolation(way).name.lower().replace("_", " ") for way in (before, after)]
    words = ways[0] if ways[0] == ways[1] else f"{ways[0]} before and {ways[1]} after"
    return held.edit(f"Make ends of {counted(len(set(channels)), 'curve')} {words}", changed)


def _dragged(curve: Curve, key: int, side: int, wanted: Floats) -> Curve:
    kinds, tangent = np.array(curve.handles), np.array(curve.tangent)
    kinds[key] = _kinds_in_hand(kinds[key], side)
    tangent[key, side] = _shrunk(curve, key, side, wanted)
    other = 1 - side
    long = float(np.hypot(*wanted))
    if long > 0 and (kinds[key] == Handle.ALIGNED).all():
        tangent[key, other] = wanted / long * np.hypot(*tangent[key, other])
    return _anew(curve, replace(curve, tangent=tangent, handles=kinds), np.array([key]))


def _kinds_in_hand(kinds: Ints, side: int) -> Ints:
    """What becomes of the two kinds of a key when one of its handles is dragged, as in Blender."""
    now = np.where(np.isin(kinds, WORKED_OUT), Handle.ALIGNED, kinds)
    if kinds[side] == Handle.VECTOR or now[1 - side] == Handle.VECTOR:
        now[side] = Handle.FREE
    return np.asarray(now, np.int64)


def _shrunk(curve: Curve, key: int, side: int, handle: Floats) -> Floats:
    """The handle, no longer in time than its segment; beyond the end keys there is none."""
    near = key + (1 if side else -1)
    if not 0 <= near < len(curve):
        return handle
    length = abs(float(curve.time[near] - curve.time[key]))
    return handle * (length / max(float(handle[0]), length))


def _anew(before: Curve, after: Curve, keys: Ints) -> Curve:
    """Handles worked out around keys that changed where they are."""
    origin = np.arange(len(before))
    origin[keys] = -1
    return handles_anew(before, after, origin)
