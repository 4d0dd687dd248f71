"""Control limits: how far control points may go so that a curve stays in its joint limits."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats

NEWTON_STEPS = 5


def highest_control(value: Floats, limit: Floats) -> Floats:
    """(S,) how high both inner control points of a segment may be so that no value is over a limit.

    Where a and b are the room above the two key values (S, 2), a curve with both at `limit + m`
    touches the limit for the least `m = (a / r + b r²) / (3 + 3 r)`, with `r = λ / (1 - λ)`.
    """
    a, b = np.maximum(limit[:, None] - value, 0.0).T
    room = (a > 0) & (b > 0) & np.isfinite(a)
    a, b = np.where(room, a, 1.0), np.where(room, b, 1.0)
    r = np.cbrt(a / b)
    for _ in range(NEWTON_STEPS):
        r -= (b * r**3 * (r + 2) - a * (2 * r + 1)) / (b * r * r * (4 * r + 6) - 2 * a)
    above: Floats = limit + np.where(room, (a / r + b * r * r) / (3 + 3 * r), 0.0)
    return above


def value_ranges(value: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """(H,) how far the values of both handles of segments may fall and rise within limits (S,)."""
    sign = np.array([1.0, -1.0])  # the control point of an in handle rises where its value falls
    down = sign * (-highest_control(-value, -low)[:, None] - value)
    up = sign * (highest_control(value, high)[:, None] - value)
    return np.minimum(down, up).ravel(), np.maximum(down, up).ravel()
