"""Activities for clients, and changes of their events as edits."""

from __future__ import annotations

from dataclasses import replace

from arcwright.edits.activities import change_event, remove_event
from arcwright.scene.activity import Activity, ActivityEvent
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.server import messages as m


def activity_infos(scene: Scene) -> list[m.ActivityInfo]:
    """The activities of a scene, in order."""
    return [_info(scene, each) for each in scene.activities]


def rename_event(scene: Scene, change: m.RenameEvent) -> Edit:
    """Another name for an event."""
    activity = scene.activity(change.activity)
    event = activity.events[activity.event_index(change.event)]
    return change_event(scene, activity.name, change.event, replace(event, name=change.name))


def remove_event_of(scene: Scene, change: m.RemoveEvent) -> Edit:
    """An event taken away."""
    return remove_event(scene, change.activity, change.event)


def _info(scene: Scene, activity: Activity) -> m.ActivityInfo:
    character, take = scene.subject(activity)
    return m.ActivityInfo(
        name=activity.name,
        character=character,
        take=take,
        objects=[
            m.ActivityObjectInfo(each.name, each.prop, list(each.anchor_names))
            for each in activity.objects
        ],
        effectors=[m.EffectorInfo(each.name, each.point.joint) for each in activity.effectors],
        events=[_event(activity, each) for each in activity.events],
    )


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
