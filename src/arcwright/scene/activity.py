"""Activity: what a take is about - objects, effectors, and the events at which they meet."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue, UnknownName
from arcwright.scene.point import Point

_LISTS = "elements", "movable", "scalable", "replaceable"  # fields of an event: elements


@dataclass(frozen=True, eq=False)
class ActivityObject:
    """A prop that takes part, and A named points of it such as a spout or a handle.

    Anchors are in the frame of the prop's first joint, whose origin is the place of the object.
    """

    name: str
    actor: str = ""  # name of the prop; "" is the prop called `name`
    anchor_names: tuple[str, ...] = ()
    anchor_offsets: Floats = field(default_factory=lambda: np.zeros((0, 3)))  # (A, 3) m

    def __post_init__(self) -> None:
        _check_name("ActivityObject.name", self.name)
        object.__setattr__(self, "anchor_names", tuple(self.anchor_names))
        for anchor in self.anchor_names:
            _check_name("ActivityObject.anchor_names", anchor)
        _check_unique(f"anchors of {self.name!r}", self.anchor_names)
        shape = (len(self.anchor_names), 3)
        offsets = frozen(self.anchor_offsets, "ActivityObject.anchor_offsets", shape)
        object.__setattr__(self, "anchor_offsets", offsets)

    @property
    def prop(self) -> str:
        """The name of its prop in the scene."""
        return self.actor or self.name

    def anchor(self, name: str) -> Floats:
        """(3,) m, in the prop's first joint; "" is its origin."""
        if not name:
            return np.zeros(3)
        if name not in self.anchor_names:
            raise UnknownName(f"anchor of {self.name}", name, self.anchor_names)
        offset: Floats = self.anchor_offsets[self.anchor_names.index(name)]
        return offset


@dataclass(frozen=True, eq=False)
class Effector:
    """A point of the activity's character that takes part: a hand, a foot, the pelvis."""

    name: str
    point: Point

    def __post_init__(self) -> None:
        _check_name("Effector.name", self.name)


@dataclass(frozen=True)
class Pair:
    """One element keeps its place relative to another one: a hand on a pot, a spout over a cup.

    Elements are named as in events: `cup`, or `pot.spout` for an anchor of an object.
    """

    constrained: str
    constraining: str

    def __post_init__(self) -> None:
        if element_of(self.constrained) == element_of(self.constraining):
            expected = "an element other than the constrained one"
            raise BadValue("Pair.constraining", expected, self.constraining)


@dataclass(frozen=True)
class ActivityEvent:
    """A moment at which something matters: who takes part, what may be edited, what meets what.

    A pair that two consecutive events of its elements share holds in between, too.
    """

    time: float  # s
    name: str = ""
    elements: tuple[str, ...] = ()  # that take part, beside those named below
    movable: tuple[str, ...] = ()  # elements that may be moved at this event
    scalable: tuple[str, ...] = ()  # objects that may be scaled
    replaceable: tuple[str, ...] = ()  # objects that may be swapped for others
    pairs: tuple[Pair, ...] = ()
    look_at: str = ""  # the element that the character looks at, if any

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", float(self.time))
        if not 0 <= self.time < math.inf:
            raise BadValue("ActivityEvent.time", "seconds from the take's start", self.time)
        for name in (*_LISTS, "pairs"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        constrained = [element_of(pair.constrained) for pair in self.pairs]
        _check_unique(f"constrained elements of event {self.name!r}", constrained)
        self._check_no_ring()

    def _check_no_ring(self) -> None:
        """Raise where elements are constrained by each other, directly or by others."""
        leads = {element_of(each.constrained): element_of(each.constraining) for each in self.pairs}
        for first in leads:
            at, seen = first, [first]
            while at in leads:
                at = leads[at]
                seen.append(at)
                if at == first:
                    ring = " by ".join(seen)
                    expected = "elements that do not constrain each other in a ring"
                    raise BadValue(f"ActivityEvent.pairs of {self.name!r}", expected, ring)
                if len(seen) > len(leads):
                    break  # a ring further on, which is found from one of its own elements

    @property
    def involved(self) -> frozenset[str]:
        """All elements that take part."""
        paired = [name for each in self.pairs for name in (each.constrained, each.constraining)]
        named = (*self.elements, *self.movable, *self.scalable, *self.replaceable, *paired)
        return frozenset(map(element_of, named))


@dataclass(frozen=True, eq=False)
class Activity:
    """What one take of a character is about.

    Events are in the order of their times, what they list in the order of the elements.
    """

    name: str
    character: str = ""  # "" is the first character of the scene
    take: str = ""  # "" is its first take
    objects: tuple[ActivityObject, ...] = ()
    effectors: tuple[Effector, ...] = ()
    events: tuple[ActivityEvent, ...] = ()

    def __post_init__(self) -> None:
        for name in ("objects", "effectors"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        _check_unique(f"elements of the activity {self.name!r}", self.element_names)
        for event in self.events:
            self._check_event(event)
        events = sorted(map(self._in_order, self.events), key=lambda each: each.time)
        object.__setattr__(self, "events", tuple(events))
        what = f"events of the activity {self.name!r}"
        _check_unique(f"times (s) of {what}", [each.time for each in events])
        _check_unique(f"names of {what}", [each.name for each in events if each.name])

    def _check_event(self, event: ActivityEvent) -> None:
        for reference in (*event.scalable, *event.replaceable):
            self.object(reference)
        paired = [name for each in event.pairs for name in (each.constrained, each.constraining)]
        looked_at = (event.look_at,) if event.look_at else ()
        for reference in (*event.elements, *event.movable, *paired, *looked_at):
            self._check_element(reference)

    def _check_element(self, reference: str) -> None:
        name, anchor = element_of(reference), anchor_of(reference)
        if name not in self._places:
            raise UnknownName("element of the activity", name, self.element_names)
        if anchor:
            self.object(name).anchor(anchor)

    def _in_order(self, event: ActivityEvent) -> ActivityEvent:
        """The event with its elements in their order, each once."""
        listed = {name: getattr(event, name) for name in _LISTS}
        ordered = {name: tuple(sorted(set(own), key=self._order)) for name, own in listed.items()}
        changed: dict[str, Any] = {k: own for k, own in ordered.items() if own != listed[k]}
        return replace(event, **changed) if changed else event

    def _order(self, reference: str) -> tuple[int, str]:
        return self._places[element_of(reference)], anchor_of(reference)

    @cached_property
    def _places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.element_names)}

    @cached_property
    def element_names(self) -> tuple[str, ...]:
        """Effectors, then objects."""
        return (*(each.name for each in self.effectors), *(each.name for each in self.objects))

    def object(self, name: str) -> ActivityObject:
        """The object of this name."""
        place = self._places.get(name, -1) - len(self.effectors)
        if place < 0:
            raise UnknownName("object of the activity", name, [each.name for each in self.objects])
        return self.objects[place]

    def effector(self, name: str) -> Effector:
        """The effector of this name."""
        place = self._places.get(name, len(self.effectors))
        if place >= len(self.effectors):
            known = [each.name for each in self.effectors]
            raise UnknownName("effector of the activity", name, known)
        return self.effectors[place]

    def event_index(self, event: str | int) -> int:
        """The place of an event among the events, by its name or by that place."""
        if isinstance(event, int):
            if not 0 <= event < len(self.events):
                last = len(self.events) - 1
                expected = f"0 to {last}" if self.events else "none; the activity has no events"
                raise BadValue(f"event of {self.name!r}", expected, event)
            return event
        names = [each.name for each in self.events]
        if not event or event not in names:
            raise UnknownName("event of the activity", event, [name for name in names if name])
        return names.index(event)

    def events_of(self, element: str) -> tuple[ActivityEvent, ...]:
        """The events in which an element takes part."""
        return tuple(event for event in self.events if element in event.involved)


def element_of(reference: str) -> str:
    """The element that a reference names: `pot` of `pot.spout`."""
    return reference.partition(".")[0]


def anchor_of(reference: str) -> str:
    """The anchor that a reference names: `spout` of `pot.spout`; "" for none."""
    return reference.partition(".")[2]


def _check_name(where: str, name: str) -> None:
    if not name or "." in name:
        raise BadValue(where, "a name without dots", repr(name))


def _check_unique(what: str, values: Iterable[Hashable]) -> None:
    seen = set[Hashable]()
    for each in values:
        if each in seen:
            raise BadValue(what, "each once", f"{each!r} twice")
        seen.add(each)
