"""Additions to activities: elements and events together, and an activity begun from a rig."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from arcwright.edits.activities import add_activity, change_activity
from arcwright.edits.actors import unique_name
from arcwright.edits.edited_take import EditedTake, find_take
from arcwright.errors import BadValue
from arcwright.kinematics.effectors import EFFECTORS, effector_joint, effector_words
from arcwright.scene.activity import (
    Activity,
    ActivityEvent,
    ActivityObject,
    Effector,
    Pair,
    element_of,
)
from arcwright.scene.edit import Edit
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene

_ENDS = "Pelvis", "LeftHand", "RightHand", "LeftFoot", "RightFoot"  # that activities begin with


def begin_activity(scene: Scene, character: str = "", take: str = "") -> Edit:
    """Add an activity without events: pelvis, hands and feet of the rig, and all props."""
    edited = find_take(scene, character, take)
    effectors = _effectors(edited.actor)
    names = [each.name for each in effectors]
    objects = []
    for prop in scene.props:
        name = unique_name(prop.name.replace(".", "_"), names)
        objects.append(ActivityObject(name, "" if name == prop.name else prop.name))
        names.append(name)
    new = replace(_new(scene, edited), objects=tuple(objects), effectors=effectors)
    return add_activity(scene, new)


def _effectors(actor: Actor) -> tuple[Effector, ...]:
    """Those that the rig shows."""
    assert set(_ENDS) <= set(EFFECTORS)
    found = []
    for name in _ENDS:
        try:
            joint = effector_joint(actor, name)
        except BadValue:
            continue
        point = Point(actor.rig.names[joint], character=actor.name)
        found.append(Effector(effector_words(name), point))
    return tuple(found)


def add_to_activity(
    scene: Scene,
    activity: str,
    *,
    events: Sequence[ActivityEvent] = (),
    effectors: Sequence[Effector] = (),
    objects: Sequence[ActivityObject] = (),
    character: str = "",
    take: str = "",
) -> Edit:
    """Add elements and events to the activity of this name, or to a new one of the take if "".

    Elements of names that it has are not added again. An event at a frame of another one is merged
    into that; one whose name is taken is numbered. All is one undo step.
    """
    if activity:
        before = scene.activity(activity)
        character, take = scene.subject(before)
    edited = find_take(scene, character, take)
    before = before if activity else _new(scene, edited)
    known = before.element_names
    own_objects = tuple(each for each in objects if each.name not in known)
    own_effectors = tuple(each for each in effectors if each.name not in known)
    merged = list(before.events)
    for event in events:
        _add_event(merged, event, edited.take.rate)
    after = replace(
        before,
        objects=(*before.objects, *own_objects),
        effectors=(*before.effectors, *own_effectors),
        events=tuple(merged),
    )
    if not activity:
        return replace(add_activity(scene, after), label=f"Add activity {after.name}")
    names = [*(each.name for each in own_effectors), *(each.name for each in own_objects)]
    label = _label(before.name, events, names, edited.take.rate)
    return change_activity(scene, before.name, after, label)


def _new(scene: Scene, edited: EditedTake) -> Activity:
    """An activity with a name of its own and nothing in it."""
    name = unique_name(edited.take.name, [each.name for each in scene.activities])
    return Activity(name, edited.actor.name, edited.take.name)


def _label(
    activity: str, events: Sequence[ActivityEvent], elements: Sequence[str], rate: float
) -> str:
    if len(events) == 1:
        what = f"event {events[0].name}" if events[0].name else "event"
        return f"Add {what} to {activity}, frame {round(events[0].time * rate, 1):g}"
    what = f"{len(events)} events" if events else ", ".join(elements)
    return f"Add {what} to {activity}"


def _add_event(events: list[ActivityEvent], new: ActivityEvent, rate: float) -> None:
    """Add an event to a list, or merge it into the one at its frame."""
    frames = [round(each.time * rate) for each in events]
    frame = round(new.time * rate)
    if frame in frames:
        at = frames.index(frame)
        events[at] = merged_event(events[at], new)
    else:
        name = unique_name(new.name, [each.name for each in events]) if new.name else ""
        events.append(replace(new, name=name))


def merged_event(old: ActivityEvent, new: ActivityEvent) -> ActivityEvent:
    """An event with what another one says, where they do not contradict each other."""
    merged = replace(
        old,
        name=old.name or new.name,
        elements=_both(old.elements, new.elements),
        movable=_both(old.movable, new.movable),
        scalable=_both(old.scalable, new.scalable),
        replaceable=_both(old.replaceable, new.replaceable),
        look_at=old.look_at or new.look_at,
    )
    for pair in new.pairs:
        merged = _with_pair(merged, pair)
    return merged


def _both(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old, *new)))


def _with_pair(event: ActivityEvent, pair: Pair) -> ActivityEvent:
    """The event with a pair; without it where its element is constrained already, or by itself."""
    if element_of(pair.constrained) in [element_of(each.constrained) for each in event.pairs]:
        return event
    try:
        return replace(event, pairs=(*event.pairs, pair))
    except BadValue:  # the two would constrain each other
        return event
