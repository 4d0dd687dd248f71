"""Proposed activity: detected events to choose from, each with its confidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from arcwright.edits.activity_subjects import with_renamed_element
from arcwright.edits.actors import unique_name
from arcwright.errors import BadValue
from arcwright.scene.activity import Activity, ActivityEvent, ActivityObject, Effector

NEAR = 2 / 30  # s, beside an event that an activity has: what is detected there is known


@dataclass(frozen=True, eq=False)
class ProposedActivity:
    """An activity whose events were detected: what each is, and how sure, from 0 to 1."""

    activity: Activity
    kinds: tuple[str, ...]  # in the order of the events
    confidences: tuple[float, ...]

    def from_confidence(self, least: float) -> ProposedActivity:
        """Events of at least this confidence, and the objects in them."""
        if not 0 <= least <= 1:
            raise BadValue("confidence", "0 to 1", least)
        return self._with([each >= least for each in self.confidences])

    def as_json(self, rate: float) -> list[dict[str, Any]]:
        """The events as plain values; `rate` is that of their frames."""
        return [
            {
                "time": round(event.time, 4),
                "frame": round(event.time * rate, 1),
                "name": event.name,
                "elements": [
                    name for name in self.activity.element_names if name in event.involved
                ],
                "kind": kind,
                "confidence": round(confidence, 2),
                "pairs": [[each.constrained, each.constraining] for each in event.pairs],
                "look_at": event.look_at,
            }
            for event, kind, confidence in zip(
                self.activity.events, self.kinds, self.confidences, strict=True
            )
        ]

    def beyond(self, known: Activity) -> ProposedActivity:
        """What an activity lacks: events at other moments, with its names of elements."""
        renamed = _with_names_of(self.activity, known)
        own = replace(self, activity=renamed)
        return own._with([not _is_known(each, known) for each in renamed.events])

    def _with(self, kept: Sequence[bool]) -> ProposedActivity:
        events = tuple(each for each, keep in zip(self.activity.events, kept, strict=True) if keep)
        involved = frozenset().union(*(each.involved for each in events))
        objects = tuple(each for each in self.activity.objects if each.name in involved)
        looks = tuple(_without_look(each, involved) for each in events)
        return ProposedActivity(
            replace(self.activity, objects=objects, events=looks),
            tuple(each for each, keep in zip(self.kinds, kept, strict=True) if keep),
            tuple(each for each, keep in zip(self.confidences, kept, strict=True) if keep),
        )


def _without_look(event: ActivityEvent, involved: frozenset[str]) -> ActivityEvent:
    """An event that looks at an object only where the activity has it."""
    return event if event.look_at in involved else replace(event, look_at="")


def _is_known(event: ActivityEvent, known: Activity) -> bool:
    """Whether the activity has an event of the same element at that moment."""
    return any(
        abs(each.time - event.time) <= NEAR and each.involved & event.involved
        for each in known.events
    )


def _with_names_of(proposed: Activity, known: Activity) -> Activity:
    """A proposed activity that calls elements as another one does; others have free names."""
    by_joint = {each.point.joint: each.name for each in reversed(known.effectors)}
    by_prop = {each.prop: each.name for each in reversed(known.objects)}
    names: dict[str, str] = {}
    taken = set(known.element_names)
    for effector in proposed.effectors:
        own = by_joint.get(effector.point.joint) or unique_name(effector.name, taken)
        names[effector.name] = own
        taken.add(own)
    for each in proposed.objects:
        names[each.name] = by_prop.get(each.prop) or unique_name(each.name, taken)
        taken.add(names[each.name])
    return replace(
        proposed,
        effectors=tuple(Effector(names[each.name], each.point) for each in proposed.effectors),
        objects=tuple(
            ActivityObject(names[each.name], each.prop, each.anchor_names, each.anchor_offsets)
            for each in proposed.objects
        ),
        events=tuple(_renamed(each, names) for each in proposed.events),
    )


def _renamed(event: ActivityEvent, names: dict[str, str]) -> ActivityEvent:
    """All names at once: first to names that nothing has, then to the new ones."""
    for old in names:
        event = with_renamed_element(event, old, f"\n{old}")
    for old, new in names.items():
        event = with_renamed_element(event, f"\n{old}", new)
    return event
