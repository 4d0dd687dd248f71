"""Event timing: an event that is dragged in time, and the motion between its neighbours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.time_warp import TimeWarp
from arcwright.edits.retime import retime
from arcwright.kinematics.sample import values_at
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.activity.dragged_elements import event_name
from arcwright.tools.activity.prepared import PreparedActivity
from arcwright.tools.activity.tracks import take_beside
from arcwright.tools.tool import Note, PreviewPose

SLOWEST, FASTEST = 3.0, 1 / 3  # stretch of the motion between two events
RAMP = 0.2  # of the time between two events, over which the speed changes


def event_warp(prepared: PreparedActivity, times: Mapping[int, float]) -> TimeWarp | None:
    """The warp that brings events, by their frames, to new times; None where all stay.

    They come as far as their neighbours allow.
    """
    old, asked = _asked(prepared, times)
    new = _limited(old, asked)
    if np.abs(new - old).max() < 0.5 / prepared.take.rate:
        return None
    return _smooth_warp(old, new)


def timing_notes(prepared: PreparedActivity, times: Mapping[int, float]) -> Iterator[Note]:
    """Events that come less far than they were asked to, and others that make room for them."""
    rate, (old, asked) = prepared.take.rate, _asked(prepared, times)
    for time, now, wanted in zip(old, _limited(old, asked), asked, strict=True):
        short, frame = float(abs(now - wanted)), round(time * rate)
        if short <= 0.5 / rate:
            continue
        what = (
            f"{event_name(prepared, prepared.frames.index(frame))} comes at frame {now * rate:.0f}"
        )
        if frame in times:
            text = f"{what}, not at {wanted * rate:.0f}: events beside it leave no more room"
            yield Note(text, "info", short)
        else:
            yield Note(f"{what} to make room", "info")


def _asked(prepared: PreparedActivity, times: Mapping[int, float]) -> tuple[Floats, Floats]:
    """(K,) s, of all events and both ends: when they are, and when they were asked to be."""
    rate = prepared.take.rate
    old = np.unique([0, *prepared.frames, len(prepared.times) - 1]) / rate
    new = old.copy()
    for frame, time in times.items():
        at = int(np.searchsorted(old, frame / rate - 1e-9))
        new[at] = round(time * rate) / rate
    return old, new


def _limited(old: Floats, new: Floats) -> Floats:
    """New times between which nothing is too fast or too slow; the ends stay."""
    found = new.copy()
    found[0], found[-1] = old[0], old[-1]
    gaps = np.diff(old)
    for at in range(1, len(old) - 1):
        low = found[at - 1] + FASTEST * gaps[at - 1]
        high = found[at - 1] + SLOWEST * gaps[at - 1]
        rest = old[-1] - old[at]
        high = min(high, found[-1] - FASTEST * rest)
        low = max(low, found[-1] - SLOWEST * rest)
        found[at] = np.clip(found[at], low, high)
    return found


def _smooth_warp(old: Floats, new: Floats) -> TimeWarp:
    """The warp through given times whose stretch is even, with ramps around each time.

    Even stretches and their means at the times between are linear in each other.
    """
    gaps, goal = np.diff(old), np.diff(new)
    count = len(gaps)
    rows = np.zeros((count, count))
    for piece, gap in enumerate(gaps.tolist()):
        ramp = RAMP * gap
        rows[piece, piece] += gap - 2 * ramp
        for neighbour in (piece - 1, piece + 1):
            rows[piece, piece] += ramp / 2
            inside = 0 <= neighbour < count
            other = neighbour if inside else piece
            rows[piece, piece] += ramp / 4
            rows[piece, other] += ramp / 4
    stretch = np.maximum(np.linalg.solve(rows, goal), 0.05)
    knots, values = [old[0]], [stretch[0]]
    for piece, (first, last) in enumerate(pairwise(old.tolist())):
        ramp = RAMP * (last - first)
        knots += [first + ramp, last - ramp, last]
        after = stretch[min(piece + 1, count - 1)]
        values += [stretch[piece], stretch[piece], (stretch[piece] + after) / 2]
    return TimeWarp(np.array(knots), np.array(values))


def retimed_poses(
    prepared: PreparedActivity, scene: Scene, warp: TimeWarp | None, time: float
) -> Iterator[PreviewPose]:
    """Where the body and the objects of a scene are at a time, s, once it is moved along a warp."""
    old = np.array([time if warp is None else float(warp.inverse(np.array(time)))])
    take = scene.actor(prepared.actor.name).take(prepared.take.name)
    yield PreviewPose(Target(prepared.actor.name, take.name), time, values_at(take, old)[0])
    for each in prepared.activity.objects:
        prop = scene.actor(each.prop)
        if prop.takes:
            beside = take_beside(prop, take)
            moment = np.clip(old, 0.0, beside.duration)
            yield PreviewPose(Target(prop.name, beside.name), time, values_at(beside, moment)[0])


def with_timing(prepared: PreparedActivity, edit: Edit, warp: TimeWarp) -> Edit:
    """The edit, and then the take and all that plays beside it moved along a warp."""
    timing = retime(edit.apply(prepared.scene), prepared.actor.name, prepared.take.name, warp)
    return Edit(edit.label, (*edit.changes, *timing.changes))
