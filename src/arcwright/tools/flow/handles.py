"""Handles of a composition: control points of a stroke, the centre point, points of objects."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import UnknownName
from arcwright.scene.flow import FlowLayer
from arcwright.tools.flow.centre_point import centre_of
from arcwright.tools.flow.hermite import basis, lengths
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.flow.stroke_fit import control_points

CENTRE = "centre"
_DRAWN = 16  # points of a changed stroke per control point


def handles_of(layer: FlowLayer, width: float) -> dict[str, Floats]:
    """The handles of a layer by name, and where they are, (2,) px."""
    if layer.kind == "centre":
        return {CENTRE: centre_of(layer.points)}
    if layer.kind == "points":
        assert layer.targets is not None
        return {f"point {row + 1}": each for row, each in enumerate(layer.targets)}
    if len(layer.points) < 2 or lengths(layer.points)[-1] < 1:
        return {}
    spline = control_points(layer.points, width, layer.smoothness)
    return {f"stroke {row + 1}": each for row, each in enumerate(spline[: len(spline) // 2])}


def dragged(layer: FlowLayer, width: float, targets: Mapping[str, Floats]) -> FlowLayer:
    """The layer with handles (by name) at other places, (2,) px."""
    known = handles_of(layer, width)
    for name in targets:
        if name not in known:
            raise UnknownName("handle", name, list(known))
    moved = {name: at for name, at in targets.items() if np.abs(at - known[name]).max() > 1e-9}
    if not moved:
        return layer
    if layer.kind == "centre":
        return replace(layer, points=layer.points + moved[CENTRE] - known[CENTRE])
    if layer.kind == "points":
        assert layer.targets is not None
        places = np.array(layer.targets)
        for name, at in moved.items():
            places[int(name.rpartition(" ")[2]) - 1] = at
        return replace(layer, targets=places)
    spline = control_points(layer.points, width, layer.smoothness)
    knots = len(spline) // 2
    for name, at in moved.items():
        spline[int(name.rpartition(" ")[2]) - 1] = at
    parameter = np.linspace(0, 1, _DRAWN * knots)
    return replace(layer, points=basis(parameter, knots) @ spline)


def object_at(prepared: PreparedShot, actor: int, pixel: Floats) -> int | None:
    """The object of an actor that can be bent and has a vertex nearest to a pixel."""
    best, found = np.inf, None
    for index in prepared.grids:
        if all(at.actor != actor for at, _, _ in prepared.objects[index].sources):
            continue
        away = float(((prepared.pixels[index] - pixel) ** 2).sum(1).min())
        if away < best:
            best, found = away, index
    return found
