"""Values of the scene as bytes: no pickle, nothing trusted on the way back, what is shared kept so.

"ArcV", u16 version, u16 0, u32 length of the JSON, u32 0, JSON padded to 8 bytes, arrays
"""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

from arcwright.arrays import AnyArray
from arcwright.errors import BadFile
from arcwright.files.gltf.item import Item
from arcwright.files.values import Restore, Store

VERSION = 1
_MAGIC = b"ArcV"
_HEAD = struct.Struct("<4sHHII")
_ROOM = 128 * 2**20  # bytes that any packet may unfold to
_ROOM_PER_BYTE = 24  # and more for each byte it has


def pack(value: object) -> bytes:
    """A value as bytes: scenes, edits, and whatever they hold."""
    return Packer().pack(value)


def unpack(data: bytes, name: str = "packed value") -> object:
    """The value, bit for bit; `BadFile` about `name` for anything `pack` did not write."""
    return Unpacker(name).unpack(data)


class Packer:
    """Packs values one after the other; what an earlier packet holds is only referred to."""

    def __init__(self) -> None:
        self._store = Store()

    @classmethod
    def after(cls, unpacker: Unpacker) -> Packer:
        """A packer that goes on where the packets that were read end."""
        packer = cls()
        packer._store.knows(*unpacker.tables)
        return packer

    def pack(self, value: object) -> bytes:
        """The next packet."""
        store = self._store
        told = {"value": store.put(value), "objects": store.objects, "arrays": store.arrays()}
        text = json.dumps(told, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 8)
        packet = _HEAD.pack(_MAGIC, VERSION, 0, len(text), 0) + text + store.blob
        store.handed_out()
        return packet


class Unpacker:
    """Unpacks what one `Packer` packed, in the same order."""

    def __init__(self, name: str = "packed value") -> None:
        self._path = Path(name)
        self._restore = Restore()

    @property
    def tables(self) -> tuple[list[object], list[AnyArray]]:
        """All objects and arrays that came so far."""
        return self._restore.objects, self._restore.arrays

    def unpack(self, data: bytes) -> object:
        """The value of the next packet."""
        text, blob = self._split(bytes(data))
        told = Item(self._path, "packet", self._parsed(text))
        return self._restore.read(told, _Blob(blob, self._path, len(data)), "value")

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
            told = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise BadFile(self._path, "is damaged: its JSON does not parse") from error
        if not isinstance(told, dict):
            raise BadFile(self._path, "is damaged: its JSON is no object")
        return told


class _Blob:
    """All arrays of a packet are in one block."""

    def __init__(self, data: bytes, path: Path, size: int) -> None:
        self._data, self._path = data, path
        self._room = _ROOM + _ROOM_PER_BYTE * size

    def span(self, told: Item, view: int) -> tuple[bytes, int, int]:
        if view != 0:
            raise told.bad(f"refers to block {view}, but there is one")
        return self._data, 0, len(self._data)

    def spend(self, size: int, what: str) -> None:
        self._room -= size
        if self._room < 0:
            raise BadFile(self._path, f"{what} unfolds to far more than it holds")
