"""Overlays: what a tool asks every face to draw during an interaction, as typed values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue

Style = Literal["edit", "reference", "guide", "warning"]
"""The role of an overlay; a face chooses the colour. A guide is dimmed."""
HandleShape = Literal["dot", "arrow", "tick"]


@dataclass(frozen=True, eq=False)
class CurveOverlay:
    """A line through world positions."""

    positions: Floats  # (N, 3) m
    style: Style = "edit"
    closed: bool = False
    name: str = ""  # by which options of the tool can choose it; "" for none

    def __post_init__(self) -> None:
        _positions(self, ("N", 3))


@dataclass(frozen=True, eq=False)
class MarkersOverlay:
    """Dots at world positions."""

    positions: Floats  # (N, 3) m
    style: Style = "edit"

    def __post_init__(self) -> None:
        _positions(self, ("N", 3))


@dataclass(frozen=True, eq=False)
class HandleOverlay:
    """Something that can be dragged; a `Drag` names it with `ToolHandle`."""

    name: str
    position: Floats  # (3,) m
    shape: HandleShape = "dot"
    direction: Floats | None = None  # (3,) m, of an arrow
    style: Style = "edit"
    label: str = ""  # as people read it; "" is the name
    time: float | None = None  # s, the moment that it edits; None: any
    grounded: bool = False  # moves over the ground unless an axis is locked

    def __post_init__(self) -> None:
        position = frozen(self.position, "HandleOverlay.position", (3,))
        object.__setattr__(self, "position", position)
        if self.direction is not None:
            direction = frozen(self.direction, "HandleOverlay.direction", (3,))
            object.__setattr__(self, "direction", direction)
        if not self.name:
            raise BadValue("HandleOverlay.name", "a name", self.name)


@dataclass(frozen=True, eq=False)
class StrokeOverlay:
    """A line in pixels of the view that it is drawn in."""

    points: Floats  # (N, 2) px
    style: Style = "edit"

    def __post_init__(self) -> None:
        points = frozen(self.points, "StrokeOverlay.points", ("N", 2))
        object.__setattr__(self, "points", points)


@dataclass(frozen=True, eq=False)
class TextOverlay:
    """A short text at a world position."""

    text: str
    position: Floats  # (3,) m
    style: Style = "edit"

    def __post_init__(self) -> None:
        position = frozen(self.position, "TextOverlay.position", (3,))
        object.__setattr__(self, "position", position)


@dataclass(frozen=True)
class SpanOverlay:
    """A stretch of time, drawn on the timeline."""

    start: float  # s
    end: float  # s
    label: str = ""
    style: Style = "edit"


@dataclass(frozen=True)
class Choice:
    """One of several values of an option."""

    label: str  # as people read it
    value: bool | int | float | str | None


@dataclass(frozen=True)
class ChoicesOverlay:
    """Values of an option that the user may choose from now, as buttons."""

    option: str  # its name
    title: str
    choices: tuple[Choice, ...]
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


def _positions(overlay: CurveOverlay | MarkersOverlay, shape: tuple[int | str, ...]) -> None:
    where = f"{type(overlay).__name__}.positions"
    object.__setattr__(overlay, "positions", frozen(overlay.positions, where, shape))
