"""Unknowns of a key fit: a value and a slope of each key that may change.

Keys that a tick moved to a fraction of a frame beside another one, or beside the seam, have nothing
between them that says how the curve goes there. They change as one key does, along its slope.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints

CLOSE = 0.5  # of the least gap between keys: nearer ones change as one


def leading_keys(time: Floats, free: Bools, gap: float) -> Ints:
    """(K,) the key with which each key at rising times (K,) changes: itself or one close to it.

    The first and the last key lead, so that keys beside the seam follow it.
    """
    leads, last = np.arange(len(time)), len(time) - 1
    for key in range(1, last):
        for lead in (last, int(leads[key - 1])):
            if free[key] and free[lead] and abs(time[key] - time[lead]) < CLOSE * gap:
                leads[key] = lead
    return leads


def key_unknowns(free: Bools, leads: Ints, *, tied: bool) -> Ints:
    """(K,) the first unknown of each key, its value; the next is its slope. -1 for none.

    Where the ends are `tied` they are one key of a cycle.
    """
    own = free & (leads == np.arange(len(free)))
    found = np.where(own, 2 * np.cumsum(own) - 2, -1)
    if tied and free[0]:
        found[-1] = found[0]
    return np.asarray(np.where(free, found[leads], -1))
