"""Overshoot: a held point goes hardly further along its drag at other times than at its own.

A smooth displacement that has to be back at a footplant soon after the drag would swing out far
before it. A soft one-sided term stops that; where nothing overshoots, it is not active.
"""

from __future__ import annotations

import numpy as np

from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.prepared_edit import PreparedEdit
from arcwright.tools.spacetime.terms import NONE, Term

OVERSHOOT_WEIGHT = 1e4  # per m^2
MAX_OVERSHOOT = 1.1  # of the length of a drag
MIN_DRAG = 1e-3  # m: shorter drags have no direction


def overshoot_terms(prepared: PreparedEdit, drag: Drag) -> list[Term]:
    """A plane across the drag, moved along the original path of the held point."""
    held = prepared.held_point(drag)
    by = prepared.drag_displacement(drag)
    length, count = float(np.linalg.norm(by)), len(prepared.range.times)
    if held.footplants or prepared.stretch is not None or length < MIN_DRAG:
        return []
    place = prepared.schedule.paths[:, held.point] + MAX_OVERSHOOT * by
    back = np.tile(-by / length, (count, 1))
    weight, owner = np.full(count, OVERSHOOT_WEIGHT), np.full(count, NONE)
    return [Term("plane", held.point, place, weight, owner, exits=back)]
