"""Flow: how the objects of a shot are bent so that their lines lead the eye."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.shot import Shot

MORPH = "Flow"
"""The name of the morph target that holds what a composition does to a mesh."""
FlowLayerKind = Literal["stroke", "centre", "points"]


@dataclass(frozen=True, eq=False)
class FlowLayer:
    """One stroke, centre point or set of dragged grid points; layers act one after the other."""

    name: str
    kind: str  # a FlowLayerKind
    points: Floats  # (N, 2) px of the shot: the stroke as drawn, the circle, or where points were
    targets: Floats | None = None  # (N, 2) px, where dragged points should be
    objects: tuple[str, ...] = ()  # of each dragged point
    strength: float = 1.0  # 0 leaves the scene, 1 follows the stroke
    range: float = 100.0  # px; curves farther from the stroke are left alone
    smoothness: float = 0.5  # 0 to 1, of the curve fitted to the stroke
    muted: bool = False
    excluded: tuple[str, ...] = ()  # objects or curves that it leaves alone
    only: tuple[str, ...] = ()  # if any, it bends these objects alone

    def __post_init__(self) -> None:
        keep = object.__setattr__
        if self.kind not in get_args(FlowLayerKind):
            raise BadValue("FlowLayer.kind", " or ".join(get_args(FlowLayerKind)), self.kind)
        keep(self, "points", frozen(self.points, "FlowLayer.points", ("N", 2)))
        if self.targets is not None:
            count = len(self.points)
            keep(self, "targets", frozen(self.targets, "FlowLayer.targets", (count, 2)))
        for name in ("objects", "excluded", "only"):
            keep(self, name, tuple(getattr(self, name)))
        for name in ("strength", "range", "smoothness"):
            value = float(getattr(self, name))
            if not (math.isfinite(value) and value >= 0):
                raise BadValue(f"FlowLayer.{name}", "a number from 0 on", value)
            keep(self, name, value)
        if self.kind == "points" and not len(self.objects) == len(self.points):
            raise BadValue("FlowLayer.objects", "one for each point", len(self.objects))


@dataclass(frozen=True, eq=False)
class FlowCurve:
    """A curve of an object that was drawn by hand, or one that was found and is hidden."""

    name: str
    objects: tuple[str, ...]  # that it belongs to
    points: Floats  # (N, 2) px of the shot; none for a found curve that is hidden
    closed: bool = False
    hidden: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "objects", tuple(self.objects))
        points = np.reshape(np.asarray(self.points, float), (-1, 2))
        object.__setattr__(self, "points", frozen(points, "FlowCurve.points", ("N", 2)))


@dataclass(frozen=True, eq=False)
class Flow:
    """The composition of one shot: its layers, from the first to the last."""

    shot: Shot
    layers: tuple[FlowLayer, ...] = ()
    curves: tuple[FlowCurve, ...] = ()
    split: str = "auto"  # how meshes became objects, an option of the flow tool
    abstraction: float = 0.5  # of contours, 0 to 1
    included: tuple[str, ...] = ()  # ground and sky that is bent, too

    def __post_init__(self) -> None:
        for name in ("layers", "curves", "included"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        names = [each.name for each in self.layers]
        if len(set(names)) < len(names):
            raise BadValue("Flow.layers", "each name once", names)
