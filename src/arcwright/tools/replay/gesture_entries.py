"""Gestures of a gesture file as written: drags and settings, and what all kinds have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.constraint_values import point_from_values
from arcwright.scene.point import Point
from arcwright.tools.gesture import Performance, Stroke, ToolHandle
from arcwright.tools.replay.json_values import (
    list_in,
    mapping_in,
    number_in,
    text_in,
    whole_number_in,
)

MOST_STEPS = 10_000  # of all gestures together


@dataclass(frozen=True, eq=False)
class FileUse:
    """What a gesture is about, where it is not what the file is about."""

    character: str = ""
    take: str = ""
    point: Point | None = None  # that follows a performance
    channels: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)  # besides those of the file


@dataclass(frozen=True, eq=False)
class FileDrag:
    """One drag; frames, metres and radians as written."""

    handle: Point | ToolHandle
    frame: float
    by: Floats  # (3,) m
    to: Floats | None  # (3,) m
    turn: Floats  # (3,) rad, rotation vector in the world
    scale_time: float | None
    to_frame: float | None
    axes: Floats | None
    steps: int
    scale: Floats | None = None  # (3,) factors
    continues: bool = False  # the interaction of the gesture before
    use: FileUse = field(default_factory=FileUse)

    @property
    def point(self) -> Point:
        """The dragged point."""
        if isinstance(self.handle, ToolHandle):
            raise BadValue("drag", "a point", self.handle.name)
        return self.handle

    @property
    def name(self) -> str:
        """What is dragged, as reports name it."""
        held = self.handle
        return held.name if isinstance(held, ToolHandle) else held.joint


@dataclass(frozen=True, eq=False)
class FileSetting:
    """Options set during an interaction."""

    options: Mapping[str, Any]
    continues: bool = False
    use: FileUse = field(default_factory=FileUse)


@dataclass(frozen=True, eq=False)
class FileSamples:
    """A stroke or performance, delivered in chunks."""

    samples: Stroke | Performance
    chunk: int
    continues: bool = False
    use: FileUse = field(default_factory=FileUse)


FileGesture: TypeAlias = FileDrag | FileSetting | FileSamples

_DRAG = {
    *("kind", "continues", "point", "handle", "frame", "by", "to", "turn", "scale_time"),
    *("to_frame", "scale", "axes", "steps", "options"),
}
_TARGETS = "by", "to", "turn", "scale_time", "to_frame", "scale"
USE = {"character", "take", "point", "channels", "options"}


def drag_in(value: object, where: str) -> FileDrag:
    """A drag of a point or handle, from where it is."""
    drag = mapping_in(value, where, _DRAG)
    if ("point" in drag) == ("handle" in drag) or "frame" not in drag:
        raise BadValue(where, "a point (or a handle) and a frame", sorted(drag))
    if not drag.keys() & set(_TARGETS):
        raise BadValue(where, "by, to, turn, scale_time, to_frame or scale", sorted(drag))
    handle: Point | ToolHandle
    if "point" in drag:
        handle = point_from_values(drag["point"], f"{where}.point")
    else:
        handle = ToolHandle(text_in(drag["handle"], f"{where}.handle"))
        if "to" not in drag and "to_frame" not in drag:
            raise BadValue(where, "to or to_frame, for a handle", sorted(drag))
    axes = drag.get("axes")
    return FileDrag(
        handle,
        frame=number_in(drag["frame"], f"{where}.frame"),
        by=frozen(drag.get("by", np.zeros(3)), f"{where}.by", (3,)),
        to=frozen(drag["to"], f"{where}.to", (3,)) if "to" in drag else None,
        turn=frozen(drag.get("turn", np.zeros(3)), f"{where}.turn", (3,)),
        scale_time=number_in(drag["scale_time"], where) if "scale_time" in drag else None,
        to_frame=number_in(drag["to_frame"], where) if "to_frame" in drag else None,
        axes=None if axes is None else frozen(axes, f"{where}.axes", ("A", 3)),
        steps=whole_number_in(drag.get("steps", 10), f"{where}.steps", MOST_STEPS),
        scale=_scale(drag["scale"], f"{where}.scale") if "scale" in drag else None,
        continues=continues_in(drag, where),
        use=FileUse(options=_options(drag, where)),
    )


def setting_in(value: object, where: str) -> FileSetting:
    """Options that are set; its `options` are the gesture itself."""
    given = mapping_in(value, where, {"kind", "continues"} | USE)
    use = replace(use_in(given, where), options={})
    return FileSetting(_options(given, where), continues_in(given, where), use)


def use_in(given: Mapping[str, Any], where: str) -> FileUse:
    """The character, point or channels that a gesture is about, and its own options."""
    point = given.get("point")
    names = list_in(given.get("channels", []), f"{where}.channels", MOST_STEPS)
    return FileUse(
        character=text_in(given.get("character", ""), f"{where}.character"),
        take=text_in(given.get("take", ""), f"{where}.take"),
        point=None if point is None else point_from_values(point, f"{where}.point"),
        channels=tuple(text_in(each, f"{where}.channels") for each in names),
        options=_options(given, where),
    )


def _options(given: Mapping[str, Any], where: str) -> Mapping[str, Any]:
    return mapping_in(given.get("options", {}), f"{where}.options", None)


def _scale(value: object, where: str) -> Floats:
    """Three factors, or one for all axes."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = [value] * 3
    return frozen(value, where, (3,))  # type: ignore[arg-type]


def continues_in(given: Mapping[str, Any], where: str) -> bool:
    """Whether it goes on with the interaction of the gesture before."""
    value = given.get("continues", False)
    if not isinstance(value, bool):
        raise BadValue(f"{where}.continues", "true or false", value)
    return value
