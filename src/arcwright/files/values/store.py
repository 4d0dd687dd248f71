"""Serialise frozen values as JSON tables and arrays; shared values are stored once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import IntEnum
from hashlib import sha256
from math import isfinite
from types import MappingProxyType
from typing import Any

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import BadValue

LARGE = 64 * 1024  # bytes, arrays that are worth sharing between what else stands on its own


class Store:
    """Tables of objects and arrays that grow as values are added.

    `elsewhere` may return a view that already holds the bytes of an array. Added values stay
    referenced, so that their identity can be recognised. While `isolated`, tables written
    before are not referenced, except units and arrays of `LARGE` bytes or more.
    """

    def __init__(
        self, elsewhere: Callable[[bytes], int | None] = lambda _: None, smallest_shared: int = 0
    ) -> None:
        self.objects: list[dict[str, Any]] = []
        self.isolated = False
        self._elsewhere = elsewhere
        self._smallest_shared = smallest_shared  # bytes; below it equal arrays are stored again
        self._arrays: list[list[Any]] = []
        self._blob = bytearray()
        self._count = [0, 0]  # objects, arrays that were handed out
        self._places: dict[tuple[object, ...], int] = {}
        self._known: dict[int, tuple[object, dict[str, int]]] = {}

    @property
    def counts(self) -> list[int]:
        """Objects and arrays that were handed out: the tables now being filled go on from here."""
        return list(self._count)

    def name_unit(self, number: int, value: object) -> None:
        """From now on refer to `value` as a unit of this number."""
        self._known[id(value)] = (value, {"unit": number})

    def put(self, value: object) -> Any:
        """The JSON of a value; objects and arrays it refers to are added to the tables."""
        if value is None or isinstance(value, bool | str):
            return value
        if isinstance(value, IntEnum):
            return {"enum": type(value).__name__, "value": int(value)}
        if isinstance(value, int):
            return value
        if isinstance(value, float):
            return float(value) if isfinite(value) else {"float": repr(float(value))}
        if isinstance(value, bytes):
            return {"bytes": self._array(np.frombuffer(value, np.uint8))}
        if isinstance(value, np.ndarray):
            return self._once(value, lambda array: {"array": self._array(array)})
        if isinstance(value, tuple):
            return [self.put(each) for each in value]
        if isinstance(value, dict | MappingProxyType):
            word = "dict" if isinstance(value, dict) else "map"
            return {word: [[_key(key), self.put(each)] for key, each in value.items()]}
        if is_dataclass(value):
            return self._once(value, lambda each: {"object": self._object(each)})
        raise BadValue("stored value", "one of the scene's types", type(value).__name__)

    def arrays(self, view: int = 0) -> list[list[Any]]:
        """[view, offset, number type, shape] of each array; `view` is where the blob will be."""
        return [[view if at is None else at, *rest] for at, *rest in self._arrays]

    @property
    def blob(self) -> bytes:
        """The bytes of all arrays that are not elsewhere; each begins at a multiple of 8."""
        return bytes(self._blob)

    def handed_out(self) -> None:
        """Clear the tables after they were written; indices continue."""
        self._count[0] += len(self.objects)
        self._count[1] += len(self._arrays)
        self.objects, self._arrays, self._blob = [], [], bytearray()

    def _once(self, value: Any, add: Callable[[Any], dict[str, int]]) -> dict[str, int]:
        known = self._known.get(id(value))
        if known is None or not self._may_refer(known[1]):
            known = self._known[id(value)] = (value, add(value))
        return known[1]

    def _may_refer(self, to: dict[str, int]) -> bool:
        ((word, index),) = to.items()
        return not self.isolated or word == "unit" or index >= self._count[word == "array"]

    def _may_share(self, index: int, size: int) -> bool:
        smallest = LARGE if self.isolated else self._smallest_shared
        return size >= smallest or index >= self._count[1]

    def _object(self, value: Any) -> int:
        record = {"type": type(value).__name__}
        record |= {each.name: self.put(getattr(value, each.name)) for each in fields(value)}
        self.objects.append(record)
        return self._count[0] + len(self.objects) - 1

    def _array(self, array: AnyArray) -> int:
        if array.dtype.kind not in "biuf":
            raise BadValue("stored array", "numbers", array.dtype.name)
        data = array.tobytes()
        key = _content(array, data)
        known = self._places.get(key)
        if known is None or not self._may_share(known, len(data)):
            view = self._elsewhere(data) if data else None
            offset = 0 if view is not None else self._appended(data)
            self._arrays.append([view, offset, array.dtype.str, list(array.shape)])
            known = self._places[key] = self._count[1] + len(self._arrays) - 1
        return known

    def _appended(self, data: bytes) -> int:
        offset = len(self._blob)
        self._blob += data + bytes(-len(data) % 8)
        return offset


def _content(array: AnyArray, data: bytes) -> tuple[object, ...]:
    return array.dtype.str, array.shape, sha256(data).digest()


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise BadValue("stored mapping", "names as keys", type(key).__name__)
    return key
