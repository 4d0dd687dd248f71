"""Lanes: wishes about one point, or a pair of them, at every moment of the range."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import vector_from_matrix
from arcwright.tools.spacetime.body import Moved
from arcwright.tools.spacetime.region import Region

ARM = 0.3  # m per rad: what a turn counts in metres
NONE = -1
KINDS = {
    "place": "where a point is",
    "turn": "how its joint is turned",
    "apart": "how far it is from another",
    "above": "a height not to fall below",
    "stay": "in or out of a region",
    "beyond": "the side of a plane that a way points to",
    "support": "a mean of points over what stands",
}
ONE_SIDED = ("above", "stay", "beyond", "support")  # rows that count only where they are broken
_angles = np.arange(16) * (np.pi / 8)
AROUND = np.stack([np.cos(_angles), np.zeros(16), np.sin(_angles)], axis=1)  # along the floor


@dataclass(frozen=True, eq=False)
class Lane:
    """What is wanted of a point at T moments; where the weight is 0, nothing."""

    kind: str  # one of KINDS
    point: int
    target: Floats  # (T, 3) m in the world, or from `other`; "turn" (T, 3, 3); "apart" (T,) m;
    # "support" (T, K) m, how far it reaches along AROUND
    weight: Floats  # (T,)
    wish: Ints  # (T,) whose wish it is, NONE for nobody's
    other: int = NONE  # the point that a place or a distance is from
    axes: Floats | None = None  # (A, 3) directions of a place that count; None for all
    near: float = np.inf  # m, beyond which it pulls no harder
    free: Ints | None = None  # (T, 3) which free place a place may follow, NONE for none
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


class Rows(NamedTuple):
    """M rows at each of T moments."""

    miss: Floats  # (T, M) m, wanted minus is
    move: Floats  # (T, M, D) m per unit of the unknown
    weight: Floats  # (T, M)
    free: Ints  # (T, M) which free place the row follows, NONE for none
    cost: float  # 1/2 sum weight miss^2, or what it stands for where a wish pulls less when far


def rows(lanes: list[Lane], moved: Moved, places: Floats) -> Rows:
    """All rows for where the points are now, with free places (V,) displaced so far."""
    found = [_lane_rows(lane, moved, places) for lane in lanes]
    return Rows(
        np.concatenate([each.miss for each in found], axis=1),
        np.concatenate([each.move for each in found], axis=1),
        np.concatenate([each.weight for each in found], axis=1),
        np.concatenate([each.free for each in found], axis=1),
        sum(each.cost for each in found),
    )


def _lane_rows(lane: Lane, moved: Moved, places: Floats) -> Rows:
    if lane.kind == "turn":
        assert moved.turn is not None
        turned = moved.orientation[:, lane.point].swapaxes(-1, -2)
        miss = vector_from_matrix(lane.target @ turned) * ARM
        return _weighed(lane, miss, moved.turn[:, lane.point] * ARM)
    if lane.kind == "above":
        low = lane.target[:, 1:2] - moved.position[:, lane.point, 1:2]
        return _weighed(lane, np.maximum(low, 0.0), moved.move[:, lane.point, 1:2])
    if lane.kind == "stay":
        return _stay_rows(lane, moved)
    if lane.kind == "beyond":
        assert lane.ways is not None
        short = ((lane.target - moved.position[:, lane.point]) * lane.ways).sum(axis=1)
        pushed = lane.ways[:, None] @ moved.move[:, lane.point]
        return _weighed(lane, np.maximum(short, 0.0)[:, None], pushed)
    if lane.kind == "support":
        return _support_rows(lane, moved)
    at, move = moved.position[:, lane.point], moved.move[:, lane.point]
    if lane.other != NONE:
        at, move = at - moved.position[:, lane.other], move - moved.move[:, lane.other]
    if lane.kind == "apart":
        size = np.linalg.norm(at, axis=-1, keepdims=True)
        way = at / np.where(size > 1e-9, size, 1.0)
        return _weighed(lane, lane.target[:, None] - size, way[:, None] @ move)
    miss = lane.target - at
    if lane.free is not None and len(places):
        miss = miss + np.where(lane.free == NONE, 0.0, places[lane.free])
    if lane.axes is not None:
        miss, move = miss @ lane.axes.T, lane.axes @ move
    return _weighed(lane, miss, move)


def _stay_rows(lane: Lane, moved: Moved) -> Rows:
    assert lane.region is not None
    out, way = lane.region.outside(moved.position[:, lane.point])
    miss = np.maximum(-out, 0.0) if not lane.inside else np.minimum(-out, 0.0)
    if lane.ways is not None:
        led = np.flatnonzero(miss > 0)
        places = moved.position[led, lane.point]
        miss[led], way[led] = lane.region.leave(places, lane.ways[led])
    return _weighed(lane, miss[:, None], way[:, None] @ moved.move[:, lane.point])


def _support_rows(lane: Lane, moved: Moved) -> Rows:
    assert lane.group is not None
    assert lane.shares is not None
    centre = np.tensordot(lane.shares, moved.position[:, lane.group], (0, 1))
    over = centre @ AROUND.T - lane.target
    worst = np.argmax(over, axis=1)
    miss = -np.maximum(over[np.arange(len(over)), worst], 0.0)
    move = np.tensordot(lane.shares, moved.move[:, lane.group], (0, 1))
    return _weighed(lane, miss[:, None], AROUND[worst][:, None] @ move)


def _weighed(lane: Lane, miss: Floats, move: Floats) -> Rows:
    weight = np.repeat(lane.weight[:, None], miss.shape[1], axis=1)
    squared = (miss * miss).sum(axis=1)
    each = 0.5 * squared
    if np.isfinite(lane.near):
        distance = np.sqrt(squared)
        far = distance > lane.near
        each = np.where(far, lane.near * (distance - 0.5 * lane.near), each)
        weight *= np.where(far, lane.near / np.where(far, distance, 1.0), 1.0)[:, None]
    if lane.kind in ONE_SIDED:
        weight = weight * (miss != 0)
    free = np.full(miss.shape, NONE) if lane.free is None else lane.free
    return Rows(miss, move, weight, free, float(lane.weight @ each))
