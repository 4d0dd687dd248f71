"""Damages that are meant: names of private files, endless clips, crowds; and what to protect."""

from __future__ import annotations

import base64
import json
import os
import random
import re
import struct
from pathlib import Path
from typing import Any

from good_files import glb, split_glb

CANARY = b"the canary that must not sing"
PNG = b"\x89PNG\r\n\x1a\n"
NAMES = (
    *("../private.png", "../private.bin", "../private.mtl", "ROOT/private.png", "ROOT/private.mtl"),
    *(".hidden/a.png", ".hidden/a.bin", ".hidden.png", "%2ehidden/a.png", "ok/../.hidden/a.png"),
    *("link.png", "link.bin", "link.mtl", "folder/a.png", "zero.png", "zero.bin", "zero.mtl"),
    *("pipe.png", "pipe.bin", "pipe.mtl", "/dev/zero", "notes.txt", "notes.png", ".ssh/id_rsa"),
    *(
        "ok/a.png",
        "ok/a.bin",
        "a.mtl",
        "./a.mtl",
        "..\\private.png",
        "file:///etc/passwd",
        "\0.png",
    ),
)
TIMES = (1e4, 2e4, 1e5, 1e7, 1e8, 3e38)


def planted(root: Path) -> Path:
    """A folder to open files in, with private files around it, hidden in it and behind links."""
    opened = root / "opened"
    for folder in (opened / ".hidden", opened / ".ssh", opened / "ok"):
        folder.mkdir(parents=True)
    for suffix in (".png", ".bin", ".mtl"):
        secret = b"newmtl canary\nKd 1 0 0\n# " + CANARY if suffix == ".mtl" else PNG + CANARY
        (root / f"private{suffix}").write_bytes(secret)
        (opened / ".hidden" / f"a{suffix}").write_bytes(PNG + CANARY)
        (opened / f"link{suffix}").symlink_to(root / f"private{suffix}")
        (opened / f"zero{suffix}").symlink_to("/dev/zero")
        os.mkfifo(opened / f"pipe{suffix}")
    (opened / ".hidden.png").write_bytes(PNG + CANARY)
    (opened / "notes.txt").write_bytes(PNG + CANARY)
    (opened / "notes.png").symlink_to(opened / "notes.txt")
    (opened / ".ssh" / "id_rsa").write_bytes(CANARY)
    (opened / "folder").symlink_to(opened / ".hidden")
    (opened / "ok" / "a.png").write_bytes(PNG)
    (opened / "ok" / "a.bin").write_bytes(bytes(400))
    lines = [f"newmtl m{at}\nmap_Kd {name}\n" for at, name in enumerate(NAMES)]
    (opened / "a.mtl").write_text("".join(lines).replace("ROOT", str(root)))
    return opened


def put(folder: Path, suffix: str, data: bytes) -> Path:
    """Write a case into a folder; names that begin with ROOT become absolute ones."""
    path = folder / f"case{suffix}"
    root = str(folder.parent).encode()
    path.write_bytes(data if suffix == ".glb" else data.replace(b"ROOT/", root + b"/"))
    return path


def name_elsewhere(rng: random.Random, data: bytes) -> bytes:
    """An OBJ that is its own library and names files that are not its own."""
    library = rng.choice(["case.obj", "a.mtl"])
    lines = [f"mtllib {library}", f"mtllib {rng.choice(NAMES)}", "newmtl brick"]
    lines += [f"map_Kd {rng.choice(NAMES)}" for _ in range(2)]
    return "\n".join(lines).encode() + b"\n" + data


def gltf_elsewhere(rng: random.Random, data: bytes) -> bytes:
    """A picture or buffer of a glTF file becomes a file that is not its own."""
    document, binary = taken_apart(data)
    kind = rng.choice(["images", "images", "buffers"])
    held = document.setdefault(kind, [{}])
    held[rng.randrange(len(held))] = {"uri": rng.choice(NAMES), "byteLength": rng.choice([4, 37])}
    if kind == "buffers" and rng.random() < 0.5:
        document["bufferViews"] = [{"buffer": 0, "byteLength": 37}]
        document |= {"images": [{"bufferView": 0}], "meshes": [], "skins": [], "animations": []}
        document["nodes"], document["scenes"] = [{"name": "a"}], [{"nodes": [0]}]
    return put_together(document, binary, data)


def endless(rng: random.Random, data: bytes) -> bytes:
    """The last key of a clip is set very late."""
    document, binary = taken_apart(data)
    changed = bytearray(binary)
    for animation in document["animations"][:1]:
        for sampler in animation["samplers"][:2]:
            accessor = document["accessors"][sampler["input"]]
            view = document["bufferViews"][accessor["bufferView"]]
            last = accessor.get("byteOffset", 0) + 4 * (accessor["count"] - 1)
            at = view.get("byteOffset", 0) + last
            changed[at : at + 4] = struct.pack("<f", rng.choice(TIMES))
    return put_together(document, bytes(changed), data)


def crowd(rng: random.Random, data: bytes) -> bytes:
    """Many nodes show one mesh of many primitives."""
    document, binary = taken_apart(data)
    mesh = document["meshes"][-1]
    mesh["primitives"] = mesh["primitives"][:1] * rng.choice([1, 10, 50])
    first, count = len(document["nodes"]), rng.choice([100, 2000, 20_000])
    more = {"mesh": len(document["meshes"]) - 1, "scale": [rng.choice([1, 1e-9, 1e9, 1e30])] * 3}
    document["nodes"] += [more] * count
    if rng.random() < 0.5:
        document["nodes"].append({"children": list(range(first, first + count))})
        document["scenes"][0]["nodes"].append(first + count)
    else:
        document["scenes"][0]["nodes"] += range(first, first + count)
    return put_together(document, binary, data)


def hollow(rng: random.Random, data: bytes) -> bytes:
    """An accessor loses its data and claims many numbers."""
    document, binary = taken_apart(data)
    accessor = rng.choice(document["accessors"])
    accessor.pop("bufferView", None)
    accessor["count"] = rng.choice([10**5, 10**7, 2**31 - 1, 10**18])
    return put_together(document, binary, data)


def many_pictures(rng: random.Random, data: bytes) -> bytes:
    """Very many pictures, none of which is there."""
    document, binary = taken_apart(data)
    document["images"] = [{"uri": f"x{at}.png"} for at in range(rng.choice([100, 2000, 20_000]))]
    return put_together(document, binary, data)


def many_digits(rng: random.Random, data: bytes) -> bytes:
    """A number of thousands of digits, more than Python reads."""
    found = rng.choice(list(re.finditer(rb"\d+", data)))
    return data[: found.start()] + b"9" * 5000 + data[found.end() :]


def taken_apart(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON of a glTF file and the bytes of its buffer, where that is inside."""
    if data[:4] == b"glTF":
        return split_glb(data)
    document = json.loads(data)
    return document, base64.b64decode(document["buffers"][0].get("uri", "").partition(",")[2])


def put_together(document: dict[str, Any], binary: bytes, before: bytes) -> bytes:
    """A file of the kind it was before."""
    if before[:4] == b"glTF":
        return glb(document, binary)
    if document["buffers"][0].get("uri", "").startswith("data:"):
        message = base64.b64encode(binary).decode()
        document["buffers"][0]["uri"] = f"data:application/octet-stream;base64,{message}"
    return json.dumps(document).encode()
