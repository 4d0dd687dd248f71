"""Motion curves: the paths of points through a take as faces draw them.

A curve is fine enough to be drawn as a line and says what is on it: whole frames, keys, and where
its point is pinned or in contact. After an edit, only the part that changed is evaluated again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from arcwright.arrays import Bools, Floats, Ints, frozen
from arcwright.curves.pack import excerpt
from arcwright.errors import BadValue
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.take_difference import Span, changed_span
from arcwright.kinematics.trail import Trail, speed, trail
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take


@dataclass(frozen=True)
class Sampling:
    """How finely, and from when to when, a curve is drawn."""

    per_frame: int = 4
    start: float = -np.inf  # s
    end: float = np.inf  # s

    def __post_init__(self) -> None:
        if self.per_frame < 1:
            raise BadValue("Sampling.per_frame", "1 or more", self.per_frame)
        if not self.start <= self.end:
            raise BadValue("Sampling.end", f"at or after start ({self.start} s)", self.end)

    def times(self, take: Take) -> tuple[Floats, Bools]:
        """(T,) s, and which of them are whole frames; the end of the take is always one of them."""
        start, end = max(self.start, 0.0), min(self.end, take.duration)
        fine = take.rate * self.per_frame
        steps = np.arange(np.ceil(start * fine - 1e-3), np.floor(end * fine + 1e-3) + 1)
        time, whole = steps / self.per_frame / take.rate, steps % self.per_frame == 0
        ends = start <= end == take.duration
        if ends and (not len(time) or end > time[-1] + 1e-6 / fine):
            time, whole = np.append(time, end), np.append(whole, False)
        return frozen(time, "time", ("T",)), frozen(whole, "tick", ("T",), np.bool_)


@dataclass(frozen=True)
class CurveConstraint:
    """A pin or contact of the point of a curve, or one that keeps the orientation of its joint."""

    name: str  # "LeftFoot contact", as in notes
    kind: str  # "pin" or "contact"
    start: float  # s
    end: float  # s
    position: bool
    orientation: bool


@dataclass(frozen=True, eq=False)
class MotionCurve:
    """The path of one point, sampled between frames, with what is to be seen on it."""

    point: Point
    take: Take
    sampling: Sampling
    channels: Ints  # (M,) that move or turn the point
    time: Floats  # (T,) s
    tick: Bools  # (T,) whether it is a whole frame
    position: Floats  # (T, 3) m, in the world
    orientation: Floats  # (T, 4) wxyz of its joint, without sign jumps
    speed: Floats  # (T,) m/s
    key_time: Floats  # (K,) s, where any of the channels has a key; none of samples
    key_count: Ints  # (K,) how many of them
    constraints: tuple[CurveConstraint, ...]

    def __post_init__(self) -> None:
        for name, shape in (("position", ("T", 3)), ("orientation", ("T", 4)), ("speed", ("T",))):
            value = frozen(getattr(self, name), f"MotionCurve.{name}", shape)
            object.__setattr__(self, name, value)

    def __len__(self) -> int:
        return len(self.time)


@overload
def motion_curve(
    scene: Scene, points: Point | str, take: str = "", sampling: Sampling = ...
) -> MotionCurve: ...


@overload
def motion_curve(
    scene: Scene, points: Sequence[Point], take: str = "", sampling: Sampling = ...
) -> list[MotionCurve]: ...


def motion_curve(
    scene: Scene,
    points: Point | str | Sequence[Point],
    take: str = "",
    sampling: Sampling = Sampling(),
) -> MotionCurve | list[MotionCurve]:
    """The curve of a point (a joint's name will do) through a take, by default the first one.

    Points of one actor given together are evaluated together.
    """
    if isinstance(points, str):
        points = Point(points)
    if isinstance(points, Point):
        return motion_curve(scene, [points], take, sampling)[0]
    if not points:
        return []
    actor = scene.actor(points[0].character)
    if any(scene.actor(point.character) is not actor for point in points):
        raise BadValue("points", "points of one character", [each.character for each in points])
    if not actor.takes:
        raise BadValue(f"character {actor.name!r}", "a take to draw a curve of", "none")
    played = actor.take(take) if take else actor.takes[0]
    time, tick = sampling.times(played)
    channels = [channels_moving(played.rig, [point]) for point in points]
    drawn = paths(played, points, np.unique(np.concatenate(channels)), time)
    return [
        MotionCurve(
            point,
            played,
            sampling,
            own,
            time,
            tick,
            *(path.position, path.orientation, path.speed),
            *keys_on(played, own, time),
            constraints_on(scene, point, played, time),
        )
        for point, own, path in zip(points, channels, drawn, strict=True)
    ]


def paths(take: Take, points: Sequence[Point], channels: Ints, time: Floats) -> list[Trail]:
    """Where points go that only these channels move."""
    if isinstance(take.base, Clip) and len(time):
        span = float(time[0]), float(time[-1])
        take = replace(take, base=excerpt(take.base, channels, span))
    return trail(take, list(points), time)


def keys_on(take: Take, channels: Ints, time: Floats) -> tuple[Floats, Ints]:
    """Key times (K,) on the curve, and how many channels have a key there (K,)."""
    curves = take.base.curves if isinstance(take.base, Clip) else ()
    times = [curve.time for channel in channels if curves and (curve := curves[channel])]
    every = np.round(np.concatenate([*times, np.zeros(0)]), 9)
    low, high = (time[0], time[-1]) if len(time) else (0.0, -1.0)
    every = every[(every >= low - 1e-9) & (every <= high + 1e-9)]
    found, count = np.unique(every, return_counts=True)
    return frozen(found, "key_time", ("K",)), frozen(count, "key_count", ("K",), np.int64)


def constraints_on(
    scene: Scene, point: Point, take: Take, time: Floats
) -> tuple[CurveConstraint, ...]:
    """Pins and contacts of the point; of other points on its joint, those with an orientation."""
    actor = scene.actor(point.character)
    found = []
    constraints: tuple[Pin | Contact, ...] = (*scene.pins, *scene.contacts)
    for constraint in constraints:
        own = (
            constraint.point.joint == point.joint
            and scene.actor(constraint.point.character) is actor
        )
        if not own or constraint.take not in ("", take.name) or not len(time):
            continue
        if constraint.end < time[0] or constraint.start > time[-1]:
            continue
        here = bool(np.abs(constraint.point.offset - point.offset).max() < 1e-9)
        kind = "pin" if isinstance(constraint, Pin) else "contact"
        flags = constraint.position and here, constraint.orientation
        if any(flags):
            found.append(
                CurveConstraint(
                    f"{point.joint} {kind}", kind, constraint.start, constraint.end, *flags
                )
            )
    return tuple(found)


@overload
def refresh_curves(curves: MotionCurve, scene: Scene) -> MotionCurve: ...


@overload
def refresh_curves(curves: Sequence[MotionCurve], scene: Scene) -> list[MotionCurve]: ...


def refresh_curves(
    curves: MotionCurve | Sequence[MotionCurve], scene: Scene
) -> MotionCurve | list[MotionCurve]:
    """Curves as they are in another state of the scene, such as after an edit.

    The same as drawing them anew, bit for bit; but where no channel that moves the points has
    changed, nothing is evaluated again. Curves that were drawn together stay together.
    """
    if isinstance(curves, MotionCurve):
        return refresh_curves([curves], scene)[0]
    if not curves:
        return []
    first = curves[0]
    if not all(each.time is first.time and each.take is first.take for each in curves):
        return [refresh_curves(each, scene) for each in curves]
    take = scene.actor(first.point.character).take(first.take.name)
    length = take.duration, take.rate
    if take.rig is not first.take.rig or length != (first.take.duration, first.take.rate):
        return motion_curve(scene, [each.point for each in curves], take.name, first.sampling)
    inside = _affected(curves, take)
    drawn = _with_paths(curves, take, inside) if inside.stop > inside.start else curves
    return [_labelled(curve, scene, take) for curve in drawn]


def _affected(curves: Sequence[MotionCurve], take: Take) -> slice:
    """Which samples have to be evaluated again."""
    time, channels = curves[0].time, np.unique(np.concatenate([each.channels for each in curves]))
    within: Span = (float(time[0]), float(time[-1])) if len(time) else (0.0, 0.0)
    span = changed_span(curves[0].take, take, channels, within)
    if span is None:
        return slice(0, 0)
    first, last = np.searchsorted(time, span[0], "left"), np.searchsorted(time, span[1], "right")
    return slice(int(first), int(last))


def _with_paths(curves: Sequence[MotionCurve], take: Take, inside: slice) -> list[MotionCurve]:
    """The curves with the path of some samples evaluated again.

    One sample more on both sides, which is as it was, tells how the signs go on.
    """
    time = curves[0].time
    wide = slice(max(inside.start - 1, 0), min(inside.stop + 1, len(time)))
    channels = np.unique(np.concatenate([each.channels for each in curves]))
    drawn = paths(take, [each.point for each in curves], channels, time[wide])
    return [_spliced(*pair, inside, wide) for pair in zip(curves, drawn, strict=True)]


def _spliced(curve: MotionCurve, path: Trail, inside: slice, wide: slice) -> MotionCurve:
    position, swift = curve.position.copy(), curve.speed.copy()
    turned, count = curve.orientation.copy(), len(curve.time)
    position[wide] = path.position
    own = path.orientation
    if wide.start < inside.start and not np.array_equal(own[0], turned[wide.start]):
        own = -own
    if wide.stop > inside.stop and not np.array_equal(own[-1], turned[inside.stop]):
        turned[wide.stop :] *= -1
    turned[wide] = own
    near = slice(max(wide.start - 1, 0), min(wide.stop + 1, count))
    fast = speed(curve.time[near], position[near])
    swift[wide] = fast[wide.start - near.start : wide.stop - near.start]
    for array in (position, swift, turned):
        array.setflags(write=False)
    return replace(curve, position=position, orientation=turned, speed=swift)


def _labelled(curve: MotionCurve, scene: Scene, take: Take) -> MotionCurve:
    """The curve with its keys and constraints as they now are."""
    keys = curve.key_time, curve.key_count
    if not _same_keys(curve, take):
        keys = keys_on(take, curve.channels, curve.time)
    constraints = constraints_on(scene, curve.point, take, curve.time)
    return replace(curve, take=take, key_time=keys[0], key_count=keys[1], constraints=constraints)


def _same_keys(curve: MotionCurve, take: Take) -> bool:
    was, now = curve.take.base, take.base
    if not (isinstance(was, Clip) and isinstance(now, Clip)):
        return not (isinstance(was, Clip) or isinstance(now, Clip))
    pairs = ((was.curves[channel], now.curves[channel]) for channel in curve.channels.tolist())
    return all(a is b or (a is not None and b is not None and a.time is b.time) for a, b in pairs)
