"""Prediction: motions to start an update from, by where a single drag led before and leads now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.prepared_edit import PreparedEdit
from arcwright.tools.spacetime.props import MovedProp

CAME_BACK = 0.2  # of the distance of a drag, below which its solution is no start for the next
MAX_GROWTH = 2.0  # times the displacement before, or its inverse: farther it predicts nothing


def came_back(prepared: PreparedEdit, before: Sequence[Drag], now: Sequence[Drag]) -> bool:
    """Whether drags went far away and came back: what they did there is forgotten."""
    was, here = (sum(map(prepared.drag_distance, drags)) for drags in (before, now))
    return here < CAME_BACK * was


def growth(was: Floats, here: Floats) -> float:
    """How many times as far a single drag leads as in the update before: so its motion may."""
    square = float(was @ was) if was.shape == here.shape else 0.0
    ratio = float(was @ here) / square if square > 0 else 1.0
    return ratio if 1 / MAX_GROWTH < ratio < MAX_GROWTH else 1.0


def lead(prepared: PreparedEdit, drags: Sequence[Drag], moved: Mapping[str, MovedProp]) -> Floats:
    """Where a single drag leads a character, or what it holds; empty for several drags."""
    if len(drags) == 1 and not moved:
        return prepared.drag_displacement(drags[0])
    if len(moved) == 1 and not drags:
        return next(iter(moved.values())).controls
    return np.zeros(0)
