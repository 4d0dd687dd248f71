"""Gestures as a client sends them, and overlays as it draws them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from arcwright.server.messages.common import Name, OptionValue, Quat, Vec2, Vec3

MOST_SAMPLES = 10_000  # of one chunk
Times = Annotated[list[float], Meta(max_length=MOST_SAMPLES)]  # s, never falling
Pixels = Annotated[list[Vec2], Meta(max_length=MOST_SAMPLES)]
Numbers = Annotated[list[float], Meta(max_length=MOST_SAMPLES)]
Names = Annotated[list[Name], Meta(max_length=256)]
OverlayStyle = Literal["edit", "reference", "guide", "warning"]


class CameraInfo(Struct, forbid_unknown_fields=True):
    """The view through which a stroke is drawn: it looks along its -Z, with +Y up."""

    position: Vec3
    orientation: Quat
    field_of_view: float  # rad, vertical
    width: float  # px
    height: float  # px


class DragInfo(Struct):
    """How far a drag has come."""

    position: Vec3  # of the held point or handle
    target: Vec3 | None
    remaining: float  # m


class PoseInfo(Struct):
    """Whose pose, and of which time, one array of a preview is."""

    character: str
    take: str
    time: float  # s
    acted: bool  # the body is there now, whatever frame is shown


class MeshInfo(Struct):
    """Which part of a shape one array of moved vertices of a preview is about."""

    actor: str
    shape: int  # index
    part: int  # index


class _Overlay(Struct, tag_field="shape", tag=lambda name: name.removesuffix("Overlay").lower()):
    pass


class CurveOverlay(_Overlay):
    """A line through world positions."""

    positions: list[Vec3]
    style: OverlayStyle
    closed: bool
    name: str = ""


class MarkersOverlay(_Overlay):
    """Dots at world positions."""

    positions: list[Vec3]
    style: OverlayStyle


class HandleOverlay(_Overlay):
    """A handle that can be dragged, by its name."""

    name: str
    position: Vec3
    symbol: Literal["dot", "arrow", "tick"]
    direction: Vec3 | None
    style: OverlayStyle
    label: str  # as people read it; "" is the name
    time: float | None  # s, the moment that it edits; null: any
    grounded: bool  # moves over the ground unless an axis is locked


class StrokeOverlay(_Overlay):
    """A line in pixels of the view it was drawn in."""

    points: list[Vec2]
    style: OverlayStyle


class TextOverlay(_Overlay):
    """A short text at a world position."""

    text: str
    position: Vec3
    style: OverlayStyle


class SpanOverlay(_Overlay):
    """A stretch of time on the timeline."""

    start: float  # s
    end: float  # s
    label: str
    style: OverlayStyle


class ChoiceInfo(Struct):
    """One of several values of an option."""

    label: str
    value: OptionValue


class ChoicesOverlay(_Overlay):
    """Values of an option to choose from, as buttons."""

    option: str
    title: str
    choices: list[ChoiceInfo]
    chosen: int  # index of the one that holds now


Overlay: TypeAlias = (
    CurveOverlay
    | MarkersOverlay
    | HandleOverlay
    | StrokeOverlay
    | TextOverlay
    | SpanOverlay
    | ChoicesOverlay
)
