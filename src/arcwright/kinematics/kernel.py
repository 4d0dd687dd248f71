"""Compiled kernel of forward kinematics and Jacobians, where it was built."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.compiled import library as compiled
from arcwright.compiled.library import address, floats, ints
from arcwright.kinematics.rotation import matrix_from_quaternion

if TYPE_CHECKING:
    from arcwright.kinematics.layout import Layout

library = compiled.library
_FLOAT = np.dtype(np.float64)
_SLIDES, _ANGLES, _QUATERNION, _STRETCHES, _RESTED = 1, 2, 4, 8, 16  # as in chain.c


class _Chain(ctypes.Structure):
    """`Chain` of arcwright.h."""

    _fields_ = (
        *((name, ctypes.c_int64) for name in ("joints", "points", "channels", "stretches")),
        *((name, ctypes.c_void_p) for name in ("parents", "wanted", "sort", "channel", "axes")),
        *((name, ctypes.c_void_p) for name in ("parity", "offset", "rest", "scale")),
    )


class Chain:
    """A layout as the library reads it."""

    def __init__(self, plan: Layout) -> None:
        sort = np.zeros(len(plan.joints), np.int64)
        for joints, bit in (
            (plan.sliding, _SLIDES),
            (plan.euler, _ANGLES),
            (plan.free, _QUATERNION),
            (plan.stretching, _STRETCHES),
            (plan.rested, _RESTED),
        ):
            sort[joints] |= bit
        self._whole = [
            *map(ints, (plan.parents, plan.wanted, sort, plan.driven, plan.axes)),
            *map(floats, (plan.parity, plan.offset, matrix_from_quaternion(plan.rest))),
            floats(plan.scale),
        ]
        sizes = (len(plan.joints), len(plan.wanted), plan.channels, len(plan.stretching))
        self._struct = _Chain(*sizes, *(array.ctypes.data for array in self._whole))
        self.address = ctypes.addressof(self._struct)
        self.points = len(plan.wanted)


class Slots:
    """Where each channel of each joint goes among the columns, as the library reads it."""

    def __init__(self, slots: Ints) -> None:
        self._whole = ints(slots)
        self.address: int = self._whole.ctypes.data


def jacobian(
    chain: Chain, values: Floats, offsets: Floats, slots: Slots, columns: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """position, orientation, move and turn of `PointJacobian` at values (T, C)."""
    assert library is not None
    times, points = len(values), chain.points
    given = values.size, offsets.size
    sizes = (3 * times * points, 9 * times * points, 3 * times * points * columns)
    # one block for all: asking for memory and for its address costs more than copying values
    block = np.empty(sum(given) + sizes[0] + sizes[1] + 2 * sizes[2])
    np.ndarray(values.shape, _FLOAT, block)[:] = values
    np.ndarray((points, 3), _FLOAT, block, 8 * given[0])[:] = offsets
    start = address(block)
    out = 8 * sum(given)
    short = library.arcwright_jacobian(
        chain.address, times, start, start + 8 * given[0], slots.address, columns, start + out
    )
    if short:
        raise MemoryError
    turned = out + 8 * sizes[0]
    moved = turned + 8 * sizes[1]
    shape = (times, points, 3, columns)
    return (
        np.ndarray((times, points, 3), _FLOAT, block, out),
        np.ndarray((times, points, 3, 3), _FLOAT, block, turned),
        np.ndarray(shape, _FLOAT, block, moved),
        np.ndarray(shape, _FLOAT, block, moved + 8 * sizes[2]),
    )


def forward(chain: Chain, values: Floats) -> Floats:
    """world_from_joint (T, J, 4, 4) at values (T, C)."""
    assert library is not None
    values = np.require(values, _FLOAT, ("C", "A"))
    world = np.empty((len(values), chain.points, 4, 4))
    if library.arcwright_forward(chain.address, len(values), values.ctypes.data, world.ctypes.data):
        raise MemoryError
    return world


def deviation(
    chain: Chain, values: Floats, world: Floats, weight: Floats | None, surface_offset: float
) -> Floats:
    """(T,) the largest deviation from world (T, J, 3, 4) of any joint and of points off it."""
    assert library is not None
    values, world = (np.require(each, _FLOAT, ("C", "A")) for each in (values, world))
    if weight is not None:
        weight = np.require(weight, _FLOAT, ("C", "A"))
    largest = np.empty(len(values))
    if library.arcwright_deviation(
        chain.address,
        len(values),
        values.ctypes.data,
        world.ctypes.data,
        None if weight is None else weight.ctypes.data,
        surface_offset,
        largest.ctypes.data,
    ):
        raise MemoryError
    return largest
