"""Evaluate many curves at many times at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, Ints, frozen
from arcwright.curves.bezier_parameter import bezier_parameter
from arcwright.curves.pack import PackedCurves, pack_curves
from arcwright.curves.pieces import Piece
from arcwright.errors import BadValue
from arcwright.scene.curve import Curve, Extrapolation

BLOCK = 1 << 14  # curve-times worked on at once, so that temporaries stay in the cache


def evaluate(packed: PackedCurves, times: ArrayLike, channels: ArrayLike | None = None) -> Floats:
    """Values (T, C) at times (T,) s, of all channels or of those named, in the order named."""
    moments = frozen(times, "times", ("T",))
    chosen = channel_indices(packed, channels)
    values = np.empty((len(moments), len(chosen)))
    values[:] = packed.default[chosen]
    driven = np.flatnonzero(packed.group[chosen] >= 0)
    if len(driven) == 0:
        return values
    groups, member = np.unique(packed.group[chosen[driven]], return_inverse=True)
    first_key = packed.first_key[chosen[driven]]
    for block in blocks(len(moments), len(driven)):
        values[block, driven] = _values(packed, groups, member, first_key, moments[block]).T
    return values


def evaluate_curve(curve: Curve, times: ArrayLike) -> Floats:
    """Values (T,) of one curve at times (T,) s; slerp segments run straight."""
    return evaluate(pack_curves([curve], np.zeros(1)), times)[:, 0]


def channel_indices(packed: PackedCurves, channels: ArrayLike | None) -> Ints:
    """The requested channels, checked."""
    count = len(packed.group)
    if channels is None:
        return np.arange(count)
    chosen: Ints = frozen(channels, "channels", ("C",), np.int64)
    if len(chosen) and not (chosen.min() >= 0 and chosen.max() < count):
        raise BadValue("channels", f"0 to {count - 1}", chosen.tolist())
    return chosen


def blocks(times: int, curves: int) -> Iterator[slice]:
    """Slices of the times, small enough to work on at once."""
    step = max(1, BLOCK // max(curves, 1))
    return (slice(first, first + step) for first in range(0, times, step))


def _values(
    packed: PackedCurves, groups: Ints, member: Ints, first_key: Ints, times: Floats
) -> Floats:
    """(D, T) values of driven channels."""
    place = locate(packed, groups, times)
    weight = weights(packed, place)[:, member]  # (4, D, T)
    start = packed.ends[0][place.piece][member] + first_key[:, None]
    end = packed.ends[1][place.piece][member] + first_key[:, None]
    value: Floats = weight[0] * packed.value[start]
    value += weight[1] * packed.rise[1][start]
    value += weight[2] * packed.rise[0][end]
    value += weight[3] * packed.value[end]
    if place.offset is not None:
        count = packed.group_count[groups][member]
        climb = packed.value[first_key + count - 1] - packed.value[first_key]
        value += place.offset[member] * climb[:, None]
    return value


@dataclass(frozen=True, eq=False)
class Place:
    """Where times fall in the curves of some groups."""

    piece: Ints  # (G, T)
    fraction: Floats  # (G, T) of the piece's length, 0 at its start
    offset: Floats | None  # (G, T) how many times last - first value is added
    turned: Floats | None  # (G, T) -1 where time runs backwards, else 1


def locate(packed: PackedCurves, groups: Ints, times: Floats) -> Place:
    """The piece of each group at each time (T,), and how far along."""
    folded, offset, turned = _folded(packed, groups, times)
    rank = np.searchsorted(packed.moments, folded, "right")  # (T,) or (G, T)
    base = groups[:, None] * (len(packed.moments) + 1)
    found = np.searchsorted(packed.code, base + rank, "left")
    piece = found + groups[:, None]  # every group before has one piece more than keys
    fraction = (folded - packed.start[piece]) / packed.length[piece]
    return Place(piece, fraction, offset, turned)


def _folded(
    packed: PackedCurves, groups: Ints, times: Floats
) -> tuple[Floats, Floats | None, Floats | None]:
    """Times taken into the keyed range where a group cycles; (T,) when none does."""
    before, after = packed.before[groups], packed.after[groups]
    cyclic = (np.maximum(before, after) >= Extrapolation.CYCLE) & (packed.group_count[groups] > 1)
    if not cyclic.any():
        return times, None, None
    first, last = packed.span[:, groups, None]
    period = np.where(cyclic[:, None], last - first, 1.0)
    # The last key ends every later cycle, the first key begins every earlier one.
    late = np.ceil((times - last) / period)
    early = np.floor((times - first) / period)
    ways = np.where(late > 0, after[:, None], before[:, None])
    turns = np.where(late > 0, late, np.minimum(early, 0.0))
    turns = np.where(cyclic[:, None] & (ways >= Extrapolation.CYCLE), turns, 0.0)
    folded = times - turns * period
    folded = np.where(turns != 0, np.clip(folded, first, last), folded)
    back = (ways == Extrapolation.MIRROR) & (turns % 2 == 1)
    folded = np.where(back, first + last - folded, folded)
    offset = np.where(ways == Extrapolation.CYCLE_OFFSET, turns, 0.0)
    return folded, offset, np.where(back, -1.0, 1.0)


def parameters(packed: PackedCurves, place: Place) -> Floats:
    """(G, T) Bezier parameter; the fraction itself where time is the parameter."""
    if Piece.BEZIER not in packed.kinds:
        return place.fraction
    bent = np.flatnonzero(packed.kind[place.piece] == Piece.BEZIER)
    piece = place.piece.ravel()[bent]
    parameter = place.fraction.flatten()
    parameter[bent] = bezier_parameter(packed.run_out[piece], packed.run_in[piece], parameter[bent])
    return parameter.reshape(place.fraction.shape)


def weights(packed: PackedCurves, place: Place) -> Floats:
    """(4, G, T) weights of first value, dv out, dv in, second value."""
    return bernstein_weights(packed, place, parameters(packed, place))


def bernstein_weights(packed: PackedCurves, place: Place, parameter: Floats) -> Floats:
    """(4, G, T) weights, the Bezier parameter given."""
    rest = 1 - parameter
    both = 3 * parameter * rest
    weight = np.empty((4, *parameter.shape))
    weight[1] = both * rest
    weight[2] = -both * parameter
    weight[3] = parameter * parameter * parameter - weight[2]
    weight[0] = 1 - weight[3]
    if (packed.shrink < 1).any():
        weight[1] *= packed.shrink[1][place.piece]
        weight[2] *= packed.shrink[0][place.piece]
    _set_other_weights(weight, packed, place)
    return weight


def _set_other_weights(weight: Floats, packed: PackedCurves, place: Place) -> None:
    """Overwrite the weights of pieces that are not Bezier."""
    others = packed.kinds - {Piece.BEZIER, Piece.THIRD}
    if not others:
        return
    kind = packed.kind[place.piece].ravel()
    flat = weight.reshape(4, -1)
    for other in others:
        at = np.flatnonzero(kind == other)
        if len(at):
            u = place.fraction.ravel()[at]
            flat[:, at] = _other_weights(other, u, packed.angle[place.piece.ravel()[at]])


def _other_weights(kind: int, u: Floats, angle: Floats) -> Floats:
    """(4, N) weights of pieces of one kind."""
    weight = np.zeros((4, len(u)))
    if kind == Piece.LINEAR:
        weight[0], weight[3] = 1 - u, u
    elif kind == Piece.SLERP:
        size = abs(angle)
        weight[0] = np.sin((1 - u) * size) / np.sin(size)
        weight[3] = np.sin(u * size) / np.sin(angle)
    else:
        weight[0] = 1
        if kind != Piece.HOLD:
            weight[1 if kind == Piece.RAY_OUT else 2] = u
    return weight
