"""Rows: the terms linearised at the current motion, as residuals with directions and weights."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.spacetime.jacobians import PointJacobian
from arcwright.tools.spacetime.terms import (
    COMPASS,
    NONE,
    ONE_SIDED,
    ORIENTATION_SCALE,
    PointPoses,
    Term,
    measured,
    residual,
    velocity_index,
)

UP = np.array([[0.0, 1.0, 0.0]])


class RowPoints(NamedTuple):
    """The points of M rows and their shares, one after the other."""

    first: Ints  # (M + 1,) where each row's points begin
    point: Ints
    share: Floats
    angular: Ints  # (M,) 1 for a residual of an orientation, 0 for one of a position


class Rows(NamedTuple):
    """M rows at each of T samples: the points should move along `direction` by `residual`."""

    residual: Floats  # (T, M) m, target minus measured
    weight: Floats  # (T, M)
    direction: Floats  # (T, M, 3)
    offset: Ints  # (T, M, F) free offsets of the target, NONE for none
    offset_factor: Floats  # (T, M, F)
    points: RowPoints
    cost: float  # 1/2 sum weight residual^2, or its Huber form
    offset_count: int  # V

    @property
    def parts(self) -> tuple[Floats, Floats, Floats]:
        """What changes with the unknowns."""
        return self.residual, self.weight, self.direction

    def offset_column(self, offset: int) -> Floats:
        """(T, M) derivative of the targets by a free offset."""
        own: Floats = np.where(self.offset == offset, self.offset_factor, 0.0).sum(axis=2)
        return own

    def jacobian(self, points: PointJacobian) -> Floats:
        """(T, M, D) derivative of what each row measures by the unknowns."""
        times, count = self.residual.shape
        found = np.zeros((times, count, points.linear.shape[-1]))
        for row in range(count):
            by_point = points.angular if self.points.angular[row] else points.linear
            for at in range(self.points.first[row], self.points.first[row + 1]):
                point, share = self.points.point[at], self.points.share[at]
                found[:, row] += (share * self.direction[:, row, None] @ by_point[:, point])[:, 0]
        return found


def row_points(terms: Sequence[Term]) -> RowPoints:
    """The points of all rows of some terms."""
    first, point, share, angular = [0], [], [], []
    for term in terms:
        for _ in range(term.width):
            own, shares = _members(term)
            point += own
            share += shares
            first.append(len(point))
            angular.append(int(term.kind == "orientation"))
    return RowPoints(
        np.array(first, np.int64),
        np.array(point, np.int64),
        np.array(share, np.float64),
        np.array(angular, np.int64),
    )


def _members(term: Term) -> tuple[list[int], list[float]]:
    """The points of a term and the share of each."""
    if term.group is not None and term.shares is not None:
        return term.group.tolist(), term.shares.tolist()
    if term.other != NONE:
        return [term.point, term.other], [1.0, -1.0]
    return [term.point], [1.0]


class PositionBatch(NamedTuple):
    """Neighbouring plain position terms, linearised together."""

    points: Ints  # (K,)
    target: Floats  # (T, K, 3) m
    weight: Floats  # (T, K)


def batch_positions(terms: Sequence[Term]) -> list[Term | PositionBatch]:
    """All terms in their order, neighbouring plain positions in batches."""
    found: list[Term | PositionBatch] = []
    for plain, group in groupby(terms, _is_plain):
        some = list(group)
        if plain:
            points = np.array([term.point for term in some])
            target = np.stack([term.target for term in some], axis=1)
            weight = np.stack([term.weight for term in some], axis=1)
            found.append(PositionBatch(points, target, weight))
        else:
            found += some
    return found


def _is_plain(term: Term) -> bool:
    special = term.axes, term.offset, term.group
    plain = term.kind == "position" and term.other == NONE and term.huber == np.inf
    return plain and all(each is None for each in special)


def linearise(
    terms: Sequence[Term],
    batches: Sequence[Term | PositionBatch],
    points: RowPoints,
    poses: PointPoses,
    offsets: Floats,
) -> Rows:
    """All rows at the current poses of the points and free offsets (V,)."""
    found = [
        _batch_rows(each, poses)
        if isinstance(each, PositionBatch)
        else _term_rows(each, poses, offsets)
        for each in batches
    ]
    parts = zip(*(each[:3] for each in found), strict=True)
    residuals, weight, direction = (np.concatenate(part, axis=1) for part in parts)
    times, count = residuals.shape
    width = 1 + any(term.elapsed is not None for term in terms) if len(offsets) else 0
    offset = np.full((times, count, width), NONE)
    factor = np.ones(offset.shape)
    at = 0
    for term in terms:
        own = slice(at, at + term.width)
        if term.offset is not None and width:
            offset[:, own, 0] = term.offset
            if term.profile is not None:
                factor[:, own, 0] = term.profile[:, None]
        if term.offset is not None and term.elapsed is not None and width:
            offset[:, own, 1] = velocity_index(term.offset)
            factor[:, own, 1] = term.elapsed[:, None]
        at += term.width
    cost = sum(each.cost for each in found)
    return Rows(residuals, weight, direction, offset, factor, points, cost, len(offsets))


class _TermRows(NamedTuple):
    residual: Floats  # (T, A)
    weight: Floats  # (T, A)
    direction: Floats  # (T, A, 3)
    cost: float


def _batch_rows(batch: PositionBatch, poses: PointPoses) -> _TermRows:
    away = batch.target - poses.position[:, batch.points]
    times, count = batch.weight.shape
    weight = np.repeat(batch.weight, 3, axis=1)
    cost = 0.5 * float(np.einsum("tk,tki,tki->", batch.weight, away, away))
    axes = np.broadcast_to(np.tile(np.eye(3), (count, 1)), (times, 3 * count, 3))
    return _TermRows(away.reshape(times, 3 * count), weight, axes, cost)


def _term_rows(term: Term, poses: PointPoses, offsets: Floats) -> _TermRows:
    at = measured(term, poses)
    if term.kind == "region":
        return _region_rows(term, at)
    if term.kind == "plane":
        assert term.exits is not None
        short = ((term.target - at) * term.exits).sum(axis=1, keepdims=True)
        return _weighted(term, np.maximum(short, 0.0), term.exits[:, None])
    if term.kind == "support":
        over = at @ COMPASS.T - term.target
        worst = np.argmax(over, axis=1)
        beyond = over[np.arange(len(over)), worst][:, None]
        return _weighted(term, -np.maximum(beyond, 0.0), COMPASS[worst][:, None])
    away = residual(term, poses, offsets)
    if term.kind == "height":
        return _weighted(term, np.maximum(away, 0.0), _at_all_samples(UP, away))
    if term.kind == "rise":
        return _weighted(term, away, _at_all_samples(UP, away))
    if term.kind == "orientation":
        return _weighted(term, away, _at_all_samples(ORIENTATION_SCALE * np.eye(3), away))
    if term.kind == "distance":
        size = np.linalg.norm(at, axis=-1, keepdims=True)
        return _weighted(term, away, (at / np.where(size > 1e-9, size, 1.0))[:, None])
    axes = np.eye(3) if term.axes is None else term.axes
    if term.axes is not None:
        away = away @ axes.T
    return _weighted(term, away, _at_all_samples(axes, away))


def _at_all_samples(directions: Floats, residuals: Floats) -> Floats:
    """(T, A, 3) the same directions at every sample."""
    return np.broadcast_to(directions, (len(residuals), *directions.shape))


def residual_norm(term: Term, poses: PointPoses, offsets: Floats) -> Floats:
    """(T,) m, size of a term's residual; of an inequality, its violation."""
    if term.kind == "position" and term.axes is None:
        away = residual(term, poses, offsets)
    else:
        away = _term_rows(term, poses, offsets).residual
    distance: Floats = np.linalg.norm(away, axis=1)
    return distance


def _region_rows(term: Term, at: Floats) -> _TermRows:
    assert term.region is not None
    distance, direction = term.region.signed(at)
    away = np.maximum(-distance, 0.0) if not term.inside else np.minimum(-distance, 0.0)
    if term.exits is not None:
        led = np.flatnonzero(away > 0)
        away[led], direction[led] = term.region.along(at[led], term.exits[led])
    return _weighted(term, away[:, None], direction[:, None])


def _weighted(term: Term, residuals: Floats, direction: Floats) -> _TermRows:
    """Rows with the weights of the Huber cost; inequalities count where they are violated."""
    distance = np.sqrt((residuals * residuals).sum(axis=1))
    share = np.ones(len(residuals))  # of the term's weight
    each = 0.5 * distance**2
    if np.isfinite(term.huber):
        far = distance > term.huber
        share = np.where(far, term.huber / np.where(far, distance, 1.0), share)
        each = np.where(far, term.huber * (distance - 0.5 * term.huber), each)
    weight = np.repeat((term.weight * share)[:, None], residuals.shape[1], axis=1)
    if term.kind in ONE_SIDED:
        weight = weight * (residuals != 0)
    return _TermRows(residuals, weight, direction, float(term.weight @ each))
