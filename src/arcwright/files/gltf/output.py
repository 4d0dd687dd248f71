"""Output: builder of the JSON lists and bytes of a glTF file."""

from __future__ import annotations

import json
import struct
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import BadValue
from arcwright.files.atomic import write_bytes
from arcwright.files.gltf.accessor import COMPONENTS, SHAPES
from arcwright.files.gltf.document import BIN_CHUNK, GLB_MAGIC, JSON_CHUNK
from arcwright.version import __version__

VERTICES, INDICES = 34962, 34963  # what a bufferView is for
_CODES = {dtype: code for code, dtype in COMPONENTS.items()}
_KINDS = {shape: kind for kind, shape in SHAPES.items()}


class Output:
    """Lists that grow by `add`, bytes that grow by `view`; equal bytes are stored once."""

    def __init__(self) -> None:
        self.gltf: dict[str, Any] = {
            "asset": {"version": "2.0", "generator": f"Arcwright {__version__}"}
        }
        self._chunks: list[bytes] = []
        self._size = 0
        self._views: dict[tuple[bytes, int, int], int] = {}
        self._view_of_bytes: dict[bytes, int] = {}
        self._accessors: dict[tuple[object, ...], int] = {}

    def add(self, key: str, value: dict[str, Any]) -> int:
        """Append to a list of the file; its index."""
        held = self.gltf.setdefault(key, [])
        held.append(value)
        return len(held) - 1

    def view(self, data: bytes, target: int = 0, stride: int = 0) -> int:
        """A bufferView of these bytes; its index."""
        key = (sha256(data).digest(), target, stride)
        if key not in self._views:
            view = {"buffer": 0, "byteOffset": self._size, "byteLength": len(data)}
            if target:
                view["target"] = target
            if stride:
                view["byteStride"] = stride
            self._chunks += [data, bytes(-len(data) % 8)]
            self._size += len(data) + -len(data) % 8
            self._views[key] = self.add("bufferViews", view)
            self._view_of_bytes.setdefault(key[0], self._views[key])
        return self._views[key]

    def find_view(self, data: bytes) -> int | None:
        """A bufferView that already holds these bytes, whatever it is for."""
        return self._view_of_bytes.get(sha256(data).digest())

    def accessor(
        self, array: AnyArray, *, target: int = 0, normalized: bool = False, bounds: bool = False
    ) -> int:
        """An accessor of an array (count, ...) in one of glTF's number types; its index."""
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise _too_large()
        entry: dict[str, Any] = {
            "componentType": _CODES[array.dtype],
            "type": _KINDS[array.shape[1:]],
            "count": len(array),
        }
        if normalized:
            entry["normalized"] = True
        if bounds:
            entry["min"] = np.atleast_1d(array.min(axis=0)).tolist()
            entry["max"] = np.atleast_1d(array.max(axis=0)).tolist()
        rows, stride = _rows(array, target)
        entry["bufferView"] = self.view(rows, target, stride)
        key = tuple((k, str(v)) for k, v in entry.items())
        if key not in self._accessors:
            self._accessors[key] = self.add("accessors", entry)
        return self._accessors[key]

    @property
    def data(self) -> bytes:
        """The whole buffer."""
        return b"".join(self._chunks)

    def save(self, path: Path) -> None:
        """Write a .glb, or a .gltf with its .bin beside it."""
        if path.suffix.lower() != ".gltf":
            write_bytes(path, *self.glb())
            return
        data, gltf = self.data, dict(self.gltf)
        if data:
            beside = path.with_suffix(".bin")
            gltf["buffers"] = [{"byteLength": len(data), "uri": quote(beside.name)}]
            write_bytes(beside, data)
        write_bytes(path, as_json(gltf))

    def glb(self) -> list[bytes]:
        """The chunks of a .glb."""
        data, gltf = self.data, dict(self.gltf)
        if data:
            gltf["buffers"] = [{"byteLength": len(data)}]
        return _glb(as_json(gltf), data)


def as_json(gltf: dict[str, Any]) -> bytes:
    """Compact JSON in UTF-8."""
    try:
        text = json.dumps(gltf, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except ValueError as error:
        raise _too_large() from error
    try:
        return text.encode()
    except UnicodeEncodeError:  # a name cut in the middle of a character
        return json.dumps(gltf, separators=(",", ":")).encode()


def _too_large() -> BadValue:
    return BadValue("scene", "numbers that glTF holds in 32 bits, below 3.4e38", "larger ones")


def _rows(array: AnyArray, target: int) -> tuple[bytes, int]:
    """The bytes of an array and its stride; vertices begin at multiples of four bytes."""
    if array.ndim == 3:
        array = np.swapaxes(array, 1, 2)  # glTF stores columns
    if target != VERTICES:
        return array.tobytes(), 0
    width = array.itemsize * (array.shape[1] if array.ndim > 1 else 1)
    padded = -(-width // 4) * 4
    if padded == width:
        return array.tobytes(), width
    raw = np.zeros((len(array), padded), np.uint8)
    raw[:, :width] = np.ascontiguousarray(array).view(np.uint8).reshape(len(array), width)
    return raw.tobytes(), padded


def _glb(text: bytes, data: bytes) -> list[bytes]:
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    chunks = [struct.pack("<II", len(text), JSON_CHUNK), text]
    if data:
        chunks += [struct.pack("<II", len(data), BIN_CHUNK), data]
    length = 12 + sum(len(chunk) for chunk in chunks)
    return [GLB_MAGIC + struct.pack("<II", 2, length), *chunks]
