"""Further: the lanes of what is asked for besides pins and contacts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.path import path_through
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.scene.constraint import Flight, Floor, Follow, Stay, Turned
from arcwright.tools.spacetime.lanes import ASKED, NONE, Lane
from arcwright.tools.spacetime.passes import walls, ways_out
from arcwright.tools.spacetime.region import Region
from arcwright.tools.spacetime.wishes import Wish

FLIGHT_MOMENTS = 3  # moments of a flight; through two of them goes every parabola
NEAR = 0.05  # m; what is further away pulls no harder, so that it cannot tear plants off
GENTLE = 0.1  # of the weight of what is kept: a motion that never fell so is far from it


def further_lanes(
    wish: Wish, index: int, times: Floats, paths: Floats, free: int
) -> tuple[list[Lane], int]:
    """Of a path, a turn, a region, a floor or a flight, and how many free numbers they take.

    None for what other lanes must tell first.
    """
    inside = (times >= wish.start - 1e-9) & (times <= wish.end + 1e-9)
    weight, whose = ASKED * inside.astype(np.float64), np.where(inside, index, NONE)
    match wish.asked:
        case Follow(times=moments, places=places):
            way = path_through(moments, places, times)
            return [Lane("place", wish.place, way, weight, whose, near=NEAR)], 0
        case Turned(orientation=turn):
            turned = np.tile(matrix_from_quaternion(turn), (len(times), 1, 1))
            return [Lane("turn", wish.place, turned, weight, whose, near=NEAR)], 0
        case Stay() as stay:
            return _stay(wish, stay, times, paths[:, wish.place], weight, whose), 0
        case Floor(height=height):
            return [_floor(wish, height, paths[:, wish.place], weight, whose)], 0
        case Flight() as flight if inside.sum() >= FLIGHT_MOMENTS:
            return [_flight(wish, flight, times, paths, weight, whose, free)], 6
    return [], 0


def _floor(wish: Wish, height: float | None, path: Floats, weight: Floats, whose: Ints) -> Lane:
    """A given height, or the lowest one of its time."""
    low = path[weight > 0, 1].min(initial=np.inf) if height is None else height
    target = np.zeros(path.shape)
    target[weight > 0, 1] = low
    return Lane("above", wish.place, target, weight, whose)


def _flight(
    wish: Wish, flight: Flight, times: Floats, paths: Floats, weight: Floats, whose: Ints, free: int
) -> Lane:
    """The way of the centre of mass as it was, or a fall; place and speed are free."""
    on = weight > 0
    since = np.where(on, times - times[on].mean(), 0.0)
    group = np.array(wish.members)
    assert wish.shares is not None
    path: Floats = np.tensordot(wish.shares, paths[:, group], (0, 1))
    if flight.gravity is not None:
        fall = np.outer(-0.5 * flight.gravity * since**2, [0.0, 1.0, 0.0])
        straight = np.stack([np.ones(len(times)), since], axis=1)
        path = fall + straight @ (np.linalg.pinv(straight[on]) @ (path - fall)[on])
        weight = GENTLE * weight
    follows = np.where(on[:, None], free + np.arange(3), NONE)
    lane = Lane("flight", wish.place, path, weight, whose, free=follows, since=since)
    return replace(lane, group=group, shares=wish.shares)


def _stay(
    wish: Wish, stay: Stay, times: Floats, path: Floats, weight: Floats, whose: Ints
) -> list[Lane]:
    """The region itself and, where the motion goes through it, the wall that is nearest."""
    region = Region(stay.region)
    free = Lane(
        "stay",
        wish.place,
        np.zeros((len(times), 1)),
        weight,
        whose,
        region=region,
        inside=stay.inside,
        ways=ways_out(wish.passes, times) if wish.passes else None,
    )
    if not wish.passes:
        return [free]
    within, place, way = walls(wish.passes, region, times, path)
    return [free, Lane("beyond", wish.place, place, weight * within, whose, ways=way)]
