"""Activity: what a take is about - objects, effectors, and the events at which they meet."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue, UnknownName
from arcwright.scene.point import Point


@dataclass(frozen=True, eq=False)
class ActivityObject:
    """A prop that takes part, and A named points of it such as a spout or a handle."""

    name: str
    actor: str = ""  # name of the prop; "" is the prop called `name`
    anchor_names: tuple[str, ...] = ()
    anchor_offsets: Floats = field(default_factory=lambda: np.zeros((0, 3)))  # (A, 3) m, in it

    def __post_init__(self) -> None:
        _check_name("ActivityObject.name", self.name)
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
        """(3,) m, in the prop; "" is its origin."""
        if not name:
            return np.zeros(3)
        if name not in self.anchor_names:
            raise UnknownName(f"anchor of {self.name}", name, self.anchor_names)
        offset: Floats = self.anchor_offsets[self.anchor_names.index(name)]
        return offset


@dataclass(frozen=True, eq=False)
class Effector:
    """A point of the character that takes part: a hand, a foot, the pelvis."""

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
        for name in ("elements", "movable", "scalable", "replaceable", "pairs"):
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
                if at in seen:
                    ring = " by ".join([*seen, at])
                    expected = "elements that do not constrain each other in a ring"
                    raise BadValue(f"ActivityEvent.pairs of {self.name!r}", expected, ring)
                seen.append(at)

    @property
    def involved(self) -> frozenset[str]:
        """All elements that take part."""
        paired = [name for each in self.pairs for name in (each.constrained, each.constraining)]
        named = (*self.elements, *self.movable, *self.scalable, *self.replaceable, *paired)
        return frozenset(map(element_of, named))


@dataclass(frozen=True, eq=False)
class Activity:
    """What one take of a character is about. Events are in the order of their times."""

    name: str
    character: str = ""  # "" is the first character of the scene
    take: str = ""  # "" is its first take
    objects: tuple[ActivityObject, ...] = ()
    effectors: tuple[Effector, ...] = ()
    events: tuple[ActivityEvent, ...] = ()

    def __post_init__(self) -> None:
        for name in ("objects", "effectors"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        events = tuple(sorted(self.events, key=lambda each: each.time))
        object.__setattr__(self, "events", events)
        _check_unique(f"elements of the activity {self.name!r}", self.element_names)
        _check_unique(f"times of events of {self.name!r}", [each.time for each in events])
        for event in events:
            self._check_event(event)

    def _check_event(self, event: ActivityEvent) -> None:
        of_objects = (*event.scalable, *event.replaceable)
        for reference in (*event.elements, *event.movable, *of_objects):
            self._check_element(reference)
        for reference in of_objects:
            self.object(reference)
        for pair in event.pairs:
            self._check_element(pair.constrained)
            self._check_element(pair.constraining)
        if event.look_at:
            self._check_element(event.look_at)

    def _check_element(self, reference: str) -> None:
        name, anchor = element_of(reference), anchor_of(reference)
        if name not in self.element_names:
            raise UnknownName("element of the activity", name, self.element_names)
        if anchor:
            self.object(name).anchor(anchor)

    @property
    def element_names(self) -> tuple[str, ...]:
        """Effectors, then objects."""
        return (*(each.name for each in self.effectors), *(each.name for each in self.objects))

    def object(self, name: str) -> ActivityObject:
        """The object of this name."""
        for each in self.objects:
            if each.name == name:
                return each
        raise UnknownName("object of the activity", name, [each.name for each in self.objects])

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


def _check_unique(what: str, values: Iterable[object]) -> None:
    listed: Sequence[object] = list(values)
    twice = next((each for at, each in enumerate(listed) if each in listed[:at]), None)
    if twice is not None:
        raise BadValue(what, "each once", f"{twice!r} twice")
