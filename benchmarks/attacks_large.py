"""Attacks: small files that ask for much."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path
from typing import Any

from attack import PNG, Attack, Made
from file_attacks import (
    CONVERT,
    EVERYTHING,
    INSPECT,
    PICTURE,
    attack,
    data_uri,
    gltf_document,
)


def animated(path: Path, times: list[float], nodes: int = 1) -> None:
    """Nodes turning and moving, keyed at these times."""
    count = len(times)
    turns = [0.0, 0.0, 0.0, 1.0, 0.0, 0.7071068, 0.0, 0.7071068] * count
    moves = [0.0, 0.0, 0.0, 1.0, 0.5, 0.0] * count
    data = struct.pack(f"<{8 * count}f", *times, *turns[: 4 * count], *moves[: 3 * count])
    spans = [(0, 4 * count), (4 * count, 16 * count), (20 * count, 12 * count)]
    kinds = ("SCALAR", "VEC4", "VEC3")
    paths = ("rotation", "translation")
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(data), "uri": data_uri(data)}],
        "bufferViews": [{"buffer": 0, "byteOffset": a, "byteLength": n} for a, n in spans],
        "accessors": [
            {"bufferView": at, "componentType": 5126, "type": kind, "count": count}
            for at, kind in enumerate(kinds)
        ],
        "nodes": [
            {"name": f"n{at}"} | ({"children": [at + 1]} if at + 1 < nodes else {})
            for at in range(nodes)
        ],
        "animations": [
            {
                "samplers": [{"input": 0, "output": at + 1} for at in range(2)],
                "channels": [
                    {"sampler": at, "target": {"node": node, "path": path}}
                    for node in range(nodes)
                    for at, path in enumerate(paths)
                ],
            }
        ],
    }
    path.write_text(json.dumps(document))


def long_clip(
    last: float, nodes: int = 2, keys: int = 2, commands: list[list[str]] = EVERYTHING
) -> Attack:
    def made(folder: Path) -> Made:
        animated(folder / "doc.gltf", [last * at / (keys - 1) for at in range(keys)], nodes)
        return "doc.gltf", commands

    made.__name__ = f"gltf_key_at_{last:g}_s_{nodes}_nodes_{keys}_keys"
    return attack(made)


long_clip(1e7)
long_clip(1e8)
long_clip(3e38)
long_clip(24_000.0)
long_clip(15_000.0)
long_clip(480.0, nodes=100)
long_clip(350.0, nodes=100)
# Not fitted: keys that leap to and fro take the fit over a minute, a limit that is known.
long_clip(1000.0, nodes=2, keys=10_000, commands=[INSPECT, *CONVERT, PICTURE])


@attack
def gltf_wild_spline(folder: Path) -> Made:
    """Rotations far from unit length in a spline, which no glTF writer may keep as they are."""
    count = 3000
    times = [at / 3 for at in range(count)]
    values = [((at * 7919) % 1000) - 500.0 for at in range(12 * count)]
    data = struct.pack(f"<{13 * count}f", *times, *values)
    document = {
        "asset": {"version": "2.0"},
        "buffers": [{"byteLength": len(data), "uri": data_uri(data)}],
        "bufferViews": [
            {"buffer": 0, "byteLength": 4 * count},
            {"buffer": 0, "byteOffset": 4 * count, "byteLength": 48 * count},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "type": "SCALAR", "count": count},
            {"bufferView": 1, "componentType": 5126, "type": "VEC4", "count": 3 * count},
        ],
        "nodes": [{"name": "a", "children": [1]}, {"name": "b", "translation": [1, 0, 0]}],
        "animations": [
            {
                "samplers": [{"input": 0, "output": 1, "interpolation": "CUBICSPLINE"}],
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}],
            }
        ],
    }
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", EVERYTHING


@attack
def gltf_shared_mesh(folder: Path) -> Made:
    """20,000 nodes that show one mesh of 50 primitives."""
    document = gltf_document(nodes=[{"name": f"n{at}", "mesh": 0} for at in range(20_000)])
    document["meshes"][0]["primitives"] *= 50
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", [INSPECT, CONVERT[0], CONVERT[3], PICTURE]


@attack
def gltf_shared_mesh_at_the_limit(folder: Path) -> Made:
    """As many as are read: 2,000 nodes that show one mesh of 50 primitives."""
    document = gltf_document(nodes=[{"name": f"n{at}", "mesh": 0} for at in range(2000)])
    document["meshes"][0]["primitives"] *= 50
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", [INSPECT, CONVERT[0], CONVERT[3], PICTURE]


@attack
def gltf_many_props(folder: Path) -> Made:
    """As many as are drawn: 1,800 nodes that show one mesh of four primitives."""
    document = gltf_document(nodes=[{"name": f"n{at}", "mesh": 0} for at in range(1800)])
    document["meshes"][0]["primitives"] *= 4
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", [INSPECT, PICTURE]


@attack
def gltf_giant_shared_mesh(folder: Path) -> Made:
    """The same under a skin of 100 m, which is taken for another unit."""
    nodes: list[dict[str, Any]] = [{"name": f"n{at}", "mesh": 0} for at in range(1900)]
    nodes += [{"name": "j", "children": [1901]}, {"name": "k", "translation": [0, 100, 0]}]
    nodes += [{"mesh": 1, "skin": 0}]
    document = gltf_document(nodes=nodes, skins=[{"joints": [1900, 1901]}])
    document["accessors"] += [
        {"componentType": 5121, "type": "VEC4", "count": 3},
        {"componentType": 5126, "type": "VEC4", "count": 3},
    ]
    skinned = {"attributes": {"POSITION": 0, "JOINTS_0": 1, "WEIGHTS_0": 2}}
    document["meshes"] = [document["meshes"][0], {"primitives": [skinned]}]
    document["meshes"][0]["primitives"] *= 50
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", [INSPECT, CONVERT[0]]


@attack
def gltf_numbers_without_data(folder: Path) -> Made:
    """A few bytes that claim 10,000,000 vertices, all at 0."""
    document = gltf_document(accessors=[{"componentType": 5126, "type": "VEC3", "count": 10**7}])
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", [INSPECT, *CONVERT, PICTURE]


@attack
def gltf_shared_large_mesh(folder: Path) -> Made:
    """20,000 nodes that show one mesh of 30,000 vertices."""
    data = bytes(range(250)) * 720  # 16-bit whole numbers: every one of them is a place
    document = gltf_document(nodes=[{"name": f"n{at}", "mesh": 0} for at in range(20_000)])
    document["buffers"] = [{"byteLength": 180_000, "uri": data_uri(data)}]
    document["bufferViews"] = [{"buffer": 0, "byteLength": 180_000}]
    document["accessors"] = [
        {"bufferView": 0, "componentType": 5122, "type": "VEC3", "count": 30_000}
    ]
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", [INSPECT, CONVERT[0], CONVERT[1], CONVERT[3], PICTURE]


def missing_pictures(count: int) -> Attack:
    def made(folder: Path) -> Made:
        document = gltf_document(images=[{"uri": f"x{at}.png"} for at in range(count)])
        (folder / "doc.gltf").write_text(json.dumps(document))
        return "doc.gltf", [INSPECT, *CONVERT, PICTURE]

    made.__name__ = f"gltf_{count}_missing_pictures"
    return attack(made)


missing_pictures(200_000)
missing_pictures(5000)  # as many as are read


@attack
def gltf_number_of_many_digits(folder: Path) -> Made:
    content = json.dumps(gltf_document(scene=0)).replace('"scene": 0', '"scene": ' + "9" * 5000)
    (folder / "doc.gltf").write_text(content)
    (folder / "doc.json").write_text('{"scene": ' + "9" * 5000 + "}")
    return "doc.gltf", [INSPECT, ["replay", str(folder / "doc.json")]]


@attack
def gltf_picture_bomb(folder: Path) -> Made:
    """A picture of a few kilobytes that unpacks to gigabytes."""
    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(1 << 20)) for _ in range(3000)) + packer.flush()
    header = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    picture = PNG
    for name, content in ((b"IHDR", header), (b"IDAT", rows), (b"IEND", b"")):
        picture += struct.pack(">I", len(content)) + name + content
        picture += struct.pack(">I", zlib.crc32(name + content))
    document = gltf_document(images=[{"uri": data_uri(picture, "image/png")}])
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", [INSPECT, PICTURE]


@attack
def gltf_far_and_large(folder: Path) -> Made:
    """Places and scales at the edge of what 32 bits hold."""
    document = gltf_document()
    document["nodes"] = [
        {"mesh": 0, "scale": [1e37] * 3, "translation": [1e37, -1e37, 1e37], "children": [1]},
        {"mesh": 0, "scale": [1e37, 1e-37, -1e37], "translation": [1e30, 0, 0]},
    ]
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", [INSPECT, *CONVERT, PICTURE]


@attack
def bvh_odd_rates(folder: Path) -> Made:
    joint = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n"
    joint += "End Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 3\nFrame Time: "
    for at, seconds in enumerate(("1e4", "1e-6")):
        (folder / f"{at}.bvh").write_text(f"{joint}{seconds}\n0 0 0\n10 0 0\n20 0 0\n")
    faster = ["convert", str(folder / "0.bvh"), "OUT.bvh", "--fps", "1e9"]
    commands = [
        [str(folder / f"{at}.bvh") if w == "FILE" else w for w in command]
        for at in range(2)
        for command in EVERYTHING
    ]
    return "", [*commands, faster]
