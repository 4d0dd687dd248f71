"""Document: the JSON and bytes of a glTF file, and the warnings about it."""

from __future__ import annotations

import json
import struct
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import Any, NoReturn

from arcwright.errors import BadFile, json_fault
from arcwright.files.gltf.fetch import fetched
from arcwright.files.gltf.item import ROOT, Item
from arcwright.files.regular import read_regular
from arcwright.scene.take import Take

GLB_MAGIC = b"glTF"
JSON_CHUNK = 0x4E4F534A
BIN_CHUNK = 0x004E4942

SIZE_LIMIT = 512 * 2**20  # bytes of the file, and of all that lie beside it
_JSON_LIMIT = 128 * 2**20  # bytes; Python needs about twenty times that for the worst JSON
_MEMORY = 128 * 2**20  # bytes any file may expand to
_MEMORY_PER_BYTE = 24  # and more for each byte it has
_ZEROS = 2 * 2**20  # bytes of implied zeros; more for each byte of the file
_SAMPLES = 6_000_000  # frames times channels that the clips of any file may have
_SAMPLES_PER_BYTE = 2  # and more for each byte it has; a baked clip has 4 bytes for each sample
_FEWEST_CHANNELS = 16  # what a frame is counted as, however little moves

_LISTS = {
    "accessors": "accessor",
    "animations": "animation",
    "buffers": "buffer",
    "bufferViews": "bufferView",
    "images": "image",
    "materials": "material",
    "meshes": "mesh",
    "nodes": "node",
    "samplers": "sampler",
    "scenes": "scene",
    "skins": "skin",
    "textures": "texture",
}


class Document:
    """The JSON and binary chunk of one file; collects warnings while it is read."""

    def __init__(self, path: Path, gltf: dict[str, Any], chunk: bytes | None, size: int) -> None:
        self.path = path
        self.root = Item(path, ROOT, gltf)
        self.chunk = chunk
        self.lists = {key: self.root.children(key, word) for key, word in _LISTS.items()}
        self._fetched: dict[str, bytes] = {}
        self._warning_counts: Counter[str] = Counter()
        self._referenced_bytes_left = SIZE_LIMIT  # of SIZE_LIMIT
        self._room = _MEMORY + _MEMORY_PER_BYTE * size
        self._zeros = _ZEROS + _MEMORY_PER_BYTE * size
        self._samples = _SAMPLES + _SAMPLES_PER_BYTE * size
        self._check_version()

    def _check_version(self) -> None:
        asset = self.root.child("asset")
        if asset is None:
            raise BadFile(self.path, "has no 'asset', so it is not glTF 2.0")
        needed = asset.text("minVersion", asset.text("version", ""))
        if needed.split(".")[0] != "2":
            raise BadFile(self.path, f"is glTF {needed or 'of unknown version'}, expected 2.0")
        if needed not in ("2", "2.0") and asset.has("minVersion"):
            raise BadFile(self.path, f"needs a reader of glTF {needed}, this one knows 2.0")

    def __getitem__(self, key: str) -> list[Item]:
        return self.lists[key]

    def warn(self, text: str) -> None:
        """Remember a warning; equal ones are counted, not repeated."""
        self._warning_counts[text] += 1

    @property
    def warnings(self) -> tuple[str, ...]:
        """All warnings in the order they came up, with how often."""
        return tuple(t if n == 1 else f"{t} ({n} times)" for t, n in self._warning_counts.items())

    def fetch(self, uri: str, what: str, suffixes: Collection[str]) -> bytes:
        """The bytes of a URI; referenced files count towards the size limit, once."""
        if uri not in self._fetched:
            data = fetched(self.path, uri, what, suffixes, self._referenced_bytes_left)
            if not uri.startswith("data:"):
                self._referenced_bytes_left -= len(data)
                self._room += _MEMORY_PER_BYTE * len(data)
                self._zeros += _MEMORY_PER_BYTE * len(data)
                self._samples += _SAMPLES_PER_BYTE * len(data)
            self._fetched[uri] = data
        return self._fetched[uri]

    def spend(self, size: int, what: str) -> None:
        """Account for memory before expanding data; small files that expand hugely are refused."""
        self._room -= size
        if self._room < 0:
            raise self._expands_too_much(what)

    def spend_on_zeros(self, size: int, what: str) -> None:
        """Account for memory of zeros that sparse accessors imply without storing them."""
        self.spend(size, what)
        self._zeros -= size
        if self._zeros < 0:
            raise self._expands_too_much(what)

    def _expands_too_much(self, what: str) -> BadFile:
        return BadFile(self.path, f"{what} unfolds to far more than the file holds")

    def spend_on(self, take: Take) -> None:
        """Account for the samples of a take: a small file with few keys may last long."""
        self._samples -= take.frame_count * max(len(take.rig.channels), _FEWEST_CHANNELS)
        if self._samples < 0:
            length = f"{take.duration:.3g} s at {take.rate:.3g} frames per second"
            fault = f"take {take.name[:40]!r} lasts far longer than the file has keys for"
            raise BadFile(self.path, f"{fault}: {length}, {len(take.rig.channels)} channels")


def open_document(path: Path) -> Document:
    """Read a .glb or .gltf file; detected by its first bytes."""
    data = read_regular(path, SIZE_LIMIT)
    if data[:4] == GLB_MAGIC:
        text, chunk = _split(path, data)
    else:
        text, chunk = data, None
    return Document(path, parsed(path, text), chunk, len(data))


def parsed(path: Path, text: bytes) -> dict[str, Any]:
    """The JSON object in these bytes, as strict as the standard asks."""
    if len(text) > _JSON_LIMIT:
        raise BadFile(
            path, f"has {len(text) >> 20} MB of JSON, more than the {_JSON_LIMIT >> 20} read"
        )
    try:
        # Byte order marks are forbidden by the standard and common all the same.
        value = json.loads(text.decode("utf-8-sig"), parse_constant=_no_constant)
    except RecursionError as error:
        raise BadFile(path, "has JSON nested too deeply") from error
    except ValueError as error:
        fault = json_fault(error)
        raise BadFile(path, f"is not glTF: its JSON does not parse: {fault}") from error
    if not isinstance(value, dict):
        raise BadFile(path, "is not glTF: its JSON is not an object")
    return value


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _split(path: Path, data: bytes) -> tuple[bytes, bytes | None]:
    """The JSON and binary chunks of a GLB; chunks of other kinds are passed over."""
    if len(data) < 12:
        raise BadFile(path, "ends inside the GLB header")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise BadFile(path, f"is GLB version {version}, expected 2")
    if length > len(data):
        raise BadFile(path, f"is cut short: {len(data)} of {length} bytes are there")
    found: dict[int, bytes] = {}
    at = 12
    while at + 8 <= length:
        size, kind = struct.unpack_from("<II", data, at)
        at += 8
        if at + size > length:
            raise BadFile(path, "has a GLB chunk that reaches past the end of the file")
        if kind in (JSON_CHUNK, BIN_CHUNK):
            if not found and kind != JSON_CHUNK:
                raise BadFile(path, "has a GLB that does not begin with its JSON chunk")
            found.setdefault(kind, data[at : at + size])
        at += size
    if JSON_CHUNK not in found:
        raise BadFile(path, "has no JSON chunk")
    return found[JSON_CHUNK], found.get(BIN_CHUNK)
