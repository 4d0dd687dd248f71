"""A file of strokes that bends a scene: what `arcwright flow` does."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from arcwright.errors import BadFile, BadValue, json_fault
from arcwright.files.regular import read_regular
from arcwright.scene.camera import Camera
from arcwright.scene.edit import Edit
from arcwright.scene.flow import Flow, FlowCurve, FlowLayer
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.shot import Shot
from arcwright.tools.flow.contacts import FLOOR
from arcwright.tools.flow.edited_layers import with_settings
from arcwright.tools.flow.flow_morph import baked
from arcwright.tools.flow.layers import apply_layer
from arcwright.tools.flow.looking import look_at
from arcwright.tools.flow.measures import measures
from arcwright.tools.flow.model import Bent, Matched
from arcwright.tools.flow.notes import notes_of
from arcwright.tools.flow.options import FlowOptions, names_in
from arcwright.tools.flow.prepared_shot import PreparedShot, prepare_shot
from arcwright.tools.flow.result import edit_of, offsets_of

FILE_BYTES = 64_000_000  # the longest file that is read
_KEYS = {"camera", "strokes", "centre", "curves"}
_CAMERA = {"eye", "target", "up", "fov_degrees", "width", "height"}
_STROKE = {"points", "strength", "range", "smoothness", "exclude", "only"}
_CURVE = {"points", "objects", "name", "closed", "hidden"}
_CENTRE_RANGE = 100.0
_A = TypeVar("_A", bound=Actor)


@dataclass(frozen=True, eq=False)
class FlowFile:
    """Strokes, a centre point and curves, and the camera through which they are drawn."""

    camera: Camera | None = None
    layers: tuple[FlowLayer, ...] = ()
    curves: tuple[FlowCurve, ...] = ()


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
    camera = None if "camera" not in known else camera_of(known["camera"])
    strokes = _list(known.get("strokes", []), "strokes")
    layers = [_stroke(each, number) for number, each in enumerate(strokes, 1)]
    if "centre" in known:
        at = _points([known["centre"]], "centre")
        layers.append(FlowLayer("Centre point 1", "centre", at, range=_CENTRE_RANGE))
    curves = [_curve(each, n) for n, each in enumerate(_list(known.get("curves", []), "curves"), 1)]
    return FlowFile(camera, tuple(layers), tuple(curves))


def camera_of(given: object) -> Camera:
    """A camera by `eye`, `target`, `up`, `fov_degrees`, `width` and `height`."""
    known = _mapping(given, "camera", _CAMERA)
    if not {"eye", "target"} <= known.keys():
        raise BadValue("camera", "an eye and a target", sorted(known))
    eye, target, up = (
        _numbers(known.get(name, [0, 1, 0]), f"camera.{name}", 3)
        for name in ("eye", "target", "up")
    )
    fov = math.radians(_number(known.get("fov_degrees", 40), "camera.fov_degrees"))
    width = _number(known.get("width", 1280), "camera.width")
    height = _number(known.get("height", 720), "camera.height")
    view = np.array(eye), np.array(target)
    return look_at(*view, up=np.array(up), fov=fov, size=(width, height))


def compose(
    scene: Scene, file: FlowFile, options: FlowOptions | None = None
) -> tuple[Edit, dict[str, Any]]:
    """The undo step that bends a scene as a file says, and a report.

    What the options say of layers holds for all of them.
    """
    chosen = options or FlowOptions()
    shot = _shot(scene, file)
    included = names_in(chosen.include)
    layers = tuple(with_settings(each, chosen) for each in file.layers)
    flow = Flow(shot, layers, file.curves, chosen.split, chosen.abstraction, included)
    prepared = _prepared(scene, flow)
    bent = Bent({})
    reported: list[dict[str, Any]] = []
    notes: list[str] = []
    for layer in flow.layers:
        bent = apply_layer(prepared, bent, layer)
        reported += [_piece(layer, each) for each in bent.matched]
        notes += [each.text for each in notes_of(prepared, bent, layer)]
    edit = edit_of(scene, flow, offsets_of(scene, prepared, bent), "Flow")
    found = [vars(each) for each in measures(prepared, bent)]
    report = {
        "pieces": reported,
        "objects": found,
        "contact_drift_px": max((each["contact_drift_px"] for each in found), default=0.0),
        "flips": sum(each["flips"] for each in found),
        "notes": list(dict.fromkeys(notes)),
    }
    return edit, report


def list_curves(scene: Scene, file: FlowFile, options: FlowOptions | None = None) -> dict[str, Any]:
    """The curves and objects that a shot of a scene has."""
    chosen = options or FlowOptions()
    flow = Flow(_shot(scene, file), (), file.curves, chosen.split, chosen.abstraction)
    prepared = _prepared(scene, replace(flow, included=names_in(chosen.include)))
    names = prepared.names
    curves = [
        {
            "name": each.name,
            "kind": each.kind,
            "objects": [names[index] for index in each.objects],
            "closed": each.closed,
            "second": each.second,
            "points": each.points.round(2).tolist(),
        }
        for each in prepared.curves
    ]
    objects = [
        {"name": item.name, "vertices": len(item.positions), "bends": bends, "touches": touches}
        for item, bends, touches in zip(
            prepared.objects, prepared.movable, _touches(prepared), strict=True
        )
    ]
    return {"objects": objects, "curves": curves}


def with_new_meshes(scene: Scene) -> Scene:
    """The scene with the flow in the vertices of its meshes, not in a morph target."""
    return replace(
        scene,
        characters=tuple(_baked(each) for each in scene.characters),
        props=tuple(_baked(each) for each in scene.props),
        flow=None,
    )


def _baked(actor: _A) -> _A:
    return replace(actor, shapes=tuple(baked(each) for each in actor.shapes))


def _touches(prepared: PreparedShot) -> list[list[str]]:
    found: list[list[str]] = [[] for _ in prepared.objects]
    for first, second, _ in prepared.contacts:
        found[first].append("floor" if second == FLOOR else prepared.names[second])
        if second != FLOOR:
            found[second].append(prepared.names[first])
    return found


def _prepared(scene: Scene, flow: Flow) -> PreparedShot:
    return prepare_shot(
        scene,
        flow.shot,
        split=flow.split,
        abstraction=flow.abstraction,
        drawn=flow.curves,
        included=flow.included,
    )


def _shot(scene: Scene, file: FlowFile) -> Shot:
    if file.camera is not None:
        return Shot("Shot", file.camera)
    if scene.flow is not None:
        return scene.flow.shot
    if not scene.cameras:
        raise BadValue("camera", "one in the file or in the scene", "none")
    return scene.cameras[0]


def _piece(layer: FlowLayer, matched: Matched) -> dict[str, Any]:
    return {
        "layer": layer.name,
        "curve": matched.name,
        "objects": list(matched.objects),
        "score": matched.piece.score,
        "free": matched.free,
        "angle_before_deg": math.degrees(matched.angle_before),
        "angle_after_deg": math.degrees(matched.angle_after),
        "distance_before_px": matched.distance_before,
        "distance_after_px": matched.distance_after,
        "share": matched.share,
    }


def _stroke(given: object, number: int) -> FlowLayer:
    where = f"strokes[{number - 1}]"
    known = _mapping(given, where, _STROKE)
    numbers = {
        name: _number(known[name], f"{where}.{name}")
        for name in ("strength", "range", "smoothness")
        if name in known
    }
    names = {
        field: tuple(str(each) for each in _list(known[name], f"{where}.{name}"))
        for name, field in (("exclude", "excluded"), ("only", "only"))
        if name in known
    }
    points = _points(known.get("points"), f"{where}.points")
    layer = FlowLayer(f"Stroke {number}", "stroke", points)
    said: dict[str, Any] = {**numbers, **names}
    return replace(layer, **said)


def _curve(given: object, number: int) -> FlowCurve:
    where = f"curves[{number - 1}]"
    known = _mapping(given, where, _CURVE)
    objects = tuple(str(each) for each in _list(known.get("objects", []), f"{where}.objects"))
    points = _points(known.get("points", []), f"{where}.points")
    name = str(known.get("name", f"drawn {number}"))
    return FlowCurve(
        name, objects, points, bool(known.get("closed", False)), bool(known.get("hidden", False))
    )


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
