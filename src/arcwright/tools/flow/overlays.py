"""What is drawn of a composition: curves, pieces that follow, flow curves, handles, layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from arcwright.arrays import Floats
from arcwright.scene.flow import FlowLayer
from arcwright.tools.flow.curve_edits import curve_handles
from arcwright.tools.flow.handles import handles_of
from arcwright.tools.flow.model import Bent, curve_places
from arcwright.tools.flow.prepared_shot import PreparedShot
from arcwright.tools.overlay import (
    Choice,
    ChoicesOverlay,
    CurveOverlay,
    HandleOverlay,
    Overlay,
    Style,
)


def overlays_of(
    prepared: PreparedShot,
    bent: Bent,
    layers: Sequence[FlowLayer],
    layer: FlowLayer | None,
    edited: str = "",
) -> tuple[Overlay, ...]:
    """All of it: SEcurves by name, matched pieces, flow curves, handles, the layers.

    The handles are those of the layer, or of the curve that is `edited`.
    """
    places = curve_places(prepared, bent)
    excluded = set(layer.excluded) if layer else set()
    found: list[Overlay] = []
    for number, (curve, points) in enumerate(zip(prepared.curves, places, strict=True)):
        if curve.second and curve.name != edited:
            continue
        style: Style = "reference" if curve.name in excluded else "guide"
        world = (
            prepared.curve_worlds[number]
            if points is curve.points
            else prepared.in_world(points, curve.objects)
        )
        found.append(CurveOverlay(world, style, curve.closed, curve.name))
    for each in bent.matched:
        objects = prepared.curves[each.piece.curve].objects
        found.append(CurveOverlay(prepared.in_world(each.after, objects), "edit", name=each.name))
    found += [CurveOverlay(prepared.in_world(line.points), "edit") for line in bent.flow]
    by_hand = curve_handles(prepared, edited) if edited else {}
    if by_hand:
        found += _handles(prepared, by_hand)
    elif layer is not None:
        found += _handles(prepared, handles_of(layer, prepared.shot.camera.width))
    if layers:
        named = tuple(Choice(_layer_label(each), number) for number, each in enumerate(layers, 1))
        names = [each.name for each in layers]
        chosen = names.index(layer.name) if layer is not None else -1
        found.append(ChoicesOverlay("layer", "Layers", named, chosen))
    return tuple(found)


def _layer_label(layer: FlowLayer) -> str:
    muted = ", muted" if layer.muted else ""
    return f"{layer.name} ({round(100 * layer.strength)} %{muted})"


def _handles(prepared: PreparedShot, places: Mapping[str, Floats]) -> list[Overlay]:
    labels: Mapping[str, str] = {"centre": "Centre point"}
    return [
        HandleOverlay(name, prepared.in_world(at[None])[0], label=labels.get(name, name.title()))
        for name, at in places.items()
    ]
