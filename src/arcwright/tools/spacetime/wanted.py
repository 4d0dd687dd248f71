"""Wanted: the lanes of a grip for where the hand is now."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.grip import HAND, HELD, NEAR, Grip, packed
from arcwright.tools.spacetime.lanes import NONE, Lane
from arcwright.tools.spacetime.wishes import APART, FLOOR, MEET, PLANT, Wish

CLEAN = 0.05  # m of a drag, over which plants that slide come to rest
STOP = 0.3  # of the ramp, in which a plant that slides comes to rest


@dataclass(frozen=True)
class Manner:
    """How plants are kept."""

    ramp: float  # s, over which they come on and go off
    floating: bool  # they may be elsewhere, without sliding
    clean: bool  # those that slide are brought to rest


def wanted(grip: Grip, drag: Drag, manner: Manner) -> tuple[list[Lane], int]:
    """All lanes, and how many numbers of free places they have."""
    share = _smooth(np.array(grip.away(drag) / CLEAN)) if manner.clean else np.array(0.0)
    lanes: list[Lane] = []
    free = 0
    dragged = dragged_plants(grip, drag)
    shift = _shift(grip, drag, dragged, manner, float(share))
    for index, wish in enumerate(grip.wishes):
        shifted = shift if index in dragged else np.zeros(3)
        floats = manner.floating and not dragged and _may_float(grip, wish, manner.ramp)
        made = _lanes(
            grip,
            index,
            manner,
            float(share),
            shifted,
            free if floats or wish.kind == MEET else NONE,
        )
        free += 2 * floats + 3 * (wish.kind == MEET)
        lanes += made
    return [*_hand(grip, drag), *packed(lanes)], free


def dragged_plants(grip: Grip, drag: Drag) -> set[int]:
    """The plants that the hand holds: of its point and, at the same time, of joints beside it."""
    if drag.position is None:
        return set()
    held = {
        index
        for index, wish in enumerate(grip.wishes)
        if _fixed(wish) and wish.place == 0 and wish.start <= drag.time <= wish.end
    }
    if not held:
        return held
    return {index for index, wish in enumerate(grip.wishes) if _beside(grip, wish, held)}


def _fixed(wish: Wish) -> bool:
    return wish.kind == PLANT and wish.position and wish.carrier is None and wish.other == NONE


def _beside(grip: Grip, wish: Wish, held: set[int]) -> bool:
    rig = grip.take.rig
    for index in held:
        other = grip.wishes[index]
        a, b = rig.joint(wish.point.joint), rig.joint(other.point.joint)
        near = a == b or rig.parents[a] == b or rig.parents[b] == a
        if _fixed(wish) and near and wish.start <= other.end and wish.end >= other.start:
            return True
    return False


def _may_float(grip: Grip, wish: Wish, ramp: float) -> bool:
    span = grip.range
    at_start = span.free.start > 0 and wish.start <= span.start
    at_end = span.free.stop < span.count and wish.end >= span.end
    at_some_frame = bool(_on(grip, wish, ramp).any())  # else nothing tells where it would go
    return _fixed(wish) and not at_start and not at_end and at_some_frame


def _hand(grip: Grip, drag: Drag) -> list[Lane]:
    count = len(grip.range.times)
    weight = np.zeros(count)
    weight[grip.moment] = HAND
    nobody = np.full(count, NONE)
    found = []
    if drag.position is not None:
        target = np.tile(drag.position, (count, 1))
        found.append(Lane("place", 0, target, weight, nobody, axes=drag.axes, near=NEAR))
    if drag.orientation is not None:
        turned = np.tile(matrix_from_quaternion(drag.orientation), (count, 1, 1))
        found.append(Lane("turn", 0, turned, weight, nobody, near=NEAR))
    return found


def _shift(grip: Grip, drag: Drag, dragged: set[int], manner: Manner, share: float) -> Floats:
    """How far dragged plants go, so that the held one comes to the hand."""
    own = [index for index in dragged if grip.wishes[index].place == 0]
    if not own or drag.position is None:
        return np.zeros(3)
    there = _plant_path(grip, grip.wishes[own[0]], manner, share)[grip.moment]
    shift: Floats = drag.position - there
    if drag.axes is not None:
        along = np.linalg.pinv(drag.axes) @ drag.axes
        shift = along @ shift
    return shift


def _lanes(
    grip: Grip, index: int, manner: Manner, share: float, shift: Floats, free: int
) -> list[Lane]:
    wish = grip.wishes[index]
    at = _inside(grip, wish)
    whose = np.where(at, index, NONE)
    path = grip.paths[:, wish.place]
    weight: Floats = HELD * at.astype(np.float64)
    if wish.kind == FLOOR:
        low = np.tile([0.0, path[:, 1].min(), 0.0], (len(path), 1))
        return [Lane("above", wish.place, low, weight, whose)]
    if wish.kind == APART:
        apart = np.linalg.norm(path - grip.paths[:, wish.other], axis=1)
        if wish.size is not None:
            apart = np.full_like(apart, wish.size)
        return [Lane("apart", wish.place, apart, weight, whose, wish.other)]
    if wish.kind == MEET:
        return [_meeting(grip, index, free)]
    found = []
    if wish.kind == PLANT:
        weight = HELD * _on(grip, wish, manner.ramp)
        whose = np.where(weight > 0, index, NONE)
        path = _plant_path(grip, wish, manner, share) + _fade(grip, manner.ramp)[:, None] * shift
    if wish.position:
        follows = None
        if free != NONE:
            follows = np.where(weight[:, None] > 0, [free, NONE, free + 1], NONE)
        found.append(Lane("place", wish.place, path, weight, whose, wish.other, free=follows))
    if wish.orientation:
        turned = grip.turned[:, wish.place]
        found.append(Lane("turn", wish.place, turned, weight, whose))
    return found


def _meeting(grip: Grip, index: int, free: int) -> Lane:
    wish = grip.wishes[index]
    times = grip.range.times
    both = [int(np.argmin(np.abs(times - moment))) for moment in (wish.start, wish.end)]
    at = np.zeros(len(times), bool)
    at[both] = True
    target = np.tile(grip.paths[both, wish.place].mean(axis=0), (len(times), 1))
    follows = np.where(at[:, None], [free, free + 1, free + 2], NONE)
    return Lane(
        "place",
        wish.place,
        target,
        HAND * at.astype(np.float64),
        np.where(at, index, NONE),
        free=follows,
    )


def _inside(grip: Grip, wish: Wish) -> Bools:
    times = grip.range.times
    inside: Bools = (times >= wish.start - 1e-9) & (times <= wish.end + 1e-9)
    return inside


def _plant_path(grip: Grip, wish: Wish, manner: Manner, share: float) -> Floats:
    """(T, 3) where a plant should be: where it was, and less and less sliding."""
    was = grip.paths[:, wish.place]
    if wish.other != NONE:
        was = was - grip.paths[:, wish.other]
    if share <= 0:
        return was
    ease = _ease(grip, wish, manner.ramp)
    rest = np.zeros(3) if wish.other != NONE else _rest(grip, wish, was, ease)
    kept = share * (ease * _fade(grip, manner.ramp))[:, None]
    path: Floats = was + kept * (rest - was)
    return path


def _rest(grip: Grip, wish: Wish, was: Floats, ease: Floats) -> Floats:
    """(3,) or (T, 3) the mean place of a plant, in the world or on what carries it."""
    share = np.where(_inside(grip, wish), np.maximum(ease, 1e-6), 0.0)
    share /= max(share.sum(), 1e-12)
    if wish.carrier is None:
        mean: Floats = share @ was
        return mean
    frames = wish.carrier.matrices(grip.range.times)
    wide = np.concatenate([was, np.ones((len(was), 1))], axis=1)
    local = share @ np.linalg.solve(frames, wide[..., None])[..., 0]
    carried: Floats = (frames @ local)[:, :3]
    return carried


def _on(grip: Grip, wish: Wish, ramp: float) -> Floats:
    """(T,) 1 throughout a plant; comes on before it and goes off after it."""
    times = grip.range.times
    outside = np.maximum(wish.start - times, times - wish.end)
    return _smooth(1 - outside / max(ramp, 1e-9) * (outside > 1e-9))


def _ease(grip: Grip, wish: Wish, ramp: float) -> Floats:
    """(T,) how far a plant is brought to rest: from 0 at its ends, soon 1, 1 at those of a take."""
    times, span = grip.range.times, grip.range
    length = max(min(STOP * ramp, (wish.end - wish.start) / 3), 1e-9)
    up = np.ones_like(times) if wish.start <= span.start + 1e-9 else (times - wish.start) / length
    down = np.ones_like(times) if wish.end >= span.end - 1e-9 else (wish.end - times) / length
    return _smooth(np.minimum(up, down))


def _fade(grip: Grip, ramp: float) -> Floats:
    """(T,) 0 where an end of the range stays as it is, and soon 1."""
    times, span = grip.range.times, grip.range
    fade, length = np.ones_like(times), max(2 * ramp, 1e-9)
    if span.free.start > 0:
        fade = np.minimum(fade, (times - span.start) / length)
    if span.free.stop < span.count:
        fade = np.minimum(fade, (span.end - times) / length)
    return _smooth(fade)


def _smooth(share: Floats) -> Floats:
    at = np.clip(share, 0.0, 1.0)
    eased: Floats = at * at * (3 - 2 * at)
    return eased
