"""Gesture files: a scene, constraints and drags; test, benchmark and bug report at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.constraint_values import point_from_values
from arcwright.scene.point import Point

MOST_STEPS = 10_000  # of all drags together
MOST_ENTRIES = 1000  # of constraints and of drags


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
    constraints: tuple[tuple[str, Mapping[str, Any]], ...]  # place in the file, and as written
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
_OLD_GROUPS = {"pins": "pin", "contacts": "contact"}  # lists of earlier versions, by kind


def parse_gesture_file(value: object) -> Case:
    """A case from parsed JSON; what is wrong is named by its place in the file."""
    whole = mapping_in(value, "gesture file", _FIELDS)
    drags = tuple(_drag(drag, f"drags[{index}]") for index, drag in _numbered(whole, "drags"))
    if sum(drag.steps for drag in drags) > MOST_STEPS:
        raise BadValue("drags", f"at most {MOST_STEPS} steps in all", sum(d.steps for d in drags))
    return Case(
        scene=_text(whole.get("scene", ""), "scene"),
        clip=_text(whole.get("clip", ""), "clip"),
        character=_text(whole.get("character", ""), "character"),
        tool=_text(whole.get("tool", "tangent"), "tool"),
        options=mapping_in(whole.get("options", {}), "options", None),
        constraints=tuple(_constraints(whole)),
        drags=drags,
    )


def _constraints(whole: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All constraints with their places in the file; those of earlier versions' lists first."""
    for group in (*_OLD_GROUPS, "constraints"):
        for index, each in _numbered(whole, group):
            where = f"{group}[{index}]"
            values = mapping_in(each, where, None)
            yield where, {"kind": _OLD_GROUPS[group], **values} if group in _OLD_GROUPS else values


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
        point=point_from_values(drag["point"], f"{where}.point"),
        frame=number_in(drag["frame"], f"{where}.frame"),
        by=frozen(drag.get("by", np.zeros(3)), f"{where}.by", (3,)),
        to=frozen(drag["to"], f"{where}.to", (3,)) if "to" in drag else None,
        turn=frozen(drag.get("turn", np.zeros(3)), f"{where}.turn", (3,)),
        scale_time=number_in(drag["scale_time"], where) if "scale_time" in drag else None,
        axes=None if axes is None else frozen(axes, f"{where}.axes", ("A", 3)),
        steps=steps,
    )


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
