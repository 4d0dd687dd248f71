"""Accessors: typed arrays from buffers. Every offset and count is checked before use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.files.gltf.document import Document
from arcwright.files.gltf.item import Item
from arcwright.files.gltf.meshopt import unpacked
from arcwright.files.referenced_files import BUFFERS

COMPONENTS: dict[int, np.dtype[Any]] = {
    5120: np.dtype("<i1"),
    5121: np.dtype("<u1"),
    5122: np.dtype("<i2"),
    5123: np.dtype("<u2"),
    5125: np.dtype("<u4"),
    5126: np.dtype("<f4"),
}
SHAPES: dict[str, tuple[int, ...]] = {
    "SCALAR": (),
    "VEC2": (2,),
    "VEC3": (3,),
    "VEC4": (4,),
    "MAT2": (2, 2),
    "MAT3": (3, 3),
    "MAT4": (4, 4),
}
_TOIL = 8  # memory factor for meshopt data, which also takes time to unpack
MESHOPT = ("EXT_meshopt_compression", "KHR_meshopt_compression")


@dataclass(frozen=True)
class Numbers:
    """An accessor's array, (count, ...) in its own number type, read-only."""

    item: Item
    array: AnyArray
    normalized: bool

    @property
    def floats(self) -> AnyArray:
        """The numbers as floats; normalised integers become -1..1 or 0..1."""
        if self.array.dtype.kind == "f":
            return self.array
        if not self.normalized:
            return self.array.astype(np.float32)
        top = np.iinfo(self.array.dtype).max
        return np.maximum(self.array / np.float64(top), -1.0).astype(np.float32)


class Accessors:
    """All accessors of a document, read on demand and cached."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._buffers: dict[int, bytes] = {}
        self._unpacked: dict[int, bytes] = {}
        self._copies: dict[int, bytes] = {}
        self._numbers: dict[int, Numbers] = {}

    def __len__(self) -> int:
        return len(self.document["accessors"])

    def numbers(self, index: int) -> Numbers:
        """The accessor at an index that is known to be there."""
        if index not in self._numbers:
            self._numbers[index] = self._read(self.document["accessors"][index])
        return self._numbers[index]

    def view(self, index: int) -> tuple[bytes, int, int, int]:
        """A bufferView as (bytes, start, length, stride); stride 0 means tightly packed."""
        item = self.document["bufferViews"][index]
        stride = item.integer("byteStride", 0, high=252)
        for name in MESHOPT:
            packed = item.extension(name)
            if packed is not None:
                return self._decompressed(index, packed), 0, len(self._unpacked[index]), stride
        buffer, start, length = self._span(item)
        return buffer, start, length, stride

    def view_bytes(self, index: int) -> bytes:
        """A copy of a bufferView's bytes."""
        if index not in self._copies:
            buffer, start, length, _ = self.view(index)
            self.document.spend(length, f"bufferView {index}")
            self._copies[index] = buffer[start : start + length]
        return self._copies[index]

    def _span(self, item: Item) -> tuple[bytes, int, int]:
        buffer = item.needed("buffer", len(self.document["buffers"]), "buffer")
        data = self._buffer(buffer)
        start, length = item.integer("byteOffset", 0), item.integer("byteLength", low=1)
        if start + length > len(data):
            raise item.bad(f"reaches past the end of buffer {buffer} ({len(data)} bytes)")
        return data, start, length

    def _decompressed(self, index: int, packed: Item) -> bytes:
        if index not in self._unpacked:
            data, start, length = self._span(packed)
            size = packed.integer("count", low=1) * packed.integer("byteStride", low=1, high=256)
            self.document.spend(size * _TOIL, packed.label)
            self._unpacked[index] = unpacked(packed, data[start : start + length])
        return self._unpacked[index]

    def _buffer(self, index: int) -> bytes:
        if index not in self._buffers:
            self._buffers[index] = self._load(index, self.document["buffers"][index])
        return self._buffers[index]

    def _load(self, index: int, item: Item) -> bytes:
        size = item.integer("byteLength", low=1)
        if item.has("uri"):
            data = self.document.fetch(item.text("uri"), item.label, BUFFERS)
        elif index == 0 and self.document.chunk is not None:
            data = self.document.chunk
        else:
            raise item.bad("has neither a uri nor a binary chunk")
        if len(data) < size:
            raise item.bad(f"holds {len(data)} bytes, fewer than the {size} it claims")
        return data if len(data) == size else data[:size]

    def _read(self, item: Item) -> Numbers:
        code = item.integer("componentType")
        if code not in COMPONENTS:
            raise item.bad(f"has componentType {code}, which glTF does not define")
        kind = item.text("type")
        if kind not in SHAPES:
            raise item.bad(f"has type {kind!r}, which glTF does not define")
        dtype, shape, count = COMPONENTS[code], SHAPES[kind], item.integer("count", low=1)
        view = item.index("bufferView", len(self.document["bufferViews"]), "bufferView")
        if view is None:
            size = count * dtype.itemsize * int(np.prod(shape, initial=1))
            self.document.spend_on_zeros(size, item.label)
            array: AnyArray = np.zeros((count, *shape), dtype)
        else:
            array = self._taken(item, view, dtype, shape, count)
        sparse = item.child("sparse")
        if sparse is not None:
            array = self._patched(array, sparse)
        if len(shape) == 2:
            array = np.swapaxes(array, 1, 2)  # glTF stores columns
        return Numbers(item, self._finite(item, array), item.flag("normalized"))

    def _taken(
        self, item: Item, view: int, dtype: np.dtype[Any], shape: tuple[int, ...], count: int
    ) -> AnyArray:
        """A view of `count` elements inside a bufferView, without copying them."""
        data, start, length, stride = self.view(view)
        steps = _steps(dtype, shape)
        size = shape[0] * steps[0] if shape else dtype.itemsize
        stride = stride or size
        offset = item.integer("byteOffset", 0)
        if stride < size:
            raise item.bad(f"has elements of {size} bytes, bufferView {view} a stride of {stride}")
        # The padding of a matrix's last column may be cut off.
        if offset + (count - 1) * stride + size - _tail(dtype, shape) > length:
            raise item.bad(f"reaches past the end of bufferView {view} ({length} bytes)")
        return np.ndarray((count, *shape), dtype, data, start + offset, (stride, *steps))

    def _patched(self, array: AnyArray, sparse: Item) -> AnyArray:
        count = sparse.integer("count", low=1, high=len(array))
        places, values = sparse.child("indices"), sparse.child("values")
        if places is None or values is None:
            raise sparse.bad("has no indices or no values")
        code = places.integer("componentType")
        if code not in (5121, 5123, 5125):
            raise places.bad(f"has componentType {code}, expected 5121, 5123 or 5125")
        views = len(self.document["bufferViews"])
        at_view = places.needed("bufferView", views, "bufferView")
        at = self._taken(places, at_view, COMPONENTS[code], (), count).astype(np.int64)
        if at.max() >= len(array) or (np.diff(at) <= 0).any():
            raise places.bad(f"must increase and stay below {len(array)}")
        value_view = values.needed("bufferView", views, "bufferView")
        self.document.spend(array.nbytes, sparse.label)
        patched = np.array(array)
        patched[at] = self._taken(values, value_view, array.dtype, array.shape[1:], count)
        return patched

    def _finite(self, item: Item, array: AnyArray) -> AnyArray:
        if array.dtype.kind == "f" and not (good := np.isfinite(array)).all():
            self.document.warn(
                f"{item.label}: {(~good).sum()} numbers that are nan or inf set to 0"
            )
            array = np.where(good, array, array.dtype.type(0))
        if not array.flags.c_contiguous:
            self.document.spend(array.nbytes, item.label)
            array = np.ascontiguousarray(array)
        array.setflags(write=False)
        return array


def _steps(dtype: np.dtype[Any], shape: tuple[int, ...]) -> tuple[int, ...]:
    """Byte steps inside an element; a matrix's columns begin at multiples of four bytes."""
    if len(shape) < 2:
        return (dtype.itemsize,) * len(shape)
    column = -(-shape[0] * dtype.itemsize // 4) * 4
    return column, dtype.itemsize


def _tail(dtype: np.dtype[Any], shape: tuple[int, ...]) -> int:
    return _steps(dtype, shape)[0] - shape[0] * dtype.itemsize if len(shape) == 2 else 0
