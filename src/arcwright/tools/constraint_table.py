"""Constraint table: drags, pins and contacts as the library reads them, a line for each sample."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.tools.point_tasks import Wish
from arcwright.tools.structs import Wanted

_PLACE, _TURN, _ALONG = 0, 1, 2  # as in wishes.c
_WANTED = 14
_UPWARD = np.array([[0.0, 1.0, 0.0]])


class ConstraintTable:
    """Wishes as the library reads them: places, then turns, then what has directions."""

    def __init__(self, own: Sequence[Wish]) -> None:
        self.lay_out(own)

    def lay_out(self, own: Sequence[Wish]) -> None:
        """Set everything."""
        ordered = _in_order(own)
        counts = [len(wish.samples) for _, _, wish in ordered]
        self._wishes = own
        self._parts: list[tuple[int, int, slice]] = []  # sort, wish and its rows in `wanted`
        self.what = np.empty((sum(counts), 6), np.int64)
        self.wanted = np.zeros((sum(counts), _WANTED))
        number = np.empty(sum(counts), np.int64)
        begin = 0
        for (sort, index, wish), count in zip(ordered, counts, strict=True):
            part = slice(begin, begin + count)
            begin += count
            axes = _UPWARD if wish.above else wish.axes
            rows = 3 if sort != _ALONG or axes is None else len(axes)
            self.what[part] = sort, 0, wish.place, wish.other, rows, wish.above
            self.what[part, 1] = wish.samples
            self._parts.append((sort, index, part))
            self._aim(sort, wish, part)
            if sort == _ALONG and axes is not None:
                self.wanted[part, 5 : 5 + axes.size] = axes.ravel()
            number[part] = index
        self.time = self.what[:, 1].repeat(self.what[:, 4])  # (M,) of each row
        self.wish = number.repeat(self.what[:, 4])  # (M,)
        self._struct = Wanted(len(number), self.what.ctypes.data, self.wanted.ctypes.data)
        self.address = ctypes.addressof(self._struct)

    def _aim(self, sort: int, wish: Wish, part: slice) -> None:
        """Set what a wish wants, and how much."""
        target = wish.orientation if sort == _TURN else wish.position
        assert target is not None
        size = target.size // len(target)
        self.wanted[part, 0] = wish.weight
        self.wanted[part, 1] = wish.near
        self.wanted[part, 2 : 2 + size] = target.reshape(-1, size)

    def follow(self, own: Sequence[Wish]) -> bool:
        """Take over other wishes, if they are about the same and only want something else."""
        alike = len(own) == len(self._wishes) and all(map(_alike, own, self._wishes))
        for sort, index, part in self._parts if alike else ():
            self._aim(sort, own[index], part)
        return alike


def _alike(one: Wish, other: Wish) -> bool:
    """Whether two wishes have the same rows, and differ only in targets and weights."""
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
    """Whether two small arrays are alike."""
    if one is None or other is None:
        return one is other
    same: bool = one.tolist() == other.tolist()
    return same


def _in_order(own: Sequence[Wish]) -> list[tuple[int, int, Wish]]:
    directed = [wish.axes is not None or wish.above for wish in own]
    having = [(index, wish) for index, wish in enumerate(own) if len(wish.samples)]
    placed = [(i, wish) for i, wish in having if wish.position is not None]
    return [
        *((_PLACE, i, wish) for i, wish in placed if not directed[i]),
        *((_TURN, i, wish) for i, wish in having if wish.orientation is not None),
        *((_ALONG, i, wish) for i, wish in placed if directed[i]),
    ]
