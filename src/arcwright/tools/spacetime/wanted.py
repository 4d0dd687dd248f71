"""Wanted: the lanes of a grip for where the hand is now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.dragged import dragged_plants, fixed, held_plant
from arcwright.tools.spacetime.further import further_lanes, support_lane
from arcwright.tools.spacetime.grip import HAND, HELD, NEAR, Grip, packed
from arcwright.tools.spacetime.lanes import NONE, Lane
from arcwright.tools.spacetime.wishes import APART, BALANCE, FLOOR, MEET, PLANT, Wish

NOTHING: Mapping[int, Floats] = MappingProxyType({})
CLEAN = 0.05  # m of a drag, over which plants that slide come to rest
STOP = 0.3  # of the ramp, in which a plant that slides comes to rest


@dataclass(frozen=True)
class Manner:
    """How plants are kept."""

    ramp: float  # s, over which they come on and go off
    floating: bool  # they may be elsewhere, without sliding
    clean: bool  # those that slide are brought to rest
    feet: bool = True  # a hand on a foot takes its plants along


def wanted(
    grip: Grip, drags: Sequence[Drag], manner: Manner, carried: Mapping[int, Floats] = NOTHING
) -> tuple[list[Lane], int]:
    """All lanes, and how many numbers of free places they have.

    `carried` are wishes that go along with what they hold: for each how far, (T, 3) m.
    """
    share = _cleaning(grip, drags, manner, carried)
    lanes: list[Lane] = []
    free = 0
    dragged = _shifts(grip, drags, manner, share)
    for index, wish in enumerate(grip.wishes):
        floats = manner.floating and not dragged and _may_float(grip, wish, manner.ramp)
        made = _lanes(
            grip,
            index,
            manner,
            share,
            {**dragged, **carried}.get(index, np.zeros(3)),
            free if floats or wish.kind == MEET else NONE,
        )
        free += 2 * floats + 3 * (wish.kind == MEET)
        lanes += made
    balance = [at for at, wish in enumerate(grip.wishes) if wish.kind == BALANCE]
    lanes += [support_lane(grip, at, lanes) for at in balance]
    hands = [lane for drag in drags for lane in _hand(grip, drag)]
    return [*hands, *packed(lanes)], free


def _cleaning(
    grip: Grip, drags: Sequence[Drag], manner: Manner, carried: Mapping[int, Floats]
) -> float:
    """How far plants that slide are brought to rest, 0 to 1."""
    if not manner.clean:
        return 0.0
    ways = [float(np.linalg.norm(each, axis=1).max(initial=0.0)) for each in carried.values()]
    ways += [grip.away(drag) for drag in drags]
    return float(_smooth(np.array(max(ways, default=0.0) / CLEAN)))


def _may_float(grip: Grip, wish: Wish, ramp: float) -> bool:
    span = grip.range
    at_start = span.free.start > 0 and wish.start <= span.start
    at_end = span.free.stop < span.count and wish.end >= span.end
    at_some_frame = bool(_on(grip, wish, ramp).any())  # else nothing tells where it would go
    return fixed(wish) and not at_start and not at_end and at_some_frame


def _hand(grip: Grip, drag: Drag) -> list[Lane]:
    count = len(grip.range.times)
    place, moment = grip.of(drag)
    weight = np.zeros(count)
    weight[moment] = HAND
    nobody = np.full(count, NONE)
    found = []
    if drag.position is not None:
        target = np.tile(drag.position, (count, 1))
        found.append(Lane("place", place, target, weight, nobody, axes=drag.axes, near=NEAR))
    if drag.orientation is not None:
        turned = np.tile(matrix_from_quaternion(drag.orientation), (count, 1, 1))
        found.append(Lane("turn", place, turned, weight, nobody, near=NEAR))
    return found


def _shifts(grip: Grip, drags: Sequence[Drag], manner: Manner, share: float) -> dict[int, Floats]:
    """How far each dragged plant goes, (3,) m; of two hands on one plant the first counts."""
    found: dict[int, Floats] = {}
    for drag in drags:
        taken = dragged_plants(grip, drag, feet=manner.feet)
        if taken:
            found = dict.fromkeys(taken, _shift(grip, drag, manner, share)) | found
    return found


def _shift(grip: Grip, drag: Drag, manner: Manner, share: float) -> Floats:
    """How far the plants of a hand go, so that the held one comes to it."""
    assert drag.position is not None
    own = held_plant(grip, drag)
    there = grip.place(drag)
    if own is not None:
        there = _plant_path(grip, grip.wishes[own], manner, share)[grip.of(drag).moment]
    shift: Floats = drag.position - there
    if drag.axes is not None:
        along = np.linalg.pinv(drag.axes) @ drag.axes
        shift = along @ shift
    return shift


def _lanes(
    grip: Grip, index: int, manner: Manner, share: float, shift: Floats, free: int
) -> list[Lane]:
    wish = grip.wishes[index]
    if wish.asked is not None:
        return further_lanes(grip, index)
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
        fade = _fade(grip, manner.ramp)[:, None] if shift.ndim == 1 else 1.0
        path = _plant_path(grip, wish, manner, share) + fade * shift
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
    """(3,) the mean place of a plant in the world; (T, 3) its first one on what carries it."""
    share = np.where(_inside(grip, wish), np.maximum(ease, 1e-6), 0.0)
    share /= max(share.sum(), 1e-12)
    if wish.carrier is None:
        mean: Floats = share @ was
        return mean
    frames = wish.carrier.matrices(grip.range.times)
    first = int(np.argmax(_inside(grip, wish)))
    local = np.linalg.solve(frames[first], np.append(was[first], 1.0))
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
