"""Large: a step of many unknowns or rows by sparse factors, with the method of box.c.

With r the reference of the step d and p its regularisation, unknowns held at a bound have that
bound as reference and infinite p. Fewer rows than unknowns:
`(A A'/p + 1/weight) l = residual - A r` gives `d = r + A'l / p`. Else, for e = d - r,
`(A' weight A + p) e = A' weight (residual - A r)`.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.compiled import library as compiled
from arcwright.solve.banded import Factor
from arcwright.solve.problem import Box
from arcwright.solve.rows import Rows

ROUNDS = 12  # in which all wrong unknowns change sides at once
SINGLE_CHANGES = 40  # of one unknown at a time, where rounds cycle
NEAR = 1e-10


class _Sides:
    """A step's problem with some unknowns held at their bounds."""

    def __init__(
        self,
        rows: Rows,
        residual: Floats,
        weight: Floats,
        regularisation: Floats,
        reference: Floats,
        room: Box,
    ) -> None:
        self.rows, self.residual, self.weight = rows, residual, weight
        self.regularisation, self.reference, self.room = regularisation, reference, room
        self.side = np.zeros(len(regularisation), np.int64)  # -1 held low, 1 held high, 0 free
        self._by = _by_rows if rows.shape[0] < rows.shape[1] else _by_unknowns

    def solve(self) -> tuple[Floats, Bools, Floats]:
        """The step; which held unknowns would rather move inwards, and how hard."""
        side, room = self.side, self.room
        goal = np.where(side < 0, room.low, np.where(side > 0, room.high, self.reference))
        given = self.rows, self.residual, self.weight, self.regularisation, self.reference
        step, slope = self._by(*given, goal, side == 0)
        least = NEAR * (1 + np.abs(slope[side != 0]).max(initial=0.0))
        loose: Bools = (slope * side > least) & (room.low < room.high)
        return step, loose, slope * side


def large_step(
    rows: Rows,
    residual: Floats,
    weight: Floats,
    regularisation: Floats,
    reference: Floats,
    room: Box,
) -> Floats:
    """The step (N,) inside its room; where rounds cycle, the best after so many single changes."""
    sides = _Sides(rows, residual, weight, regularisation, reference, room)
    for _ in range(ROUNDS):
        step, loose, _ = sides.solve()
        size = NEAR * (1 + np.abs(step))
        below, above = step < room.low - size, step > room.high + size
        if not (below | above | loose).any():
            return room.clip(step)
        sides.side = np.where(below, -1, np.where(above, 1, np.where(loose, 0, sides.side)))
    return _one_by_one(sides, room)


def _one_by_one(sides: _Sides, room: Box) -> Floats:
    """From no step at all, always downhill: stop at each bound met, leave one at a time."""
    at = room.clip(np.zeros(len(room.low)))
    sides.side = np.where(at <= room.low, -1, np.where(at >= room.high, 1, 0))
    for _ in range(SINGLE_CHANGES):
        step, loose, multiplier = sides.solve()
        way = np.where(sides.side == 0, step - at, 0.0)
        space = np.where(way > 0, room.high - at, room.low - at)
        share = np.divide(space, way, out=np.full_like(at, np.inf), where=way != 0)
        first = int(np.argmin(share))
        at = room.clip(at + min(share[first], 1.0) * way)
        if share[first] < 1:
            sides.side[first] = 1 if way[first] > 0 else -1
        elif loose.any():
            sides.side[np.argmax(np.where(loose, multiplier, -np.inf))] = 0
        else:
            break
    return at


def _by_rows(
    rows: Rows,
    residual: Floats,
    weight: Floats,
    regularisation: Floats,
    reference: Floats,
    goal: Floats,
    free: Bools,
) -> tuple[Floats, Floats]:
    """The step, and the slope of what is minimised, by a system of the rows."""
    assert compiled.library is not None
    order, count = rows.layout.row_order, len(residual)
    loose = np.where(free, 1 / regularisation, 0.0)
    kernel = np.empty((count, count))
    short = compiled.library.arcwright_row_squares(
        rows.address, order.ctypes.data, loose.ctypes.data, kernel.ctypes.data
    )
    if short:
        raise MemoryError
    kernel.flat[:: count + 1] += 1 / weight[order]
    lever = np.empty(count)
    lever[order] = Factor(kernel, rows.layout.row_first).divide((residual - rows @ goal)[order])
    along = lever @ rows
    step = goal + loose * along
    return step, regularisation * (step - reference) - along


def _by_unknowns(
    rows: Rows,
    residual: Floats,
    weight: Floats,
    regularisation: Floats,
    reference: Floats,
    goal: Floats,
    free: Bools,
) -> tuple[Floats, Floats]:
    """The same by a system of the unknowns; held ones stand alone in it."""
    assert compiled.library is not None
    order, count = rows.layout.unknown_order, len(regularisation)
    place = np.empty(count, np.int64)
    place[order] = np.arange(count)
    place[~free] = -1
    kernel = np.empty((count, count))
    short = compiled.library.arcwright_unknown_squares(
        *(rows.address, place.ctypes.data, weight.ctypes.data, count, kernel.ctypes.data)
    )
    if short:
        raise MemoryError
    kernel.flat[:: count + 1] += regularisation[order]
    way = (weight * (residual - rows @ goal)) @ rows + regularisation * (reference - goal)
    way[~free] = 0.0
    step = goal.copy()
    step[order] += Factor(kernel, rows.layout.unknown_first).divide(way[order])
    return step, regularisation * (step - reference) - (weight * (residual - rows @ step)) @ rows
