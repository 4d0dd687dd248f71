"""Derivatives of curve values by time, key values and tangents."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, Ints, frozen
from arcwright.curves.evaluate import (
    Place,
    bernstein_weights,
    blocks,
    channel_indices,
    locate,
    parameters,
)
from arcwright.curves.pack import PackedCurves
from arcwright.curves.pieces import Piece

STEEPEST = 1e-12  # x' in lengths below which a slope counts as vertical and is kept finite


@dataclass(frozen=True, eq=False)
class Derivative:
    """Derivatives of every value (T, C) by the keys it depends on.

    `keys` counts from the channel's first key and is -1 where no curve drives the channel.
    A value in a cycle with offset also moves by `rounds` times (last - first key value).
    Slerp segments have `by_value` at a fixed angle between their keys.
    """

    slope: Floats  # (T, C) per s
    keys: Ints  # (T, C, 2) first and second key of the segment
    by_value: Floats  # (T, C, 2) by the values of these keys
    by_tangent: Floats  # (T, C, 2, 2) by [dt, dv] out of the first and into the second key
    rounds: Floats  # (T, C)


def derivative(
    packed: PackedCurves, times: ArrayLike, channels: ArrayLike | None = None
) -> Derivative:
    """Derivatives at times (T,) s of all channels or of those named, in the order named."""
    moments = frozen(times, "times", ("T",))
    chosen = channel_indices(packed, channels)
    shape = (len(moments), len(chosen))
    result = Derivative(
        slope=np.zeros(shape),
        keys=np.full((*shape, 2), -1, np.int64),
        by_value=np.zeros((*shape, 2)),
        by_tangent=np.zeros((*shape, 2, 2)),
        rounds=np.zeros(shape),
    )
    driven = np.flatnonzero(packed.group[chosen] >= 0)
    if len(driven):
        groups, member = np.unique(packed.group[chosen[driven]], return_inverse=True)
        own = _Channels(driven, member, packed.first_key[chosen[driven]])
        for block in blocks(len(moments), len(driven)):
            _fill(result, block, own, packed, locate(packed, groups, moments[block]))
    return result


@dataclass(frozen=True, eq=False)
class _Channels:
    """The requested channels that have a curve."""

    column: Ints  # (D,)
    member: Ints  # (D,) their group among the groups in play
    first_key: Ints  # (D,)


def _fill(
    result: Derivative, block: slice, own: _Channels, packed: PackedCurves, place: Place
) -> None:
    parameter = parameters(packed, place)
    weight = bernstein_weights(packed, place, parameter)[:, own.member]  # (4, D, T)
    speed = _weight_speeds(packed, place, parameter)[:, own.member]
    piece = place.piece[own.member]
    ends = packed.ends[:, piece]
    keys = ends + own.first_key[:, None]
    stored = np.stack(
        [
            packed.value[keys[0]],
            packed.rise[1][keys[0]],
            packed.rise[0][keys[1]],
            packed.value[keys[1]],
        ]
    )
    slope = (speed * stored).sum(axis=0)
    by_run = _by_run(packed, piece, keys, weight, slope)
    if place.turned is not None:
        slope = slope * place.turned[own.member]
    where = (block, own.column)
    result.slope[where] = slope.T
    result.keys[where] = np.moveaxis(ends, 0, -1).swapaxes(0, 1)
    result.by_value[where] = np.stack([weight[0].T, weight[3].T], axis=-1)
    result.by_tangent[where] = np.stack(
        [
            np.stack([by_run[0].T, weight[1].T], axis=-1),
            np.stack([by_run[1].T, weight[2].T], axis=-1),
        ],
        axis=-2,
    )
    if place.offset is not None:
        result.rounds[where] = place.offset[own.member].T


def _by_run(packed: PackedCurves, piece: Ints, keys: Ints, weight: Floats, slope: Floats) -> Floats:
    """(2, D, T) derivative by the dt out of the first and into the second key.

    A handle inside its segment bends time: -slope times its weight. One that was shrunk to
    the segment, or that a ray follows, only sets a slope dv/dt: -dv/dt times its weight.
    """
    kind = packed.kind[piece]
    by_run = np.zeros((2, *piece.shape))
    for side, other, row in ((1, 0, 0), (0, 1, 1)):
        run = packed.run[side][keys[other]]
        own_slope = packed.rise[side][keys[other]] / np.where(run > 0, run, 1)
        ray = kind == (Piece.RAY_OUT if side else Piece.RAY_IN)
        scaled = ray | (packed.shrink[side][piece] < 1)
        curved = (kind == Piece.BEZIER) | (kind == Piece.THIRD)
        by_run[row] = -weight[1 + row] * np.where(scaled, own_slope, slope) * (curved | ray)
    return by_run


def _weight_speeds(packed: PackedCurves, place: Place, parameter: Floats) -> Floats:
    """(4, G, T) weights' change per second."""
    piece, rest = place.piece, 1 - parameter
    out, into = packed.run_out[piece], packed.run_in[piece]
    along = 3 * (
        rest * rest * out + 2 * parameter * rest * (1 - out - into) + parameter * parameter * into
    )
    per_second = 1 / (np.maximum(along, STEEPEST) * packed.length[piece])
    shrink_in, shrink_out = packed.shrink[:, piece]
    end = 6 * parameter * rest
    speed = np.stack(
        [
            -end,
            3 * rest * (1 - 3 * parameter) * shrink_out,
            -3 * parameter * (2 - 3 * parameter) * shrink_in,
            end,
        ]
    )
    speed *= per_second
    _set_other_speeds(speed, packed, place)
    return speed


def _set_other_speeds(speed: Floats, packed: PackedCurves, place: Place) -> None:
    kind = packed.kind[place.piece]
    for other in packed.kinds - {Piece.BEZIER, Piece.THIRD}:
        at = kind == other
        rate = 1 / packed.length[place.piece[at]]
        speed[:, at] = 0
        if other == Piece.LINEAR:
            speed[0, at], speed[3, at] = -rate, rate
        elif other == Piece.RAY_OUT:
            speed[1, at] = rate
        elif other == Piece.RAY_IN:
            speed[2, at] = rate
        elif other == Piece.SLERP:
            angle, u = packed.angle[place.piece[at]], place.fraction[at]
            size = abs(angle)
            speed[0, at] = -rate * size * np.cos((1 - u) * size) / np.sin(size)
            speed[3, at] = rate * size * np.cos(u * size) / np.sin(angle)
