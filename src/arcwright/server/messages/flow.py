"""The composition of a document: its shot and its layers."""

from __future__ import annotations

from msgspec import Struct

from arcwright.server.messages.gestures import CameraInfo


class ShotInfo(Struct):
    """A saved camera."""

    name: str
    camera: CameraInfo
    time: float  # s, of the takes


class FlowLayerInfo(Struct):
    """A stroke, centre point or set of dragged points."""

    name: str
    kind: str  # "stroke", "centre" or "points"
    strength: float  # 0 to 1
    range: float  # px of the shot
    smoothness: float  # 0 to 1
    muted: bool
    excluded: list[str]  # objects and curves that it leaves alone
    included: list[str]  # those that follow from any distance


class FlowCurveInfo(Struct):
    """A curve that was drawn or changed by hand."""

    name: str
    hidden: bool
    locked: bool


class FlowKeyInfo(Struct):
    """The composition at a moment; layers from the first to the last."""

    shot: ShotInfo
    layers: list[FlowLayerInfo]
    curves: list[FlowCurveInfo]


class FlowInfo(Struct):
    """How the objects of a shot are bent: one key for a still, several for an animated shot."""

    keys: list[FlowKeyInfo]  # by time
    morph: str  # the name of the first morph target that holds it in meshes
    lift: bool  # whether objects bend in space
