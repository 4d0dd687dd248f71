"""Handles: compute AUTO, AUTO_CLAMPED, VECTOR, FLAT and ALIGNED handles as Blender does.

An auto key has the mean slope of its two neighbours. Clamped, it is flat at an extreme and
its handles stay between the values of its neighbours. The first and last key are flat where
the curve holds beyond them. `smooth` is Blender's default "continuous acceleration": handle
times are one third and the slopes of runs of auto keys are solved together.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.smoothing import smooth_slopes
from arcwright.scene.curve import Curve, Extrapolation, Handle

LOCAL_PART = 1 / 2.5614  # of the gap to the next key: Blender's handle length without smoothing
LONGEST_RATIO = 5  # a local handle is computed as if its gap were at most this times the other


def with_auto_handles(curve: Curve, *, smooth: bool = True) -> Curve:
    """The curve with all handles but FREE recomputed; single keys are unchanged."""
    if len(curve) < 2:
        return curve
    gaps = _Gaps.of(curve)
    tangent = np.array(curve.tangent)
    kinds = curve.handles
    auto = (kinds == Handle.AUTO) | (kinds == Handle.AUTO_CLAMPED)
    clamped = (kinds == Handle.AUTO_CLAMPED) & gaps.between[:, None]
    worked = _auto(gaps, clamped, smooth)
    locked = _flatten_ends(worked, curve, auto, gaps.cyclic)
    locked |= ~auto.all(axis=1) | (clamped.any(axis=1) & gaps.extreme)
    tangent[auto] = worked[auto]
    for kind, height in ((Handle.VECTOR, gaps.rise), (Handle.FLAT, 0 * gaps.rise)):
        straight = np.stack([gaps.run, height], axis=-1) / 3
        tangent[kinds == kind] = straight[kinds == kind]
    _align(tangent, kinds)
    if smooth:
        if gaps.cyclic:
            locked[[0, -1]] = locked[0] | locked[-1]
        slopes = smooth_slopes(curve, tangent, locked, _limits(gaps, kinds), gaps.cyclic)
        tangent[~locked, :, 1] = tangent[~locked, :, 0] * slopes[~locked, None]
    return replace(curve, tangent=tangent)


@dataclass(frozen=True, eq=False)
class _Gaps:
    """Time and value to the neighbours of every key; an end key's missing one is its mirror."""

    run: Floats  # (K, 2) s, in and out
    rise: Floats  # (K, 2)
    between: Bools  # (K,) has neighbours on both sides
    cyclic: bool

    @classmethod
    def of(cls, curve: Curve) -> _Gaps:
        loop = (Extrapolation.CYCLE, Extrapolation.CYCLE_OFFSET)
        ends = curve.handles[[0, -1]]
        cyclic = (
            curve.before in loop
            and curve.after in loop
            and bool(((ends == Handle.AUTO) | (ends == Handle.AUTO_CLAMPED)).all())
        )
        step = np.stack([np.diff(curve.time), np.diff(curve.value)])  # (2, K - 1)
        into = np.concatenate([step[:, -1:] if cyclic else step[:, :1], step], axis=1)
        out = np.concatenate([step, step[:, :1] if cyclic else step[:, -1:]], axis=1)
        between = np.full(len(curve), True)
        between[[0, -1]] = cyclic
        both = np.stack([into, out], axis=-1)  # (2, K, 2)
        return cls(both[0], both[1], between, cyclic)

    @property
    def extreme(self) -> Bools:
        """(K,) neither neighbour above, or neither below."""
        into, out = self.rise.T
        found: Bools = ((into >= 0) & (out <= 0)) | ((into <= 0) & (out >= 0))
        return found


def _auto(gaps: _Gaps, clamped: Bools, smooth: bool) -> Floats:
    """(K, 2, 2) tangents of auto handles."""
    slope = (gaps.rise / gaps.run).mean(axis=1)
    run = gaps.run / 3
    if not smooth:
        into = np.minimum(gaps.run[:, 0], LONGEST_RATIO * gaps.run[:, 1])
        out = np.minimum(gaps.run[:, 1], LONGEST_RATIO * into)
        run = np.stack([into, out], axis=-1) * LOCAL_PART
    rise = run * slope[:, None]
    rise[clamped & gaps.extreme[:, None]] = 0
    over = clamped & ~gaps.extreme[:, None] & (abs(rise) > abs(gaps.rise))
    rise = np.where(over, gaps.rise, rise)
    ratio = rise / run
    # The clamped handle leads, the one into the key first, and the other stays in line.
    rise[:, 1] = np.where(over[:, 0], ratio[:, 0] * run[:, 1], rise[:, 1])
    rise[:, 0] = np.where(over[:, 1] & ~over[:, 0], ratio[:, 1] * run[:, 0], rise[:, 0])
    return np.stack([run, rise], axis=-1)


def _flatten_ends(worked: Floats, curve: Curve, auto: Bools, cyclic: bool) -> Bools:
    """Make auto end keys flat where the curve holds beyond them; return which were."""
    flat = np.full(len(curve), False)
    if not cyclic:
        flat[0] = curve.before == Extrapolation.HOLD and auto[0].all()
        flat[-1] = curve.after == Extrapolation.HOLD and auto[-1].all()
    worked[flat, :, 1] = 0
    return flat


def _limits(gaps: _Gaps, kinds: Ints) -> Floats:
    """(2, K) lowest and highest slope that keeps clamped one-third handles between neighbours."""
    steepest = 3 * gaps.rise / gaps.run  # (K, 2)
    bound = kinds == Handle.AUTO_CLAMPED
    low = np.where(bound, np.minimum(steepest, 0), -np.inf).max(axis=1)
    high = np.where(bound, np.maximum(steepest, 0), np.inf).min(axis=1)
    return np.stack([low, high])


def _align(tangent: Floats, kinds: Ints) -> None:
    """Align handles with the other side; of two aligned ones the out handle leads."""
    aligned = kinds == Handle.ALIGNED
    free = (kinds == Handle.FREE).any(axis=1)
    for follower, leader in ((0, 1), (1, 0)):
        run, rise = tangent[:, leader].T
        turn = aligned[:, follower] & ~free & (run > 0)
        turn &= ~aligned[:, leader] | (follower == 0)
        slope = rise / np.where(run > 0, run, 1)
        line = slope * tangent[:, follower, 0]
        turn &= abs(line - tangent[:, follower, 1]) > 1e-12 * abs(line)
        tangent[turn, follower, 1] = line[turn]
