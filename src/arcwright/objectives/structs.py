"""Structs: the structs of arcwright.h about drags, for ctypes."""

from __future__ import annotations

import ctypes
from typing import Any, Self

import numpy as np

from arcwright.compiled.library import floats, ints


class Struct(ctypes.Structure):
    """A struct of arcwright.h: numbers, and addresses of arrays that are kept with it."""

    kept: list[Any]

    @classmethod
    def of(cls, *parts: Any) -> Self:
        """From numbers, arrays (copied) and other structs, in the order of the fields."""
        kept: list[Any] = []
        given = [_given(part, kept) for part in parts]
        made = cls(*given)
        made.kept = kept
        return made


def _given(part: Any, kept: list[Any]) -> Any:
    if isinstance(part, np.ndarray):
        kept.append(ints(part) if part.dtype.kind in "iu" else floats(part))
        return kept[-1].ctypes.data
    if isinstance(part, ctypes.Structure):
        kept.append(part)
        return ctypes.addressof(part)
    return part


def _fields(text: str) -> Any:
    """`name` a whole number, `name=` a plain one, `name*` an address."""
    kinds = {"*": ctypes.c_void_p, "=": ctypes.c_double}
    return tuple((w.rstrip("*="), kinds.get(w[-1], ctypes.c_int64)) for w in text.split())


class Curves(Struct):
    """`Curves` of arcwright.h."""

    _fields_ = _fields(
        "count value* slope* segment* fraction* length* ends* start* factor* unknown*"
    )


class Smooth(Struct):
    """`Smooth` of arcwright.h."""

    _fields_ = _fields("count weight= unknown* start* factor* size*")


class Wanted(Struct):
    """`Wanted` of arcwright.h."""

    _fields_ = _fields("count what* wanted*")


class Drag(Struct):
    """`Drag` of arcwright.h."""

    _fields_ = _fields(
        "chain* times moving each slots* offset* values* curves* "
        "steps stepped* shift* step* smooth*"
    )


class Scope(Struct):
    """`Scope` of arcwright.h."""

    _fields_ = _fields("curves* points* joints*")


class Descending(Struct):
    """`Descending` of arcwright.h."""

    _fields_ = _fields(
        "drag* own* rest* all* scope* unknown* segment* "
        "max_iterations step_tolerance= cost_tolerance= target_tolerance= climb= damping="
    )
