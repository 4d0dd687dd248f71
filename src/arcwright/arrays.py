"""Array aliases, read-only arrays checked on the way in, and bit-for-bit equality."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arcwright.errors import BadValue

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
AnyArray = NDArray[Any]
FEW = 16


def frozen(
    value: ArrayLike,
    field: str,
    shape: tuple[int | str, ...],
    dtype: type | np.dtype[Any] = np.float64,
    *,
    finite: bool = True,
) -> NDArray[Any]:
    """Return `value` as a read-only array, or raise a `BadValue` that names `field`.

    In `shape` a number is that length and a letter is any length; the same letter twice
    means the same length. Read-only arrays are shared, all others copied.
    """
    array = _if_read_only(value, dtype)
    try:
        array = np.array(value, dtype=dtype, order="C") if array is None else array
    except (TypeError, ValueError, OverflowError) as error:
        raise BadValue(
            field, f"numbers of shape {_shape_text(shape)}", type(value).__name__
        ) from error
    if array.shape != shape:
        _check_shape(array, field, shape)
    if finite and array.dtype.kind == "f" and not _finite(array):
        raise BadValue(field, "finite numbers", "nan or inf")
    array.setflags(write=False)
    return array


def _if_read_only(value: ArrayLike, dtype: type | np.dtype[Any]) -> AnyArray | None:
    """The value itself if it is a read-only array of that type, else None."""
    if type(value) is np.ndarray and value.dtype == dtype and _is_read_only(value):
        return value
    return None


def _finite(array: AnyArray) -> bool:
    """Whether all numbers are finite; short arrays are checked faster without NumPy."""
    if array.ndim == 1 and len(array) <= FEW:
        return all(map(math.isfinite, array.tolist()))
    return bool(np.isfinite(array).all())


def _check_shape(array: AnyArray, field: str, shape: tuple[int | str, ...]) -> None:
    lengths: dict[str, int] = {}
    fits = array.ndim == len(shape)
    for want, have in zip(shape, array.shape, strict=False):
        if isinstance(want, str):
            fits &= lengths.setdefault(want, have) == have
        else:
            fits &= want == have
    if not fits:
        raise BadValue(field, f"shape {_shape_text(shape)}", f"shape {_shape_text(array.shape)}")


def _is_read_only(array: AnyArray) -> bool:
    """Whether neither this array nor the memory behind it can be written through NumPy."""
    owner: object = array
    while isinstance(owner, np.ndarray):
        if owner.flags.writeable:
            return False
        owner = owner.base
    return owner is None or isinstance(owner, bytes)


def _shape_text(shape: tuple[int | str, ...]) -> str:
    return "(" + ", ".join(str(n) for n in shape) + ("," if len(shape) == 1 else "") + ")"


def same(a: object, b: object) -> bool:
    """Whether two values are equal bit for bit: arrays, frozen dataclasses, tuples, mappings."""
    if a is b:
        return True
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
    if type(a) is not type(b):
        return False
    if is_dataclass(a):
        return all(same(getattr(a, f.name), getattr(b, f.name)) for f in fields(a))
    if isinstance(a, tuple | list) and isinstance(b, tuple | list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return list(a) == list(b) and all(same(a[key], b[key]) for key in a)
    if isinstance(a, float) and isinstance(b, float):
        return np.float64(a).tobytes() == np.float64(b).tobytes()
    return bool(a == b)
