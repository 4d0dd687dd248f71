"""Rows: what lanes ask at every moment, as numbers that should become 0."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.spacetime.jacobians import Moved
from arcwright.tools.spacetime.terms import (
    ARM,
    COMPASS,
    NONE,
    ONE_SIDED,
    Lane,
    There,
    away,
    speeds,
    where,
)

UP = np.array([[0.0, 1.0, 0.0]])


class Items(NamedTuple):
    """What M rows are about: shares of points, one after the other."""

    first: Ints  # (M + 1,) where each row's points begin
    point: Ints
    share: Floats
    spins: Ints  # (M,) 1 where the row is about turning, 0 where it is about places


class Rows(NamedTuple):
    """M rows at each of T moments: along `vector`, its points should move by `miss`."""

    miss: Floats  # (T, M) m, wanted minus is
    weight: Floats  # (T, M)
    vector: Floats  # (T, M, 3)
    free: Ints  # (T, M, F) which free numbers the row follows, NONE for none
    lever: Floats  # (T, M, F) how much of them
    items: Items
    cost: float  # 1/2 sum weight miss^2, or what it stands for where a wish pulls less when far
    places: int  # V, how many free numbers there are

    @property
    def parts(self) -> tuple[Floats, Floats, Floats]:
        """What changes with the unknowns."""
        return self.miss, self.weight, self.vector

    def levers(self, place: int) -> Floats:
        """(T, M) how much rows follow a free number."""
        own: Floats = np.where(self.free == place, self.lever, 0.0).sum(axis=2)
        return own

    def move(self, moved: Moved) -> Floats:
        """(T, M, D) how unknowns move what each row is about."""
        times, count = self.miss.shape
        found = np.zeros((times, count, moved.move.shape[-1]))
        for row in range(count):
            by_point = moved.turn if self.items.spins[row] else moved.move
            for at in range(self.items.first[row], self.items.first[row + 1]):
                point, share = self.items.point[at], self.items.share[at]
                pulled = (share * self.vector[:, row, None] @ by_point[:, point])[:, 0]
                found[:, row] += pulled
        return found


def items_of(lanes: list[Lane]) -> Items:
    """The points of all rows of some lanes."""
    first, point, share, spins = [0], [], [], []
    for lane in lanes:
        for _ in range(lane.width):
            own, shares = _members(lane)
            point += own
            share += shares
            first.append(len(point))
            spins.append(int(lane.kind == "turn"))
    return Items(
        np.array(first, np.int64),
        np.array(point, np.int64),
        np.array(share, np.float64),
        np.array(spins, np.int64),
    )


def _members(lane: Lane) -> tuple[list[int], list[float]]:
    """The points that a lane is about, and the share of each."""
    if lane.group is not None and lane.shares is not None:
        return lane.group.tolist(), lane.shares.tolist()
    if lane.other != NONE:
        return [lane.point, lane.other], [1.0, -1.0]
    return [lane.point], [1.0]


class Bundle(NamedTuple):
    """Lanes one after the other that are about places and nothing else, worked out at once."""

    points: Ints  # (K,)
    target: Floats  # (T, K, 3) m
    weight: Floats  # (T, K)


def bundled(lanes: Sequence[Lane]) -> list[Lane | Bundle]:
    """All lanes in their order, those that are alike in bundles."""
    found: list[Lane | Bundle] = []
    for plain, group in groupby(lanes, _is_plain):
        some = list(group)
        if plain:
            points = np.array([lane.point for lane in some])
            target = np.stack([lane.target for lane in some], axis=1)
            weight = np.stack([lane.weight for lane in some], axis=1)
            found.append(Bundle(points, target, weight))
        else:
            found += some
    return found


def _is_plain(lane: Lane) -> bool:
    special = lane.axes, lane.free, lane.group
    plain = lane.kind == "place" and lane.other == NONE and lane.near == np.inf
    return plain and all(each is None for each in special)


def rows(
    lanes: Sequence[Lane],
    bundles: Sequence[Lane | Bundle],
    items: Items,
    there: There,
    places: Floats,
) -> Rows:
    """All rows for where the points are now, with free numbers (V,) as they are so far."""
    found = [
        _bundle_rows(each, there) if isinstance(each, Bundle) else _lane_rows(each, there, places)
        for each in bundles
    ]
    parts = zip(*(each[:3] for each in found), strict=True)
    miss, weight, vector = (np.concatenate(part, axis=1) for part in parts)
    times, count = miss.shape
    wide = 1 + any(lane.since is not None for lane in lanes) if len(places) else 0
    free = np.full((times, count, wide), NONE)
    lever = np.ones(free.shape)
    at = 0
    for lane in lanes:
        own = slice(at, at + lane.width)
        if lane.free is not None and wide:
            free[:, own, 0] = lane.free
        if lane.free is not None and lane.since is not None and wide:
            free[:, own, 1] = speeds(lane.free)
            lever[:, own, 1] = lane.since[:, None]
        at += lane.width
    cost = sum(each.cost for each in found)
    return Rows(miss, weight, vector, free, lever, items, cost, len(places))


class _LaneRows(NamedTuple):
    miss: Floats  # (T, A)
    weight: Floats  # (T, A)
    vector: Floats  # (T, A, 3)
    cost: float


def _bundle_rows(bundle: Bundle, there: There) -> _LaneRows:
    miss = bundle.target - there.position[:, bundle.points]
    times, count = bundle.weight.shape
    weight = np.repeat(bundle.weight, 3, axis=1)
    cost = 0.5 * float(np.einsum("tk,tki,tki->", bundle.weight, miss, miss))
    axes = np.broadcast_to(np.tile(np.eye(3), (count, 1)), (times, 3 * count, 3))
    return _LaneRows(miss.reshape(times, 3 * count), weight, axes, cost)


def _lane_rows(lane: Lane, there: There, places: Floats) -> _LaneRows:
    at = where(lane, there)
    if lane.kind == "stay":
        return _stay_rows(lane, at)
    if lane.kind == "beyond":
        assert lane.ways is not None
        short = ((lane.target - at) * lane.ways).sum(axis=1, keepdims=True)
        return _weighed(lane, np.maximum(short, 0.0), lane.ways[:, None])
    if lane.kind == "support":
        over = at @ COMPASS.T - lane.target
        worst = np.argmax(over, axis=1)
        beyond = over[np.arange(len(over)), worst][:, None]
        return _weighed(lane, -np.maximum(beyond, 0.0), COMPASS[worst][:, None])
    miss = away(lane, there, places)
    if lane.kind == "above":
        return _weighed(lane, np.maximum(miss, 0.0), _at_all(UP, miss))
    if lane.kind == "turn":
        return _weighed(lane, miss, _at_all(ARM * np.eye(3), miss))
    if lane.kind == "apart":
        size = np.linalg.norm(at, axis=-1, keepdims=True)
        return _weighed(lane, miss, (at / np.where(size > 1e-9, size, 1.0))[:, None])
    axes = np.eye(3) if lane.axes is None else lane.axes
    if lane.axes is not None:
        miss = miss @ axes.T
    return _weighed(lane, miss, _at_all(axes, miss))


def _at_all(vectors: Floats, miss: Floats) -> Floats:
    """(T, A, 3) the same at every moment."""
    return np.broadcast_to(vectors, (len(miss), *vectors.shape))


def off(lane: Lane, there: There, places: Floats) -> Floats:
    """(T,) m, how far what a lane is about is from what is wanted; turns by their arm."""
    if lane.kind == "place" and lane.axes is None:
        missed = away(lane, there, places)
    else:
        missed = _lane_rows(lane, there, places).miss
    distance: Floats = np.linalg.norm(missed, axis=1)
    return distance


def _stay_rows(lane: Lane, at: Floats) -> _LaneRows:
    assert lane.region is not None
    out, way = lane.region.outside(at)
    miss = np.maximum(-out, 0.0) if not lane.inside else np.minimum(-out, 0.0)
    if lane.ways is not None:
        led = np.flatnonzero(miss > 0)
        miss[led], way[led] = lane.region.leave(at[led], lane.ways[led])
    return _weighed(lane, miss[:, None], way[:, None])


def _weighed(lane: Lane, miss: Floats, vector: Floats) -> _LaneRows:
    """Weights as if rows were straight, and the cost of each moment before the lane's weight."""
    distance = np.sqrt((miss * miss).sum(axis=1))
    pull = np.ones(len(miss))  # of the lane's weight
    each = 0.5 * distance**2
    if np.isfinite(lane.near):
        far = distance > lane.near
        pull = np.where(far, lane.near / np.where(far, distance, 1.0), pull)
        each = np.where(far, lane.near * (distance - 0.5 * lane.near), each)
    weight = np.repeat((lane.weight * pull)[:, None], miss.shape[1], axis=1)
    if lane.kind in ONE_SIDED:
        weight = weight * (miss != 0)
    return _LaneRows(miss, weight, vector, float(lane.weight @ each))
