"""Edits of an activity file: what is to be changed of an activity."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwright.activity_file.elements import Elements
from arcwright.activity_file.events import event_in
from arcwright.activity_file.values import anchors_in, entries, finite, needed_text, shown, vector
from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.activity import Activity, ActivityEvent, element_of
from arcwright.tools.replay.json_values import mapping_in

MOST_EDITS = 1000
_ABOUT = {
    "element": {"event", "element", "to", "by", "rotate"},
    "object": {"object", "event", "to", "by", "rotate", "scale"},
    "swap": {"swap", "file", "anchors"},
    "frame": {"event", "frame"},
}
_FORMS = "an edit of an element, an object, a swap, or a frame of an event"


@dataclass(frozen=True, eq=False)
class ElementEdit:
    """Move an element at one event, and the motion around it."""

    event: int  # in the activity's order of time
    element: str  # or an anchor of one, such as `pot.spout`
    to: Floats | None = None  # (3,) m, in the world
    by: Floats | None = None  # (3,) m, in the world
    rotation: Floats | None = None  # (3,) rad, an axis times an angle, in the world

    def __post_init__(self) -> None:
        _freeze(self, "to", "by", "rotation")


@dataclass(frozen=True, eq=False)
class ObjectEdit:
    """Move, rotate or scale an object: at one event, or for the whole take."""

    object: str
    event: int | None = None  # in the activity's order of time; None for the whole take
    to: Floats | None = None  # (3,) m, in the world
    by: Floats | None = None  # (3,) m, in the world
    rotation: Floats | None = None  # (3,) rad, an axis times an angle, in the world
    scale: Floats | None = None  # (3,) along the axes of its first joint

    def __post_init__(self) -> None:
        _freeze(self, "to", "by", "rotation", "scale")


@dataclass(frozen=True, eq=False)
class Swap:
    """Put the prop of another file in the place of an object's."""

    object: str
    file: str  # relative to the activity file
    anchor_names: tuple[str, ...] = ()  # of the new prop; others are looked for in it
    anchor_offsets: Floats | None = None  # (A, 3) m, in its first joint

    def __post_init__(self) -> None:
        offsets = np.zeros((0, 3)) if self.anchor_offsets is None else self.anchor_offsets
        shape = (len(self.anchor_names), 3)
        object.__setattr__(self, "anchor_offsets", frozen(offsets, "Swap.anchor_offsets", shape))


@dataclass(frozen=True)
class EventRetime:
    """Let an event happen at another time, and the motion with it."""

    event: int  # in the activity's order of time
    time: float  # s


ActivityEdit = ElementEdit | ObjectEdit | Swap | EventRetime


class EditReader:
    """Reads the edits of one file, each checked against what the activity lets be edited."""

    def __init__(
        self, activity: Activity, elements: Elements, listed: list[ActivityEvent], rate: float
    ) -> None:
        self.activity, self.elements = activity, elements
        self.listed = listed  # events in the order of the file
        self.rate = rate

    def read(self, whole: Mapping[str, Any]) -> tuple[ActivityEdit, ...]:
        """All edits, in the order of the file."""
        listed = entries(whole, "edits", "", MOST_EDITS)
        return tuple(self._edit(each, f"edits[{index}]") for index, each in enumerate(listed))

    def _edit(self, value: object, where: str) -> ActivityEdit:
        given = mapping_in(value, where, None)
        forms: dict[str, Callable[[Mapping[str, Any], str], ActivityEdit]] = {
            "swap": self._swap,
            "object": self._object,
            "element": self._element,
            "frame": self._retime,
        }
        form = next((each for each in forms if each in given), None)
        unknown = [key for key in given if not any(key in about for about in _ABOUT.values())]
        if form is None and unknown:
            known = ", ".join(sorted(set[str]().union(*_ABOUT.values())))
            raise BadValue(where, f"any of {known}", ", ".join(map(shown, unknown)))
        if form is None:
            raise BadValue(where, _FORMS, f"only {', '.join(map(shown, given)) or 'nothing'}")
        mapping_in(given, where, _ABOUT[form])
        return forms[form](given, f"{where}.")

    def _element(self, given: Mapping[str, Any], where: str) -> ElementEdit:
        event = self._event(given, where)
        element = self.elements.reference(needed_text(given, "element", where), f"{where}element")
        self._check_allowed(element, [event], "movable", f"{where}element")
        moved = _moved(given, where)
        if not moved:
            raise BadValue(where[:-1], "to, by or rotate", "none")
        return ElementEdit(event, element, **moved)

    def _object(self, given: Mapping[str, Any], where: str) -> ObjectEdit:
        name = self.elements.object_name(needed_text(given, "object", where), f"{where}object")
        event = self._event(given, where) if "event" in given else None
        at = range(len(self.activity.events)) if event is None else [event]
        moved = _moved(given, where)
        if moved:
            self._check_allowed(name, at, "movable", f"{where}object")
        scale = _scale(given["scale"], f"{where}scale") if "scale" in given else None
        if scale is not None:
            self._check_allowed(name, at, "scalable", f"{where}object")
        elif not moved:
            raise BadValue(where[:-1], "to, by, rotate or scale", "none")
        return ObjectEdit(name, event, scale=scale, **moved)

    def _swap(self, given: Mapping[str, Any], where: str) -> Swap:
        name = self.elements.object_name(needed_text(given, "swap", where), f"{where}swap")
        every = range(len(self.activity.events))
        self._check_allowed(name, every, "replaceable", f"{where}swap")
        anchors = anchors_in(given.get("anchors"), f"{where}anchors")
        places = np.array([*anchors.values()]).reshape(-1, 3)
        return Swap(name, needed_text(given, "file", where), tuple(anchors), places)

    def _retime(self, given: Mapping[str, Any], where: str) -> EventRetime:
        frame = finite(given["frame"], f"{where}frame")
        if frame < 0:
            raise BadValue(f"{where}frame", "0 or more", given["frame"])
        return EventRetime(self._event(given, where), frame / self.rate)

    def _event(self, given: Mapping[str, Any], where: str) -> int:
        """The place in time of the event that an edit names."""
        if "event" not in given:
            raise BadValue(f"{where}event", "the name or number of an event", "none")
        found = event_in(given["event"], f"{where}event", self.listed)
        return [each.time for each in self.activity.events].index(found.time)

    def _check_allowed(
        self, reference: str, events: Collection[int], list_name: str, where: str
    ) -> None:
        """Raise where none of the events lets an element be moved, scaled or replaced."""
        allowed = {
            each for index in events for each in getattr(self.activity.events[index], list_name)
        }
        if not {reference, element_of(reference)} & allowed:
            when = "this event" if len(events) == 1 else "any event"
            listed = ", ".join(sorted(allowed)) or "none"
            raise BadValue(where, f"an element {list_name} at {when}: {listed}", reference)


def _moved(given: Mapping[str, Any], where: str) -> dict[str, Floats]:
    """How an edit moves and rotates, as fields of an edit."""
    found = {key: vector(given[key], f"{where}{key}") for key in ("to", "by") if key in given}
    if len(found) == 2:
        raise BadValue(where[:-1], "to or by", "both")
    if "rotate" in given:
        found["rotation"] = np.radians(vector(given["rotate"], f"{where}rotate"))
    return found


def _scale(value: object, where: str) -> Floats:
    scale = vector(value, where) if isinstance(value, list) else np.full(3, finite(value, where))
    if not (scale > 0).all():
        raise BadValue(where, "above 0", scale.tolist())
    return scale


def _freeze(edit: ElementEdit | ObjectEdit, *names: str) -> None:
    for name in names:
        value = getattr(edit, name)
        if value is not None:
            where = f"{type(edit).__name__}.{name}"
            object.__setattr__(edit, name, frozen(value, where, (3,)))
