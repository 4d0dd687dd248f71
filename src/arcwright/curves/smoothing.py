"""Smoothing: slopes of auto keys for which acceleration does not jump at any of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.scene.curve import Curve

MAX_RELEASES = 2  # how often one key may be released from its limit before it stays there


@dataclass(frozen=True, eq=False)
class _Rows:
    """lower[i] s[i-1] + middle[i] s[i] + upper[i] s[i+1] = right[i]; the ends wrap around."""

    lower: Floats  # (N,)
    middle: Floats  # (N,)
    upper: Floats  # (N,)
    right: Floats  # (N,)

    def held(self, at: Bools, slope: Floats) -> _Rows:
        """The same with the slopes at some keys given."""
        return _Rows(
            np.where(at, 0, self.lower),
            np.where(at, 1, self.middle),
            np.where(at, 0, self.upper),
            np.where(at, slope, self.right),
        )

    def residual(self, slope: Floats) -> Floats:
        """(N,) left side less right side."""
        around = self.lower * np.roll(slope, 1) + self.upper * np.roll(slope, -1)
        residuals: Floats = around + self.middle * slope - self.right
        return residuals


def smooth_slopes(
    curve: Curve, tangent: Floats, locked: Bools, limits: Floats, cyclic: bool
) -> Floats:
    """(K,) slopes of the keys; those locked keep their handles, the others stay in limits (2, K).

    With one-third handles the acceleration out of a key, times a sixth, is
    `(dV - din - s (L - X)) / L²` for the rise dV over the gap L, the key's slope s and the next
    key's handle (X, din); likewise into it, mirrored. Free ends have none.
    """
    nodes = len(curve) - 1 if cyclic else len(curve)
    rows = _rows(curve, tangent, locked, nodes).held(locked[:nodes], np.zeros(nodes))
    slope = _within(rows, locked[:nodes], limits[:, :nodes])
    return np.append(slope, slope[0]) if cyclic else slope


def _rows(curve: Curve, tangent: Floats, locked: Bools, nodes: int) -> _Rows:
    count = len(curve)
    length, rise = np.diff(curve.time), np.diff(curve.value)
    rows = _Rows(np.zeros(nodes), np.zeros(nodes), np.zeros(nodes), np.zeros(nodes))
    segment = np.arange(count - 1)
    for key, other, side, far in (
        (segment, segment + 1, 0, rows.upper),
        (segment + 1, segment, 1, rows.lower),
    ):
        handle = tangent[other, side]
        fit = np.minimum(1, length / (handle[:, 0] + length / 3))[:, None]
        handle = np.where(locked[other, None], handle * fit, 0)
        run = np.where(locked[other], handle[:, 0], length / 3)
        np.add.at(rows.middle, key % nodes, (length - run) / length**2)
        np.add.at(rows.right, key % nodes, (rise - handle[:, 1]) / length**2)
        far[key % nodes] = np.where(locked[other], 0, 1 / (3 * length))
    return rows


def _within(rows: _Rows, locked: Bools, limits: Floats) -> Floats:
    """Active set: fix slopes beyond their limit there, release those that would move inside."""
    low, high = limits
    held = np.full(len(locked), False)
    released = np.zeros(len(locked), np.int64)
    at = np.zeros(len(locked))
    while True:
        slope = _solved(rows.held(held, at))
        over = ~locked & ~held & ((slope < low) | (slope > high))
        if over.any():
            target = np.clip(slope, low, high)
            # Keys that only overshoot come before those that would reverse.
            first = over & (target != 0)
            over = first if first.any() else over
            at, held = np.where(over, target, at), held | over
            continue
        pull = -rows.residual(slope)
        inward = ((pull > 0) & (slope < high)) | ((pull < 0) & (slope > low))
        loose = held & inward & (released < MAX_RELEASES)
        if not loose.any():
            return slope
        held &= ~loose
        released += loose


def _solved(rows: _Rows) -> Floats:
    """Slopes of a tridiagonal system; a wrapped corner is taken out and put back."""
    if len(rows.middle) < 3:
        return _dense(rows)
    if rows.lower[0] == 0 and rows.upper[-1] == 0:
        return _thomas(rows, rows.right)
    corner, gamma = rows.upper[-1], -rows.middle[0]
    middle = rows.middle.copy()
    middle[0] -= gamma
    middle[-1] -= corner * rows.lower[0] / gamma
    plain = _Rows(rows.lower, middle, rows.upper, rows.right)
    side = np.zeros(len(middle))
    side[0], side[-1] = gamma, corner
    base, extra = _thomas(plain, rows.right), _thomas(plain, side)
    ratio = rows.lower[0] / gamma
    share = (base[0] + ratio * base[-1]) / (1 + extra[0] + ratio * extra[-1])
    solved: Floats = base - share * extra
    return solved


def _dense(rows: _Rows) -> Floats:
    nodes = len(rows.middle)
    matrix = np.diag(rows.middle)
    index = np.arange(nodes)
    np.add.at(matrix, (index, (index - 1) % nodes), rows.lower)
    np.add.at(matrix, (index, (index + 1) % nodes), rows.upper)
    return np.asarray(np.linalg.solve(matrix, rows.right), np.float64)


def _thomas(rows: _Rows, right: Floats) -> Floats:
    lower, upper = rows.lower.tolist(), rows.upper.tolist()
    middle, solved = rows.middle.tolist(), right.tolist()
    for i in range(1, len(middle)):
        part = lower[i] / middle[i - 1]
        middle[i] -= part * upper[i - 1]
        solved[i] -= part * solved[i - 1]
    solved[-1] /= middle[-1]
    for i in range(len(middle) - 2, -1, -1):
        solved[i] = (solved[i] - upper[i] * solved[i + 1]) / middle[i]
    return np.array(solved)
