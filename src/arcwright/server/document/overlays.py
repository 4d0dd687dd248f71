"""Overlays as clients receive them."""

from __future__ import annotations

from arcwright.arrays import Floats
from arcwright.server import messages as m
from arcwright.server.messages import gestures as shapes
from arcwright.server.messages.encoding import vec
from arcwright.tools import overlay as overlays

_DECIMALS = 5  # of places along a line, m: the more, the longer the message


def overlay_info(overlay: overlays.Overlay) -> m.Overlay:
    """An overlay as clients receive it."""
    match overlay:
        case overlays.CurveOverlay(positions, style, closed, name):
            return shapes.CurveOverlay(_vecs(positions.round(_DECIMALS)), style, closed, name)
        case overlays.MarkersOverlay(positions, style):
            return shapes.MarkersOverlay(_vecs(positions), style)
        case overlays.HandleOverlay():
            return _handle_info(overlay)
        case overlays.StrokeOverlay(points, style):
            return shapes.StrokeOverlay([(x, y) for x, y in points.tolist()], style)
        case overlays.TextOverlay(text, position, style):
            return shapes.TextOverlay(text, vec(position), style)
        case overlays.SpanOverlay(start, end, label, style):
            return shapes.SpanOverlay(start, end, label, style)
        case overlays.ChoicesOverlay(option, title, choices, chosen):
            each = [shapes.ChoiceInfo(choice.label, choice.value) for choice in choices]
            return shapes.ChoicesOverlay(option, title, each, chosen)


def _handle_info(handle: overlays.HandleOverlay) -> shapes.HandleOverlay:
    return shapes.HandleOverlay(
        name=handle.name,
        position=vec(handle.position),
        symbol=handle.shape,
        direction=None if handle.direction is None else vec(handle.direction),
        style=handle.style,
        label=handle.label,
        time=handle.time,
        grounded=handle.grounded,
    )


def _vecs(positions: Floats) -> list[m.Vec3]:
    return [(x, y, z) for x, y, z in positions.tolist()]
