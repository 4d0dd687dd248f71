"""Edits of activities: add, change and remove one, or an object, effector or event of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from arcwright.arrays import same
from arcwright.edits.activity_subjects import (
    with_actor_names,
    with_renamed_element,
    without_element,
)
from arcwright.edits.event_labels import event_change_label
from arcwright.errors import BadValue, UnknownName
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take

_T = TypeVar("_T")
_END = 1e-6  # s after the end of a take at which an event may be: keyframes are rounded


def add_activity(scene: Scene, activity: Activity) -> Edit:
    """Add an activity under a name of its own."""
    new, existing = checked(scene, activity), scene.activities
    _check_name(new.name, existing)
    return Edit(
        f"Add activity {new.name} of {new.take}",
        (Change(("activities",), existing, (*existing, new)),),
    )


def change_activity(scene: Scene, name: str, activity: Activity, label: str = "") -> Edit:
    """Replace the activity of this name; "" is the first one."""
    before = scene.activity(name)
    index = scene.activities.index(before)
    after = checked(scene, activity, before)
    label = label or f"Change activity {after.name}"
    if after.name != before.name:
        _check_name(after.name, scene.activities)
    if same(with_actor_names(scene, before), after):
        return Edit(label)
    return Edit(label, (Change(("activities", index), before, after),))


def remove_activity(scene: Scene, name: str) -> Edit:
    """Remove the activity of this name; "" is the first one. The take stays."""
    removed, existing = scene.activity(name), scene.activities
    kept = tuple(each for each in existing if each is not removed)
    return Edit(f"Remove activity {removed.name}", (Change(("activities",), existing, kept),))


def add_object(scene: Scene, activity: str, added: ActivityObject) -> Edit:
    """Add an object to an activity; its events do not involve it yet."""
    before = scene.activity(activity)
    after = replace(before, objects=(*before.objects, added))
    return change_activity(scene, before.name, after, f"Add {added.name} to {before.name}")


def change_object(scene: Scene, activity: str, name: str, changed: ActivityObject) -> Edit:
    """Replace an object of an activity; events follow a new name."""
    before = scene.activity(activity)
    objects = _replaced(before.objects, before.object(name), changed)
    after = replace(before, objects=objects, events=_renamed(before, name, changed.name))
    return change_activity(scene, before.name, after, f"Change {changed.name} of {before.name}")


def remove_object(scene: Scene, activity: str, name: str) -> Edit:
    """Remove an object of an activity, and all that its events say of it; the prop stays."""
    before = scene.activity(activity)
    after = without_element(before, before.object(name).name)
    return change_activity(scene, before.name, after, f"Remove {name} from {before.name}")


def add_effector(scene: Scene, activity: str, added: Effector) -> Edit:
    """Add an effector to an activity; its events do not involve it yet."""
    before = scene.activity(activity)
    after = replace(before, effectors=(*before.effectors, added))
    return change_activity(scene, before.name, after, f"Add {added.name} to {before.name}")


def change_effector(scene: Scene, activity: str, name: str, changed: Effector) -> Edit:
    """Replace an effector of an activity; events follow a new name."""
    before = scene.activity(activity)
    effectors = _replaced(before.effectors, before.effector(name), changed)
    after = replace(before, effectors=effectors, events=_renamed(before, name, changed.name))
    return change_activity(scene, before.name, after, f"Change {changed.name} of {before.name}")


def remove_effector(scene: Scene, activity: str, name: str) -> Edit:
    """Remove an effector of an activity, and all that its events say of it."""
    before = scene.activity(activity)
    after = without_element(before, before.effector(name).name)
    return change_activity(scene, before.name, after, f"Remove {name} from {before.name}")


def add_event(scene: Scene, activity: str, added: ActivityEvent) -> Edit:
    """Add an event to an activity."""
    before = scene.activity(activity)
    after = replace(before, events=(*before.events, added))
    what = f"{_event_text(added)} to {before.name}, {_frame(scene, before, added.time)}"
    return change_activity(scene, before.name, after, f"Add {what}")


def change_event(scene: Scene, activity: str, event: str | int, changed: ActivityEvent) -> Edit:
    """Replace an event of an activity, named by its name or its place in time."""
    before = scene.activity(activity)
    old = before.events[before.event_index(event)]
    after = replace(before, events=_replaced(before.events, old, changed))
    label = f"Change {_event_text(changed)} of {before.name}"
    if replace(old, time=changed.time) == changed != old:
        label = f"Move {_event_text(old)} to {_frame(scene, before, changed.time)}"
    return change_activity(scene, before.name, after, event_change_label(old, changed) or label)


def move_event(scene: Scene, activity: str, event: str | int, time: float) -> Edit:
    """Say that an event happens at another time, s; the motion stays as it is."""
    found = scene.activity(activity)
    old = found.events[found.event_index(event)]
    return change_event(scene, activity, event, replace(old, time=time))


def remove_event(scene: Scene, activity: str, event: str | int) -> Edit:
    """Remove an event of an activity, named by its name or its place in time."""
    before = scene.activity(activity)
    old = before.events[before.event_index(event)]
    after = replace(before, events=tuple(each for each in before.events if each is not old))
    return change_activity(
        scene, before.name, after, f"Remove {_event_text(old)} from {before.name}"
    )


def checked(scene: Scene, activity: Activity, before: Activity | None = None) -> Activity:
    """The activity with full names; raises where the scene lacks something that it refers to.

    Events that `before` already has may be beyond the end: a take can have become shorter.
    """
    name, take_name = scene.subject(activity)
    actor = scene.actor(name)
    if not actor.takes:
        raise BadValue(f"character {actor.name!r}", "a take for the activity", "none")
    take = actor.take(take_name)
    _check_effectors(activity, actor)
    _check_props(scene, activity, actor)
    known = () if before is None else [each.time for each in before.events]
    _check_times(activity, take, known)
    return with_actor_names(scene, replace(activity, take=take.name))


def _check_effectors(activity: Activity, actor: Actor) -> None:
    for each in activity.effectors:
        if each.point.character not in ("", actor.name):
            where = f"effector {each.name!r}"
            raise BadValue(where, f"a point of {actor.name}", each.point.character)
        actor.rig.joint(each.point.joint)


def _check_props(scene: Scene, activity: Activity, actor: Actor) -> None:
    known = [each.name for each in scene.actors if each is not actor]
    taken: dict[str, str] = {}
    for each in activity.objects:
        if each.prop not in known:
            raise UnknownName("prop", each.prop, known)
        if each.prop in taken:
            where = f"object {each.name!r}"
            raise BadValue(where, f"another prop than {taken[each.prop]!r} has", each.prop)
        taken[each.prop] = each.name


def _check_times(activity: Activity, take: Take, known: Sequence[float]) -> None:
    for each in activity.events:
        if each.time > take.duration + _END and each.time not in known:
            expected = f"within take {take.name!r}, 0 to {take.duration:.4g} s"
            raise BadValue(f"{_event_text(each)} of {activity.name!r}", expected, each.time)


def _check_name(name: str, existing: Sequence[Activity]) -> None:
    if not name.strip() or name in [each.name for each in existing]:
        taken = ", ".join(each.name for each in existing)
        expected = f"a new name, as {taken} are taken" if taken else "a name"
        raise BadValue("name of an activity", expected, repr(name))


def _replaced(group: Sequence[_T], old: _T, new: _T) -> tuple[_T, ...]:
    return tuple(new if each is old else each for each in group)


def _renamed(activity: Activity, old: str, new: str) -> tuple[ActivityEvent, ...]:
    if old == new:
        return activity.events
    return tuple(with_renamed_element(each, old, new) for each in activity.events)


def _event_text(event: ActivityEvent) -> str:
    return f"event {event.name}" if event.name else "event"


def _frame(scene: Scene, activity: Activity, time: float) -> str:
    name, take = scene.subject(activity)
    return f"frame {round(time * scene.actor(name).take(take).rate, 1):g}"
