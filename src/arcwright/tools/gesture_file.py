"""Case: a recorded gesture file: a scene, wishes, drags; test, benchmark and bug report at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.point import Contact, Pin, Point

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
    wishes: tuple[Mapping[str, Any], ...]  # as told; the tool reads them
    drags: tuple[FileDrag, ...]


_FIELDS = {
    "scene",
    "clip",
    "character",
    "tool",
    "options",
    "pins",
    "contacts",
    "wishes",
    "drags",
    "about",
}
_DRAG = {"point", "frame", "by", "to", "turn", "scale_time", "axes", "steps"}
_WISH = {"point", "frames", "position", "orientation", "relative_to"}


def parse_gesture_file(told: object) -> Case:
    """A case from parsed JSON; what is wrong is named by its place in the file."""
    whole = mapping_in(told, "gesture file", _FIELDS)
    drags = tuple(_drag(drag, f"drags[{index}]") for index, drag in _numbered(whole, "drags"))
    if sum(drag.steps for drag in drags) > MOST_STEPS:
        raise BadValue("drags", f"at most {MOST_STEPS} steps in all", sum(d.steps for d in drags))
    return Case(
        scene=_text(whole.get("scene", ""), "scene"),
        clip=_text(whole.get("clip", ""), "clip"),
        character=_text(whole.get("character", ""), "character"),
        tool=_text(whole.get("tool", "tangent"), "tool"),
        options=mapping_in(whole.get("options", {}), "options", None),
        pins=tuple(_wish(pin, f"pins[{i}]") for i, pin in _numbered(whole, "pins")),
        contacts=tuple(_wish(each, f"contacts[{i}]") for i, each in _numbered(whole, "contacts")),
        wishes=tuple(
            mapping_in(each, f"wishes[{i}]", None) for i, each in _numbered(whole, "wishes")
        ),
        drags=drags,
    )


def pin_of(told: Mapping[str, Any], rate: float, clip: str) -> Pin:
    """A pin of a case, its frames turned into seconds."""
    start, end = told["frames"]
    flags = told["position"], told["orientation"]
    return Pin(told["point"], start / rate, end / rate, *flags, clip=clip)


def contact_of(told: Mapping[str, Any], rate: float, clip: str) -> Contact:
    """A contact of a case, its frames turned into seconds."""
    start, end = told["frames"]
    flags = told["position"], told["orientation"]
    other = told["relative_to"]
    return Contact(told["point"], start / rate, end / rate, *flags, relative_to=other, clip=clip)


def _drag(told: object, where: str) -> FileDrag:
    drag = mapping_in(told, where, _DRAG)
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


def _wish(told: object, where: str) -> Mapping[str, Any]:
    wish = mapping_in(told, where, _WISH)
    if "point" not in wish or "frames" not in wish:
        raise BadValue(where, "a point and frames", sorted(wish))
    other = wish.get("relative_to")
    return {
        "point": point_in(wish["point"], f"{where}.point"),
        "frames": frozen(wish["frames"], f"{where}.frames", (2,)).tolist(),
        "position": bool(wish.get("position", True)),
        "orientation": bool(wish.get("orientation", False)),
        "relative_to": None if other is None else point_in(other, f"{where}.relative_to"),
    }


def point_in(told: object, where: str) -> Point:
    """A point as a gesture file has it."""
    point = mapping_in(told, where, {"joint", "offset", "character"})
    if not isinstance(point.get("joint"), str):
        raise BadValue(f"{where}.joint", "the name of a joint", point.get("joint"))
    offset = frozen(point.get("offset", np.zeros(3)), f"{where}.offset", (3,))
    return Point(point["joint"], offset, _text(point.get("character", ""), f"{where}.character"))


def _numbered(whole: Mapping[str, Any], name: str) -> enumerate[Any]:
    listed = _list(whole.get(name, []), name)
    if len(listed) > MOST_ENTRIES:
        raise BadValue(name, f"at most {MOST_ENTRIES}", len(listed))
    return enumerate(listed)


def mapping_in(told: object, where: str, known: set[str] | None) -> Mapping[str, Any]:
    """A JSON object that has known names only."""
    if not isinstance(told, Mapping):
        raise BadValue(where, "a JSON object", type(told).__name__)
    for name in told:
        if known is not None and name not in known:
            raise BadValue(where, f"any of {', '.join(sorted(known))}", name)
    return told


def _list(told: object, where: str) -> list[Any]:
    if not isinstance(told, list):
        raise BadValue(where, "a JSON list", type(told).__name__)
    return told


def _text(told: object, where: str) -> str:
    if not isinstance(told, str):
        raise BadValue(where, "text", type(told).__name__)
    return told


def number_in(told: object, where: str) -> float:
    """A number, and not true or false."""
    if isinstance(told, bool) or not isinstance(told, int | float):
        raise BadValue(where, "a number", type(told).__name__)
    return float(told)
