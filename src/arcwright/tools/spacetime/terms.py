"""Lanes: wishes about one point, or a pair of them, at every moment of the range."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.path import by_places
from arcwright.kinematics.regions import Region, walls, ways_out
from arcwright.kinematics.rotation import matrix_from_quaternion, vector_from_matrix
from arcwright.scene.constraint import Flight, Floor, Follow, Stay, Turned
from arcwright.tools.spacetime.constraints import Wish

ARM = 0.3  # m per rad: what a turn counts in metres
HAND = 1e6  # per m^2, where moving the whole body 1 m at one frame costs 1
HELD = 1e4  # per m^2: plants, pins and what else is kept
ASKED = 1e4  # per m^2: what is asked for besides
ON = 0.5  # of its weight: where a wish is on by less, it is only coming or going
NONE = -1
KINDS = {
    "place": "where a point is",
    "turn": "how its joint is turned",
    "apart": "how far it is from another",
    "above": "a height not to fall below",
    "stay": "in or out of a region",
    "beyond": "the side of a plane that a way points to",
    "support": "a mean of points over what stands",
    "flight": "a mean of points on a parabola",
}
ONE_SIDED = ("above", "stay", "beyond", "support")  # rows that count only where they are broken
_angles = np.arange(16) * (np.pi / 8)
COMPASS = np.stack([np.cos(_angles), np.zeros(16), np.sin(_angles)], axis=1)  # along the floor
FLIGHT_MOMENTS = 3  # moments of a flight; through two of them goes every parabola
NEAR = 0.05  # m; what is further away pulls no harder, so that it cannot tear plants off
GENTLE = 0.1  # of the weight of what is kept: a motion that never fell so is far from it


@dataclass(frozen=True, eq=False)
class Lane:
    """What is wanted of a point at T moments; where the weight is 0, nothing."""

    kind: str  # one of KINDS
    point: int
    target: Floats  # (T, 3) m in the world, or from `other`; "turn" (T, 3, 3); "apart" (T,) m;
    # "support" (T, K) m, how far it reaches along COMPASS
    weight: Floats  # (T,)
    wish: Ints  # (T,) whose wish it is, NONE for nobody's
    other: int = NONE  # the point that a place or a distance is from
    axes: Floats | None = None  # (A, 3) directions of a place that count; None for all
    near: float = np.inf  # m, beyond which it pulls no harder
    slack: Floats | None = None  # (T,) m; nearer than this it is kept
    drawn: Floats | None = None  # (T,) shares of its weight with which it pulls even within
    free: Ints | None = None  # (T, 3) which free place a place may follow, NONE for none
    since: Floats | None = None  # (T,) s, for how long it goes with the free speed behind that
    region: Region | None = None
    inside: bool = False  # of the region, or out of it
    ways: Floats | None = None  # (T, 3) by which it is left; None for the nearest
    group: Ints | None = None  # (G,) points whose mean it is about
    shares: Floats | None = None  # (G,) of the mean

    @property
    def width(self) -> int:
        """How many numbers it is about at a moment."""
        if self.kind in ("apart", *ONE_SIDED):
            return 1
        return 3 if self.axes is None else len(self.axes)


class There(Protocol):
    """Where points are."""

    @property
    def position(self) -> Floats:
        """(T, P, 3) m."""

    @property
    def orientation(self) -> Floats:
        """(T, P, 3, 3)."""


def away(lane: Lane, there: There, places: Floats) -> Floats:
    """(T, 3) from what a lane is about to what is wanted, turns by their arm; or (T, 1)."""
    if lane.kind == "turn":
        turned = there.orientation[:, lane.point].swapaxes(-1, -2)
        return vector_from_matrix(lane.target @ turned) * ARM
    at = where(lane, there)
    if lane.kind == "apart":
        apart: Floats = lane.target[:, None] - np.linalg.norm(at, axis=-1, keepdims=True)
        return apart
    if lane.kind == "above":
        return lane.target[:, 1:2] - at[:, 1:2]
    return _place_away(lane, at, places)


def _place_away(lane: Lane, at: Floats, places: Floats) -> Floats:
    """(T, 3) m from a place to where it is wanted."""
    away: Floats = lane.target - at
    if lane.free is not None and len(places):
        away = away + np.where(lane.free == NONE, 0.0, places[lane.free])
        if lane.since is not None:
            speed = np.where(lane.free == NONE, 0.0, places[speeds(lane.free)])
            away = away + lane.since[:, None] * speed
    return away


def where(lane: Lane, there: There) -> Floats:
    """(T, 3) where a point is, or a mean, or from another."""
    if lane.group is not None and lane.shares is not None:
        mean: Floats = np.tensordot(lane.shares, there.position[:, lane.group], (0, 1))
        return mean
    at = there.position[:, lane.point]
    return at if lane.other == NONE else at - there.position[:, lane.other]


def speeds(free: Ints) -> Ints:
    """(T, 3) the free speeds that stand behind free places."""
    return np.where(free == NONE, NONE, free + 3)


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
            way = by_places(moments, places, times)
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
