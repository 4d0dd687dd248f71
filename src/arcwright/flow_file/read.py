"""Read files of strokes: camera, strokes, centre point, curves, and keys of an animated shot."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from arcwright.errors import BadFile, BadValue, json_fault
from arcwright.files.regular import read_regular
from arcwright.scene.camera import Camera
from arcwright.scene.flow import FlowCurve, FlowLayer
from arcwright.tools.flow.looking import look_at

FILE_BYTES = 64_000_000  # the longest file that is read
_KEY = {"camera", "time", "strokes", "centre", "curves"}
_KEYS = {*_KEY, "keys", "lift", "takes", "merge", "cut"}
_CAMERA = {"eye", "target", "up", "fov_degrees", "width", "height"}
_STROKE = {"points", "strength", "range", "smoothness", "exclude", "only", "include", "brush"}
_CURVE = {"points", "objects", "name", "closed", "hidden", "locked"}
_CENTRE_RANGE = 100.0


@dataclass(frozen=True, eq=False)
class FlowFile:
    """Strokes, a centre point and curves, and the camera through which they are drawn."""

    camera: Camera | None = None
    layers: tuple[FlowLayer, ...] = ()
    curves: tuple[FlowCurve, ...] = ()
    time: float | None = None  # s; the shot's own by default
    keys: tuple[FlowFile, ...] = ()  # of an animated shot, after the first one
    lift: bool | None = None  # None: where the camera moves
    takes: Mapping[str, str] = field(default_factory=dict)  # by actor
    merged: tuple[tuple[str, ...], ...] = ()
    cut: tuple[str, ...] = ()


def read_flow_file(path: Path) -> FlowFile:
    """A file with `camera`, `strokes`, `centre` and `curves`, all of which may be left out."""
    try:
        given = json.loads(read_regular(path, FILE_BYTES))
    except RecursionError as error:
        raise BadFile(path, "has JSON nested too deeply") from error
    except ValueError as error:
        raise BadFile(path, json_fault(error)) from error
    return flow_of(given)


def flow_of(given: object) -> FlowFile:
    """The same from parsed JSON."""
    known = _mapping(given, "flow file", _KEYS)
    first = _key(known, "")
    keys = _list(known.get("keys", []), "keys")
    takes = known.get("takes", {})
    if not isinstance(takes, dict):
        raise BadValue("takes", "an object of actors and takes", type(takes).__name__)
    return replace(
        first,
        keys=tuple(_later_key(each, f"keys[{n}].") for n, each in enumerate(keys)),
        lift=bool(known["lift"]) if "lift" in known else None,
        takes={str(name): str(take) for name, take in takes.items()},
        merged=tuple(_names(each, "merge") for each in _list(known.get("merge", []), "merge")),
        cut=_names(known.get("cut", []), "cut"),
    )


def _later_key(given: object, where: str) -> FlowFile:
    known = _mapping(given, where.rstrip("."), _KEY)
    if "time" not in known:
        raise BadValue(f"{where}time", "seconds", "none")
    return _key(known, where)


def _key(known: Mapping[str, Any], where: str) -> FlowFile:
    """Camera, time, layers and curves of one key; names of values begin with `where`."""
    camera = None if "camera" not in known else camera_of(known["camera"], f"{where}camera")
    strokes = _list(known.get("strokes", []), f"{where}strokes")
    layers = [_stroke(each, number, where) for number, each in enumerate(strokes, 1)]
    if "centre" in known:
        at = _points([known["centre"]], f"{where}centre")
        layers.append(FlowLayer("Centre point 1", "centre", at, range=_CENTRE_RANGE))
    given = _list(known.get("curves", []), f"{where}curves")
    curves = [_curve(each, n, where) for n, each in enumerate(given, 1)]
    time = None if "time" not in known else _number(known["time"], f"{where}time")
    return FlowFile(camera, tuple(layers), tuple(curves), time)


def _names(given: object, where: str) -> tuple[str, ...]:
    return tuple(str(each) for each in _list(given, where))


def camera_of(given: object, where: str = "camera") -> Camera:
    """A camera by `eye`, `target`, `up`, `fov_degrees`, `width` and `height`."""
    known = _mapping(given, where, _CAMERA)
    if not {"eye", "target"} <= known.keys():
        raise BadValue(where, "an eye and a target", sorted(known))
    eye, target, up = (
        _numbers(known.get(name, [0, 1, 0]), f"{where}.{name}", 3)
        for name in ("eye", "target", "up")
    )
    fov = math.radians(_number(known.get("fov_degrees", 40), f"{where}.fov_degrees"))
    width = _number(known.get("width", 1280), f"{where}.width")
    height = _number(known.get("height", 720), f"{where}.height")
    view = np.array(eye), np.array(target)
    return look_at(*view, up=np.array(up), fov=fov, size=(width, height))


def _stroke(given: object, number: int, within: str = "") -> FlowLayer:
    where = f"{within}strokes[{number - 1}]"
    known = _mapping(given, where, _STROKE)
    numbers = {
        name: _number(known[name], f"{where}.{name}")
        for name in ("strength", "range", "smoothness")
        if name in known
    }
    names = {
        kept: _names(known[name], f"{where}.{name}")
        for name, kept in (("exclude", "excluded"), ("only", "only"), ("include", "included"))
        if name in known
    }
    points = _points(known.get("points"), f"{where}.points")
    layer = FlowLayer(f"Stroke {number}", "stroke", points)
    said: dict[str, Any] = {**numbers, **names}
    if "brush" in known:
        rows = [_numbers(each, f"{where}.brush", 4) for each in _list(known["brush"], where)]
        said["brush"] = np.array(rows, float).reshape(-1, 4)
    return replace(layer, **said)


def _curve(given: object, number: int, within: str = "") -> FlowCurve:
    where = f"{within}curves[{number - 1}]"
    known = _mapping(given, where, _CURVE)
    objects = tuple(str(each) for each in _list(known.get("objects", []), f"{where}.objects"))
    points = _points(known.get("points", []), f"{where}.points")
    name = str(known.get("name", f"drawn {number}"))
    flags = {each: bool(known.get(each, False)) for each in ("closed", "hidden", "locked")}
    return FlowCurve(name, objects, points, **flags)


def _mapping(given: object, where: str, known: set[str]) -> Mapping[str, Any]:
    if not isinstance(given, dict):
        raise BadValue(where, "a JSON object", type(given).__name__)
    unknown = sorted(given.keys() - known)
    if unknown:
        raise BadValue(where, ", ".join(sorted(known)), unknown[0])
    return given


def _list(given: object, where: str) -> Sequence[Any]:
    if not isinstance(given, list):
        raise BadValue(where, "a list", type(given).__name__)
    return given


def _points(given: object, where: str) -> Any:
    rows = [_numbers(each, where, 2) for each in _list(given, where)]
    return np.array(rows, float).reshape(-1, 2)


def _numbers(given: object, where: str, count: int) -> list[float]:
    if not isinstance(given, list) or len(given) != count:
        raise BadValue(where, f"{count} numbers", given)
    return [_number(each, where) for each in given]


def _number(given: object, where: str) -> float:
    if isinstance(given, bool) or not isinstance(given, int | float) or not math.isfinite(given):
        raise BadValue(where, "a number", given)
    return float(given)
