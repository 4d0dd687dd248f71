"""The layers of a composition after the gestures of an interaction."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.scene.flow import FlowLayer
from arcwright.tools.flow.handles import dragged, handles_of
from arcwright.tools.flow.options import FlowOptions, names_in


@dataclass
class LayerGestures:
    """What was drawn, dragged and set in one interaction."""

    strokes: list[Floats] = field(default_factory=list)  # (N, 2) px each
    handles: dict[str, Floats] = field(default_factory=dict)  # px, where they were dragged to
    points: dict[Hashable, tuple[str, Floats, Floats]] = field(default_factory=dict)
    """Dragged points: the object, px at rest, px where it should be."""
    painted: tuple[str, ...] = ()  # objects that a brush went over
    dabs: Floats = field(default_factory=lambda: np.zeros((0, 2)))  # (N, 2) px before the layer
    set: bool = False  # whether settings were made

    def copy(self) -> LayerGestures:
        """The same for another session."""
        return replace(
            self, strokes=list(self.strokes), handles=dict(self.handles), points=dict(self.points)
        )


def edited_layers(
    layers: Sequence[FlowLayer], gestures: LayerGestures, options: FlowOptions, width: float
) -> tuple[tuple[FlowLayer, ...], FlowLayer | None]:
    """All layers, and the one that the gestures are about: a new one, or one that is changed."""
    if gestures.strokes and options.use not in ("curve", "brush"):
        layer = _drawn(np.concatenate(gestures.strokes), layers, options)
        layer = _with_handles(layer, gestures, width)
        return (*layers, layer), layer
    if gestures.points:
        layer = with_settings(_dragged_points(gestures, layers), options)
        return (*layers, layer), layer
    index = _chosen(len(layers), options.layer)
    if index is None:
        return tuple(layers), None
    layer = _with_handles(layers[index], gestures, width)
    if gestures.strokes and options.use == "brush":
        layer = brushed(layer, gestures, options)
    if not gestures.set:
        return (*layers[:index], layer, *layers[index + 1 :]), layer
    rest = [*layers[:index], *layers[index + 1 :]]
    if options.remove:
        return tuple(rest), None
    layer = with_settings(layer, options)
    rest.insert(options.place - 1 if options.place else index, layer)
    return tuple(rest), layer


def _chosen(count: int, number: int) -> int | None:
    if number > count:
        raise BadValue("layer", f"0 to {count}", number)
    if count == 0:
        return None
    return number - 1 if number else count - 1


def _drawn(points: Floats, layers: Sequence[FlowLayer], options: FlowOptions) -> FlowLayer:
    kind = "centre" if options.use == "centre" else "stroke"
    name = _free_name("Centre point" if kind == "centre" else "Stroke", layers)
    return with_settings(FlowLayer(name, kind, points), options)


def _dragged_points(gestures: LayerGestures, layers: Sequence[FlowLayer]) -> FlowLayer:
    own = list(gestures.points.values())
    return FlowLayer(
        _free_name("Points", layers),
        "points",
        np.array([each[1] for each in own]),
        np.array([each[2] for each in own]),
        tuple(each[0] for each in own),
    )


def with_settings(layer: FlowLayer, given: FlowOptions) -> FlowLayer:
    """The layer with all that the options say of it."""
    wanted: dict[str, object] = {
        name: getattr(given, name) for name in ("strength", "range", "smoothness", "muted")
    }
    wanted |= {
        name: None if text is None else names_in(text)
        for name, text in (("excluded", given.exclude), ("only", given.only))
    }
    said: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
    return replace(layer, **said)


def brushed(layer: FlowLayer, gestures: LayerGestures, options: FlowOptions) -> FlowLayer:
    """The layer after a brush over it: objects excluded or included, or another strength there."""
    names = gestures.painted
    if options.brush == "strength":
        size = np.full((len(gestures.dabs), 1), options.brush_size)
        added = np.hstack([gestures.dabs, size, np.full_like(size, options.brush_strength)])
        known = np.zeros((0, 4)) if layer.brush is None else layer.brush
        return replace(layer, brush=np.concatenate([known, added]))
    excludes = options.brush == "exclude"
    into, out_of = ("excluded", "included") if excludes else ("included", "excluded")
    kept = {
        into: tuple(dict.fromkeys((*getattr(layer, into), *names))),
        out_of: tuple(each for each in getattr(layer, out_of) if each not in names),
    }
    return replace(layer, excluded=kept["excluded"], included=kept["included"])


def _with_handles(layer: FlowLayer, gestures: LayerGestures, width: float) -> FlowLayer:
    known = handles_of(layer, width) if gestures.handles else {}
    own = {name: at for name, at in gestures.handles.items() if name in known}
    return dragged(layer, width, own) if own else layer


def _free_name(base: str, layers: Sequence[FlowLayer]) -> str:
    taken = {each.name for each in layers}
    return next(name for n in range(1, 1001) if (name := f"{base} {n}") not in taken)
