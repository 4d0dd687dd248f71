"""The composition of a scene as clients see it."""

from __future__ import annotations

from arcwright.scene.flow import MORPH, FlowLayer
from arcwright.scene.scene import Scene
from arcwright.scene.shot import Shot
from arcwright.server import messages as m
from arcwright.server.messages.encoding import vec


def flow_info(scene: Scene) -> m.FlowInfo | None:
    """The shot that is composed, or would be, and its layers; None where no camera is saved."""
    flow = scene.flow
    shot = flow.shot if flow else next(iter(scene.cameras), None)
    if shot is None:
        return None
    layers = flow.layers if flow else ()
    return m.FlowInfo(_shot(shot), [_layer(each) for each in layers], MORPH)


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
    )
