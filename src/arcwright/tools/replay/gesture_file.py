"""Gesture files: a scene, constraints and drags; test, benchmark and bug report at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.point import Contact, Pin, Point
from arcwright.tools.replay.old_options import current_options

MOST_STEPS = 10_000  # of all drags together
MOST_ENTRIES = 1000  # of pins, of contacts, of constraints and of drags


@dataclass(frozen=True, eq=False)
class FileDrag:
    """One drag of a case; frames, metres and radians as written."""

    point: Point
    frame: float
    by: Floats  # (3,) m
    to: Floats | None  # (3,) m
    turn: Floats  # (3,) rad, rotation vector in the world
    scale_time: float | None
    axes: Floats | None
    steps: int


@dataclass(frozen=True, eq=False)
class Case:
    """A gesture file as read."""

    scene: str
    clip: str
    character: str
    tool: str
    options: Mapping[str, Any]
    pins: tuple[Mapping[str, Any], ...]
    contacts: tuple[Mapping[str, Any], ...]
    constraints: tuple[Mapping[str, Any], ...]  # as value; the tool reads them
    drags: tuple[FileDrag, ...]


_FIELDS = {
    "scene",
    "clip",
    "character",
    "tool",
    "options",
    "pins",
    "contacts",
    "constraints",
    "drags",
    "about",
}
_DRAG = {"point", "frame", "by", "to", "turn", "scale_time", "axes", "steps"}
_POINT_CONSTRAINT = {"point", "frames", "position", "orientation", "relative_to"}


def parse_gesture_file(value: object) -> Case:
    """A case from parsed JSON; what is wrong is named by its place in the file."""
    whole = mapping_in(value, "gesture file", _FIELDS)
    chosen = _text(whole.get("tool", "tangent"), "tool")
    drags = tuple(_drag(drag, f"drags[{index}]") for index, drag in _numbered(whole, "drags"))
    if sum(drag.steps for drag in drags) > MOST_STEPS:
        raise BadValue("drags", f"at most {MOST_STEPS} steps in all", sum(d.steps for d in drags))
    return Case(
        scene=_text(whole.get("scene", ""), "scene"),
        clip=_text(whole.get("clip", ""), "clip"),
        character=_text(whole.get("character", ""), "character"),
        tool=chosen,
        options=current_options(chosen, mapping_in(whole.get("options", {}), "options", None)),
        pins=tuple(_point_constraint(pin, f"pins[{i}]") for i, pin in _numbered(whole, "pins")),
        contacts=tuple(
            _point_constraint(each, f"contacts[{i}]") for i, each in _numbered(whole, "contacts")
        ),
        constraints=tuple(
            mapping_in(each, f"constraints[{i}]", None)
            for i, each in _numbered(whole, "constraints")
        ),
        drags=drags,
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


def _drag(value: object, where: str) -> FileDrag:
    drag = mapping_in(value, where, _DRAG)
    if "point" not in drag or "frame" not in drag:
        raise BadValue(where, "a point and a frame", sorted(drag))
    steps = drag.get("steps", 10)
    if not isinstance(steps, int) or not 1 <= steps <= MOST_STEPS:
        raise BadValue(f"{where}.steps", f"a whole number, 1 to {MOST_STEPS}", steps)
    if not {"by", "to", "turn", "scale_time"} & drag.keys():
        raise BadValue(where, "by, to, turn or scale_time", sorted(drag))
    axes = drag.get("axes")
    return FileDrag(
        point=point_in(drag["point"], f"{where}.point"),
        frame=number_in(drag["frame"], f"{where}.frame"),
        by=frozen(drag.get("by", np.zeros(3)), f"{where}.by", (3,)),
        to=frozen(drag["to"], f"{where}.to", (3,)) if "to" in drag else None,
        turn=frozen(drag.get("turn", np.zeros(3)), f"{where}.turn", (3,)),
        scale_time=number_in(drag["scale_time"], where) if "scale_time" in drag else None,
        axes=None if axes is None else frozen(axes, f"{where}.axes", ("A", 3)),
        steps=steps,
    )


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


def point_in(value: object, where: str) -> Point:
    """A point as a gesture file has it."""
    point = mapping_in(value, where, {"joint", "offset", "character"})
    if not isinstance(point.get("joint"), str):
        raise BadValue(f"{where}.joint", "the name of a joint", point.get("joint"))
    offset = frozen(point.get("offset", np.zeros(3)), f"{where}.offset", (3,))
    return Point(point["joint"], offset, _text(point.get("character", ""), f"{where}.character"))


def _numbered(whole: Mapping[str, Any], name: str) -> enumerate[Any]:
    listed = _list(whole.get(name, []), name)
    if len(listed) > MOST_ENTRIES:
        raise BadValue(name, f"at most {MOST_ENTRIES}", len(listed))
    return enumerate(listed)


def mapping_in(value: object, where: str, known: set[str] | None) -> Mapping[str, Any]:
    """A JSON object that has known names only."""
    if not isinstance(value, Mapping):
        raise BadValue(where, "a JSON object", type(value).__name__)
    for name in value:
        if known is not None and name not in known:
            raise BadValue(where, f"any of {', '.join(sorted(known))}", name)
    return value


def _list(value: object, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise BadValue(where, "a JSON list", type(value).__name__)
    return value


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise BadValue(where, "text", type(value).__name__)
    return value


def number_in(value: object, where: str) -> float:
    """A number, and not true or false."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise BadValue(where, "a number", type(value).__name__)
    return float(value)
