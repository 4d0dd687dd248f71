"""Rows: a matrix whose rows each touch only the unknowns of their group.

Tasks at one time depend only on the curve segments at that time. Stored this way, the cost of a
window of many keys grows with its segments, not with their square.
"""

from __future__ import annotations

import ctypes
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.compiled import library as compiled


class Groups:
    """G lists of unknowns; unknown N stands for none."""

    def __init__(self, unknowns: int, lists: list[Ints], when: Floats | None = None) -> None:
        self.unknowns = unknowns
        self.when = np.zeros(len(lists)) if when is None else when  # (G,) an order of the groups
        self.sizes = np.array([len(each) for each in lists], np.int64)
        self.first = np.concatenate([[0], np.cumsum(self.sizes)]).astype(np.int64)
        whole = np.concatenate([*lists, np.zeros(0)]).astype(np.int64)
        self.unknown = np.where(whole < 0, unknowns, whole)


class Layout:
    """Which group each of M rows belongs to, and where its entries stand."""

    def __init__(self, groups: Groups, group: Ints) -> None:
        self.groups = groups
        self.group = np.array(group, np.int64)
        sizes = groups.sizes[self.group]
        self.begin = np.cumsum(sizes) - sizes
        self.size = int(sizes.sum())
        arrays = (groups.first, groups.unknown, self.group, self.begin)
        self.addresses = tuple(array.ctypes.data for array in arrays)

    @cached_property
    def _struct(self) -> _Rows:
        return _Rows(len(self.group), self.groups.unknowns, *self.addresses, None)

    @cached_property
    def address(self) -> int:
        """Where the library reads it: rows without entries."""
        return ctypes.addressof(self._struct)

    @cached_property
    def places(self) -> Ints:
        """(entries,) where each entry stands in a dense matrix of N + 1 columns."""
        groups = self.groups
        sizes = groups.sizes[self.group]
        shift = np.repeat(groups.first[self.group] - self.begin, sizes)
        row = np.repeat(np.arange(len(self.group)) * (groups.unknowns + 1), sizes)
        places: Ints = row + groups.unknown[np.arange(self.size) + shift]
        return places

    @cached_property
    def filled(self) -> float:
        """How much of a system of these rows is not zero, about: 1 where all touch all."""
        groups, count = self.groups, len(self.group)
        if count == 0 or groups.unknowns == 0:
            return 1.0
        if count < groups.unknowns:
            unknown = self.places % (groups.unknowns + 1)
            touched = np.bincount(unknown, minlength=groups.unknowns + 1)[:-1].astype(float)
            return float(touched @ touched) / (count * count * groups.unknowns)
        sizes = groups.sizes[self.group].astype(float)
        return float(sizes @ sizes) / (count * groups.unknowns**2)

    @cached_property
    def row_order(self) -> Ints:
        """(M,) rows by when their group is."""
        return np.argsort(self.groups.when[self.group], kind="stable")

    @cached_property
    def row_first(self) -> Ints:
        """(M,) of each row in that order: the first that shares an unknown with it."""
        groups, order = self.groups, self.row_order
        sizes = groups.sizes[self.group]
        position = np.empty(len(order), np.int64)
        position[order] = np.arange(len(order))
        unknown = self.places % (groups.unknowns + 1)
        first = np.full(groups.unknowns + 1, len(order))
        np.minimum.at(first, unknown, np.repeat(position, sizes))
        first[-1] = len(order)
        least = position.copy()
        np.minimum.at(least, np.repeat(np.arange(len(order)), sizes), first[unknown])
        return least[order]

    @cached_property
    def unknown_order(self) -> Ints:
        """(N,) unknowns by when they are last touched: so a factor fills nothing in."""
        groups = self.groups
        last = np.full(groups.unknowns + 1, -np.inf)
        np.maximum.at(last, groups.unknown, np.repeat(groups.when, groups.sizes))
        return np.argsort(last[:-1], kind="stable")

    @cached_property
    def unknown_first(self) -> Ints:
        """(N,) of each unknown in that order: the first that shares a group with it."""
        groups, count = self.groups, self.groups.unknowns
        position = np.full(count + 1, count)
        position[self.unknown_order] = np.arange(count)
        first = np.minimum.reduceat(position[groups.unknown], groups.first[:-1])
        least = position.copy()
        np.minimum.at(least, groups.unknown, np.repeat(first, groups.sizes))
        return least[self.unknown_order]


class _Rows(ctypes.Structure):
    """`Rows` of arcwright.h."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("rows", "unknowns")),
        *((name, ctypes.c_void_p) for name in ("first", "unknown", "group", "begin", "entry")),
    )


class Rows:
    """(M, N) matrix; `@` multiplies it with vectors from both sides."""

    __array_ufunc__ = None  # so that `vector @ rows` calls __rmatmul__

    def __init__(self, layout: Layout, entry: Floats) -> None:
        self.layout = layout
        self.entry = entry  # (entries,)
        self.shape = len(layout.group), layout.groups.unknowns

    @classmethod
    def of(cls, matrix: Floats) -> Rows:
        """A matrix in which every row touches every unknown."""
        count, unknowns = matrix.shape
        groups = Groups(unknowns, [np.arange(unknowns)])
        return cls(Layout(groups, np.zeros(count, np.int64)), np.array(matrix).ravel())

    @cached_property
    def _struct(self) -> _Rows:
        return _Rows(*self.shape, *self.layout.addresses, self.entry.ctypes.data)

    @cached_property
    def address(self) -> int:
        """Where the library reads them."""
        return ctypes.addressof(self._struct)

    @cached_property
    def dense(self) -> Floats:
        """(M, N) with its zeros."""
        rows, unknowns = self.shape
        width = unknowns + 1
        if compiled.library is not None:
            whole = np.empty((rows, unknowns))
            compiled.library.arcwright_dense(self.address, unknowns, 1, whole.ctypes.data)
            return whole
        flat = np.bincount(self.layout.places, self.entry, minlength=rows * width)
        return flat.reshape(rows, width)[:, :-1].astype(np.float64, copy=False)

    def __matmul__(self, x: Floats) -> Floats:
        if compiled.library is None:
            product: Floats = self.dense @ x
            return product
        out, x = np.empty(self.shape[0]), np.ascontiguousarray(x)
        compiled.library.arcwright_times(self.address, x.ctypes.data, out.ctypes.data)
        return out

    def __rmatmul__(self, y: Floats) -> Floats:
        if compiled.library is None:
            product: Floats = y @ self.dense
            return product
        out, y = np.empty(self.shape[1]), np.ascontiguousarray(y)
        compiled.library.arcwright_transposed_times(self.address, y.ctypes.data, out.ctypes.data)
        return out
