"""Gesture files: a scene, constraints and gestures; test, benchmark and bug report at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arcwright.arrays import frozen
from arcwright.errors import BadValue
from arcwright.scene.point import Contact, Pin
from arcwright.tools.replay.gesture_entries import (
    MOST_STEPS,
    FileDrag,
    FileGesture,
    FileSamples,
    LoadArrays,
    drag_in,
    gesture_in,
)
from arcwright.tools.replay.json_values import list_in, mapping_in, point_in, text_in

MOST_ENTRIES = 1000  # of pins, of contacts, of constraints and of gestures


@dataclass(frozen=True, eq=False)
class Case:
    """A gesture file as read."""

    scene: str
    take: str
    character: str
    tool: str
    options: Mapping[str, Any]
    pins: tuple[Mapping[str, Any], ...]
    contacts: tuple[Mapping[str, Any], ...]
    constraints: tuple[Mapping[str, Any], ...]  # as value; the tool reads them
    gestures: tuple[FileGesture, ...]

    @property
    def drags(self) -> tuple[FileDrag, ...]:
        """The gestures that are drags."""
        return tuple(each for each in self.gestures if isinstance(each, FileDrag))


_FIELDS = {
    "scene",
    "take",
    "clip",
    "character",
    "tool",
    "options",
    "pins",
    "contacts",
    "constraints",
    "drags",
    "gestures",
    "about",
}
_POINT_CONSTRAINT = {"point", "frames", "position", "orientation", "relative_to"}


def parse_gesture_file(value: object, load: LoadArrays | None = None) -> Case:
    """A case from parsed JSON; what is wrong is named by its place in the file.

    `load` reads arrays that lie beside the file, by name.
    """
    whole = mapping_in(value, "gesture file", _FIELDS)
    gestures = (
        *(drag_in(each, f"drags[{index}]") for index, each in _numbered(whole, "drags")),
        *(gesture_in(each, f"gestures[{i}]", load) for i, each in _numbered(whole, "gestures")),
    )
    steps = sum(map(_steps, gestures))
    if steps > MOST_STEPS:
        raise BadValue("gestures", f"at most {MOST_STEPS} steps in all", steps)
    if gestures and gestures[0].continues:
        raise BadValue("gestures[0].continues", "false: nothing comes before it", True)
    return Case(
        scene=text_in(whole.get("scene", ""), "scene"),
        take=text_in(whole.get("take", whole.get("clip", "")), "take"),  # "clip" in older files
        character=text_in(whole.get("character", ""), "character"),
        tool=text_in(whole.get("tool", "tangent"), "tool"),
        options=mapping_in(whole.get("options", {}), "options", None),
        pins=tuple(_point_constraint(pin, f"pins[{i}]") for i, pin in _numbered(whole, "pins")),
        contacts=tuple(
            _point_constraint(each, f"contacts[{i}]") for i, each in _numbered(whole, "contacts")
        ),
        constraints=tuple(
            mapping_in(each, f"constraints[{i}]", None)
            for i, each in _numbered(whole, "constraints")
        ),
        gestures=gestures,
    )


def pin_of(value: Mapping[str, Any], rate: float, clip: str) -> Pin:
    """A pin of a case, its frames turned into seconds."""
    start, end = value["frames"]
    flags = value["position"], value["orientation"]
    return Pin(value["point"], start / rate, end / rate, *flags, clip=clip)


def contact_of(value: Mapping[str, Any], rate: float, clip: str) -> Contact:
    """A contact of a case, its frames turned into seconds."""
    start, end = value["frames"]
    flags = value["position"], value["orientation"]
    other = value["relative_to"]
    return Contact(value["point"], start / rate, end / rate, *flags, relative_to=other, clip=clip)


def _point_constraint(value: object, where: str) -> Mapping[str, Any]:
    constraint = mapping_in(value, where, _POINT_CONSTRAINT)
    if "point" not in constraint or "frames" not in constraint:
        raise BadValue(where, "a point and frames", sorted(constraint))
    other = constraint.get("relative_to")
    return {
        "point": point_in(constraint["point"], f"{where}.point"),
        "frames": frozen(constraint["frames"], f"{where}.frames", (2,)).tolist(),
        "position": bool(constraint.get("position", True)),
        "orientation": bool(constraint.get("orientation", False)),
        "relative_to": None if other is None else point_in(other, f"{where}.relative_to"),
    }


def _steps(gesture: FileGesture) -> int:
    match gesture:
        case FileDrag():
            return gesture.steps
        case FileSamples():
            return -(-len(gesture.samples) // gesture.chunk)
    return 1


def _numbered(whole: Mapping[str, Any], name: str) -> enumerate[Any]:
    return enumerate(list_in(whole.get(name, []), name, MOST_ENTRIES))
