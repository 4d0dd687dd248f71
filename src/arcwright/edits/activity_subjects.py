"""Activities and what they refer to: their character, their take and the props of their objects."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.edits.edited_take import EditedTake
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Pair, element_of
from arcwright.scene.scene import Scene


def is_about(scene: Scene, activity: Activity, edited: EditedTake) -> bool:
    """Whether an activity is about a take."""
    return scene.subject(activity) == (edited.actor.name, edited.take.name)


def with_event_times(activity: Activity, new_times: Callable[[Floats], Floats]) -> Activity:
    """An activity with the times of its events mapped to new ones."""
    times = new_times(np.array([each.time for each in activity.events]))
    pairs = zip(activity.events, times, strict=True)
    return replace(activity, events=tuple(replace(each, time=float(time)) for each, time in pairs))


def without_missing(scene: Scene, activity: Activity, names: Collection[str]) -> Activity | None:
    """An activity without objects whose props are not among `names`; None without its character."""
    if scene.subject(activity)[0] not in names:
        return None
    for missing in [each.name for each in activity.objects if each.prop not in names]:
        activity = without_element(activity, missing)
    return activity


def with_actor_names(
    scene: Scene, activity: Activity, names: Mapping[str, str] | None = None
) -> Activity:
    """An activity with its character and take named in full, and actors renamed."""
    character, take = scene.subject(activity)
    names = names or {}
    character = names.get(character, character)
    effectors = tuple(
        replace(each, point=replace(each.point, character=character)) for each in activity.effectors
    )
    objects = tuple(_with_prop(each, names.get(each.prop, each.prop)) for each in activity.objects)
    return replace(activity, character=character, take=take, objects=objects, effectors=effectors)


def _with_prop(each: ActivityObject, prop: str) -> ActivityObject:
    actor = "" if prop == each.name else prop
    return each if each.actor == actor else replace(each, actor=actor)


def without_element(activity: Activity, name: str) -> Activity:
    """An activity without an element and all that its events say of it."""
    return replace(
        activity,
        objects=tuple(each for each in activity.objects if each.name != name),
        effectors=tuple(each for each in activity.effectors if each.name != name),
        events=tuple(
            _with_references(each, lambda own: _kept(own, name)) for each in activity.events
        ),
    )


def with_renamed_element(event: ActivityEvent, old: str, new: str) -> ActivityEvent:
    """An event in which an element is called otherwise."""
    return _with_references(event, lambda own: _renamed(own, old, new))


def _kept(reference: str, removed: str) -> str:
    return "" if element_of(reference) == removed else reference


def _renamed(reference: str, old: str, new: str) -> str:
    return new + reference[len(old) :] if element_of(reference) == old else reference


def _with_references(event: ActivityEvent, change: Callable[[str], str]) -> ActivityEvent:
    """An event with each reference to an element changed; "" drops it, and its pair."""
    pairs = [(change(each.constrained), change(each.constraining)) for each in event.pairs]
    return replace(
        event,
        elements=_all(change, event.elements),
        movable=_all(change, event.movable),
        scalable=_all(change, event.scalable),
        replaceable=_all(change, event.replaceable),
        pairs=tuple(Pair(*both) for both in pairs if all(both)),
        look_at=change(event.look_at),
    )


def _all(change: Callable[[str], str], references: Sequence[str]) -> tuple[str, ...]:
    return tuple(filter(None, map(change, references)))
