"""Gesture files: a scene, constraints and gestures; test, benchmark and bug report at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arcwright.errors import BadValue
from arcwright.tools.replay.gesture_entries import (
    MOST_STEPS,
    FileDrag,
    FileGesture,
    FileSamples,
    drag_in,
)
from arcwright.tools.replay.json_values import list_in, mapping_in, text_in
from arcwright.tools.replay.old_options import current_options
from arcwright.tools.replay.sampled_entries import Beside, LoadArrays, LoadScene, gesture_in

MOST_ENTRIES = 1000  # of constraints and of gestures


@dataclass(frozen=True, eq=False)
class Case:
    """A gesture file as read."""

    scene: str
    take: str
    character: str
    tool: str
    options: Mapping[str, Any]
    constraints: tuple[tuple[str, Mapping[str, Any]], ...]  # place in the file, and as written
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
_OLD_GROUPS = {"pins": "pin", "contacts": "contact"}  # lists of earlier versions, by kind


def parse_gesture_file(
    value: object, load: LoadArrays | None = None, load_scene: LoadScene | None = None
) -> Case:
    """A case from parsed JSON; what is wrong is named by its place in the file.

    `load` reads arrays that lie beside the file, `load_scene` scenes, by name.
    """
    beside = Beside(load, load_scene)
    whole = mapping_in(value, "gesture file", _FIELDS)
    gestures = (
        *(drag_in(each, f"drags[{index}]") for index, each in _numbered(whole, "drags")),
        *(gesture_in(each, f"gestures[{i}]", beside) for i, each in _numbered(whole, "gestures")),
    )
    steps = sum(map(_steps, gestures))
    if steps > MOST_STEPS:
        raise BadValue("gestures", f"at most {MOST_STEPS} steps in all", steps)
    if gestures and gestures[0].continues:
        raise BadValue("gestures[0].continues", "false: nothing comes before it", True)
    chosen = text_in(whole.get("tool", "tangent"), "tool")
    return Case(
        scene=text_in(whole.get("scene", ""), "scene"),
        take=text_in(whole.get("take", whole.get("clip", "")), "take"),  # "clip" in older files
        character=text_in(whole.get("character", ""), "character"),
        tool=chosen,
        options=current_options(chosen, mapping_in(whole.get("options", {}), "options", None)),
        constraints=tuple(_constraints(whole)),
        gestures=gestures,
    )


def _constraints(whole: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """All constraints with their places in the file; those of earlier versions' lists first."""
    for group in (*_OLD_GROUPS, "constraints"):
        for index, each in _numbered(whole, group):
            where = f"{group}[{index}]"
            values = mapping_in(each, where, None)
            yield where, {"kind": _OLD_GROUPS[group], **values} if group in _OLD_GROUPS else values


def _steps(gesture: FileGesture) -> int:
    match gesture:
        case FileDrag():
            return gesture.steps
        case FileSamples():
            return -(-len(gesture.samples) // gesture.chunk)
    return 1


def _numbered(whole: Mapping[str, Any], name: str) -> enumerate[Any]:
    return enumerate(list_in(whole.get(name, []), name, MOST_ENTRIES))
