"""Library: the compiled files, where they were built; NumPy does the same everywhere else.

`library` is None where no compiler was at hand, where the library was made from other sources
than those beside it, or where the environment has ARCWRIGHT_PLAIN=1.
"""

from __future__ import annotations

import ctypes
import os
import sys
from pathlib import Path
from zlib import crc32

import numpy as np

from arcwright.arrays import AnyArray

FOLDER = Path(__file__).parent
NAME = "libarcwright" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
_WHOLE, _NUMBER, _ADDRESS = ctypes.c_int64, ctypes.c_double, ctypes.c_void_p
_SIGNATURES = {
    "arcwright_jacobian": (ctypes.c_int, "awaaawa"),
    "arcwright_forward": (ctypes.c_int, "awaa"),
    "arcwright_deviation": (ctypes.c_int, "awaaaaa"),
    "arcwright_deviation_rows": (_WHOLE, "awaaaaawnaaa"),
    "arcwright_linearise": (_WHOLE, "aaaawaaa"),
    "arcwright_step": (_WHOLE, "aaaanwa"),
    "arcwright_descend": (_WHOLE, "aaaaa"),
    "arcwright_descend_along": (_WHOLE, "aawnaaaa"),
    "arcwright_descend_room": (_WHOLE, "a"),
    "arcwright_times": (None, "aaa"),
    "arcwright_transposed_times": (None, "aaa"),
    "arcwright_dense": (None, "awwa"),
    "arcwright_row_squares": (ctypes.c_int, "aaaa"),
    "arcwright_unknown_squares": (ctypes.c_int, "aaawa"),
    "arcwright_places": (ctypes.c_int, "aaaaaaaaa"),
    "arcwright_system": (ctypes.c_int, "aaaaaaaaaaaaa"),
    "arcwright_band_solve": (ctypes.c_int, "wwaawa"),
    "arcwright_band_times": (None, "wwaaa"),
    "arcwright_nonnegative": (ctypes.c_int, "waawna"),
    "arcwright_planar": (_WHOLE, "aawnaaaa"),
}
_LETTERS = {"a": _ADDRESS, "w": _WHOLE, "n": _NUMBER}
_Start = ctypes.c_char * 0


def source_sum(folder: Path) -> int:
    """One number for all source files of a folder."""
    files = [*sorted(folder.glob("*.h")), *sorted(folder.glob("*.c"))]
    return crc32(b"".join(path.read_bytes() for path in files))


def load(folder: Path = FOLDER) -> ctypes.CDLL | None:
    """The library of a folder, if it is there and may be used."""
    path = folder / NAME
    if os.environ.get("ARCWRIGHT_PLAIN") == "1" or not path.is_file():
        return None
    try:
        found = ctypes.CDLL(str(path))
        found.arcwright_source.restype = ctypes.c_uint32
        if found.arcwright_source() != source_sum(folder):
            return None
    except (OSError, AttributeError):  # of another machine, or not ours
        return None
    for name, (answer, letters) in _SIGNATURES.items():
        function = getattr(found, name)
        function.restype = answer
        function.argtypes = tuple(_LETTERS[letter] for letter in letters)
    return found


def address(array: AnyArray) -> int:
    """Where an array that can be written to begins in memory; quicker than asking NumPy."""
    return ctypes.addressof(_Start.from_buffer(array.data)) if array.size else 0


def ints(array: AnyArray) -> AnyArray:
    """A copy that the library can read."""
    return np.array(array, np.int64, order="C")


def floats(array: AnyArray) -> AnyArray:
    """A copy that the library can read."""
    return np.array(array, np.float64, order="C")


library = load()
