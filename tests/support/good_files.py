"""Small files of every format that are as they should be, and real ones where there are any."""

from __future__ import annotations

import base64
import copy
import json
import struct
from pathlib import Path

import numpy as np

from data import DATA

BVH = b"""HIERARCHY
ROOT Hips
{
  OFFSET 0 0.9 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0.0 0.3 0.01
    CHANNELS 3 Zrotation Yrotation Xrotation
    JOINT Head
    {
      OFFSET 0 0.4 0
      CHANNELS 1 Yrotation
      End Site
      {
        OFFSET 0 0.2 0
      }
    }
  }
  JOINT LeftFoot
  {
    OFFSET 0.1 -0.9 0
    CHANNELS 3 Xrotation Yrotation Zrotation
  }
}
MOTION
Frames: 4
Frame Time: 0.0333333
0 0.9 0 1 2 3 4 5 6 7 8 9 10
0.01 0.9 0.1 1.5 2 3 4 -5 6e0 7 8 9 10
0.02 0.9 0.2 1 2.25 3 4 5 -6 7 8 9 10
0.03 0.9 0.3 1 2 3.125 4 5 6 7 8 -9 10
"""
OBJ = b"""# a house
mtllib house.mtl
o walls
v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0 1.0
v 0.5 1.5 0
vt 0 0
vt 1 0
vt 1 1
vn 0 0 1
usemtl brick
f 1/1/1 2/2/1 3/3/1 4/1/1
f -3//-1 -2//-1 -1//-1
g roof
usemtl tile
f 4 3 5
f 1 2 3 \\
  5 4
s off
"""


def gltf() -> dict:
    """A skinned, morphing triangle with two clips, in an embedded buffer."""
    floats = [
        *(0, 0, 0, 1, 0, 0, 0, 1, 0),  # positions
        *(0, 0, 0.1, 0, 0, 0.1, 0, 0, 0.1),  # morph
        *np.eye(4).ravel(),
        *np.eye(4).ravel(),
        *(0, 0.5, 1),  # times
        *(0, 0, 0, 1, 0, 0, 0.7071068, 0.7071068, 0, 0, 0, 1),  # rotations
        *(0, 1, 0),  # weights
        *(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0),  # skin weights
    ]
    binary = struct.pack(f"<{len(floats)}f", *map(float, floats))
    at = len(binary)
    binary += bytes([0, 1, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]) + struct.pack("<4H", 0, 1, 2, 0)
    views = [(0, 36), (36, 36), (72, 128), (200, 12), (212, 48), (260, 12), (272, 48)]
    views += [(at, 12), (at + 12, 6)]
    kinds = [("VEC3", 3), ("VEC3", 3), ("MAT4", 2), ("SCALAR", 3), ("VEC4", 3), ("SCALAR", 3)]
    kinds += [("VEC4", 3), ("VEC4", 3), ("SCALAR", 3)]
    accessors = [
        {"bufferView": view, "type": kind, "count": count, "componentType": 5126}
        for view, (kind, count) in enumerate(kinds)
    ]
    accessors[0] |= {"min": [0, 0, 0], "max": [1, 1, 0]}
    accessors[7]["componentType"], accessors[8]["componentType"] = 5121, 5123
    sparse = {"count": 1, "indices": {"bufferView": 8, "componentType": 5123}}
    accessors.append(accessors[0] | {"sparse": sparse | {"values": {"bufferView": 1}}})
    attributes = {"POSITION": 0, "JOINTS_0": 7, "WEIGHTS_0": 6}
    part = {"attributes": attributes, "indices": 8, "targets": [{"POSITION": 1}], "material": 0}
    turn = {"input": 3, "output": 4, "interpolation": "LINEAR"}
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0, 3]}],
        "nodes": [
            {"name": "body", "children": [1], "translation": [0, 1, 0]},
            {"name": "arm", "children": [2], "rotation": [0, 0, 0, 1]},
            {"name": "hand", "matrix": np.eye(4).ravel().tolist()},
            {"name": "mesh", "mesh": 0, "skin": 0},
        ],
        "meshes": [
            {"primitives": [part], "weights": [0.5]},
            {"primitives": [{"attributes": {"POSITION": 9}, "mode": 4}]},
        ],
        "skins": [{"joints": [0, 1], "inverseBindMatrices": 2, "skeleton": 0}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0, "sampler": 0}],
        "samplers": [{"magFilter": 9729}],
        "images": [{"uri": "data:image/png;base64,iVBORw0KGgo="}],
        "animations": [
            {
                "name": "wave",
                "samplers": [turn, {"input": 3, "output": 5, "interpolation": "STEP"}],
                "channels": [
                    {"sampler": 0, "target": {"node": 1, "path": "rotation"}},
                    {"sampler": 1, "target": {"node": 3, "path": "weights"}},
                ],
            }
        ],
        "accessors": accessors,
        "bufferViews": [
            {"buffer": 0, "byteOffset": start, "byteLength": size} for start, size in views
        ],
        "buffers": [
            {
                "byteLength": len(binary),
                "uri": "data:application/octet-stream;base64," + base64.b64encode(binary).decode(),
            }
        ],
    }


def glb(document: dict, binary: bytes | None = None) -> bytes:
    """The document in a GLB, its embedded buffer moved into the binary chunk."""
    document = copy.deepcopy(document)
    if binary is None:
        uri = document["buffers"][0].pop("uri")
        binary = base64.b64decode(uri.partition(",")[2])
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    binary += b"\0" * (-len(binary) % 4)
    chunks = struct.pack("<I4s", len(text), b"JSON") + text
    chunks += struct.pack("<I4s", len(binary), b"BIN\0") + binary
    return struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks


def split_glb(data: bytes) -> tuple[dict, bytes]:
    """The JSON and the binary chunk of a GLB that is whole."""
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + size]), data[28 + size :]


def seeds(largest: int = 40_000) -> dict[str, list[bytes]]:
    """Good files by suffix: built ones, and real ones up to `largest` bytes where there are any."""
    found = {
        ".bvh": [BVH, BVH.replace(b"\n", b"\r\n")],
        ".obj": [OBJ],
        ".gltf": [json.dumps(gltf()).encode()],
        ".glb": [glb(gltf())],
    }
    for folder in ("gltf", "scenes", "bvh", "malformed"):
        for path in sorted((DATA / folder).rglob("*")):
            if path.suffix in found and 0 < path.stat().st_size <= largest:
                data = path.read_bytes()
                found[path.suffix].append(_embedded(path) if path.suffix == ".gltf" else data)
    return found


def _embedded(path: Path) -> bytes:
    """A glTF file with the buffers beside it moved into it, so that it can be read elsewhere."""
    try:
        document = json.loads(path.read_bytes())
        for buffer in document.get("buffers", []):
            beside = path.parent / buffer.get("uri", "?")
            if beside.is_file() and beside.stat().st_size < 100_000:
                encoded = base64.b64encode(beside.read_bytes()).decode()
                buffer["uri"] = f"data:application/octet-stream;base64,{encoded}"
        return json.dumps(document).encode()
    except (ValueError, AttributeError, TypeError, OSError):
        return path.read_bytes()
