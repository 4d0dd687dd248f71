"""Compose a scene as a file of strokes says, and report what became of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, TypeVar

from arcwright.arrays import same
from arcwright.errors import BadValue
from arcwright.flow_file.read import FlowFile
from arcwright.scene.edit import Edit
from arcwright.scene.flow import Flow, FlowKey, FlowLayer
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.shot import Shot
from arcwright.tools.flow.contacts import FLOOR
from arcwright.tools.flow.edited_layers import with_settings
from arcwright.tools.flow.flow_morph import baked
from arcwright.tools.flow.layers import apply_layer
from arcwright.tools.flow.measures import measures
from arcwright.tools.flow.model import Bent, Matched
from arcwright.tools.flow.notes import notes_of
from arcwright.tools.flow.options import FlowOptions, names_in
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.flow.result import edit_of, offsets_of
from arcwright.tools.flow.shot_keys import prepared_keys

_A = TypeVar("_A", bound=Actor)


def compose(
    scene: Scene, file: FlowFile, options: FlowOptions | None = None
) -> tuple[Edit, dict[str, Any]]:
    """The undo step that bends a scene as a file says, and a report.

    What the options say of layers holds for all of them.
    """
    flow = flow_from(scene, file, options or FlowOptions())
    offsets, reports = [], []
    for key, prepared in zip(flow.all_keys, prepared_keys(scene, flow), strict=True):
        bent, report = _bent(prepared, key.layers)
        offsets.append(offsets_of(scene, prepared, bent, flow.takes, lift=flow.lift))
        reports.append(report)
    if flow.keys:
        for key, report in zip(flow.all_keys, reports, strict=True):
            for each in (*report["pieces"], *report["objects"]):
                each["time"] = key.shot.time
    return edit_of(scene, flow, offsets, "Flow"), _together(reports)


def flow_from(scene: Scene, file: FlowFile, chosen: FlowOptions) -> Flow:
    """The composition that a file and options make of a scene."""
    shot = _shot(scene, file)
    keys = [FlowKey(shot)]
    for each in file.keys:
        assert each.time is not None
        own = replace(shot, camera=each.camera or shot.camera, time=each.time)
        keys.append(FlowKey(own, _with_options(each.layers, chosen), each.curves))
    flow = Flow(
        shot,
        _with_options(file.layers, chosen),
        file.curves,
        chosen.split,
        chosen.abstraction,
        names_in(chosen.include),
        takes=file.takes,
        merged=(*file.merged, *filter(None, [names_in(chosen.merge)])),
        cut=(*file.cut, *names_in(chosen.cut)),
        lift=_lifts(file, chosen, keys),
    )
    return flow.with_keys((*flow.all_keys, *keys[1:])) if file.keys else flow


def _lifts(file: FlowFile, chosen: FlowOptions, keys: Sequence[FlowKey]) -> bool:
    """Whether objects are bent in space: as said, else where the camera moves."""
    said = file.lift if chosen.lift is None else chosen.lift
    moves = any(not same(one.shot.camera, two.shot.camera) for one, two in pairwise(keys))
    return moves if said is None else said


def _with_options(layers: Sequence[FlowLayer], chosen: FlowOptions) -> tuple[FlowLayer, ...]:
    return tuple(with_settings(each, chosen) for each in layers)


def _bent(prepared: PreparedShot, layers: Sequence[FlowLayer]) -> tuple[Bent, dict[str, Any]]:
    """The grids after all layers, and what is said of them."""
    bent = Bent({})
    pieces: list[dict[str, Any]] = []
    notes: list[str] = []
    for layer in layers:
        bent = apply_layer(prepared, bent, layer)
        pieces += [_piece(layer, each) for each in bent.matched]
        notes += [each.text for each in notes_of(prepared, bent, layer)]
    objects = [vars(each) for each in measures(prepared, bent)]
    return bent, {"pieces": pieces, "objects": objects, "notes": notes}


def _together(reports: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """One report of all keys."""
    objects = [each for report in reports for each in report["objects"]]
    notes = [each for report in reports for each in report["notes"]]
    return {
        "pieces": [each for report in reports for each in report["pieces"]],
        "objects": objects,
        "contact_drift_px": max((each["contact_drift_px"] for each in objects), default=0.0),
        "flips": sum(each["flips"] for each in objects),
        "notes": list(dict.fromkeys(notes)),
    }


def list_curves(scene: Scene, file: FlowFile, options: FlowOptions | None = None) -> dict[str, Any]:
    """The curves and objects that a shot of a scene has."""
    flow = flow_from(scene, replace(file, keys=()), options or FlowOptions())
    (prepared,) = prepared_keys(scene, flow)
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


def _shot(scene: Scene, file: FlowFile) -> Shot:
    if file.camera is not None:
        return Shot("Shot", file.camera, file.time or 0.0)
    if scene.flow is None and not scene.cameras:
        raise BadValue("camera", "one in the file or in the scene", "none")
    shot = scene.flow.shot if scene.flow is not None else scene.cameras[0]
    return shot if file.time is None else replace(shot, time=file.time)


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
