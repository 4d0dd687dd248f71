"""Warp model: the stretch of time over a range, as a small quadratic problem in a box.

min over s   sum over firm needs  F h (s - r)^2  +  sum over others  G |I| (mean over I of s - r)^2
             + sum  h (s - 1)^2  +  A (ds/dt)^2 h  +  B (d2s/dt2)^2 h
subject to   1/2 <= s <= 2, and the total of h (s - 1) given

s is the stretch at knots, h the time around each, r the stretch that an interval I needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.time_warp import TimeWarp

LEAST, MOST = 0.5, 2.0  # stretch; the inverse is the speed
FIRM = 1e4  # F, of flights
LIGHT = 60.0  # G, of steps
SLOPE = 0.1**2  # A, s^2: the stretch changes within about so long
BEND = 0.1**4  # B, s^4
MAX_KNOTS = 320
MAX_PASSES = 30  # of the active set


class Need(NamedTuple):
    """A stretch that an interval of time needs."""

    start: float  # s
    end: float  # s
    stretch: float
    firm: bool  # the same at all of its times, as in a flight


def solve_warp(
    frames: Floats, needs: Sequence[Need], fixed: tuple[bool, bool], total: float | None
) -> TimeWarp:
    """The warp over frames (F,) s that meets the needs best.

    The stretch is 1 at `fixed` ends. The range becomes longer by `total` seconds, or where that is
    None by the best whole number of frames.
    """
    knots = _knots(frames, needs)
    square, slope = _quadratic(knots, needs)
    span = _around(knots)
    held = np.zeros(len(knots), bool)
    held[0], held[-1] = fixed
    step = float(np.diff(frames).mean())
    if total is None:
        free = _minimise(square, slope, span, held, None)
        total = round(float(span @ (free - 1)) / step) * step
    return TimeWarp(knots, _minimise(square, slope, span, held, total))


def _knots(frames: Floats, needs: Sequence[Need]) -> Floats:
    every = -(-len(frames) // MAX_KNOTS)
    ends = [time for need in needs if need.firm for time in (need.start, need.end)]
    chosen = np.union1d(np.append(frames[::every], frames[-1]), ends)
    chosen = chosen[(chosen >= frames[0]) & (chosen <= frames[-1])]
    kept: Floats = chosen[np.append(np.diff(chosen) > 1e-6, True)]
    return kept


def _around(knots: Floats) -> Floats:
    """(K,) s, the time that each knot stands for: weights of the trapezoidal rule."""
    gaps = np.diff(knots)
    around: Floats = (np.append(gaps, 0.0) + np.append(0.0, gaps)) / 2
    return around


def _quadratic(knots: Floats, needs: Sequence[Need]) -> tuple[Floats, Floats]:
    """H (K, K) and g (K,) of the cost `1/2 s' H s - g' s`."""
    span, gaps = _around(knots), np.diff(knots)
    square, slope = np.diag(span), span.copy()
    first = np.diff(np.eye(len(knots)), axis=0) / gaps[:, None]
    square += SLOPE * first.T @ (first * gaps[:, None])
    second = np.diff(first, axis=0) / span[1:-1, None]
    square += BEND * second.T @ (second * span[1:-1, None])
    for need in needs:
        inside = (knots >= need.start - 1e-9) & (knots <= need.end + 1e-9)
        share = np.where(inside, span, 0.0)
        if need.firm:
            square += FIRM * np.diag(share)
            slope += FIRM * need.stretch * share
        elif share.any():
            mean = share / share.sum()
            weight = LIGHT * (need.end - need.start)
            square += weight * np.outer(mean, mean)
            slope += weight * need.stretch * mean
    return square, slope


def _minimise(
    square: Floats, slope: Floats, span: Floats, held: Bools, total: float | None
) -> Floats:
    """(K,) the best stretch: an active set of bounds, and one equation for the total."""
    value = np.ones(len(slope))
    active = held.copy()
    for _ in range(MAX_PASSES):
        free = np.flatnonzero(~active)
        found = _free_values(square, slope, span, value, free, total)
        value[free] = np.clip(found, LEAST, MOST)
        outside = (found < LEAST) | (found > MOST)
        if not outside.any():
            break
        active[free[outside]] = True
    return value if total is None else _with_total(value, span, total)


def _with_total(value: Floats, span: Floats, total: float) -> Floats:
    """The values with exactly the given total: what is too slow, or else too quick, is lessened."""
    away = value - 1
    slow, quick = span @ np.maximum(away, 0.0), span @ np.minimum(away, 0.0)
    if abs(slow + quick - total) < 1e-12:
        return value
    share = (total - quick) / slow if slow + quick > total else (total - slow) / quick
    lessened = away > 0 if slow + quick > total else away < 0
    exact: Floats = 1 + away * np.where(lessened, share, 1.0)
    return exact


def _free_values(
    square: Floats,
    slope: Floats,
    span: Floats,
    value: Floats,
    free: Ints,
    total: float | None,
) -> Floats:
    """The best free values, with the others as they are."""
    rest = np.setdiff1d(np.arange(len(value)), free)
    right = slope[free] - square[np.ix_(free, rest)] @ value[rest]
    inner = square[np.ix_(free, free)]
    if total is None or not len(free):
        return np.asarray(np.linalg.solve(inner, right), np.float64)
    both = np.linalg.solve(inner, np.stack([right, span[free]], axis=1))
    short = total - span[rest] @ (value[rest] - 1) - span[free] @ (both[:, 0] - 1)
    exact: Floats = both[:, 0] + both[:, 1] * short / (span[free] @ both[:, 1])
    return exact
