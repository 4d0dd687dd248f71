"""Kernel: the compiled form of forward kinematics and Jacobians, where it was built.

`library` is None where no compiler was at hand, where the library was made from another
`kernel.c` than the one beside it, or where the environment has ARCWRIGHT_PLAIN=1; then NumPy
does the work.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import matrix_from_quaternion

if TYPE_CHECKING:
    from arcwright.kinematics.layout import Layout

SOURCE = Path(__file__).with_name("kernel.c")
LIBRARY = "libkernel" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
_FLOAT = np.dtype(np.float64)
_SLIDES, _ANGLES, _QUATERNION, _STRETCHES, _RESTED = 1, 2, 4, 8, 16  # as in kernel.c
_Start = ctypes.c_char * 0


class _Chain(ctypes.Structure):
    """`Chain` of kernel.c."""

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
            *map(_ints, (plan.parents, plan.wanted, sort, plan.driven, plan.axes)),
            *map(_floats, (plan.parity, plan.offset, matrix_from_quaternion(plan.rest))),
            _floats(plan.scale),
        ]
        sizes = (len(plan.joints), len(plan.wanted), plan.channels, len(plan.stretching))
        self._struct = _Chain(*sizes, *(array.ctypes.data for array in self._whole))
        self.address = ctypes.addressof(self._struct)
        self.points = len(plan.wanted)


class Slots:
    """Where each channel of each joint goes among the columns, as the library reads it."""

    def __init__(self, slots: Ints) -> None:
        self._whole = _ints(slots)
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
    start = ctypes.addressof(_Start.from_buffer(block.data))
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


def _ints(array: Ints) -> Ints:
    return np.array(array, np.int64, order="C")


def _floats(array: Floats) -> Floats:
    return np.array(array, np.float64, order="C")


def load() -> ctypes.CDLL | None:
    """The library beside `SOURCE`, if it is there and may be used."""
    path = SOURCE.with_name(LIBRARY)
    if os.environ.get("ARCWRIGHT_PLAIN") == "1" or not path.is_file():
        return None
    try:
        found = ctypes.CDLL(str(path))
        found.arcwright_source.restype = ctypes.c_uint32
        if found.arcwright_source() != crc32(SOURCE.read_bytes()):
            return None
    except (OSError, AttributeError):  # of another machine, or not ours
        return None
    number, address = ctypes.c_int64, ctypes.c_void_p
    found.arcwright_jacobian.argtypes = (
        *(address, number, address, address, address, number, address),
    )
    found.arcwright_forward.argtypes = (address, number, address, address)
    return found


library = load()
