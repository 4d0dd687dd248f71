"""Further: the lanes of what is asked for besides pins and contacts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.tools.spacetime.asked import Balance, Follow, Stay, Turned
from arcwright.tools.spacetime.grip import HELD, Grip
from arcwright.tools.spacetime.lanes import AROUND, NONE, Lane
from arcwright.tools.spacetime.passes import walls, ways_out
from arcwright.tools.spacetime.wishes import PLANT, Wish

ON = 0.5  # of a plant's weight, from which it carries


def further_lanes(grip: Grip, index: int) -> list[Lane]:
    """Of a path to follow, a turn, or a region; none for what other lanes must tell first."""
    wish, times = grip.wishes[index], grip.range.times
    inside = (times >= wish.start - 1e-9) & (times <= wish.end + 1e-9)
    weight, whose = HELD * inside.astype(np.float64), np.where(inside, index, NONE)
    match wish.asked:
        case Follow() as path:
            return [Lane("place", wish.place, path.at(times), weight, whose)]
        case Turned(orientation=turn):
            turned = np.tile(matrix_from_quaternion(turn), (len(times), 1, 1))
            return [Lane("turn", wish.place, turned, weight, whose)]
        case Stay() as stay:
            return _stay(grip, wish, stay, weight, whose)
    return []


def _stay(grip: Grip, wish: Wish, stay: Stay, weight: Floats, whose: Ints) -> list[Lane]:
    """The region itself and, where the motion goes through it, the wall that is nearest."""
    times = grip.range.times
    free = Lane(
        "stay",
        wish.place,
        np.zeros((len(times), 1)),
        weight,
        whose,
        region=stay.region,
        inside=stay.inside,
        ways=ways_out(wish.passes, times) if wish.passes else None,
    )
    if not wish.passes:
        return [free]
    within, place, way = walls(wish.passes, stay.region, times, grip.paths[:, wish.place])
    return [free, Lane("beyond", wish.place, place, weight * within, whose, ways=way)]


def support_lane(grip: Grip, index: int, lanes: Sequence[Lane]) -> Lane:
    """Balance: the centre of mass over the plants of other lanes, or no further off than it was."""
    wish, times = grip.wishes[index], grip.range.times
    assert isinstance(wish.asked, Balance)
    assert wish.shares is not None
    group = np.array(wish.members)
    centre = np.einsum("g,tgi->ti", wish.shares, grip.paths[:, group])
    reach = np.full((len(times), len(AROUND)), -np.inf)
    for lane in lanes:
        if lane.kind == "place" and _carries(grip, lane):
            on = lane.weight >= ON * HELD
            reach[on] = np.maximum(reach[on], lane.target[on] @ AROUND.T + wish.asked.around)
    stands = np.isfinite(reach).all(axis=1)
    inside = stands & (times >= wish.start - 1e-9) & (times <= wish.end + 1e-9)
    reach = np.maximum(np.where(stands[:, None], reach, 0.0), centre @ AROUND.T)
    weight, whose = HELD * inside.astype(np.float64), np.where(inside, index, NONE)
    return Lane("support", wish.place, reach, weight, whose, group=group, shares=wish.shares)


def _carries(grip: Grip, lane: Lane) -> bool:
    owners = set(lane.wish.tolist()) - {NONE}
    return bool(owners) and all(_stands(grip.wishes[each]) for each in owners)


def _stands(wish: Wish) -> bool:
    """Whether a wish is a plant on the floor or on a thing that never moves."""
    fast = wish.carrier is None or wish.carrier.take is None
    return wish.kind == PLANT and wish.other == NONE and fast
