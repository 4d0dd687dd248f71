"""Gestures of a gesture file: drags, settings, strokes and performances, as written.

Long strokes and performances may lie beside the file as arrays; the caller passes what loads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from arcwright.arrays import AnyArray, Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.camera import Camera
from arcwright.scene.constraint_values import point_from_values
from arcwright.scene.point import Point
from arcwright.tools.gesture import Performance, Stroke, ToolHandle
from arcwright.tools.replay.json_values import (
    mapping_in,
    number_in,
    text_in,
    whole_number_in,
)

MOST_STEPS = 10_000  # of all gestures together
LoadArrays: TypeAlias = Callable[[str], Mapping[str, AnyArray]]


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
    continues: bool = False  # the interaction of the gesture before

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


@dataclass(frozen=True, eq=False)
class FileSamples:
    """A stroke or performance, delivered in chunks."""

    samples: Stroke | Performance
    chunk: int
    continues: bool = False


FileGesture: TypeAlias = FileDrag | FileSetting | FileSamples

_DRAG = {
    *("kind", "continues", "point", "handle", "frame", "by", "to", "turn", "scale_time"),
    *("to_frame", "axes", "steps"),
}
_SAMPLES = {"kind", "continues", "chunk", "arrays", "times"}
_STROKE = _SAMPLES | {"camera", "points", "pressure"}
_NAMES = {"axis_names", "button_names", "device"}
_PERFORMANCE = _SAMPLES | _NAMES | {"poses", "axes", "buttons"}
_CAMERA = {"position", "orientation", "field_of_view", "width", "height"}
_KINDS = "drag", "setting", "stroke", "performance"


def gesture_in(value: object, where: str, load: LoadArrays | None) -> FileGesture:
    """A gesture of any kind."""
    kind = mapping_in(value, where, None).get("kind")
    match kind:
        case "drag":
            return drag_in(value, where)
        case "setting":
            given = mapping_in(value, where, {"kind", "continues", "options"})
            options = mapping_in(given.get("options", {}), f"{where}.options", None)
            return FileSetting(options, _continues(given, where))
        case "stroke":
            return _samples(value, where, load, _STROKE, _stroke)
        case "performance":
            return _samples(value, where, load, _PERFORMANCE, _performance)
    raise BadValue(f"{where}.kind", " or ".join(_KINDS), kind)


def drag_in(value: object, where: str) -> FileDrag:
    """A drag of a point or handle, from where it is."""
    drag = mapping_in(value, where, _DRAG)
    if ("point" in drag) == ("handle" in drag) or "frame" not in drag:
        raise BadValue(where, "a point (or a handle) and a frame", sorted(drag))
    if not {"by", "to", "turn", "scale_time", "to_frame"} & drag.keys():
        raise BadValue(where, "by, to, turn, scale_time or to_frame", sorted(drag))
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
        continues=_continues(drag, where),
    )


def _samples(
    value: object,
    where: str,
    load: LoadArrays | None,
    known: set[str],
    read: Callable[[Mapping[str, Any], str], Stroke | Performance],
) -> FileSamples:
    given = mapping_in(value, where, known)
    if "arrays" in given:
        name = text_in(given["arrays"], f"{where}.arrays")
        if load is None:
            raise BadValue(f"{where}.arrays", "samples in the file itself", name)
        beside = load(name)
        mapping_in(beside, f"{where}.arrays", known)
        given = {**given, **beside}
    if "times" not in given:
        raise BadValue(where, "times", sorted(given))
    chunk = whole_number_in(given.get("chunk", 8), f"{where}.chunk", MOST_STEPS)
    return FileSamples(read(given, where), chunk, _continues(given, where))


def _stroke(given: Mapping[str, Any], where: str) -> Stroke:
    if "camera" not in given or "points" not in given:
        raise BadValue(where, "a camera, points and times", sorted(given))
    view = mapping_in(given["camera"], f"{where}.camera", _CAMERA)
    if view.keys() != _CAMERA:
        raise BadValue(f"{where}.camera", ", ".join(sorted(_CAMERA)), sorted(view))
    return Stroke(Camera(**view), given["points"], given["times"], given.get("pressure"))


def _performance(given: Mapping[str, Any], where: str) -> Performance:
    found: dict[str, Any] = {
        name: given[name] for name in ("poses", "axes", "buttons") if name in given
    }
    found |= {
        name: tuple(text_in(each, f"{where}.{name}") for each in given.get(name, ()))
        for name in ("axis_names", "button_names")
    }
    device = text_in(given.get("device", ""), f"{where}.device")
    return Performance(given["times"], **found, device=device)


def _continues(given: Mapping[str, Any], where: str) -> bool:
    value = given.get("continues", False)
    if not isinstance(value, bool):
        raise BadValue(f"{where}.continues", "true or false", value)
    return value
