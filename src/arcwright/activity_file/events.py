"""Events of an activity file.

In the paper's form all events concern all elements: objects that are modifiable may be moved and
scaled at every event. Lists of an event itself say otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arcwright.activity_file.elements import Elements
from arcwright.activity_file.values import (
    entries,
    finite,
    names,
    needed_text,
    optional_text,
    shown,
)
from arcwright.errors import BadValue
from arcwright.scene.activity import ActivityEvent, Pair, element_of
from arcwright.scene.take import Take
from arcwright.tools.replay.json_values import mapping_in

MOST_EVENTS = 500
_MOST_CONSTRAINTS = 200  # of an event
_KEYS = {
    *("keyframe", "time", "modifiableEffectors", "constraints", "lookAt"),
    *("name", "elements", "modifiableObjects", "scalableObjects", "replaceableObjects"),
}
_PAIR_KEYS = {"constrainedElement", "constrainingElement"}
_END = 1e-6  # s after the end of a take at which a keyframe may be: rates are rounded


class EventReader:
    """Reads the events of one file; keys that have no meaning here are collected in `warnings`."""

    def __init__(self, elements: Elements, take: Take, rate: float) -> None:
        self.elements, self.take, self.rate = elements, take, rate
        self.warnings: list[str] = []

    def read(self, whole: Mapping[str, Any]) -> list[ActivityEvent]:
        """All events, in the order of the file."""
        found: list[ActivityEvent] = []
        for index, each in enumerate(entries(whole, "events", "", MOST_EVENTS)):
            event = self._event(each, f"events[{index}]")
            self._check_apart(event, found, f"events[{index}]")
            found.append(event)
        return found

    def _event(self, value: object, where: str) -> ActivityEvent:
        given = mapping_in(value, where, _KEYS)
        time = self._time(given, where)
        involved = names(given, "elements", f"{where}.")
        elements = (
            self.elements.names
            if involved is None
            else [self.elements.reference(*each) for each in involved]
        )
        takes_part = {element_of(each) for each in elements}
        modifiable = [each for each in self.elements.modifiable if each in takes_part]
        replaceable = [each for each in self.elements.replaceable if each in takes_part]
        look_at = optional_text(given, "lookAt", f"{where}.")
        pairs = self._pairs(given, where)
        try:
            return ActivityEvent(
                time,
                optional_text(given, "name", f"{where}."),
                tuple(elements),
                self._movable(given, where, modifiable),
                self._objects(given, "scalableObjects", where, modifiable),
                self._objects(given, "replaceableObjects", where, replaceable),
                pairs,
                self.elements.reference(look_at, f"{where}.lookAt") if look_at else "",
            )
        except BadValue as error:
            if error.field.startswith(where):
                raise
            raise BadValue(f"{where}.constraints", error.expected, error.got) from error

    def _time(self, given: Mapping[str, Any], where: str) -> float:
        """s, from a keyframe or, in files that are exported, as a time."""
        if "time" in given and "keyframe" in given:
            raise BadValue(where, "a keyframe or a time", "both")
        key, rate = ("time", 1.0) if "time" in given else ("keyframe", self.rate)
        if key not in given:
            raise BadValue(f"{where}.keyframe", "a number", "none")
        number = finite(given[key], f"{where}.{key}")
        if not 0 <= number / rate <= self.take.duration + _END:
            unit = "s" if key == "time" else "frames"
            last = f"0 to {self.take.duration * rate:.6g} {unit}, within take {self.take.name!r}"
            raise BadValue(f"{where}.{key}", last, given[key])
        return number / rate

    def _effector(self, text: str, where: str) -> str:
        found = self.elements.reference(text, where)
        known = [each.name for each in self.elements.effectors]
        if found not in known:
            expected = f"an effector: {', '.join(known) or 'none; the file has no effectors'}"
            raise BadValue(where, expected, repr(shown(text)))
        return found

    def _movable(
        self, given: Mapping[str, Any], where: str, otherwise: list[str]
    ) -> tuple[str, ...]:
        """Effectors, and objects or anchors of objects."""
        effectors = names(given, "modifiableEffectors", f"{where}.") or []
        objects = names(given, "modifiableObjects", f"{where}.")
        moved = (
            otherwise if objects is None else [self.elements.of_object(*each) for each in objects]
        )
        return (*(self._effector(*each) for each in effectors), *moved)

    def _objects(
        self, given: Mapping[str, Any], key: str, where: str, otherwise: list[str]
    ) -> tuple[str, ...]:
        listed = names(given, key, f"{where}.")
        found = (
            otherwise if listed is None else [self.elements.object_name(*each) for each in listed]
        )
        return tuple(found)

    def _pairs(self, given: Mapping[str, Any], where: str) -> tuple[Pair, ...]:
        found = []
        listed = entries(given, "constraints", f"{where}.", _MOST_CONSTRAINTS)
        for index, each in enumerate(listed):
            place = f"{where}.constraints[{index}]"
            values = mapping_in(each, place, None)
            odd = sorted(shown(key) for key in values if key not in _PAIR_KEYS)
            if odd:
                self.warnings.append(f"{place}: {', '.join(odd[:8])} not used")
            try:
                found.append(Pair(*self._elements_of(values, f"{place}.")))
            except BadValue as error:
                if error.field.startswith(place):
                    raise
                where_in = f"{place}.constrainingElement"
                raise BadValue(where_in, error.expected, error.got) from error
        return tuple(found)

    def _elements_of(self, values: Mapping[str, Any], where: str) -> tuple[str, str]:
        found = [
            self.elements.reference(needed_text(values, key, where), f"{where}{key}")
            for key in ("constrainedElement", "constrainingElement")
        ]
        return self.elements.pair(found[0], found[1])

    def _check_apart(self, event: ActivityEvent, earlier: list[ActivityEvent], where: str) -> None:
        """Raise where two events have one time or one name."""
        for index, each in enumerate(earlier):
            if each.time == event.time:
                expected = f"a keyframe other than that of events[{index}]"
                raise BadValue(f"{where}.keyframe", expected, f"{event.time * self.rate:.6g}")
            if event.name and each.name == event.name:
                expected = f"a name other than that of events[{index}]"
                raise BadValue(f"{where}.name", expected, repr(shown(event.name)))


def event_in(value: object, where: str, events: list[ActivityEvent]) -> ActivityEvent:
    """The event that an edit names, by its name or its place in the file."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise BadValue(where, "the name or number of an event", type(value).__name__)
    if isinstance(value, int):
        if not 0 <= value < len(events):
            expected = f"0 to {len(events) - 1}" if events else "none; the file has no events"
            raise BadValue(where, expected, shown(str(value)))
        return events[value]
    found = [each for each in events if each.name == value and value]
    if not found:
        listed = ", ".join(each.name for each in events if each.name)
        raise BadValue(where, f"one of {listed or 'none; no event has a name'}", repr(shown(value)))
    return found[0]
