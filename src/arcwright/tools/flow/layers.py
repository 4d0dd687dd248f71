"""Layers of a composition, applied one after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.scene.flow import FlowLayer
from arcwright.tools.flow.arap import PointTargets, points_of
from arcwright.tools.flow.centre_point import bend_to_centre
from arcwright.tools.flow.model import EXACT, Bent, bend_along_stroke, solved, state_of
from arcwright.tools.flow.prepared_shot import PreparedShot


def apply_layer(
    prepared: PreparedShot, bent: Bent, layer: FlowLayer, *, steps: int = EXACT
) -> Bent:
    """The grids after one more layer."""
    if layer.kind == "centre":
        return bend_to_centre(prepared, bent, layer, steps=steps)
    if layer.kind == "points":
        return drag_points(prepared, bent, layer, steps=steps)
    return bend_along_stroke(prepared, bent, layer, steps=steps)


def apply_layers(prepared: PreparedShot, layers: Sequence[FlowLayer]) -> Bent:
    """The grids after all layers, exactly."""
    bent = Bent({})
    for layer in layers:
        bent = apply_layer(prepared, bent, layer)
    return bent


def drag_points(
    prepared: PreparedShot, bent: Bent, layer: FlowLayer, *, steps: int = EXACT
) -> Bent:
    """Points of objects at rest come to where they were dragged; one not dragged is a pin."""
    if layer.muted or layer.strength == 0 or layer.targets is None:
        return Bent(bent.states)
    parts: dict[int, list[int]] = {}
    for row, name in enumerate(layer.objects):
        index = prepared.index_of(name)
        if index is not None and index in prepared.grids:
            parts.setdefault(index, []).append(row)
    rows = {}
    for index, own in parts.items():
        corners, shares = prepared.grids[index].grid.locate(layer.points[own])
        now = place_now(prepared, bent, index, layer.points[own])
        targets = now + layer.strength * (layer.targets[own] - now)
        rows[index] = PointTargets(corners, shares, targets)
    if not rows:
        return Bent(bent.states)
    states, shares_of = solved(prepared, bent, rows, steps)
    return Bent({**bent.states, **states}, shares=shares_of)


def place_now(prepared: PreparedShot, bent: Bent, index: int, rest: Floats) -> Floats:
    """Where points (N, 2) px of an object at rest are now."""
    corners, shares = prepared.grids[index].grid.locate(np.atleast_2d(rest))
    by = points_of(state_of(prepared, bent, index) - prepared.grids[index].rest)
    moved: Floats = rest + (by[corners] * shares[..., None]).sum(1)
    return moved
