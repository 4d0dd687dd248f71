"""Gestures from messages, and previews as messages."""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.scene.camera import Camera
from arcwright.server import messages as m
from arcwright.server.document.array_messages import Layouts
from arcwright.server.messages import gestures as shapes
from arcwright.server.messages.encoding import Single, point_of, quaternion_of
from arcwright.tools import overlay as overlays
from arcwright.tools.gesture import Drag, Performance, Stroke, ToolHandle
from arcwright.tools.interaction import Interaction
from arcwright.tools.tool import DragStatus, Preview

GestureMessage = m.UpdateInteraction | m.AppendStroke | m.AppendPerformance


def gesture_of(message: GestureMessage, character: str) -> Drag | Stroke | Performance:
    """The gesture of a message; points that name no character belong to `character`."""
    match message:
        case m.AppendStroke():
            return _stroke(message)
        case m.AppendPerformance():
            return _performance(message)
    if message.point is not None:
        handle: Any = point_of(message.point, character)
    elif message.handle is not None:
        handle = ToolHandle(message.handle)
    else:
        raise BadValue("drag", "a point or a handle", "neither")
    return Drag(
        handle,
        message.time,
        None if message.position is None else np.array(message.position),
        None if message.orientation is None else quaternion_of(message.orientation),
        message.time_scale,
        None if message.axes is None else np.array(message.axes),
        message.to_time,
    )


def preview_message(
    of: Interaction, number: int, preview: Preview, layouts: Layouts
) -> tuple[m.Preview, dict[str, Single]]:
    """A preview and its poses, as the acting client is sent it at once."""
    arrays = {}
    for index, pose in enumerate(preview.poses):
        rig = of.scene.actor(pose.target.character).rig
        layout = layouts[pose.target.character]
        arrays[f"pose{index}"] = layout.poses(rig, pose.values[None])[0]
    message = m.Preview(
        interaction=number,
        poses=[m.PoseInfo(p.target.character, p.target.take, p.time) for p in preview.poses],
        span=preview.span,
        drag=None if preview.drag is None else _drag_info(preview.drag),
        overlays=[_overlay_info(each) for each in preview.overlays],
    )
    return message, arrays


def _stroke(message: m.AppendStroke) -> Stroke:
    view = message.camera
    camera = Camera(
        np.array(view.position),
        quaternion_of(view.orientation),
        view.field_of_view,
        view.width,
        view.height,
    )
    points = np.array(message.points, float).reshape(-1, 2)
    return Stroke(camera, points, _row(message.times), _optional(message.pressure))


def _performance(message: m.AppendPerformance) -> Performance:
    count = len(message.times)
    poses = [[[*place, *quaternion_of(turn)] for place, turn in row] for row in message.poses]
    return Performance(
        _row(message.times),
        _table(poses, count, "poses"),
        _table(message.axes, count, "axes"),
        _table(message.buttons, count, "buttons", np.bool_),
        tuple(message.axis_names),
        tuple(message.button_names),
        message.device,
    )


def _row(numbers: list[float]) -> Floats:
    return np.array(numbers, float)


def _optional(numbers: list[float] | None) -> Floats | None:
    return None if numbers is None else _row(numbers)


def _table(rows: list[Any], count: int, name: str, kind: type = np.float64) -> Any:
    if not rows:
        return np.zeros((0, 0), kind)
    if len({len(row) for row in rows}) != 1 or len(rows) != count:
        raise BadValue(name, f"{count} rows of one length", [len(row) for row in rows][:5])
    return np.array(rows, kind)


def _drag_info(status: DragStatus) -> m.DragInfo:
    return m.DragInfo(
        _vec(status.position),
        None if status.target is None else _vec(status.target),
        status.remaining,
    )


def _overlay_info(overlay: overlays.Overlay) -> m.Overlay:
    match overlay:
        case overlays.CurveOverlay(positions, style, closed):
            return shapes.CurveOverlay(_vecs(positions), style, closed)
        case overlays.MarkersOverlay(positions, style):
            return shapes.MarkersOverlay(_vecs(positions), style)
        case overlays.HandleOverlay(name, position, symbol, direction, style):
            way = None if direction is None else _vec(direction)
            return shapes.HandleOverlay(name, _vec(position), symbol, way, style)
        case overlays.StrokeOverlay(points, style):
            return shapes.StrokeOverlay([(x, y) for x, y in points.tolist()], style)
        case overlays.TextOverlay(text, position, style):
            return shapes.TextOverlay(text, _vec(position), style)
        case overlays.SpanOverlay(start, end, label, style):
            return shapes.SpanOverlay(start, end, label, style)


def _vec(position: Floats) -> m.Vec3:
    x, y, z = position.tolist()
    return x, y, z


def _vecs(positions: Floats) -> list[m.Vec3]:
    return [(x, y, z) for x, y, z in positions.tolist()]
