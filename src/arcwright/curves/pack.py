"""Pack: the running form of a clip, flat arrays that evaluate all curves at once.

A curve of K keys has K + 1 pieces: before its first key, its segments, after its last key.
Inside a piece the value is a weighted sum of four stored numbers: the values of two keys,
the dv out of the first and the dv into the second. Channels whose keys, handle times and
interpolation are alike share these weights: they form a group, worked out once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation, Interpolation
from arcwright.scene.rig import Kind, Rig

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
class PackedCurves:
    """All curves of a clip, G groups with P pieces and M key times, C channels with N keys."""

    default: Floats  # (C,)
    group: Ints  # (C,) group of a channel, -1 without a curve
    first_key: Ints  # (C,) where a channel's keys begin among the N
    value: Floats  # (N,)
    rise: Floats  # (2, N) dv of the tangent in and out
    run: Floats  # (2, N) dt of the tangent in and out, as stored
    moments: Floats  # (U,) all key times, sorted, each once
    code: Ints  # (M,) group * (U + 1) + place in moments, sorted
    group_key: Ints  # (G,) where a group's key times begin in code
    group_count: Ints  # (G,) keys of each of its channels
    span: Floats  # (2, G) s, first and last key time
    before: Ints  # (G,) Extrapolation
    after: Ints  # (G,)
    kind: Ints  # (P,) Piece
    start: Floats  # (P,) s
    length: Floats  # (P,) s
    run_out: Floats  # (P,) handle time out of the first key after shrinking, in lengths
    run_in: Floats  # (P,) handle time into the second key after shrinking, in lengths
    shrink: Floats  # (2, P) how much of the stored handle in and out is left
    angle: Floats  # (P,) rad, of slerp pieces; negative where the second key is negated
    ends: Ints  # (2, P) the two keys, counted from the channel's first

    @cached_property
    def kinds(self) -> frozenset[int]:
        """The kinds of piece that occur."""
        return frozenset(np.unique(self.kind).tolist())


def pack(clip: Clip, rig: Rig) -> PackedCurves:
    """The running form of a clip; the rig gives defaults and which channels are quaternions."""
    if len(clip.curves) != len(rig.channels):
        raise BadValue(
            "Clip.curves", f"{len(rig.channels)} channels, as in the rig", len(clip.curves)
        )
    return pack_curves(clip.curves, rig.channels.default, quaternion_channels(rig))


def pack_curves(
    curves: Sequence[Curve | None], default: Floats, quaternions: Ints | None = None
) -> PackedCurves:
    """The running form of curves without a rig; `quaternions` (Q, 4) lists channels wxyz."""
    driven = [curve for curve in curves if curve is not None]
    counts = np.array([0 if curve is None else len(curve) for curve in curves], np.int64)
    starts = np.cumsum(counts) - counts
    keys = _Keys.of(driven)
    slots = _Slots.of(driven, keys)
    if quaternions is not None and len(quaternions) and (slots.kind == Piece.SLERP).any():
        _set_angles(slots, keys, counts, starts, quaternions)
    slots.kind[(slots.kind == Piece.SLERP) & (slots.angle == 0)] = Piece.LINEAR
    group = np.full(len(curves), -1, np.int64)
    group[counts > 0], members = _grouped(slots, keys, driven)
    return PackedCurves(
        default=np.array(default, float),
        group=group,
        first_key=starts,
        value=keys.value,
        rise=keys.tangent[:, :, 1].T.copy(),
        run=keys.tangent[:, :, 0].T.copy(),
        **_group_arrays(slots, keys, members, driven),
    )


def quaternion_channels(rig: Rig) -> Ints:
    """(Q, 4) channels w, x, y, z of every joint that turns by quaternion."""
    table = rig.channels
    found = np.flatnonzero((table.kind >= Kind.QUATERNION_W) & (table.kind <= Kind.QUATERNION_Z))
    order = found[np.lexsort((table.kind[found], table.joint[found]))]
    return order.reshape(-1, 4)


@dataclass(frozen=True, eq=False)
class _Keys:
    """The keys of all driven curves, one after the other."""

    time: Floats  # (N,)
    value: Floats  # (N,)
    tangent: Floats  # (N, 2, 2)
    interpolation: Ints  # (N,)
    first: Ints  # (D,) where each curve begins
    count: Ints  # (D,)

    @classmethod
    def of(cls, driven: Sequence[Curve]) -> _Keys:
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
class _Slots:
    """The pieces of all driven curves: curve d has pieces first[d] + d .. + count[d]."""

    kind: Ints  # (S,)
    start: Floats  # (S,)
    length: Floats  # (S,)
    run: Floats  # (2, S) in, out; shrunk, in lengths
    shrink: Floats  # (2, S) in, out
    angle: Floats  # (S,)
    ends: Ints  # (2, S)

    @classmethod
    def of(cls, driven: Sequence[Curve], keys: _Keys) -> _Slots:
        total = len(keys.time) + len(driven)
        slots = cls(
            kind=np.full(total, Piece.HOLD, np.int64),
            start=np.zeros(total),
            length=np.ones(total),
            run=np.full((2, total), 1 / 3),
            shrink=np.ones((2, total)),
            angle=np.zeros(total),
            ends=np.zeros((2, total), np.int64),
        )
        if driven:
            _fill_segments(slots, keys)
            _fill_outside(slots, keys, driven)
        return slots


def _segments(keys: _Keys) -> tuple[Ints, Ints]:
    """Of every segment: its first key among all keys, and its piece."""
    curve = np.repeat(np.arange(len(keys.count)), keys.count)
    inner = np.ones(len(keys.time), bool)
    inner[keys.first + keys.count - 1] = False
    key = np.flatnonzero(inner)
    return key, key + curve[key] + 1


def _fill_segments(slots: _Slots, keys: _Keys) -> None:
    key, piece = _segments(keys)
    length = keys.time[key + 1] - keys.time[key]
    slots.start[piece] = keys.time[key]
    slots.length[piece] = length
    stored = np.stack([keys.tangent[key + 1, 0, 0], keys.tangent[key, 1, 0]])  # (2, S) in, out
    slots.shrink[:, piece] = length / np.maximum(stored, length)
    slots.run[:, piece] = np.minimum(stored / length, 1.0)
    modes = np.array([Piece.BEZIER, Piece.LINEAR, Piece.HOLD, Piece.SLERP], np.int64)
    kind = modes[keys.interpolation[key]]
    third = (abs(slots.run[:, piece] - 1 / 3) < SAME).all(axis=0)
    kind[third & (kind == Piece.BEZIER)] = Piece.THIRD
    slots.kind[piece] = kind
    local = key - np.repeat(keys.first, keys.count)[key]
    slots.ends[:, piece] = local, local + 1


def _fill_outside(slots: _Slots, keys: _Keys, driven: Sequence[Curve]) -> None:
    """The pieces before the first and after the last key, as Blender extrapolates."""
    curve = np.arange(len(driven))
    last = keys.first + keys.count - 1
    for side, key, inward in ((0, keys.first, 1), (1, last, -1)):
        piece = keys.first + curve + side * keys.count
        local = key - keys.first
        slots.start[piece] = keys.time[key]
        slots.ends[:, piece] = local
        extend = np.array([curve.after if side else curve.before for curve in driven])
        on = (extend == Extrapolation.LINEAR) & (keys.interpolation[key] != Interpolation.STEP)
        curved = keys.interpolation[key] == Interpolation.BEZIER
        run = keys.tangent[key, side, 0]
        ray = on & curved & (run > 0)
        slots.kind[piece[ray]] = Piece.RAY_OUT if side else Piece.RAY_IN
        slots.length[piece[ray]] = run[ray]
        straight = np.flatnonzero(on & ~curved & (keys.count > 1))
        near = piece[straight] + inward
        slots.kind[piece[straight]] = Piece.LINEAR
        slots.start[piece[straight]] = slots.start[near]
        slots.length[piece[straight]] = slots.length[near]
        slots.ends[:, piece[straight]] = slots.ends[:, near]


def _set_angles(slots: _Slots, keys: _Keys, counts: Ints, starts: Ints, quaternions: Ints) -> None:
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
                # Never 0, which means "does not line up"; sines of so small an angle are exact.
                angle = max(math.acos(min(abs(cosine), 1.0)), 1e-9)
                slots.angle[key + driven[four] + 1] = np.copysign(angle, cosine)


def _slerp_segments(keys: _Keys, start: int, count: int) -> dict[tuple[float, float], int]:
    time = keys.time[start : start + count].tolist()
    modes = keys.interpolation[start : start + count - 1].tolist()
    return {
        (time[k], time[k + 1]): start + k
        for k, mode in enumerate(modes)
        if mode == Interpolation.SLERP
    }


def _grouped(slots: _Slots, keys: _Keys, driven: Sequence[Curve]) -> tuple[Ints, list[int]]:
    """The group of each driven curve, and one curve of each group."""
    seen: dict[tuple[bytes, ...], int] = {}
    members: list[int] = []
    group = np.zeros(len(driven), np.int64)
    first, count = keys.first.tolist(), keys.count.tolist()
    for d, curve in enumerate(driven):
        own = slice(first[d] + d, first[d] + d + count[d] + 1)
        alike = (
            curve.time.tobytes(),
            slots.kind[own].tobytes(),
            slots.run[:, own].tobytes(),
            slots.shrink[:, own].tobytes(),
            slots.length[own].tobytes(),
            slots.angle[own].tobytes(),
            bytes((curve.before, curve.after)),
        )
        group[d] = seen.setdefault(alike, len(members))
        if group[d] == len(members):
            members.append(d)
    return group, members


def _group_arrays(
    slots: _Slots, keys: _Keys, members: list[int], driven: Sequence[Curve]
) -> dict[str, Any]:
    chosen = np.array(members, np.int64)
    first, count = keys.first[chosen], keys.count[chosen]
    key = _ranges(first, count)
    piece = _ranges(first + chosen, count + 1)
    moments, place = np.unique(keys.time[key], return_inverse=True)
    return {
        "moments": moments,
        "code": np.repeat(np.arange(len(members)), count) * (len(moments) + 1) + place,
        "group_key": np.cumsum(count) - count,
        "group_count": count,
        "span": np.stack([keys.time[first], keys.time[first + count - 1]]),
        "before": np.array([driven[d].before for d in members], np.int64),
        "after": np.array([driven[d].after for d in members], np.int64),
        "kind": slots.kind[piece],
        "start": slots.start[piece],
        "length": slots.length[piece],
        "run_out": slots.run[1, piece],
        "run_in": slots.run[0, piece],
        "shrink": slots.shrink[:, piece],
        "angle": slots.angle[piece],
        "ends": slots.ends[:, piece],
    }


def _ranges(first: Ints, count: Ints) -> Ints:
    """first[0] .. + count[0], then first[1] .. + count[1], and so on."""
    offset = np.repeat(first - (np.cumsum(count) - count), count)
    return offset + np.arange(int(count.sum()))
