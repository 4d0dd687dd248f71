"""From detected events to an activity: named events, and pairs while props are held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.activity_detection.event_names import CALLED, EventNames
from arcwright.activity_detection.events import detected_events
from arcwright.activity_detection.proposal import ProposedActivity
from arcwright.activity_detection.watched import watched_body
from arcwright.arrays import Floats
from arcwright.edits.actors import unique_name
from arcwright.kinematics.forward import forward
from arcwright.kinematics.movement_events import MovementEvent
from arcwright.kinematics.sample import values_at
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector, Pair
from arcwright.scene.scene import Actor, Prop, Scene
from arcwright.scene.take import Take

SURE = 0.5  # confidence of events that become part of an activity
_TOGETHER = 2 / 30  # s in which events of several elements are one
_GAZE = np.radians(25.0)  # between the head's direction and what it looks at
_FIRST = "grab", "release", "contact start", "contact end", "closest", "reach"  # that name an event


@dataclass(frozen=True)
class _Held:
    """From when until when an element is on a prop."""

    element: str
    prop: str
    start: float
    end: float


def detected_activity(
    scene: Scene, character: str, take: Take, name: str = "detected", least: float = SURE
) -> Activity:
    """What a take seems to be about, to accept, change or remove; events from `least` on.

    Events of several elements at one moment are one. Hands are paired with the props that they
    hold or touch; which prop meets which other one is not guessed.
    """
    return proposed_activity(scene, character, take, name).from_confidence(least).activity


def proposed_activity(
    scene: Scene, character: str, take: Take, name: str = "detected"
) -> ProposedActivity:
    """An activity with all detected events, unlikely ones included, and how sure each is.

    Holds, and events of several elements, are made of what is at least `SURE`.
    """
    actor = scene.actor(character)
    found = detected_events(scene, character, take)
    sure = [each for each in found if each.confidence >= SURE]
    props = [prop for prop in scene.props if _takes_part(prop, found)]
    body = watched_body(actor, take)
    called = CALLED | {prop.name: _object_name(prop.name) for prop in props}
    names = EventNames(body, called)
    held = _held(sure, take.duration)
    likely = [prop for prop in props if _takes_part(prop, sure)]
    made: list[tuple[ActivityEvent, MovementEvent]] = []
    for group in _all_groups(found, take):
        looked_at = _looked_at(take, likely, group[0].time)
        taken = [event.name for event, _ in made]
        made.append((_event(group, held, names, looked_at, taken), group[0]))
    made.sort(key=lambda each: each[0].time)
    effectors = tuple(
        Effector(called[element], replace(point, character=actor.name))
        for element, point in body.points.items()
    )
    objects = tuple(ActivityObject(called[prop.name], prop.name) for prop in props)
    events = tuple(event for event, _ in made)
    return ProposedActivity(
        Activity(name, actor.name, take.name, objects, effectors, events),
        tuple(detected.kind for _, detected in made),
        tuple(detected.confidence for _, detected in made),
    )


def _all_groups(found: Sequence[MovementEvent], take: Take) -> list[list[MovementEvent]]:
    """Groups of sure events, then of unsure ones at other moments."""
    sure = _groups([each for each in found if each.confidence >= SURE], take)
    taken = [group[0].time for group in sure]
    unsure = _groups([each for each in found if each.confidence < SURE], take)
    apart = [
        group for group in unsure if all(abs(group[0].time - time) > _TOGETHER for time in taken)
    ]
    return [*sure, *apart]


def _takes_part(prop: Prop, events: Sequence[MovementEvent]) -> bool:
    return any(prop.name in (event.prop, event.element) for event in events)


def _object_name(prop: str) -> str:
    """A name for an object: without dots, and not that of an effector."""
    name = prop.replace(".", "_").lower()
    return f"{name} (prop)" if name in CALLED.values() else name


def _held(events: Sequence[MovementEvent], end: float) -> list[_Held]:
    """Each hold and touch, from its start or the take's to its end or the take's."""
    since: dict[tuple[str, str], float] = {}
    found = []
    for event in events:
        key = event.element, event.prop
        if event.prop and event.kind in ("grab", "contact start"):
            since[key] = event.time
        elif event.prop and event.kind in ("release", "contact end"):
            found.append(_Held(*key, since.pop(key, 0.0), event.time))
    return found + [_Held(*key, start, end) for key, start in since.items()]


def _groups(events: Sequence[MovementEvent], take: Take) -> list[list[MovementEvent]]:
    """Events at one moment, at a frame of the take; each element has one, the most telling."""
    groups: list[list[MovementEvent]] = []
    for event in events:
        frame = round(event.time * take.rate)
        moment = replace(event, time=min(frame / take.rate, take.duration))
        last = groups[-1] if groups else []
        together = last and event.time - last[0].time <= _TOGETHER
        if together or (last and last[0].time == moment.time):
            last.append(moment)
        else:
            groups.append([moment])
    return [sorted(group, key=lambda each: each.kind not in _FIRST) for group in groups]


def _event(
    group: Sequence[MovementEvent],
    held: Sequence[_Held],
    names: EventNames,
    looked_at: str,
    taken: Sequence[str],
) -> ActivityEvent:
    time, called = min(each.time for each in group), names.called
    within = (group[0].time - _TOGETHER, group[0].time + _TOGETHER)
    found = {each.element for each in group} | {each.prop for each in group if each.prop}
    acting = sorted(found)
    on = [
        each
        for each in held
        if each.start <= within[1] and each.end >= within[0] and found & {each.element, each.prop}
    ]
    pairs = {each.element: Pair(called[each.element], called[each.prop]) for each in on}
    objects = tuple(dict.fromkeys(called[each.prop] for each in on))
    free = [called[each] for each in acting if each in CALLED and each not in pairs]
    return ActivityEvent(
        time,
        unique_name(names.name(group[0]), taken),
        elements=tuple(called[each] for each in acting),
        movable=(*free, *objects),
        scalable=objects,
        replaceable=objects,
        pairs=tuple(pairs.values()),
        look_at=called.get(looked_at, ""),
    )


def _looked_at(take: Take, props: Sequence[Prop], time: float) -> str:
    """The prop that the head faces; "" for none."""
    heads = [joint for joint, name in enumerate(take.rig.names) if "head" in name.lower()]
    if not heads or not props:
        return ""
    world = _world(take, heads[0], time)
    rest = forward(take.rig, take.rig.channels.default[None], [heads[0]])[0, 0]
    ahead = world[:3, :3] @ np.linalg.solve(rest[:3, :3], np.array([0.0, 0.0, 1.0]))
    angles = [_angle(ahead, _place(prop, time) - world[:3, 3]) for prop in props]
    nearest = int(np.argmin(angles))
    return props[nearest].name if angles[nearest] < _GAZE else ""


def _world(take: Take, joint: int, time: float) -> Floats:
    found: Floats = forward(take.rig, values_at(take, np.array([time])), [joint])[0, 0]
    return found


def _place(prop: Actor, time: float) -> Floats:
    """(3,) m."""
    if prop.takes:
        return _world(prop.takes[0], 0, time)[:3, 3]
    place: Floats = forward(prop.rig, prop.rig.channels.default[None], [0])[0, 0, :3, 3]
    return place


def _angle(a: Floats, b: Floats) -> float:
    cosine = a @ b / max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)
    return float(np.arccos(np.clip(cosine, -1.0, 1.0)))
