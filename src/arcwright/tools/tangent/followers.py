"""Followers: handles beyond an edit that keep the slope of a smooth key.

No task depends on them, so they become shorter as they get steeper: the slope stays shared, but the
segment beyond the key swings less and keeps to its joint limits.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.tangent.handles import Followers

SHORTEST = 1.0  # frames; what changes faster looks like a break
SWING = 0.5  # ordinary steps; a follower's value hardly changes by more


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
