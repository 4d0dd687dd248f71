"""The composition of a scene as clients see it."""

from __future__ import annotations

from arcwright.scene.flow import MORPH, FlowKey, FlowLayer
from arcwright.scene.scene import Scene
from arcwright.scene.shot import Shot
from arcwright.server import messages as m
from arcwright.server.messages.encoding import vec


def flow_info(scene: Scene) -> m.FlowInfo | None:
    """The shot that is composed, or would be, with its keys; None where no camera is saved."""
    flow = scene.flow
    if flow is None and not scene.cameras:
        return None
    keys = flow.all_keys if flow is not None else (FlowKey(scene.cameras[0]),)
    return m.FlowInfo([_key(each) for each in keys], MORPH, flow is not None and flow.lift)


def _key(key: FlowKey) -> m.FlowKeyInfo:
    curves = [m.FlowCurveInfo(each.name, each.hidden, each.locked) for each in key.curves]
    return m.FlowKeyInfo(_shot(key.shot), [_layer(each) for each in key.layers], curves)


def _shot(shot: Shot) -> m.ShotInfo:
    camera = shot.camera
    w, x, y, z = camera.orientation.tolist()
    info = m.CameraInfo(
        position=vec(camera.position),
        orientation=(w, x, y, z),
        field_of_view=camera.field_of_view,
        width=camera.width,
        height=camera.height,
    )
    return m.ShotInfo(shot.name, info, shot.time)


def _layer(layer: FlowLayer) -> m.FlowLayerInfo:
    return m.FlowLayerInfo(
        name=layer.name,
        kind=layer.kind,
        strength=layer.strength,
        range=layer.range,
        smoothness=layer.smoothness,
        muted=layer.muted,
        excluded=list(layer.excluded),
        included=list(layer.included),
    )
