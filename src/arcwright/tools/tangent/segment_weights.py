"""Segment weights: factors of handle stiffness for the length and leverage of a segment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.bezier_parameter import bezier_parameter

MOST_LEVERAGE = 0.53  # of both handles of a segment, in its middle
LEAST_LEVERAGE = 0.1  # of its square: nearer to a key, handles become no cheaper


def lasting(length: Floats, rate: float) -> Floats:
    """(S,) how much costlier segments are that move their mass for longer than the shortest does.

    Else a root with two keys would move rather than a limb keyed on every frame.
    """
    shortest = max(length.min(initial=np.inf), 1.0 / rate)
    longer: Floats = np.sqrt(np.maximum(length / shortest, 1.0))
    return longer


def leverage(begin: Floats, length: Floats, start: Floats, held: Sequence[float]) -> Floats:
    """(S,) how much cheaper segments are whose handles move little at any of the held times.

    Else the body would move rather than a limb that has a key close by.
    """
    most = np.zeros(len(length))
    run_out, run_in = np.clip(start[:, 0].reshape(-1, 2).T / length, 0.0, 1.0)
    for time in held:
        inside = (begin < time) & (time < begin + length)
        at = bezier_parameter(run_out, run_in, np.clip((time - begin) / length, 0.0, 1.0))
        moved = 3 * at * (1 - at) * np.hypot(at, 1 - at)
        most = np.maximum(most, np.where(inside, moved, 0.0))
    most[most == 0.0] = MOST_LEVERAGE  # holds none of the times
    relative: Floats = np.clip((most / MOST_LEVERAGE) ** 2, LEAST_LEVERAGE, 1.0)
    return np.sqrt(relative)
