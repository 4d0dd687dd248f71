"""Store: the values of a scene as JSON and arrays; what is shared is stored once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import IntEnum
from math import isfinite
from typing import Any

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import BadValue
from arcwright.files.gltf.output import Output


class Store:
    """Tables of objects and arrays that grow as values are put in."""

    def __init__(self, output: Output) -> None:
        self.output = output
        self.objects: list[dict[str, Any]] = []
        self._arrays: list[list[Any]] = []
        self._places: dict[tuple[object, ...], int] = {}
        self._known: dict[int, tuple[object, int]] = {}  # keeps what it knows alive
        self._blob = bytearray()

    def put(self, value: object) -> Any:
        """The JSON that stands for a value; what it refers to goes into the tables."""
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
            return {"array": self._once(value, self._array)}
        if isinstance(value, tuple):
            return [self.put(each) for each in value]
        if isinstance(value, Mapping):
            return {"map": [[key, self.put(each)] for key, each in value.items()]}
        if is_dataclass(value):
            return {"object": self._once(value, self._object)}
        raise BadValue("project file", "a value of the scene's types", type(value).__name__)

    @property
    def arrays(self) -> list[list[Any]]:
        """[bufferView, offset, number type, shape] of each array; writes those not yet written."""
        blob = self.output.view(bytes(self._blob)) if self._blob else 0
        return [[blob if view is None else view, *rest] for view, *rest in self._arrays]

    def _once(self, value: Any, add: Any) -> int:
        if id(value) not in self._known:
            self._known[id(value)] = (value, add(value))
        return self._known[id(value)][1]

    def _object(self, value: Any) -> int:
        told = {"type": type(value).__name__}
        told |= {each.name: self.put(getattr(value, each.name)) for each in fields(value)}
        self.objects.append(told)
        return len(self.objects) - 1

    def _array(self, array: AnyArray) -> int:
        data = array.tobytes()
        kind = array.dtype.newbyteorder("<").str
        key = (kind, array.shape, data)
        if key not in self._places:
            view = self.output.find_view(data) if data else None
            offset = 0 if view is not None else self._appended(data)
            self._arrays.append([view, offset, kind, list(array.shape)])
            self._places[key] = len(self._arrays) - 1
        return self._places[key]

    def _appended(self, data: bytes) -> int:
        offset = len(self._blob)
        self._blob += data + bytes(-len(data) % 8)
        return offset
