"""The four gestures that serve all tools; each holds everything done since it began."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from arcwright.arrays import Floats, frozen, same
from arcwright.errors import BadValue
from arcwright.scene.point import Point


@dataclass(frozen=True, eq=False)
class Drag:
    """A point is held at a time and taken somewhere: a place, an orientation, a timing."""

    point: Point
    time: float  # s
    position: Floats | None = None  # (3,) m, where it should be in the world
    orientation: Floats | None = None  # (4,) wxyz, how its joint should be turned in the world
    time_scale: float | None = None  # above 0 spreads the frames there, below 0 brings them closer
    axes: Floats | None = None  # (A, 3) world directions the place is meant along; None for all

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", float(self.time))
        if self.position is not None:
            object.__setattr__(self, "position", frozen(self.position, "Drag.position", (3,)))
        if self.orientation is not None:
            turned = frozen(self.orientation, "Drag.orientation", (4,))
            object.__setattr__(self, "orientation", turned)
        if self.axes is not None:
            object.__setattr__(self, "axes", frozen(self.axes, "Drag.axes", ("A", 3)))
        if not math.isfinite(self.time):
            raise BadValue("Drag.time", "seconds", self.time)
        if self.orientation is not None and abs(np.linalg.norm(self.orientation) - 1) > 1e-6:
            raise BadValue("Drag.orientation", "a unit quaternion wxyz", self.orientation)
        if self.time_scale is not None and not np.isfinite(self.time_scale):
            raise BadValue("Drag.time_scale", "a finite number", self.time_scale)
        if self.position is None and self.orientation is None and self.time_scale is None:
            raise BadValue("Drag", "a position, an orientation or a time scale", "none of them")


UNMOVED = 1e-8  # m; a pointer that moves less has not moved


def unmoved(before: Drag, now: Drag) -> bool:
    """Whether a drag has not moved since: then its last preview still holds."""
    if before.position is None or now.position is None:
        return same(before, now)
    pairs = zip(before.position.tolist(), now.position.tolist(), strict=True)
    near = all(abs(was - is_now) <= UNMOVED for was, is_now in pairs)
    return near and same(before, replace(now, position=before.position))


@dataclass(frozen=True, eq=False)
class Stroke:
    """A line drawn so far."""

    positions: Floats  # (N, 3) m

    def __post_init__(self) -> None:
        object.__setattr__(self, "positions", frozen(self.positions, "Stroke.positions", ("N", 3)))


@dataclass(frozen=True, eq=False)
class Performance:
    """What a device did so far."""

    times: Floats  # (N,) s
    positions: Floats  # (N, 3) m
    rotations: Floats  # (N, 4) wxyz

    def __post_init__(self) -> None:
        for name, shape in (("times", ("N",)), ("positions", ("N", 3)), ("rotations", ("N", 4))):
            value = frozen(getattr(self, name), f"Performance.{name}", shape)
            object.__setattr__(self, name, value)


@dataclass(frozen=True, eq=False)
class Setting:
    """All options of a tool as they now stand."""

    options: object


Gesture: TypeAlias = Drag | Stroke | Performance | Setting
