"""Followers: handles beyond an edit that keep the slope of a smooth key.

No task depends on them, so they become shorter as they turn, as far as that keeps the segment
beyond the key close to what it was and in its joint limits; the slope stays shared. The handle
across that segment becomes longer along its own slope: the curve stays closer still, and bends less
sharply at the key.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.tools.tangent.handles import Followers

SHORTEST = 1.0  # frames; what changes faster looks like a break
SHORTEST_TURNED = 1.2  # frames; joint limits may make a follower shorter, turning does not
TURNED_SHARE = 0.1  # of the leading handle's time: what a follower that has turned keeps at least
HALF_TURN = 0.06  # ordinary steps of its value: turned so far, it is half as much shorter
LONGEST_ACROSS = 0.75  # of the segment
FIT_SAMPLES = 8
FLAT = 1e-12  # in the unit of the value; handles that rise less reach no bound


def followers_of(
    following: Bools,
    ties: Ints,
    segments: tuple[Floats, Floats, Floats],
    ranges: tuple[Floats, Floats],
    step: Floats,
    free: Bools,
    rate: float,
) -> Followers:
    """Those handles (H,) that are following the ones they are tied to.

    Of the segments: the starts of their handles (H, 2), their lengths (S,) and the values of their
    keys (S, 2). Values of handles stay in ranges (H,); those across that are free stay as they are.
    """
    handle = np.flatnonzero(following)
    start, length, value = segments
    across = handle ^ 1
    time, dt = start[handle, 0], start[across, 0]
    turned = np.maximum(TURNED_SHARE * start[ties[handle], 0], SHORTEST_TURNED / rate)
    low, high = (each[handle] for each in ranges)
    longest = np.minimum(LONGEST_ACROSS * length[handle // 2], _longest(start, ranges)[across])
    can = (dt > 0) & ~free[across]
    most = np.divide(longest - dt, dt, out=np.zeros(len(dt)), where=can)
    return Followers(
        handle,
        np.minimum(low, start[handle, 1]),
        np.maximum(high, start[handle, 1]),
        HALF_TURN * step[handle],
        np.minimum(turned / time, 1.0),
        dt,
        np.maximum(most, 0.0),
        *_fits(start[handle], start[across], length[handle // 2], np.diff(value)[handle // 2, 0]),
    )


def _longest(start: Floats, ranges: tuple[Floats, Floats]) -> Floats:
    """(H,) s, how long handles may become along their slope for their values to stay in ranges."""
    time, value = start.T
    bound = np.where(value > 0, ranges[1], ranges[0])
    steep = np.abs(value) > FLAT
    longest: Floats = np.divide(time * bound, value, out=np.full(len(value), np.inf), where=steep)
    return longest


def _fits(near: Floats, across: Floats, length: Floats, rise: Floats) -> tuple[Floats, Floats]:
    """(3, F) sums over a segment, for the follower's share and the gain across that fit it best.

    With p, q and m as in `model.py`, a handle near the key that changes by (dt, dv) moves the curve
    by `p (dv - m dt)`. Turned from slope s to s + d with a share h of its time X, that is
    `X p (h (s + d - m) - (s - m))`: a least-squares fit of h to no movement needs the sums of
    `p² (s - m)²`, `p² (s - m)` and `p²`. A gain g of the handle across, of time X and slope s,
    adds `g f` with `f = X q (m - s)`, and its fit needs the sums of f p, f p m and f².
    """
    at = ((np.arange(FIT_SAMPLES) + 0.5) / FIT_SAMPLES)[:, None]
    rest = 1 - at
    p, q = 3 * at * rest * rest, 3 * at * at * rest
    up, down = 3 * rest * (1 - 3 * at), 3 * at * (2 - 3 * at)
    along = 6 * at * rest * length + up * near[:, 0] - down * across[:, 0]
    along = np.maximum(along, 1e-3 * length)
    m = (6 * at * rest * rise + up * near[:, 1] - down * across[:, 1]) / along
    f = q * (m * across[:, 0] - across[:, 1])
    weight = along / along.sum(axis=0)
    bend = near[:, 1] / near[:, 0] - m

    def sums(*parts: Floats) -> Floats:
        return np.stack([(weight * part).sum(axis=0) for part in parts])

    square = p * p
    return sums(square * bend * bend, square * bend, square), sums(f * p, f * p * m, f * f)


def shortest_shares(start: Floats, rate: float) -> Floats:
    """(H,) of its time, the least that a handle may be shortened to."""
    long = start[:, 0] * rate > SHORTEST
    shares: Floats = np.where(long, SHORTEST / np.where(long, start[:, 0] * rate, 1.0), 1.0)
    return shares
