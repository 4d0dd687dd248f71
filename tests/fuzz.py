"""Damaged files made by a seed, and the one law for them: a scene, or an error of ours, in time."""

from __future__ import annotations

import base64
import copy
import json
import random
import re
import signal
import struct
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np

from arcwright.errors import ArcwrightError
from arcwright.files import read
from data import DATA

SECONDS = 5.0
NUMBERS = (
    *("0", "-1", "1e308", "-1e308", "1e-320", "nan", "inf", "-inf", "99999999999999999999"),
    *("2147483648", "-2147483649", "4294967296", "0.5", "1,5", "1_0", "0x10", "--1", "1e999"),
    *("", "x", "é", "\x00", "{", "}", "1/2/3", "1//2", "/"),
)
VALUES = (
    *(None, True, False, -1, 0, 1, 3, 255, 2**31, 2**53, 2**63, 2**70, -(2**63)),
    *(0.5, 1e308, -1e-320, float("nan"), float("inf"), "", "x", "SCALAR", "MAT4", "VEC3"),
    *([], {}, [[]], [None], [-1], [0, 0], {"x": 1}, [1e308] * 16, "data:,", "data:;base64,!!"),
)

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
                told = base64.b64encode(beside.read_bytes()).decode()
                buffer["uri"] = f"data:application/octet-stream;base64,{told}"
        return json.dumps(document).encode()
    except (ValueError, AttributeError, TypeError, OSError):
        return path.read_bytes()


def damaged(seed: str, files: dict[str, list[bytes]], only: str = "") -> tuple[str, bytes]:
    """A suffix and bytes: one of the files with one to four things done to it."""
    rng = random.Random(seed)
    suffix = rng.choice([each for each in files if only in each])
    data = files[suffix][0] if rng.random() < 0.4 else rng.choice(files[suffix])
    for _ in range(rng.choice([1, 1, 1, 2, 4])):
        data = rng.choice(DAMAGES[suffix])(rng, data) or b"\n"
    return suffix, data


def _flip(rng: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(min(rng.choice([1, 1, 3, 20]), len(changed))):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _retype(rng: random.Random, data: bytes) -> bytes:
    """One character becomes another that could be typed."""
    at = rng.randrange(len(data))
    return data[:at] + bytes([rng.choice(b'0123456789.-+eE,:"[]{} xtn')]) + data[at + 1 :]


def _cut(rng: random.Random, data: bytes) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _slices(rng: random.Random, data: bytes) -> bytes:
    """A piece taken out, doubled, or put elsewhere."""
    a, b = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    piece, rest = data[a:b], data[:a] + data[b:]
    to = rng.randrange(len(rest) + 1)
    return rng.choice([rest, data[:b] + piece + data[b:], rest[:to] + piece + rest[to:]])


def _insert(rng: random.Random, data: bytes) -> bytes:
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.randbytes(rng.choice([1, 4, 100])) + data[at:]


def _words(rng: random.Random, data: bytes) -> bytes:
    """Two words swapped, or one replaced, doubled or taken out."""
    words = re.split(rb"(\s+)", data)
    if len(words) < 3:
        return data
    a, b = (2 * rng.randrange((len(words) + 1) // 2) for _ in range(2))
    action = rng.randrange(4)
    if action == 0:
        words[a], words[b] = words[b], words[a]
    elif action == 1:
        words[a] = rng.choice(NUMBERS).encode()
    else:
        words[a] = words[a] + b" " + words[a] if action == 2 else b""
    return b"".join(words)


def _lines(rng: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    a, b = rng.randrange(len(lines)), rng.randrange(len(lines))
    action = rng.randrange(4)
    if action == 0:
        lines[a], lines[b] = lines[b], lines[a]
    elif action == 1:
        del lines[a]
    elif action == 2:
        lines.insert(a, lines[b])
    else:
        lines[a:a] = [lines[a]] * rng.choice([2, 50, 3000])
    return b"\n".join(lines)


def _json(rng: random.Random, data: bytes) -> bytes:
    try:
        return json.dumps(_json_damaged(rng, json.loads(data))).encode()
    except (ValueError, RecursionError):
        return _flip(rng, data)


def _json_damaged(rng: random.Random, document: object) -> object:
    """A value replaced, taken out, doubled, swapped with another, or nested too deep."""
    places = _places(document)
    if not places:
        return rng.choice(VALUES)
    holder, key = rng.choice(places)
    action = rng.randrange(6)
    if action <= 1:
        holder[key] = copy.deepcopy(rng.choice(VALUES))
    elif action == 2:
        del holder[key]
    elif action == 3:
        other, other_key = rng.choice(places)
        holder[key], other[other_key] = copy.deepcopy(other[other_key]), copy.deepcopy(holder[key])
    elif action == 4 and isinstance(holder, list):
        holder[key:key] = [copy.deepcopy(holder[key])] * rng.choice([1, 3, 500])
    elif isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
        holder[key] = rng.choice(
            [holder[key] + 1, holder[key] - 1, -holder[key], holder[key] * 1e6]
        )
    else:
        for _ in range(rng.choice([1, 30])):
            holder[key] = [holder[key]]
    return document


def _places(document: object) -> list[tuple]:
    found: list[tuple] = []
    waiting = [document]
    while waiting:
        here = waiting.pop()
        keys = (
            here if isinstance(here, dict) else range(len(here)) if isinstance(here, list) else ()
        )
        for key in list(keys):
            found.append((here, key))
            waiting.append(here[key])
    return found


def _too_deep(rng: random.Random, data: bytes) -> bytes:
    depth = rng.choice([100, 5000, 100_000])
    return data[: rng.randrange(len(data) + 1)] + rng.choice([b"[", b'{"a":']) * depth


def _glb(rng: random.Random, data: bytes) -> bytes:
    """The JSON inside a GLB damaged, its floats set to odd ones, or its lengths."""
    try:
        document, binary = split_glb(data)
        action = rng.choice("jjjjjfffh")
        if action == "j":
            return glb(_json_damaged(rng, document), binary)  # type: ignore[arg-type]
    except (ValueError, RecursionError, struct.error, IndexError, KeyError):
        return _flip(rng, data)
    changed = bytearray(data)
    begin = len(data) - len(binary)
    at = rng.choice([4, 8, 12, 16, 20])
    if action == "f":
        at = begin + 4 * rng.randrange(len(binary) // 4 + 1)
    odd = struct.pack("<f", rng.choice([float("nan"), float("inf"), 1e38, -1e38, 0.0, -1.0]))
    count = struct.pack("<I", rng.choice([0, 1, 3, 2**31, 2**32 - 1, len(data), len(data) - 1]))
    changed[at : at + 4] = rng.choice([odd, count])
    return bytes(changed)


def _deep_bvh(rng: random.Random, data: bytes) -> bytes:
    joint = b"JOINT a { OFFSET 0 1 0 CHANNELS 1 Xrotation "
    depth = rng.choice([20, 3000])
    at = data.find(b"JOINT")
    return data[:at] + joint * depth + rng.choice([b"}" * depth, b""]) + data[at:]


Damage = Callable[[random.Random, bytes], bytes]
_BYTES: tuple[Damage, ...] = (_flip, _cut, _slices, _insert)
_TEXT: tuple[Damage, ...] = (*_BYTES, _words, _words, _words, _lines, _lines, _retype, _retype)
DAMAGES: dict[str, tuple[Damage, ...]] = {
    ".bvh": (*_TEXT, _deep_bvh),
    ".obj": _TEXT,
    ".gltf": (_flip, _cut, _slices, _too_deep, *(_retype,) * 4, *(_json,) * 20),
    ".glb": (*_BYTES, *(_glb,) * 20),
}


class _TooSlow(BaseException):
    """The reader took too long; no reader catches this."""


def outcome(path: Path) -> str:
    """ "loaded" or "refused", or what went wrong; warnings of NumPy count as wrong."""

    def too_slow(*_: object) -> None:
        raise _TooSlow

    before = signal.signal(signal.SIGALRM, too_slow)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    start = time.perf_counter()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read(path)
        return "loaded"
    except ArcwrightError as error:
        told = str(error)
        return "refused" if "\n" not in told and path.name in told else f"unclear: {told!r}"
    except _TooSlow:
        return f"slow: {time.perf_counter() - start:.1f} s"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
