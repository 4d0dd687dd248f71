"""Small glTF files for tests, made in a few lines."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np

from arcwright.files.gltf import read
from arcwright.scene.scene import Scene

PNG = b"\x89PNG\r\n\x1a\n"  # how a picture begins; all that readers look at
CODES = {"i1": 5120, "u1": 5121, "i2": 5122, "u2": 5123, "u4": 5125, "f4": 5126}
KINDS = {(): "SCALAR", (2,): "VEC2", (3,): "VEC3", (4,): "VEC4", (4, 4): "MAT4"}


class Gltf:
    """A glTF file that grows: `add` puts an item in a list, `numbers` makes an accessor."""

    def __init__(self, **root: Any) -> None:
        self.root: dict[str, Any] = {"asset": {"version": "2.0"}, **root}
        self.data = b""

    def add(self, key: str, **item: Any) -> int:
        self.root.setdefault(key, []).append(item)
        return len(self.root[key]) - 1

    def view(self, data: bytes, **more: Any) -> int:
        offset = len(self.data)
        self.data += data + bytes(-len(data) % 4)
        return self.add("bufferViews", buffer=0, byteOffset=offset, byteLength=len(data), **more)

    def numbers(self, values: Any, dtype: str = "f4", **more: Any) -> int:
        array = np.asarray(values, "<" + dtype)
        entry = {"componentType": CODES[dtype], "type": KINDS[array.shape[1:]], "count": len(array)}
        return self.add("accessors", **{"bufferView": self.view(array.tobytes()), **entry, **more})

    def triangle(self, **more: Any) -> int:
        position = self.numbers([[0, 0, 0], [1, 0, 0], [0, 1, 0]])
        return self.add("meshes", primitives=[{"attributes": {"POSITION": position}, **more}])

    def animation(self, node: int, path: str, time: Any, value: Any, word: str = "LINEAR") -> int:
        sampler = {"input": self.numbers(time), "output": self.numbers(value)}
        return self.add(
            "animations",
            channels=[{"sampler": 0, "target": {"node": node, "path": path}}],
            samplers=[{**sampler, "interpolation": word}],
        )

    def bytes(self) -> bytes:
        gltf = dict(self.root)
        if self.data and "buffers" not in gltf:
            gltf["buffers"] = [{"byteLength": len(self.data)}]
        return glb(json.dumps(gltf).encode(), self.data)

    def read(self, folder: Path, **options: Any) -> Scene:
        path = folder / "test.glb"
        path.write_bytes(self.bytes())
        return read(path, **options)


def glb(text: bytes, data: bytes = b"") -> bytes:
    """A GLB around JSON and binary data."""
    text += b" " * (-len(text) % 4)
    data += bytes(-len(data) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    if data:
        chunks += struct.pack("<I4s", len(data), b"BIN\0") + data
    return b"glTF" + struct.pack("<II", 2, 12 + len(chunks)) + chunks


def positions(scene):
    """The vertices of the first thing that was read."""
    return (scene.characters or scene.props)[0].shapes[0].parts[0].attributes["POSITION"]
