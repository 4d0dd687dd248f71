"""Packed curves: a clip as flat arrays that evaluate all curves at once.

A curve of K keys has K + 1 pieces: before its first key, its segments, after its last key.
Inside a piece the value is a weighted sum of four stored numbers: the values of two keys,
the dv out of the first and the dv into the second. Channels whose keys, handle times and
interpolation are alike share these weights: they form a group, evaluated once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.pieces import Keys, Piece, Pieces, set_angles
from arcwright.errors import BadValue
from arcwright.scene.clip import Clip
from arcwright.scene.curve import Curve, Extrapolation
from arcwright.scene.rig import Kind, Rig


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
    """Pack a clip; the rig gives defaults and which channels are quaternions."""
    if len(clip.curves) != len(rig.channels):
        raise BadValue(
            "Clip.curves", f"{len(rig.channels)} channels, as in the rig", len(clip.curves)
        )
    return pack_curves(clip.curves, rig.channels.default, quaternion_channels(rig))


def pack_curves(
    curves: Sequence[Curve | None], default: Floats, quaternions: Ints | None = None
) -> PackedCurves:
    """Pack curves without a rig; `quaternions` (Q, 4) lists channels wxyz."""
    driven = [curve for curve in curves if curve is not None]
    counts = np.array([0 if curve is None else len(curve) for curve in curves], np.int64)
    starts = np.cumsum(counts) - counts
    keys = Keys.of(driven)
    pieces = Pieces.of(driven, keys)
    if quaternions is not None and len(quaternions) and (pieces.kind == Piece.SLERP).any():
        set_angles(pieces, keys, counts, starts, quaternions)
    pieces.kind[(pieces.kind == Piece.SLERP) & (pieces.angle == 0)] = Piece.LINEAR
    group = np.full(len(curves), -1, np.int64)
    group[counts > 0], members = _grouped(pieces, keys, driven)
    return PackedCurves(
        default=np.array(default, float),
        group=group,
        first_key=starts,
        value=keys.value,
        rise=keys.tangent[:, :, 1].T.copy(),
        run=keys.tangent[:, :, 0].T.copy(),
        **_group_arrays(pieces, keys, members, driven),
    )


def quaternion_channels(rig: Rig) -> Ints:
    """(Q, 4) channels w, x, y, z of every joint with quaternion channels."""
    table = rig.channels
    found = np.flatnonzero((table.kind >= Kind.QUATERNION_W) & (table.kind <= Kind.QUATERNION_Z))
    order = found[np.lexsort((table.kind[found], table.joint[found]))]
    return order.reshape(-1, 4)


def _grouped(pieces: Pieces, keys: Keys, driven: Sequence[Curve]) -> tuple[Ints, list[int]]:
    """The group of each driven curve, and one curve of each group."""
    seen: dict[tuple[bytes, ...], int] = {}
    members: list[int] = []
    group = np.zeros(len(driven), np.int64)
    first, count = keys.first.tolist(), keys.count.tolist()
    for d, curve in enumerate(driven):
        own = slice(first[d] + d, first[d] + d + count[d] + 1)
        alike = (
            curve.time.tobytes(),
            pieces.kind[own].tobytes(),
            pieces.run[:, own].tobytes(),
            pieces.shrink[:, own].tobytes(),
            pieces.length[own].tobytes(),
            pieces.angle[own].tobytes(),
            bytes((curve.before, curve.after)),
        )
        group[d] = seen.setdefault(alike, len(members))
        if group[d] == len(members):
            members.append(d)
    return group, members


def _group_arrays(
    pieces: Pieces, keys: Keys, members: list[int], driven: Sequence[Curve]
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
        "kind": pieces.kind[piece],
        "start": pieces.start[piece],
        "length": pieces.length[piece],
        "run_out": pieces.run[1, piece],
        "run_in": pieces.run[0, piece],
        "shrink": pieces.shrink[:, piece],
        "angle": pieces.angle[piece],
        "ends": pieces.ends[:, piece],
    }


def _ranges(first: Ints, count: Ints) -> Ints:
    """first[0] .. + count[0], then first[1] .. + count[1], and so on."""
    offset = np.repeat(first - (np.cumsum(count) - count), count)
    return offset + np.arange(int(count.sum()))


def excerpt(clip: Clip, channels: Ints, span: tuple[float, float]) -> Clip:
    """The clip with some channels and the keys around a span; values inside are exact.

    Faster to pack where a clip has many keys.
    """
    curves: list[Curve | None] = [None] * len(clip.curves)
    for channel in channels.tolist():
        curve = clip.curves[channel]
        curves[channel] = None if curve is None else _around(curve, span)
    return replace(clip, curves=tuple(curves))


def _around(curve: Curve, span: tuple[float, float]) -> Curve:
    """The keys from the last one before the span to the first one after it."""
    beyond = span[0] < curve.time[0] or span[1] > curve.time[-1]
    if beyond and curve.cyclic:
        return curve
    # two keys at least: a straight curve goes on straight beyond its last segment
    first = max(int(np.searchsorted(curve.time, span[0], "right")) - 2, 0)
    last = int(np.searchsorted(curve.time, span[1], "left")) + 2
    if first == 0 and last >= len(curve):
        return curve
    own = slice(first, last)
    return Curve(
        time=curve.time[own],
        value=curve.value[own],
        tangent=curve.tangent[own],
        handles=curve.handles[own],
        interpolation=curve.interpolation[own],
        before=curve.before if first == 0 else Extrapolation.HOLD,
        after=curve.after if last >= len(curve) else Extrapolation.HOLD,
    )
