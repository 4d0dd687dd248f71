"""Changes: each message of a change to the function that makes the edit."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from arcwright.errors import BadValue
from arcwright.scene.curve import Extrapolation, Handle, Interpolation
from arcwright.scene.edit import Edit
from arcwright.scene.point import Contact, Pin, Point
from arcwright.scene.scene import Scene
from arcwright.server import messages as m

SLOW = (m.FindContacts, m.FitTake)
"""Changes that may take more than a moment."""

MOST_FRAMES = 1_000_000  # of a take
_NO_LIMIT = float("inf")


def edit_of(scene: Scene, change: m.Change) -> Edit:
    """The edit that a change asks for."""
    at = change.character, change.take
    keys, handles = _room("keys"), _room("handles")
    edit: Edit
    match change:
        case m.MoveKeys():
            names = ("time", "value", "scale_time", "scale_value", "pivot_time", "pivot_value")
            moved = {name: getattr(change, name) for name in names}
            edit = keys.move_keys(scene, *at, change.keys, **moved)
        case m.CopyKeys():
            edit = keys.copy_keys(scene, *at, change.keys, change.time)
        case m.DeleteKeys():
            edit = keys.delete_keys(scene, *at, change.keys)
        case m.AddKeys():
            edit = keys.add_keys(scene, *at, change.channels, change.time)
        case m.MoveHandle():
            edit = handles.move_handle(scene, *at, *change.handle, change.dt, change.dv)
        case m.SetHandles():
            edit = handles.set_handles(scene, *at, change.keys, Handle[change.kind.upper()])
        case m.SetInterpolation():
            kind = Interpolation[change.kind.upper()]
            edit = handles.set_interpolation(scene, *at, change.keys, kind)
        case m.SetExtrapolation():
            sides = (Extrapolation[side.upper()] for side in (change.before, change.after))
            edit = handles.set_extrapolation(scene, *at, change.channels, *sides)
        case _:
            edit = _edit_of_scene(scene, change)
    return edit


def _edit_of_scene(scene: Scene, change: Any) -> Edit:
    wishes, limits, takes = _room("wishes"), _room("limits"), _room("takes")
    at = change.character, change.take
    edit: Edit
    match change:
        case m.AddWish():
            edit = wishes.add_wish(scene, _wish(change))
        case m.ChangeWish():
            flags = {"position": change.position, "orientation": change.orientation}
            span = {"start": change.start, "end": change.end}
            edit = wishes.change_wish(scene, change.kind, change.index, **span, **flags)
        case m.RemoveWish():
            edit = wishes.remove_wish(scene, change.kind, change.index)
        case m.FindContacts():
            edit = wishes.contacts_found(scene, *at)
        case m.SetLimits():
            low = -_NO_LIMIT if change.low is None else change.low
            high = _NO_LIMIT if change.high is None else change.high
            edit = limits.set_limits(scene, change.character, change.channel, low, high)
        case m.SetStiffness():
            numbers = change.channels, change.stiffness
            edit = limits.set_stiffness(scene, change.character, *numbers)
        case m.SetTiming():
            edit = _timing(scene, change)
        case m.CopyTake():
            edit = takes.copy_take(scene, *at, change.name)
        case m.RenameTake():
            edit = takes.rename_take(scene, *at, change.name)
        case m.RemoveTake():
            edit = takes.remove_take(scene, *at)
        case m.FitTake():
            edit = takes.fit_take(scene, *at, change.tolerance)
        case _:
            edit = takes.remove_actor(scene, change.character)
    return edit


def _wish(change: m.AddWish) -> Pin | Contact:
    point = _point(change.point, change.character)
    span = change.start, change.end
    flags = {"position": change.position, "orientation": change.orientation}
    if change.kind == "pin":
        return Pin(point, *span, **flags, clip=change.take)
    other = change.relative_to
    holder = None if other is None else _point(other, change.character)
    return Contact(point, *span, **flags, relative_to=holder, clip=change.take)


def _point(spot: m.Spot, character: str) -> Point:
    return Point(spot.joint, np.array(spot.offset), spot.character or character)


def _timing(scene: Scene, change: m.SetTiming) -> Edit:
    frames = change.rate * change.duration
    if not 0 <= frames <= MOST_FRAMES:
        raise BadValue("length of the take", f"at most {MOST_FRAMES} frames", f"{frames:.3g}")
    edit: Edit = _room("takes").set_timing(
        scene,
        change.character,
        change.take,
        rate=change.rate,
        duration=change.duration,
        loops=change.loops,
        keep=change.keep,
    )
    return edit


def _room(name: str) -> Any:
    return import_module(f"arcwright.edits.{name}")
