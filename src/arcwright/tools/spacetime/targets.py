"""Wanted: the lanes of a grip for where the hands are now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.scene.constraint import Balance
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.constraints import (
    BALANCE,
    PLANT,
    Wish,
)
from arcwright.tools.spacetime.prepared_edit import Grip, fixed
from arcwright.tools.spacetime.props import Pushed
from arcwright.tools.spacetime.schedule import Kept, faded, smooth
from arcwright.tools.spacetime.terms import ASKED, COMPASS, HAND, HELD, NONE, ON, Lane

if TYPE_CHECKING:
    pass

NOTHING: Mapping[int, Floats] = MappingProxyType({})
NEAR = 0.0015  # m; beyond this the hand pulls no harder: it shows what plants will allow
CLEAN = 0.05  # m of a drag, over which plants that slide come to rest


def wanted(
    grip: Grip,
    drags: Sequence[Drag],
    carried: Mapping[int, Floats] = NOTHING,
    *,
    firm: bool = False,
) -> tuple[list[Lane], int]:
    """All lanes, and how many numbers of free places they have.

    `carried` are wishes that go along with what they hold: for each how far, (T, 3) m. Unless it
    is `firm`, plants that slide and shake keep shaking.
    """
    share = _cleaning(grip, drags, carried)
    shifts: dict[int, Floats] = {**_shifts(grip, drags, share), **carried}
    kept, free = kept_lanes(grip, share, shifts, firm=firm)
    hands = [lane for drag in drags for lane in _hand(grip, drag)]
    return [*hands, *kept], free


def kept_lanes(
    of: Kept, share: float = 1.0, shifts: Mapping[int, Floats] = NOTHING, *, firm: bool
) -> tuple[list[Lane], int]:
    """The lanes of wishes, and how many numbers of free places they have.

    Plants that slide are brought to rest by a `share`; `shifts` are wishes that go elsewhere: how
    far, (3,) or (T, 3) m.
    """
    tracks = of.tracks.tracks
    targets = [track.lane.target + share * (track.rest if firm else track.slow) for track in tracks]
    fade = faded(of.range, of.manner.ramp)[:, None]
    for index, shift in shifts.items():
        for at, moments in of.tracks.where.get(index, []):
            if tracks[at].lane.kind == "place":
                targets[at][moments] += fade[moments] * shift if shift.ndim == 1 else shift[moments]
    if not of.hands:
        _raise_to_floors(of, targets)
    floats = of.manner.floating and not shifts
    follows, free = _floating(of) if floats else ({}, of.tracks.free)
    kept = [
        replace(track.lane, target=target, free=follows.get(at, track.lane.free))
        for at, (track, target) in enumerate(zip(tracks, targets, strict=True))
    ]
    balance = [index for index, wish in enumerate(of.wishes) if wish.kind == BALANCE]
    return [*kept, *(support_lane(of, index, kept) for index in balance)], free


def _cleaning(grip: Grip, drags: Sequence[Drag], carried: Mapping[int, Floats]) -> float:
    """How far plants that slide are brought to rest, 0 to 1."""
    if not grip.hands:
        return 1.0
    ways = [float(np.linalg.norm(each, axis=1).max(initial=0.0)) for each in carried.values()]
    ways += [grip.away(drag) for drag in drags]
    return float(smooth(np.array(max(ways, default=0.0) / CLEAN)))


def _raise_to_floors(of: Kept, targets: Sequence[Floats]) -> None:
    """Plants stand on the floor that is asked for, not below it."""
    lanes = [track.lane for track in of.tracks.tracks]
    for floor in (lane for lane in lanes if lane.kind == "above"):
        on = floor.weight > 0
        for lane, target in zip(lanes, targets, strict=True):
            if lane.kind == "place" and (lane.point, lane.other) == (floor.point, NONE):
                target[on, 1] = np.maximum(target[on, 1], floor.target[on, 1])


def _floating(of: Kept) -> tuple[dict[int, Ints], int]:
    """Which free places the tracks of plants follow, and how many numbers there are."""
    span, count = of.range, len(of.range.times)
    found: dict[int, Ints] = {}
    free = of.tracks.free
    for index, wish in enumerate(of.wishes):
        at_start = span.free.start > 0 and wish.start <= span.start
        at_end = span.free.stop < span.count and wish.end >= span.end
        stretches = of.tracks.where.get(index, [])
        if not fixed(wish) or at_start or at_end or not stretches:
            continue
        for at, moments in stretches:
            if of.tracks.tracks[at].lane.kind == "place":
                follow = found.setdefault(at, np.full((count, 3), NONE))
                follow[moments] = [free, NONE, free + 1]
        free += 2
    return found, free


def _hand(grip: Grip, drag: Drag) -> list[Lane]:
    count = len(grip.range.times)
    held = grip.of(drag)
    weight = np.zeros(count)
    weight[held.moment] = HAND
    nobody = np.full(count, NONE)
    found = []
    if drag.position is not None:
        target = np.broadcast_to(drag.position, (count, 3))
        found.append(Lane("place", held.place, target, weight, nobody, axes=drag.axes, near=NEAR))
    if drag.orientation is not None:
        turned = np.broadcast_to(matrix_from_quaternion(drag.orientation), (count, 3, 3))
        found.append(Lane("turn", held.place, turned, weight, nobody, near=NEAR))
    return found


def _shifts(grip: Grip, drags: Sequence[Drag], share: float) -> dict[int, Floats]:
    """How far each dragged plant goes, (3,) m; of two hands on one plant the first counts."""
    found: dict[int, Floats] = {}
    for drag in drags:
        if drag.position is not None:
            plants = grip.of(drag).plants
            found = dict.fromkeys(plants, _shift(grip, drag, drag.position, share)) | found
    return found


def _shift(grip: Grip, drag: Drag, position: Floats, share: float) -> Floats:
    """How far the plants of a hand go, so that the held one comes to it once it has come to rest.

    While it shakes, it is off by that much: the place of a plant is the same before and after
    hands let go.
    """
    own, moment = grip.of(drag).plant, grip.of(drag).moment
    there = grip.place(drag)
    for at, _ in grip.tracks.where.get(own, []) if own is not None else []:
        track = grip.tracks.tracks[at]
        if track.lane.kind == "place" and isinstance(track.rest, np.ndarray):
            there = there + share * track.rest[moment]
    shift: Floats = position - there
    if drag.axes is not None:
        along = np.linalg.pinv(drag.axes) @ drag.axes
        shift = along @ shift
    return shift


def support_lane(kept: Kept, index: int, lanes: Sequence[Lane]) -> Lane:
    """Balance: the centre of mass over the plants of other lanes.

    While hands drag, or no further off than it was: a step is no fall that a drag should mend.
    """
    wish, times = kept.wishes[index], kept.range.times
    assert isinstance(wish.asked, Balance)
    assert wish.shares is not None
    group = np.array(wish.members)
    centre = np.tensordot(wish.shares, kept.paths[:, group], (0, 1))
    reach = np.full((len(times), len(COMPASS)), -np.inf)
    for lane in lanes:
        if lane.kind == "place" and _carries(kept, lane):
            on = lane.weight >= ON * HELD
            reach[on] = np.maximum(reach[on], lane.target[on] @ COMPASS.T + wish.asked.around)
    stands = np.isfinite(reach).all(axis=1)
    inside = stands & (times >= wish.start - 1e-9) & (times <= wish.end + 1e-9)
    reach = np.where(stands[:, None], reach, 0.0)
    if kept.hands:
        reach = np.maximum(reach, centre @ COMPASS.T)
    weight, whose = ASKED * inside.astype(np.float64), np.where(inside, index, NONE)
    return Lane("support", wish.place, reach, weight, whose, group=group, shares=wish.shares)


def _carries(kept: Kept, lane: Lane) -> bool:
    owners = set(lane.wish.tolist()) - {NONE}
    return bool(owners) and all(_stands(kept.wishes[each]) for each in owners)


def _stands(wish: Wish) -> bool:
    """Whether a wish is a plant on the floor or on a thing that never moves."""
    fast = wish.carrier is None or wish.carrier.take is None
    return wish.kind == PLANT and wish.other == NONE and fast


def carried_by(grip: Grip, moved: Sequence[Pushed]) -> dict[int, Floats]:
    """The wishes that go along with things that were moved: for each how far, (T, 3) m."""
    found = {}
    for index, wish in enumerate(grip.wishes):
        for each in moved:
            if wish.carrier is not None and wish.carrier.actor is each.thing.prop:
                path = grip.paths[:, wish.place]
                found[index] = each.along(wish.carrier.joint, grip.range.times, path)
    return found
