"""Tick log: all ticks of a performance as rows of arrays, in half the memory of a list."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from arcwright.tools.puppet.objects.movable import Placement
from arcwright.tools.puppet.state_machine import State
from arcwright.tools.puppet.tick import Tick

ROWS = 256  # ticks of one block
STATES = tuple(State)


class TickLog(Sequence[Tick]):
    """Ticks that are only ever added; each one is made again when it is asked for."""

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._count = 0

    def append(self, tick: Tick) -> None:
        """Add a tick."""
        if self._count == ROWS * len(self._blocks):
            self._blocks.append(_Block(tick))
        self._blocks[-1].write(self._count % ROWS, tick)
        self._count += 1

    def fork(self) -> TickLog:
        """The same ticks; neither sees what is added to the other."""
        other = copy.copy(self)
        other._blocks = [*self._blocks[:-1], *(block.fork() for block in self._blocks[-1:])]
        return other

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Tick]:
        return (self[index] for index in range(self._count))

    @overload
    def __getitem__(self, index: int) -> Tick: ...
    @overload
    def __getitem__(self, index: slice) -> list[Tick]: ...
    def __getitem__(self, index: int | slice) -> Tick | list[Tick]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._count))]
        at = index + self._count if index < 0 else index
        if not 0 <= at < self._count:
            raise IndexError(index)
        return self._blocks[at // ROWS].read(at % ROWS)


class _Block:
    """Some ticks of one puppet."""

    def __init__(self, first: Tick) -> None:
        self._values = np.empty((ROWS, len(first.values)))
        self._ends = np.empty((ROWS, 3))  # not a number where no stick holds it
        self._locked = np.zeros((ROWS, len(first.locked)), bool)
        self._states = np.zeros(ROWS, np.int8)
        self._objects: list[tuple[Placement, ...]] = []
        self._events: dict[int, str] = {}

    def fork(self) -> _Block:
        return copy.deepcopy(self)

    def write(self, row: int, tick: Tick) -> None:
        self._values[row], self._locked[row] = tick.values, tick.locked
        self._ends[row] = np.nan if tick.end is None else tick.end
        self._states[row] = STATES.index(tick.state)
        self._objects.append(tick.objects)
        if tick.event:
            self._events[row] = tick.event

    def read(self, row: int) -> Tick:
        end = None if np.isnan(self._ends[row, 0]) else self._ends[row]
        return Tick(
            self._values[row],
            STATES[self._states[row]],
            end,
            self._locked[row],
            self._objects[row],
            self._events.get(row, ""),
        )
