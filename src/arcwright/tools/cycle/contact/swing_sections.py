"""Swing sections: parts of contacts that go the other way than the ground does.

A stroke that is drawn high passes over feet that swing low, too. Seen from the root, feet that
stand go back with the ground, feet that swing go forward.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.cycle.contact.contact_plane import (
    ContactPlane,
    LoopCurves,
    StrokeLine,
    heights,
    without_brief,
)

TRAVELS = 0.3  # of the mean speed in contact: a ground that is slower goes nowhere


def without_swings(
    line: StrokeLine,
    plane: ContactPlane,
    curves: LoopCurves,
    touches: Bools,
    shortest: int,
    *,
    bent: bool,
) -> Bools:
    """Contacts (M, P) of curves without samples that go forward.

    The lower half of each contact tells how the ground moves. Items of which nothing would be left
    keep their contact, as do all where the ground goes nowhere.
    """
    if not touches.any():
        return touches
    path, up = curves.place, plane.normal
    moves = np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0)
    moves = moves - (moves @ up)[..., None] * up
    sure = moves[_lower_half(heights(line, plane, curves, bent=bent), touches)]
    ground = np.median(sure, axis=0)
    if np.linalg.norm(ground) <= TRAVELS * np.linalg.norm(sure, axis=-1).mean():
        return touches
    stands = without_brief(touches & (moves @ ground > 0), shortest) & touches
    return np.asarray(np.where(stands.any(axis=0), stands, touches))


def _lower_half(height: Floats, touches: Bools) -> Bools:
    """(M, P) the samples of each contact that are no higher than its median."""
    found = touches.copy()
    for own, high in zip(found.T, height.T, strict=True):
        if own.any():
            own &= high <= np.median(high[own])
    return found
