"""Flow: how the objects of a shot are bent so that their lines lead the eye."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue
from arcwright.scene.shot import Shot

MORPH = "Flow"
"""The name of the morph target that holds what a composition does to a mesh; of later keys of an
animated one "Flow 2", "Flow 3", …"""
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
    included: tuple[str, ...] = ()  # objects or curves that follow from any distance
    brush: Floats | None = None  # (N, 4) px, px, radius px and strength; later dabs cover earlier

    def __post_init__(self) -> None:
        keep = object.__setattr__
        if self.kind not in get_args(FlowLayerKind):
            raise BadValue("FlowLayer.kind", " or ".join(get_args(FlowLayerKind)), self.kind)
        keep(self, "points", frozen(self.points, "FlowLayer.points", ("N", 2)))
        if self.targets is not None:
            count = len(self.points)
            keep(self, "targets", frozen(self.targets, "FlowLayer.targets", (count, 2)))
        if self.brush is not None:
            keep(self, "brush", frozen(self.brush, "FlowLayer.brush", ("N", 4)))
        for name in ("objects", "excluded", "only", "included"):
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
    """A curve of an object that was drawn or changed by hand, or a found one, hidden or locked."""

    name: str
    objects: tuple[str, ...]  # that it belongs to
    points: Floats  # (N, 2) px of the shot; none for a found curve that keeps its shape
    closed: bool = False
    hidden: bool = False
    locked: bool = False  # its samples stay where they are

    def __post_init__(self) -> None:
        object.__setattr__(self, "objects", tuple(self.objects))
        points = np.reshape(np.asarray(self.points, float), (-1, 2))
        object.__setattr__(self, "points", frozen(points, "FlowCurve.points", ("N", 2)))


@dataclass(frozen=True, eq=False)
class FlowKey:
    """The composition at a moment of an animated shot: its view then, layers and curves."""

    shot: Shot
    layers: tuple[FlowLayer, ...] = ()
    curves: tuple[FlowCurve, ...] = ()

    def __post_init__(self) -> None:
        for name in ("layers", "curves"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        names = [each.name for each in self.layers]
        if len(set(names)) < len(names):
            raise BadValue("Flow.layers", "each name once", names)


@dataclass(frozen=True, eq=False)
class Flow:
    """The composition of one shot: its layers, from the first to the last.

    An animated shot has keys besides; between them what objects do is interpolated.
    """

    shot: Shot
    layers: tuple[FlowLayer, ...] = ()
    curves: tuple[FlowCurve, ...] = ()
    split: str = "auto"  # how meshes became objects, an option of the flow tool
    abstraction: float = 0.5  # of contours, 0 to 1
    included: tuple[str, ...] = ()  # ground and sky that is bent, too
    keys: tuple[FlowKey, ...] = ()  # after the first one, by time
    takes: Mapping[str, str] = field(default_factory=dict)  # by actor, where not its first one
    merged: tuple[tuple[str, ...], ...] = ()  # objects that were merged by hand
    cut: tuple[str, ...] = ()  # objects that were split by hand into connected components
    lift: bool = False  # bent in space, as rigid as possible, for a moving camera

    def __post_init__(self) -> None:
        for name in ("included", "keys", "cut"):
            object.__setattr__(self, name, tuple(getattr(self, name)))
        object.__setattr__(self, "merged", tuple(tuple(each) for each in self.merged))
        object.__setattr__(self, "takes", MappingProxyType(dict(self.takes)))
        first = FlowKey(self.shot, self.layers, self.curves)
        for name in ("layers", "curves"):
            object.__setattr__(self, name, getattr(first, name))
        times = [each.shot.time for each in self.all_keys]
        if any(late <= early for early, late in pairwise(times)):
            raise BadValue("Flow.keys", "times that rise, after the shot's", times)

    @property
    def all_keys(self) -> tuple[FlowKey, ...]:
        """The keys of an animated shot, the first one among them; one for a still."""
        return (FlowKey(self.shot, self.layers, self.curves), *self.keys)

    def with_keys(self, keys: tuple[FlowKey, ...]) -> Flow:
        """The composition with other keys, at least one, in any order."""
        first, *others = sorted(keys, key=lambda each: each.shot.time)
        layers, curves = first.layers, first.curves
        return replace(self, shot=first.shot, layers=layers, curves=curves, keys=tuple(others))
