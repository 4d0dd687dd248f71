"""Ways to damage a file, chosen by a seed."""

from __future__ import annotations

import copy
import json
import random
import re
import struct
from collections.abc import Callable

from good_files import glb, split_glb
from hostile import (
    crowd,
    endless,
    gltf_elsewhere,
    hollow,
    many_digits,
    many_pictures,
    name_elsewhere,
)

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
    """Two messages swapped, or one replaced, doubled or taken out."""
    messages = re.split(rb"(\s+)", data)
    if len(messages) < 3:
        return data
    a, b = (2 * rng.randrange((len(messages) + 1) // 2) for _ in range(2))
    action = rng.randrange(4)
    if action == 0:
        messages[a], messages[b] = messages[b], messages[a]
    elif action == 1:
        messages[a] = rng.choice(NUMBERS).encode()
    else:
        messages[a] = messages[a] + b" " + messages[a] if action == 2 else b""
    return b"".join(messages)


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
        return json.dumps(json_damaged(rng, json.loads(data))).encode()
    except (ValueError, RecursionError):
        return _flip(rng, data)


def json_damaged(rng: random.Random, document: object) -> object:
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
            return glb(json_damaged(rng, document), binary)  # type: ignore[arg-type]
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


def _hostile(damage: Damage) -> Damage:
    """A damage that needs a file of some sense; where there is none, bytes are flipped."""

    def done(rng: random.Random, data: bytes) -> bytes:
        try:
            return damage(rng, data)
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError, struct.error):
            return _flip(rng, data)

    return done


_HOSTILE_GLTF = (
    *map(_hostile, (gltf_elsewhere, gltf_elsewhere, endless, endless, crowd)),
    *map(_hostile, (hollow, many_pictures)),
)
_BYTES: tuple[Damage, ...] = (_flip, _cut, _slices, _insert)
_TEXT: tuple[Damage, ...] = (*_BYTES, _words, _words, _words, _lines, _lines, _retype, _retype)
DAMAGES: dict[str, tuple[Damage, ...]] = {
    ".bvh": (*_TEXT, _deep_bvh),
    ".obj": (*_TEXT, *(_hostile(name_elsewhere),) * 4),
    ".gltf": (
        _flip,
        _cut,
        _slices,
        _too_deep,
        *(_retype,) * 4,
        *(_json,) * 20,
        *_HOSTILE_GLTF,
        _hostile(many_digits),
    ),
    ".glb": (*_BYTES, *(_glb,) * 20, *_HOSTILE_GLTF),
}
