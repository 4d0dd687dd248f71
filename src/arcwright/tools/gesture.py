"""The four gestures that serve all tools.

A `Drag` or `Setting` replaces the one before. A `Stroke` or `Performance` holds the samples that
were added since the last update: they are appended, none is lost.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeAlias, TypeVar

import numpy as np

from arcwright.arrays import Bools, Floats, frozen, same
from arcwright.errors import BadValue
from arcwright.kinematics.camera_rays import camera_rays
from arcwright.scene.camera import Camera
from arcwright.scene.point import Point


@dataclass(frozen=True)
class ToolHandle:
    """A handle that a tool gave out in an overlay: an arrow, a tick, a control point."""

    name: str


@dataclass(frozen=True, eq=False)
class Drag:
    """A point or handle dragged at a time to a target: a position, an orientation, ..."""

    handle: Point | ToolHandle
    time: float  # s
    position: Floats | None = None  # (3,) m, where it should be in the world
    orientation: Floats | None = None  # (4,) wxyz, orientation of its joint in the world
    time_scale: float | None = None  # above 0 spreads the frames there, below 0 brings them closer
    axes: Floats | None = None  # (A, 3) world directions in which the position counts; None for all
    to_time: float | None = None  # s, where it should be on the timeline
    scale: Floats | None = None  # (3,) factors by which its joint is scaled along its own axes

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
        if self.to_time is not None and not math.isfinite(self.to_time):
            raise BadValue("Drag.to_time", "seconds", self.to_time)
        if self.scale is not None:
            object.__setattr__(self, "scale", frozen(self.scale, "Drag.scale", (3,)))
            if not (self.scale > 0).all():
                raise BadValue("Drag.scale", "three factors above 0", self.scale)
        targets = (self.position, self.orientation, self.time_scale, self.to_time, self.scale)
        if all(each is None for each in targets):
            expected = "a position, an orientation, a time scale, a time or a scale"
            raise BadValue("Drag", expected, "none of them")

    @property
    def point(self) -> Point:
        """The held point, for tools that give out no handles."""
        if isinstance(self.handle, ToolHandle):
            raise BadValue("Drag.handle", "a point of a character or prop", self.handle.name)
        return self.handle

    @property
    def only_rotates(self) -> bool:
        """Whether it asks for an orientation and nothing else."""
        others = self.position, self.time_scale, self.to_time, self.scale
        return self.orientation is not None and all(each is None for each in others)

    @property
    def key(self) -> Hashable:
        """Equal for drags that replace each other: the same handle at the same time."""
        held = self.handle
        if isinstance(held, ToolHandle):
            return held.name, self.time
        return held.character, held.joint, held.offset.tobytes(), self.time


UNMOVED = 1e-8  # m; a pointer that moves less has not moved


def unmoved(before: Drag, now: Drag) -> bool:
    """Whether a drag has not moved since: then its last preview still holds."""
    if before.position is None or now.position is None:
        return same(before, now)
    pairs = zip(before.position.tolist(), now.position.tolist(), strict=True)
    near = all(abs(was - is_now) <= UNMOVED for was, is_now in pairs)
    return near and same(before, replace(now, position=before.position))


@dataclass(frozen=True, eq=False)
class Setting:
    """All options of a tool as they now stand."""

    options: Any


@dataclass(frozen=True, eq=False)
class Stroke:
    """N more samples of a line drawn on the screen."""

    camera: Camera  # through which it is drawn
    points: Floats  # (N, 2) px
    times: Floats  # (N,) s, rising
    pressure: Floats | None = None  # (N,) 0 to 1; None for a pointer that has none

    def __post_init__(self) -> None:
        points = frozen(self.points, "Stroke.points", ("N", 2))
        object.__setattr__(self, "points", points)
        _check_times(self, len(points))
        if self.pressure is not None:
            pressure = frozen(self.pressure, "Stroke.pressure", (len(points),))
            object.__setattr__(self, "pressure", pressure)

    def rays(self) -> Floats:
        """(N, 3) unit directions from the camera through the points."""
        return camera_rays(self.camera, self.points)

    def __len__(self) -> int:
        return len(self.times)


@dataclass(frozen=True, eq=False)
class Performance:
    """N more samples of D tracked devices, A axes and B buttons, from one source."""

    times: Floats  # (N,) s, rising
    poses: Floats = field(default_factory=lambda: np.zeros((0, 0, 7)))  # (N, D, 7) m, wxyz
    axes: Floats = field(default_factory=lambda: np.zeros((0, 0)))  # (N, A)
    buttons: Bools = field(default_factory=lambda: np.zeros((0, 0), np.bool_))  # (N, B)
    axis_names: tuple[str, ...] = ()
    button_names: tuple[str, ...] = ()
    device: str = ""

    def __post_init__(self) -> None:
        count = len(self.times)
        _check_times(self, count)
        for name, shape, kind in (
            ("poses", ("D", 7), np.float64),
            ("axes", ("A",), np.float64),
            ("buttons", ("B",), np.bool_),
        ):
            value = np.asarray(getattr(self, name))
            if not value.size:  # no samples say nothing of how many columns they would have
                named = {"axes": self.axis_names, "buttons": self.button_names}.get(name, ())
                first = 0 if count else len(named)
                value = np.zeros((count, first, *(n for n in shape if isinstance(n, int))), kind)
            value = frozen(value, f"Performance.{name}", (count, *shape), kind)
            object.__setattr__(self, name, value)
        for name, columns in (("axis_names", self.axes), ("button_names", self.buttons)):
            if len(getattr(self, name)) != columns.shape[1]:
                expected = f"{columns.shape[1]}, one for each column"
                raise BadValue(f"Performance.{name}", expected, getattr(self, name))

    def __len__(self) -> int:
        return len(self.times)


Gesture: TypeAlias = Drag | Setting | Stroke | Performance
Samples: TypeAlias = Stroke | Performance
_S = TypeVar("_S", bound=Samples)


def chunks(whole: _S, size: int) -> list[_S]:
    """The samples in chunks of at most `size`, as a face delivers them."""
    return [rows(whole, slice(at, at + size)) for at in range(0, len(whole), size)]


def joined(parts: Sequence[_S]) -> _S:
    """All samples of consecutive chunks as one."""
    first = parts[0]
    if len(parts) == 1:
        return first
    for each in fields(first):
        own = [getattr(part, each.name) for part in parts]
        if not isinstance(own[0], np.ndarray) and not all(same(own[0], one) for one in own):
            raise BadValue(f"{type(first).__name__}.{each.name}", "the same for all samples", own)
    found: dict[str, Any] = {
        each.name: np.concatenate([getattr(part, each.name) for part in parts])
        for each in fields(first)
        if isinstance(getattr(first, each.name), np.ndarray)
    }
    return replace(first, **found)


def rows(whole: _S, which: slice) -> _S:
    """Some of the samples."""
    found: dict[str, Any] = {
        each.name: getattr(whole, each.name)[which]
        for each in fields(whole)
        if isinstance(getattr(whole, each.name), np.ndarray)
    }
    return replace(whole, **found)


def _check_times(samples: Samples, count: int) -> None:
    kind = type(samples).__name__
    times = frozen(samples.times, f"{kind}.times", (count,))
    if not np.isfinite(times).all() or (np.diff(times) < 0).any():
        raise BadValue(f"{kind}.times", "finite seconds that never fall", times)
    object.__setattr__(samples, "times", times)
