"""Scene values as bytes: no pickle, checked when they are read, sharing preserved.

"ArcV", u16 version, u16 0, u32 length of the JSON, u32 0, JSON padded to 8 bytes, arrays
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from arcwright.errors import BadFile
from arcwright.files.gltf.item import Item
from arcwright.files.values import Restore, Store

VERSION = 2  # since 2 a packet states where its tables begin
_MAGIC = b"ArcV"
_HEAD = struct.Struct("<4sHHII")
_ROOM = 128 * 2**20  # bytes that any packet may expand to
_ROOM_PER_BYTE = 24  # and more for each byte it has
_SMALLEST_SHARED = 512  # bytes; smaller arrays are packed again, so that packets need fewer others


def pack(value: object) -> bytes:
    """A value as bytes: scenes, edits, and whatever they hold."""
    return Packer().pack(value)


def unpack(data: bytes, name: str = "packed value") -> object:
    """The value, bit for bit; `BadFile` about `name` for anything `pack` did not write."""
    return Unpacker(name).unpack(data)


class Packer:
    """Packs values one after the other; what an earlier packet holds is only referred to.

    A packet states where its tables begin: if it is lost, only values that refer to it are lost.
    A *unit* is a value on its own: it refers to other units only, and to large arrays.
    """

    def __init__(self) -> None:
        self._store = Store(smallest_shared=_SMALLEST_SHARED)

    def pack(self, value: object) -> bytes:
        """The next packet."""
        return self._packet(value)

    def pack_unit(self, number: int, value: object) -> bytes:
        """A packet for `Unpacker.unpack_unit`; later ones refer to the value by its number."""
        self._store.isolated = True
        try:
            packet = self._packet(value)
        finally:
            self._store.isolated = False
        self._store.name_unit(number, value)
        return packet

    def _packet(self, value: object) -> bytes:
        store = self._store
        content = {"value": store.put(value), "objects": store.objects, "arrays": store.arrays()}
        content["first"] = store.counts
        text = json.dumps(content, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        packet = _HEAD.pack(_MAGIC, VERSION, 0, len(text), 0) + text + store.blob
        store.handed_out()
        return packet


class Unpacker:
    """Unpacks what one `Packer` packed, in the same order; packets may be missing."""

    def __init__(self, name: str = "packed value") -> None:
        self._path = Path(name)
        self._restore = Restore()

    def unpack(self, data: bytes) -> object:
        """The value of the next packet."""
        return self._restore.read(*self._opened(data), "value")

    def unpack_each(self, data: bytes) -> list[object]:
        """The items of a packed tuple, `LOST` where one refers to what was lost."""
        return self._restore.read_each(*self._opened(data), "value")

    def unpack_unit(self, number: int, data: bytes) -> object:
        """The value of a unit."""
        value = self.unpack(data)
        self._restore.units[number] = value
        return value

    def put_unit(self, number: int, value: object) -> None:
        """Put something else in the place of a unit that was lost."""
        self._restore.units[number] = value

    def _opened(self, data: bytes) -> tuple[Item, _Blob]:
        text, blob = self._split(bytes(data))
        content = Item(self._path, "packet", self._parsed(text))
        return content, _Blob(blob, self._path, len(data))

    def _split(self, data: bytes) -> tuple[bytes, bytes]:
        if len(data) < _HEAD.size or data[:4] != _MAGIC:
            raise BadFile(self._path, "holds no packed values")
        _, version, _, length, _ = _HEAD.unpack_from(data)
        if version > VERSION:
            known = f"is packed in version {version}, this Arcwright knows {VERSION}"
            raise BadFile(self._path, known, "update Arcwright")
        if _HEAD.size + length > len(data):
            raise BadFile(self._path, "is cut short")
        return data[_HEAD.size : _HEAD.size + length], data[_HEAD.size + length :]

    def _parsed(self, text: bytes) -> dict[str, Any]:
        try:
            parsed = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadFile(self._path, "is damaged: its JSON does not parse") from error
        if not isinstance(parsed, dict):
            raise BadFile(self._path, "is damaged: its JSON is no object")
        return parsed


class _Blob:
    """All arrays of a packet are in one block."""

    def __init__(self, data: bytes, path: Path, size: int) -> None:
        self._data, self._path = data, path
        self._room = _ROOM + _ROOM_PER_BYTE * size

    def span(self, item: Item, view: int) -> tuple[bytes, int, int]:
        if view != 0:
            raise item.bad(f"refers to block {view}, but there is one")
        return self._data, 0, len(self._data)

    def spend(self, size: int, what: str) -> None:
        self._room -= size
        if self._room < 0:
            raise BadFile(self._path, f"{what} unfolds to far more than it holds")
