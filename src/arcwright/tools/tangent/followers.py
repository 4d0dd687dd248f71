"""Followers: handles beyond an edit that keep the slope of a smooth key.

No task depends on them, so they become shorter as they get steeper: the slope stays shared, but the
segment beyond the key swings less and keeps to its joint limits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints

SHORTEST = 1.0  # frames; what changes faster looks like a break
SWING = 0.5  # ordinary steps; a follower's value hardly changes by more


@dataclass(frozen=True, eq=False)
class Followers:
    """F handles, each on the other side of a smooth key."""

    handle: Ints  # (F,)
    low: Floats  # (F,) bounds of the value
    high: Floats
    swing: Floats  # (F,) in the unit of the value
    shortest: Floats  # (F,) of the length before

    def shortened(self, start: Floats, now: Floats) -> Floats:
        """(H, 2) handles [dt, dv], with shorter followers."""
        before, value = start[self.handle, 1], now[self.handle, 1]
        share = 1 / np.sqrt(1 + ((value - before) / self.swing) ** 2)
        bound = np.where(value > 0, self.high, self.low)
        beyond = np.abs(value) > np.abs(bound)
        most = np.where(beyond, bound / np.where(beyond, value, 1.0), 1.0)
        handles = now.copy()
        handles[self.handle] *= np.minimum(np.maximum(share, self.shortest), most)[:, None]
        return handles


def followers_of(
    following: Bools,
    start: Floats,
    ranges: tuple[Floats, Floats],
    step: Floats,
    shortest: Floats,
) -> Followers:
    """Those handles (H,) that are following, within ranges of the value that hold the start."""
    which = np.flatnonzero(following)
    value, (low, high) = start[which, 1], ranges
    return Followers(
        which,
        np.minimum(low[which], value),
        np.maximum(high[which], value),
        SWING * step[which],
        shortest[which],
    )


def shortest_shares(start: Floats, rate: float) -> Floats:
    """(H,) of its time, the least that a handle may be shortened to."""
    long = start[:, 0] * rate > SHORTEST
    shares: Floats = np.where(long, SHORTEST / np.where(long, start[:, 0] * rate, 1.0), 1.0)
    return shares
