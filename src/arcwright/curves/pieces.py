"""Pieces of a curve: the part before its first key, its segments, the part after its last key.

Handles longer than their segment are shrunk here, each on its own, as Blender does.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.scene.curve import Curve, Extrapolation, Interpolation

SAME = 1e-9  # handle times this near to one third, in parts of the segment, count as one third


class Piece(IntEnum):
    """How the four weights of a piece follow from time."""

    BEZIER = 0
    THIRD = 1  # Bezier with one-third handles: time is the parameter
    LINEAR = 2
    HOLD = 3
    SLERP = 4
    RAY_IN = 5  # straight on from the handle into the first key
    RAY_OUT = 6  # straight on from the handle out of the last key


@dataclass(frozen=True, eq=False)
class Keys:
    """The keys of all driven curves, one after the other."""

    time: Floats  # (N,)
    value: Floats  # (N,)
    tangent: Floats  # (N, 2, 2)
    interpolation: Ints  # (N,)
    first: Ints  # (D,) where each curve begins
    count: Ints  # (D,)

    @classmethod
    def of(cls, driven: Sequence[Curve]) -> Keys:
        """The keys of these curves."""
        count = np.array([len(curve) for curve in driven], np.int64)
        return cls(
            time=_joined([curve.time for curve in driven], (0,)),
            value=_joined([curve.value for curve in driven], (0,)),
            tangent=_joined([curve.tangent for curve in driven], (0, 2, 2)),
            interpolation=_joined([curve.interpolation for curve in driven], (0,)).astype(np.int64),
            first=np.cumsum(count) - count,
            count=count,
        )


def _joined(arrays: Sequence[Floats | Ints], empty: tuple[int, ...]) -> Floats:
    return np.concatenate(arrays) if arrays else np.zeros(empty)


@dataclass(frozen=True, eq=False)
class Pieces:
    """The pieces of all driven curves: curve d has pieces first[d] + d .. + count[d]."""

    kind: Ints  # (S,)
    start: Floats  # (S,)
    length: Floats  # (S,)
    run: Floats  # (2, S) in, out; shrunk, in lengths
    shrink: Floats  # (2, S) in, out
    angle: Floats  # (S,)
    ends: Ints  # (2, S)

    @classmethod
    def of(cls, driven: Sequence[Curve], keys: Keys) -> Pieces:
        """The pieces of these curves, slerp ones without their angle."""
        total = len(keys.time) + len(driven)
        pieces = cls(
            kind=np.full(total, Piece.HOLD, np.int64),
            start=np.zeros(total),
            length=np.ones(total),
            run=np.full((2, total), 1 / 3),
            shrink=np.ones((2, total)),
            angle=np.zeros(total),
            ends=np.zeros((2, total), np.int64),
        )
        if driven:
            _fill_segments(pieces, keys)
            _fill_outside(pieces, keys, driven)
        return pieces


def _segments(keys: Keys) -> tuple[Ints, Ints]:
    """Of every segment: its first key among all keys, and its piece."""
    curve = np.repeat(np.arange(len(keys.count)), keys.count)
    inner = np.ones(len(keys.time), bool)
    inner[keys.first + keys.count - 1] = False
    key = np.flatnonzero(inner)
    return key, key + curve[key] + 1


def _fill_segments(pieces: Pieces, keys: Keys) -> None:
    key, piece = _segments(keys)
    length = keys.time[key + 1] - keys.time[key]
    pieces.start[piece] = keys.time[key]
    pieces.length[piece] = length
    stored = np.stack([keys.tangent[key + 1, 0, 0], keys.tangent[key, 1, 0]])  # (2, S) in, out
    pieces.shrink[:, piece] = length / np.maximum(stored, length)
    pieces.run[:, piece] = np.minimum(stored / length, 1.0)
    modes = np.array([Piece.BEZIER, Piece.LINEAR, Piece.HOLD, Piece.SLERP], np.int64)
    kind = modes[keys.interpolation[key]]
    third = (abs(pieces.run[:, piece] - 1 / 3) < SAME).all(axis=0)
    kind[third & (kind == Piece.BEZIER)] = Piece.THIRD
    pieces.kind[piece] = kind
    local = key - np.repeat(keys.first, keys.count)[key]
    pieces.ends[:, piece] = local, local + 1


def _fill_outside(pieces: Pieces, keys: Keys, driven: Sequence[Curve]) -> None:
    """The pieces before the first and after the last key, as Blender extrapolates."""
    curve = np.arange(len(driven))
    last = keys.first + keys.count - 1
    for side, key, inward in ((0, keys.first, 1), (1, last, -1)):
        piece = keys.first + curve + side * keys.count
        local = key - keys.first
        pieces.start[piece] = keys.time[key]
        pieces.ends[:, piece] = local
        extend = np.array([curve.after if side else curve.before for curve in driven])
        on = (extend == Extrapolation.LINEAR) & (keys.interpolation[key] != Interpolation.STEP)
        curved = keys.interpolation[key] == Interpolation.BEZIER
        run = keys.tangent[key, side, 0]
        ray = on & curved & (run > 0)
        pieces.kind[piece[ray]] = Piece.RAY_OUT if side else Piece.RAY_IN
        pieces.length[piece[ray]] = run[ray]
        straight = np.flatnonzero(on & ~curved & (keys.count > 1))
        near = piece[straight] + inward
        pieces.kind[piece[straight]] = Piece.LINEAR
        pieces.start[piece[straight]] = pieces.start[near]
        pieces.length[piece[straight]] = pieces.length[near]
        pieces.ends[:, piece[straight]] = pieces.ends[:, near]


def set_angles(pieces: Pieces, keys: Keys, counts: Ints, starts: Ints, quaternions: Ints) -> None:
    """Give slerp segments their angle where all four curves have the same two keys."""
    driven = np.cumsum(counts > 0) - 1
    for four in quaternions:
        if (counts[four] < 2).any():
            continue
        places = [_slerp_segments(keys, starts[c], counts[c]) for c in four]
        shared = set.intersection(*(set(place) for place in places))
        for moment in shared:
            key = np.array([place[moment] for place in places])
            before, after = keys.value[key], keys.value[key + 1]
            size = float(np.linalg.norm(before) * np.linalg.norm(after))
            if size > 0:
                cosine = float(before @ after) / size
                # Never 0, which means "keys not aligned"; sines of so small an angle are exact.
                angle = max(math.acos(min(abs(cosine), 1.0)), 1e-9)
                pieces.angle[key + driven[four] + 1] = np.copysign(angle, cosine)


def _slerp_segments(keys: Keys, start: int, count: int) -> dict[tuple[float, float], int]:
    time = keys.time[start : start + count].tolist()
    modes = keys.interpolation[start : start + count - 1].tolist()
    return {
        (time[k], time[k + 1]): start + k
        for k, mode in enumerate(modes)
        if mode == Interpolation.SLERP
    }
