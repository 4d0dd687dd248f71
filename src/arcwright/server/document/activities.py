"""Activities for clients, and changes of them as edits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.activity_detection import ProposedActivity, proposed_activity
from arcwright.edits.activities import (
    change_activity,
    change_event,
    remove_activity,
    remove_event,
)
from arcwright.edits.activity_additions import add_to_activity, begin_activity
from arcwright.edits.activity_subjects import without_element
from arcwright.edits.edited_take import find_take
from arcwright.errors import UnknownName
from arcwright.kinematics.anchors import marked_anchor
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server import messages as m
from arcwright.server.messages.encoding import point_of, point_ref


def activity_infos(scene: Scene) -> list[m.ActivityInfo]:
    """The activities of a scene, in order."""
    return [_info(scene, each) for each in scene.activities]


def proposed_events(scene: Scene, character: str, take: str) -> m.ProposedEvents:
    """Detected events that the activity of a take lacks; all where it has none."""
    edited = find_take(scene, character, take)
    subject = edited.actor.name, edited.take.name
    found = proposed_activity(scene, edited.actor.name, edited.take)
    known = [each for each in scene.activities if scene.subject(each) == subject]
    if known:
        found = found.beyond(known[0])
    return m.ProposedEvents(
        character=character,
        take=take,
        objects=[_object(each) for each in found.activity.objects],
        effectors=[_effector(each, subject[0]) for each in found.activity.effectors],
        events=_proposals(found),
        problem="",
    )


def begin_activity_of(scene: Scene, change: m.BeginActivity) -> Edit:
    """An activity without events."""
    return begin_activity(scene, change.character, change.take)


def add_to_activity_of(scene: Scene, change: m.AddToActivity) -> Edit:
    """Elements and events added; anchors are joints or nodes of the prop."""
    return add_to_activity(
        scene,
        change.activity,
        events=[_event_of(each) for each in change.events],
        effectors=[
            Effector(each.name, point_of(each.point, change.character)) for each in change.effectors
        ],
        objects=[_object_of(scene, each) for each in change.objects],
        character=change.character,
        take=change.take,
    )


def change_event_of(scene: Scene, change: m.ChangeEvent) -> Edit:
    """An event as it should be."""
    return change_event(scene, change.activity, change.event, _event_of(change.to))


def rename_event(scene: Scene, change: m.RenameEvent) -> Edit:
    """Another name for an event."""
    activity = scene.activity(change.activity)
    event = activity.events[activity.event_index(change.event)]
    return change_event(scene, activity.name, change.event, replace(event, name=change.name))


def remove_event_of(scene: Scene, change: m.RemoveEvent) -> Edit:
    """An event taken away."""
    return remove_event(scene, change.activity, change.event)


def remove_element_of(scene: Scene, change: m.RemoveElement) -> Edit:
    """An object or effector taken out of an activity."""
    activity = scene.activity(change.activity)
    if change.element not in activity.element_names:
        raise UnknownName("element of the activity", change.element, activity.element_names)
    after = without_element(activity, change.element)
    label = f"Remove {change.element} from {activity.name}"
    return change_activity(scene, activity.name, after, label)


def remove_activity_of(scene: Scene, change: m.RemoveActivity) -> Edit:
    """An activity taken away."""
    return remove_activity(scene, change.activity)


def _info(scene: Scene, activity: Activity) -> m.ActivityInfo:
    character, take = scene.subject(activity)
    return m.ActivityInfo(
        name=activity.name,
        character=character,
        take=take,
        objects=[_object(each) for each in activity.objects],
        effectors=[_effector(each, character) for each in activity.effectors],
        events=[_event(activity, each) for each in activity.events],
    )


def _object(each: ActivityObject) -> m.ActivityObjectInfo:
    return m.ActivityObjectInfo(each.name, each.prop, list(each.anchor_names))


def _effector(each: Effector, character: str) -> m.EffectorInfo:
    return m.EffectorInfo(each.name, point_ref(each.point, character))


def _event(activity: Activity, event: ActivityEvent) -> m.ActivityEventInfo:
    return m.ActivityEventInfo(
        time=event.time,
        name=event.name,
        elements=[name for name in activity.element_names if name in event.involved],
        movable=list(event.movable),
        scalable=list(event.scalable),
        replaceable=list(event.replaceable),
        pairs=[(each.constrained, each.constraining) for each in event.pairs],
        look_at=event.look_at,
    )


def _proposals(found: ProposedActivity) -> list[m.ProposedEventInfo]:
    each = zip(found.activity.events, found.kinds, found.confidences, strict=True)
    return [
        m.ProposedEventInfo(_event(found.activity, event), kind, confidence)
        for event, kind, confidence in each
    ]


def _event_of(info: m.ActivityEventInfo) -> ActivityEvent:
    return ActivityEvent(
        info.time,
        info.name,
        elements=tuple(info.elements),
        movable=tuple(info.movable),
        scalable=tuple(info.scalable),
        replaceable=tuple(info.replaceable),
        pairs=tuple(Pair(*each) for each in info.pairs),
        look_at=info.look_at,
    )


def _object_of(scene: Scene, info: m.ActivityObjectInfo) -> ActivityObject:
    prop = scene.actor(info.prop)
    offsets = []
    for name in info.anchors:
        offset = marked_anchor(prop, name)
        if offset is None:
            raise UnknownName(f"joint or node of {prop.name}", name, prop.rig.names)
        offsets.append(offset)
    actor = "" if info.prop == info.name else info.prop
    return ActivityObject(info.name, actor, tuple(info.anchors), np.array(offsets).reshape(-1, 3))
