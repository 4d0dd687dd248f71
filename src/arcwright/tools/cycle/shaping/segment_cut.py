"""Segment cut: where a Bezier segment is cut so that each piece is one again."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats

LONG = 1e-12  # of a piece: how much longer than it a handle may be
_HALVINGS = 8


def bezier_at(points: Floats, part: Floats) -> tuple[Floats, Floats]:
    """Values and derivatives (P, N) of a Bezier segment (4, N) at parameters (P,)."""
    s, r = part[:, None], 1.0 - part[:, None]
    step = 3.0 * np.diff(points, axis=0)
    speed = r * r * step[0] + 2.0 * r * s * step[1] + s * s * step[2]
    place = r**3 * points[0] + 3.0 * r * r * s * points[1] + 3.0 * r * s * s * points[2]
    return place + s**3 * points[3], speed


def cut_parameters(along: Floats, asked: Floats) -> Floats:
    """(P,) where to cut: as asked, and where a piece would need a handle longer than itself."""
    parts = np.concatenate([[0.0], asked, [1.0]])
    for _ in range(_HALVINGS):
        at, speed = bezier_at(along, parts)
        handle = np.maximum(speed[1:, 0], speed[:-1, 0]) * np.diff(parts) / 3.0
        long = np.flatnonzero(handle > np.diff(at[:, 0]) * (1.0 + LONG))
        if not len(long):
            break
        parts = np.insert(parts, long + 1, (parts[long] + parts[long + 1]) / 2.0)
    return parts
