"""Dragged elements: which element a drag edits, at which event, and by how much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.edits.actors import unique_name
from arcwright.errors import BadValue
from arcwright.kinematics.effectors import EFFECTORS, effector_joint, effector_words
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_rotate,
    vector_from_quaternion,
)
from arcwright.kinematics.trail import trail
from arcwright.scene.activity import ActivityEvent, Effector, element_of
from arcwright.scene.point import Point
from arcwright.tools.activity.placement import Displacement
from arcwright.tools.activity.prepared import PreparedActivity
from arcwright.tools.activity.tracks import take_beside
from arcwright.tools.gesture import UNMOVED, Drag, ToolHandle

SEPARATOR = " at frame "


@dataclass(frozen=True)
class DraggedElement:
    """An element at the event of a frame."""

    frame: int
    element: str


def handle_name(frame: int, element: str) -> str:
    """The name of the handle of an element at the event of a frame."""
    return f"{element}{SEPARATOR}{frame}"


def dragged_element(prepared: PreparedActivity, drag: Drag) -> DraggedElement | None:
    """The element and event of a drag; None for a point that takes part in none.

    Of an element that may not be moved there, the one that it follows is moved instead.
    """
    held = drag.handle
    if isinstance(held, ToolHandle):
        found = _of_handle(prepared, held.name)
    else:
        elements = _elements_at(prepared, held)
        if not elements:
            return None
        found = _nearest(prepared, elements, drag.time)
    return _leader(prepared, found) if drag.to_time is None else found


def _of_handle(prepared: PreparedActivity, name: str) -> DraggedElement:
    element, _, number = name.rpartition(SEPARATOR)
    if number.isdigit() and int(number) in prepared.frames:
        event = prepared.activity.events[prepared.frames.index(int(number))]
        if element in event.involved:
            return DraggedElement(int(number), element)
    known = [
        handle_name(frame, each)
        for frame, event in zip(prepared.frames, prepared.activity.events, strict=True)
        for each in event.involved
    ]
    expected = ", ".join(["a point of a character or prop", *sorted(known)[:8]])
    raise BadValue("Drag.handle", expected, name)


def _elements_at(prepared: PreparedActivity, point: Point) -> list[str]:
    """The elements with events that a point belongs to, those of its own joint first."""
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
    return own


def _nearest(prepared: PreparedActivity, elements: Iterable[str], time: float) -> DraggedElement:
    """The event of one of the elements that is nearest in time."""
    found = [
        (abs(event.time - time), frame, element)
        for element in elements
        for frame, event in zip(prepared.frames, prepared.activity.events, strict=True)
        if element in event.involved
    ]
    _, frame, element = min(found)
    return DraggedElement(frame, element)


def _leader(prepared: PreparedActivity, found: DraggedElement) -> DraggedElement:
    """The element itself, or the one that it follows, if that is what may be moved."""
    at_event = prepared.frames.index(found.frame)
    event = prepared.activity.events[at_event]
    movable = prepared.movable_at(event)
    leads = {element_of(each.constrained): element_of(each.constraining) for each in event.pairs}
    at = found.element
    while at not in movable and at in leads:
        at = leads[at]
    if at in movable:
        return DraggedElement(found.frame, at)
    known = ", ".join(movable) or "none"
    where = f"element that may be moved at {event_name(prepared, at_event)}"
    raise BadValue(where, known, found.element)


def event_name(prepared: PreparedActivity, event: int) -> str:
    """The event for people."""
    own = prepared.activity.events[event]
    return f"{own.name!r}" if own.name else f"event {event + 1}"


def displacement_of(prepared: PreparedActivity, held: DraggedElement, drag: Drag) -> Displacement:
    """The displacement of an element that a drag asks for."""
    frame = held.frame
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
    if np.abs(move).max() <= UNMOVED:
        move = np.zeros(3)
    turned = quaternion_rotate(quaternion_from_vector(turn), arm)
    return Displacement(move + turned - arm, turn)


def _held_place(prepared: PreparedActivity, held: DraggedElement, drag: Drag) -> Floats:
    """(3,) m, where the held point is in the original at the time of the drag."""
    track = prepared.tracks[held.element]
    if isinstance(drag.handle, ToolHandle):
        return np.asarray(track.position[held.frame])
    effector = prepared.body.effectors.get(held.element)
    if effector is not None:
        return np.asarray(trail(prepared.take, effector.point, [drag.time]).position[0])
    prop = prepared.scene.actor(drag.handle.character)
    beside = take_beside(prop, prepared.take)
    return np.asarray(trail(beside, drag.handle, [drag.time]).position[0])


def added_event(prepared: PreparedActivity, drag: Drag) -> tuple[Effector, ActivityEvent]:
    """An event of its own for a point of the body that takes part in none, where it is dragged."""
    point = drag.point
    if prepared.scene.actor(point.character or prepared.actor.name) is not prepared.actor:
        known = ", ".join(each.prop for each in prepared.activity.objects) or "none"
        raise BadValue(
            "Drag.point", f"a point of the body or of an object: {known}", point.character
        )
    frame = round(drag.time * prepared.take.rate)
    frame = int(np.clip(frame, 0, len(prepared.times) - 1))
    effector = _effector_at(prepared, point)
    event = ActivityEvent(frame / prepared.take.rate, f"frame {frame}", movable=(effector.name,))
    return effector, event


def _effector_at(prepared: PreparedActivity, point: Point) -> Effector:
    """The effector of the activity at a joint, or a new one, by its usual name if it has one."""
    known = [each for each in prepared.activity.effectors if each.point.joint == point.joint]
    if known:
        return known[0]
    usual = [each for each in EFFECTORS if _is_effector(prepared, each, point.joint)]
    name = effector_words(usual[0]) if usual else point.joint.replace(".", " ")
    taken = prepared.activity.element_names
    return Effector(unique_name(name, taken), replace(point, character=prepared.actor.name))


def _is_effector(prepared: PreparedActivity, name: str, joint: str) -> bool:
    """Whether a joint is the one of an effector in this rig."""
    try:
        return prepared.take.rig.names[effector_joint(prepared.actor, name)] == joint
    except BadValue:  # the rig does not show it
        return False
