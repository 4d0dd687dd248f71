"""Refresh motion curves after an edit: only the part that changed is evaluated again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import overload

import numpy as np

from arcwright.kinematics.motion_curve import MotionCurve, held_on, keys_on, motion_curve, paths
from arcwright.kinematics.take_difference import Span, changed_span
from arcwright.kinematics.trail import Trail, speed
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take


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
    """The curve with the keys and what holds it as they now are."""
    keys = curve.key_time, curve.key_count
    if not _same_keys(curve, take):
        keys = keys_on(take, curve.channels, curve.time)
    held = held_on(scene, curve.point, take, curve.time)
    return replace(curve, take=take, key_time=keys[0], key_count=keys[1], held=held)


def _same_keys(curve: MotionCurve, take: Take) -> bool:
    was, now = curve.take.base, take.base
    if not (isinstance(was, Clip) and isinstance(now, Clip)):
        return not (isinstance(was, Clip) or isinstance(now, Clip))
    pairs = ((was.curves[channel], now.curves[channel]) for channel in curve.channels.tolist())
    return all(a is b or (a is not None and b is not None and a.time is b.time) for a, b in pairs)
