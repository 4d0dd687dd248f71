"""Dragged elements: which element a drag edits, at which event, and by how much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_rotate,
    vector_from_quaternion,
)
from arcwright.scene.activity import element_of
from arcwright.scene.point import Point
from arcwright.tools.activity.placement import Displacement
from arcwright.tools.activity.prepared import PreparedActivity
from arcwright.tools.gesture import Drag, ToolHandle

SEPARATOR = " at event "


@dataclass(frozen=True)
class DraggedElement:
    """An element at an event."""

    event: int
    element: str


def handle_name(event: int, element: str) -> str:
    """The name of the handle of an element at an event."""
    return f"{element}{SEPARATOR}{event + 1}"


def dragged_element(prepared: PreparedActivity, drag: Drag) -> DraggedElement:
    """The element and event of a drag.

    Of an element that may not be moved there, the one that it follows is moved instead.
    """
    held = drag.handle
    if isinstance(held, ToolHandle):
        found = _of_handle(prepared, held.name)
    else:
        found = _nearest(prepared, _elements_at(prepared, held), drag.time)
    return _leader(prepared, found) if drag.to_time is None else found


def _of_handle(prepared: PreparedActivity, name: str) -> DraggedElement:
    element, _, number = name.rpartition(SEPARATOR)
    events = prepared.activity.events
    if number.isdigit() and 0 < int(number) <= len(events):
        event = int(number) - 1
        if element in events[event].involved:
            return DraggedElement(event, element)
    known = [handle_name(at, each) for at, event in enumerate(events) for each in event.involved]
    raise BadValue("Drag.handle", ", ".join(sorted(known)[:8]), name)


def _elements_at(prepared: PreparedActivity, point: Point) -> list[str]:
    """The elements that a point belongs to, those of its own joint first."""
    actor = prepared.scene.actor(point.character or prepared.actor.name)
    if actor is not prepared.actor:
        own = [each.name for each in prepared.activity.objects if each.prop == actor.name]
    else:
        rig, joint = actor.rig, actor.rig.joint(point.joint)
        joints = {
            name: rig.joint(each.point.joint) for name, each in prepared.body.effectors.items()
        }
        own = [name for name, at in joints.items() if at == joint]
        own = own or [name for name, at in joints.items() if rig.is_below(joint, at)][-1:]
    if not own:
        known = ", ".join(prepared.tracks)
        raise BadValue("Drag.point", f"a point of {known}", point.joint or actor.name)
    return own


def _nearest(prepared: PreparedActivity, elements: Iterable[str], time: float) -> DraggedElement:
    """The event of one of the elements that is nearest in time."""
    found = [
        (abs(event.time - time), at, element)
        for element in elements
        for at, event in enumerate(prepared.activity.events)
        if element in event.involved
    ]
    _, event, element = min(found)
    return DraggedElement(event, element)


def _leader(prepared: PreparedActivity, found: DraggedElement) -> DraggedElement:
    """The element itself, or the one that it follows, if that is what may be moved."""
    event = prepared.activity.events[found.event]
    movable = prepared.movable_at(event)
    leads = {element_of(each.constrained): element_of(each.constraining) for each in event.pairs}
    at = found.element
    while at not in movable and at in leads:
        at = leads[at]
    if at in movable:
        return DraggedElement(found.event, at)
    known = ", ".join(movable) or "none"
    where = f"element that may be moved at {event_name(prepared, found.event)}"
    raise BadValue(where, known, found.element)


def event_name(prepared: PreparedActivity, event: int) -> str:
    """The event for people."""
    own = prepared.activity.events[event]
    return f"{own.name!r}" if own.name else f"event {event + 1}"


def displacement_of(prepared: PreparedActivity, held: DraggedElement, drag: Drag) -> Displacement:
    """The displacement of an element that a drag asks for."""
    frame = prepared.frames[held.event]
    track = prepared.tracks[held.element]
    origin, orientation = track.position[frame], track.orientation[frame]
    pivot = _held_place(prepared, held, drag)
    turn = np.zeros(3)
    if drag.orientation is not None:
        between = quaternion_multiply(drag.orientation, quaternion_conjugate(orientation))
        turn = vector_from_quaternion(between)
    arm = origin - pivot
    if drag.position is None:
        around = quaternion_rotate(quaternion_from_vector(turn), arm) - arm
        return Displacement(around if around.any() else None, turn)
    move = drag.position - pivot
    if drag.axes is not None:
        move = np.linalg.pinv(drag.axes) @ drag.axes @ move
    turned = quaternion_rotate(quaternion_from_vector(turn), arm)
    return Displacement(move + turned - arm, turn)


def _held_place(prepared: PreparedActivity, held: DraggedElement, drag: Drag) -> Floats:
    """(3,) m, where the held point was at its event."""
    frame = prepared.frames[held.event]
    track = prepared.tracks[held.element]
    path: Floats = track.position
    if isinstance(drag.handle, ToolHandle):
        return np.asarray(path[frame])
    at = int(np.clip(round(drag.time * prepared.take.rate), 0, len(prepared.times) - 1))
    if held.element in prepared.body.effectors:
        return np.asarray(path[at])
    offset = drag.handle.offset
    place: Floats = track.position[at] + quaternion_rotate(track.orientation[at], offset)
    return place
