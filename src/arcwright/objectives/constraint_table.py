"""Constraint table: tasks as the compiled library reads them, one line per task and sample."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.objectives.point_tasks import PointTask
from arcwright.objectives.structs import Wanted

_POSITION, _ORIENTATION, _ALONG = 0, 1, 2  # as in tasks.c
_WANTED = 14
_UPWARD = np.array([[0.0, 1.0, 0.0]])


class ConstraintTable:
    """Tasks as the library reads them: positions, then orientations, then those along axes."""

    def __init__(self, own: Sequence[PointTask]) -> None:
        self.lay_out(own)

    def lay_out(self, own: Sequence[PointTask]) -> None:
        """Fill the table for new tasks."""
        ordered = _in_order(own)
        counts = [len(task.samples) for _, _, task in ordered]
        self._tasks = own
        self._parts: list[tuple[int, int, slice]] = []  # kind, task and its rows in `wanted`
        self.what = np.empty((sum(counts), 6), np.int64)
        self.wanted = np.zeros((sum(counts), _WANTED))
        number = np.empty(sum(counts), np.int64)
        begin = 0
        for (kind, index, task), count in zip(ordered, counts, strict=True):
            part = slice(begin, begin + count)
            begin += count
            axes = _UPWARD if task.above else task.axes
            rows = 3 if kind != _ALONG or axes is None else len(axes)
            self.what[part] = kind, 0, task.place, task.other, rows, task.above
            self.what[part, 1] = task.samples
            self._parts.append((kind, index, part))
            self._set_target(kind, task, part)
            if kind == _ALONG and axes is not None:
                self.wanted[part, 5 : 5 + axes.size] = axes.ravel()
            number[part] = index
        self.time = self.what[:, 1].repeat(self.what[:, 4])  # (M,) of each row
        self.task = number.repeat(self.what[:, 4])  # (M,)
        self._struct = Wanted(len(number), self.what.ctypes.data, self.wanted.ctypes.data)
        self.address = ctypes.addressof(self._struct)

    def _set_target(self, kind: int, task: PointTask, part: slice) -> None:
        """Set the target, weight and saturation of a task."""
        target = task.orientation if kind == _ORIENTATION else task.position
        assert target is not None
        size = target.size // len(target)
        self.wanted[part, 0] = task.weight
        self.wanted[part, 1] = task.saturation
        self.wanted[part, 2 : 2 + size] = target.reshape(-1, size)

    def follow(self, own: Sequence[PointTask]) -> bool:
        """Update targets and weights in place; False where the tasks have other rows."""
        alike = len(own) == len(self._tasks) and all(map(_same_rows, own, self._tasks))
        for kind, index, part in self._parts if alike else ():
            self._set_target(kind, own[index], part)
        return alike


def _same_rows(one: PointTask, other: PointTask) -> bool:
    """Whether two tasks have the same rows, and differ only in targets and weights."""
    return (
        one.place == other.place
        and one.other == other.other
        and one.above == other.above
        and (one.position is None) == (other.position is None)
        and (one.orientation is None) == (other.orientation is None)
        and (one.axes is other.axes or _equal(one.axes, other.axes))
        and (one.samples is other.samples or _equal(one.samples, other.samples))
    )


def _equal(one: AnyArray | None, other: AnyArray | None) -> bool:
    """Whether two small arrays are equal."""
    if one is None or other is None:
        return one is other
    same: bool = one.tolist() == other.tolist()
    return same


def _in_order(own: Sequence[PointTask]) -> list[tuple[int, int, PointTask]]:
    directed = [task.axes is not None or task.above for task in own]
    having = [(index, task) for index, task in enumerate(own) if len(task.samples)]
    placed = [(i, task) for i, task in having if task.position is not None]
    return [
        *((_POSITION, i, task) for i, task in placed if not directed[i]),
        *((_ORIENTATION, i, task) for i, task in having if task.orientation is not None),
        *((_ALONG, i, task) for i, task in placed if directed[i]),
    ]
