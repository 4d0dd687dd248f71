"""Which pieces of SEcurves follow a flow curve, and to where (3.10, 3.11)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.tools.flow.arap import complex_of, points_of
from arcwright.tools.flow.hermite import lengths, tangents
from arcwright.tools.flow.stroke_fit import FlowCurveLine
from arcwright.tools.flow.subjective_curves import SubjectiveCurve

REACH = 100.0  # px
_COSINE = 0.5  # of the angle between undirected tangents: 60 degrees
_NEARNESS = 1e4  # weight of 1 / (1 + distance) in the score, beside the length in px
_LEAST_SCORE = 150.0
_SECOND = 0.75  # factor of the score of an object's second curve
_LEAST_LENGTH = 16.0  # px
_FAR = 1e4  # px, the reach of curves that are chosen by hand
_BEYOND = 12.0  # px, that a curve may reach beyond an end of the flow curve
_JUMP = 60.0  # px along the flow curve between neighbouring samples, at most
_MEANT, _STRAY = 0.7, 0.4  # of the flow curve: beside a piece along so much, less is not meant
_CLOSE = 5.0  # px; a short piece this near to the flow curve is meant, too
_SHARED = 0.3  # of the shorter one: intervals of the flow curve that compete


@dataclass(frozen=True, eq=False)
class Piece:
    """A part of a curve and the part of the flow curve that it follows."""

    curve: int
    samples: Ints  # (K,) of the curve, in order
    nearest: Floats  # (K,) px along the flow curve, of the nearest point
    reversed: bool  # the curve runs against the flow curve
    length: float  # px
    distance: float  # px, mean
    score: float

    @property
    def interval(self) -> tuple[float, float]:
        """Px along the flow curve."""
        return float(self.nearest.min()), float(self.nearest.max())


@dataclass(frozen=True, eq=False)
class PieceTargets:
    """Where samples of a piece should be."""

    piece: Piece
    samples: Ints  # (K,) those that stay on the flow curve
    targets: Floats  # (K, 2) px, at strength 1
    tangents: Floats  # (K, 2) of the flow curve there, as the curve runs


def find_pieces(
    curves: Sequence[SubjectiveCurve],
    places: Sequence[Floats],
    flow: FlowCurveLine,
    reach: float,
    allowed: Callable[[int], bool] = lambda _: True,
    chosen: Callable[[int], bool] = lambda _: False,
) -> list[Piece]:
    """All pieces that are near enough, alike in direction and of enough score, the best first.

    Curves that are chosen by hand need be neither near nor of enough score.
    `places` (S, 2) are the curves' samples as they are now. Of pieces of one object that follow
    the same part of the flow curve, only the best stays.
    """
    found: list[Piece] = []
    low, high = flow.points.min(0) - reach, flow.points.max(0) + reach
    for index, (curve, points) in enumerate(zip(curves, places, strict=True)):
        outside = (points.max(0) < low).any() or (points.min(0) > high).any()
        by_hand = chosen(index)
        if (outside and not by_hand) or not allowed(index):
            continue
        weight = _SECOND if curve.second else 1.0
        found += [
            replace(each, score=weight * each.score)
            for each in _pieces_of(index, points, curve.closed, flow, _FAR if by_hand else reach)
            if by_hand or each.score >= _LEAST_SCORE
        ]
    found.sort(key=lambda each: (-each.score, each.curve))
    kept: list[Piece] = []
    for piece in found:
        rivals = [each for each in kept if _same_object(curves, piece, each)]
        if not any(_compete(piece, each) for each in rivals):
            kept.append(piece)
    meant = _without_strays(kept, flow)
    return [each for each in kept if chosen(each.curve) or each in meant]


def _without_strays(pieces: Sequence[Piece], flow: FlowCurveLine) -> list[Piece]:
    """Without short pieces beside one that runs along most of the flow curve, a trunk's say."""
    along = [(each.interval[1] - each.interval[0]) / flow.length for each in pieces]
    if max(along, default=0.0) < _MEANT:
        return list(pieces)
    return [
        each
        for each, share in zip(pieces, along, strict=True)
        if share > _STRAY or each.distance < _CLOSE
    ]


def score_of(length: float, distance: float) -> float:
    """S = l + w / (1 + d) (3.10)."""
    return length + _NEARNESS / (1 + distance)


def _pieces_of(
    index: int, points: Floats, closed: bool, flow: FlowCurveLine, reach: float
) -> list[Piece]:
    away = ((points[:, None] - flow.points) ** 2).sum(-1)
    nearest = away.argmin(1)
    distance = np.sqrt(away[np.arange(len(points)), nearest])
    along = tangents(points, closed=closed)
    cosine = (along * flow.tangents[nearest]).sum(1)
    near = (distance < reach) & (np.abs(cosine) > _COSINE)
    near &= ~_beyond_ends(points, nearest, flow)
    found = []
    for run in _runs(near, flow.along[nearest], closed):
        length = float(lengths(points[run])[-1])
        mean = float(distance[run].mean())
        score = score_of(length, mean)
        if length >= _LEAST_LENGTH:
            backwards = bool(cosine[run].sum() < 0)
            found.append(
                Piece(index, run, flow.along[nearest[run]], backwards, length, mean, score)
            )
    return found


def _beyond_ends(points: Floats, nearest: Ints, flow: FlowCurveLine) -> Bools:
    """Samples that lie beyond an end of the flow curve rather than beside it."""
    last = len(flow.points) - 1
    at_end = (nearest == 0) | (nearest == last)
    ahead = ((points - flow.points[nearest]) * flow.tangents[nearest]).sum(1)
    beyond: Bools = at_end & (np.abs(ahead) > _BEYOND)
    return beyond


def _runs(near: Bools, along: Floats, closed: bool) -> list[Ints]:
    """Runs of neighbouring samples whose nearest points are neighbours, too."""
    count = len(near)
    order = np.arange(count)
    joined = near[:-1] & near[1:] & (np.abs(np.diff(along)) < _JUMP)
    if closed and near.any():
        breaks = np.flatnonzero(~np.append(joined, near[-1] & near[0]))
        if len(breaks):
            start = int(breaks[0]) + 1
            order = np.roll(order, -start)
            near, along = near[order], along[order]
            joined = near[:-1] & near[1:] & (np.abs(np.diff(along)) < _JUMP)
    cuts = np.flatnonzero(~joined) + 1
    return [run for run in np.split(order, cuts) if len(run) > 2]


def _same_object(curves: Sequence[SubjectiveCurve], one: Piece, other: Piece) -> bool:
    return bool(set(curves[one.curve].objects) & set(curves[other.curve].objects))


def _compete(one: Piece, other: Piece) -> bool:
    (a, b), (c, d) = one.interval, other.interval
    shared = min(b, d) - max(a, c)
    return shared > _SHARED * max(min(b - a, d - c), 1e-9)


def targets_of(
    piece: Piece,
    points: Floats,
    flow: FlowCurveLine,
    contacts: Floats | None,
    small: float = 0.0,
) -> PieceTargets:
    """Where a piece goes: along the flow curve by its own arc length, from one anchor.

    The anchor is the sample nearest to a contact, and the flow curve is moved to it; without
    `contacts` it is the sample nearest to the flow curve, and the piece goes there. A free piece
    shorter than `small`, px, keeps its shape: it turns and moves as a whole; a longer one bends
    the more, up to twice that length.
    """
    own = points[piece.samples]
    anchor = _anchor(own, piece, flow, contacts)
    length = lengths(own)
    sign = -1.0 if piece.reversed else 1.0
    along = piece.nearest[anchor] + sign * (length - length[anchor])
    if contacts is None:
        along += _shift_inside(along, flow.length)
    on = (along >= -_BEYOND) & (along <= flow.length + _BEYOND)
    on &= _around(on, anchor)
    along = along[on]
    clipped = np.clip(along, 0, flow.length)
    direction = flow.tangent_at(clipped)
    at = flow.at(clipped) + (along - clipped)[:, None] * direction
    if contacts is not None:
        at = at + own[anchor] - flow.at(piece.nearest[anchor : anchor + 1])
    elif small > 0:
        bends = float(np.clip(piece.length / small - 1, 0, 1))
        at = _as_a_whole(own[on], at) * (1 - bends) + at * bends
    return PieceTargets(piece, piece.samples[on], at, sign * direction)


def _as_a_whole(points: Floats, goals: Floats) -> Floats:
    """Points (K, 2) turned and moved, without a change of shape, as near to goals as they come."""
    middle, goal = points.mean(0), goals.mean(0)
    own, wanted = complex_of(points - middle), complex_of(goals - goal)
    turn = (wanted * np.conj(own)).sum()
    turn = turn / abs(turn) if abs(turn) > 1e-9 else 1.0
    return goal + points_of(own * turn)


def _anchor(own: Floats, piece: Piece, flow: FlowCurveLine, contacts: Floats | None) -> int:
    goals = flow.at(piece.nearest) if contacts is None else contacts
    away = ((own[:, None] - goals) ** 2).sum(-1)
    return int((np.diagonal(away) if contacts is None else away.min(1)).argmin())


def _shift_inside(along: Floats, length: float) -> float:
    """How far to move an interval along the flow curve so that it is on it."""
    if np.ptp(along) > length:
        return 0.0
    return max(0.0, -float(along.min())) - max(0.0, float(along.max()) - length)


def _around(on: Bools, anchor: int) -> Bools:
    """The run of samples around the anchor."""
    if not on[anchor]:
        found: Bools = np.arange(len(on)) == anchor
        return found
    cuts = np.flatnonzero(~on)
    before = cuts[cuts < anchor].max(initial=-1)
    after = cuts[cuts > anchor].min(initial=len(on))
    index = np.arange(len(on))
    kept: Bools = (index > before) & (index < after)
    return kept


def limited(targets: PieceTargets, points: Floats, strength: Floats) -> PieceTargets:
    """Targets at a strength, (K, 1): 0 leaves the samples where they are."""
    start = points[targets.samples]
    return replace(targets, targets=start + strength * (targets.targets - start))


def angles(points: Floats, wanted: Floats, closed: bool = False) -> Floats:
    """Angles (K,) between the tangents of a line and wanted tangents, rad."""
    along = tangents(points, closed=closed)
    cosine = np.abs((along * wanted).sum(1))
    found: Floats = np.arccos(np.clip(cosine, 0, 1))
    return found
