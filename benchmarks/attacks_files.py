"""Open hostile files with the command line and print what each of them costs.

    python benchmarks/attacks_files.py [--only WORD]

Each attack is a small file, or a few, and one or more commands on it. A command runs in a process
of its own with a cap on memory and time. Ends with 1 when a private byte is found in any output,
or a command takes over 512 MB or 5 s of work (a minute for fitting keys), does not end, or ends in
anything but a result or one line.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import struct
import zlib
from pathlib import Path
from typing import Any

from attack import CANARY, PNG, Attack, Made, run_all

INSPECT = ["inspect", "FILE"]
PICTURE = ["picture", "FILE", "OUT.png", "--size", "640x360"]
CONVERT = [["convert", "FILE", f"OUT{suffix}"] for suffix in (".glb", ".gltf", ".bvh", ".arc.glb")]
FIT = ["convert", "FILE", "OUT.glb", "--fit", "0.005"]
EVERYTHING = [INSPECT, *CONVERT, FIT, PICTURE]

ATTACKS: list[Attack] = []
FACES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n"


def attack(function: Attack) -> Attack:
    """An attack makes files in a folder; it returns the one to open, and the commands to run."""
    ATTACKS.append(function)
    return function


# Files that name other files.


def own_library(folder: Path, picture: str) -> Made:
    lines = f"mtllib doc.obj\nmtllib doc.mtl\nnewmtl a\nmap_Kd {picture}\n"
    (folder / "doc.mtl").write_text(lines)
    (folder / "doc.obj").write_text(lines + FACES)
    return "doc.obj", [INSPECT, CONVERT[0]]


@attack
def obj_picture_anywhere(folder: Path) -> Made:
    return own_library(folder, str(folder.parent / "private.png"))


@attack
def obj_picture_in_parent(folder: Path) -> Made:
    return own_library(folder, "../private.png")


@attack
def obj_picture_hidden(folder: Path) -> Made:
    return own_library(folder, ".ssh/key.png")


@attack
def obj_picture_of_foreign_kind(folder: Path) -> Made:
    return own_library(folder, "notes.txt")


@attack
def obj_picture_by_link(folder: Path) -> Made:
    (folder / "link.png").symlink_to(folder.parent / "private.png")
    return own_library(folder, "link.png")


@attack
def obj_library_device(folder: Path) -> Made:
    (folder / "doc.obj").write_text("mtllib /dev/zero\n" + FACES)
    return "doc.obj", [INSPECT]


@attack
def obj_library_pipe(folder: Path) -> Made:
    os.mkfifo(folder / "pipe.mtl")
    (folder / "doc.obj").write_text("mtllib pipe.mtl\n" + FACES)
    return "doc.obj", [INSPECT]


@attack
def obj_many_pictures_of_one_file(folder: Path) -> Made:
    (folder / "a.png").write_bytes(PNG + bytes(60_000_000))
    names = ["./" * count + "a.png" for count in range(60)]
    lines = "".join(f"newmtl m{at}\nmap_Kd {name}\n" for at, name in enumerate(names))
    (folder / "doc.mtl").write_text(lines)
    (folder / "doc.obj").write_text("mtllib doc.mtl\n" + FACES)
    return "doc.obj", [INSPECT]


def gltf_document(**more: Any) -> dict[str, Any]:
    return {"asset": {"version": "2.0"}, "nodes": [{"name": "a", "mesh": 0}]} | triangle() | more


def triangle() -> dict[str, Any]:
    data = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0)
    return {
        "buffers": [{"byteLength": len(data), "uri": data_uri(data)}],
        "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 3}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
        "materials": [{"pbrMetallicRoughness": {"baseColorTexture": {"index": 0}}}],
        "textures": [{"source": 0}],
        "images": [{"uri": "gone.png"}],
    }


def data_uri(data: bytes, kind: str = "application/octet-stream") -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def with_image(folder: Path, uri: str) -> Made:
    (folder / "doc.gltf").write_text(json.dumps(gltf_document(images=[{"uri": uri}])))
    return "doc.gltf", [INSPECT, CONVERT[0], CONVERT[1]]


@attack
def gltf_image_hidden(folder: Path) -> Made:
    return with_image(folder, ".ssh/id_rsa")


@attack
def gltf_image_hidden_picture(folder: Path) -> Made:
    return with_image(folder, "%2essh/key.png")


@attack
def gltf_image_device(folder: Path) -> Made:
    (folder / "zero.png").symlink_to("/dev/zero")
    return with_image(folder, "zero.png")


@attack
def gltf_image_pipe(folder: Path) -> Made:
    os.mkfifo(folder / "pipe.png")
    return with_image(folder, "pipe.png")


@attack
def gltf_lost_image_saved_elsewhere(folder: Path) -> Made:
    """The address of a picture that is not there is saved where it means another file."""
    (folder / "upload").mkdir()
    content = json.dumps(gltf_document(images=[{"uri": ".ssh/id_rsa"}]))
    (folder / "upload" / "doc.gltf").write_text(content)
    save = ["convert", "FILE", str(folder / "saved.gltf")]
    again = ["convert", str(folder / "saved.gltf"), "OUT.glb"]
    return "upload/doc.gltf", [save, again]


@attack
def gltf_buffer_hidden(folder: Path) -> Made:
    size = len(PNG + CANARY)
    document = gltf_document(buffers=[{"byteLength": size, "uri": ".ssh/key.bin"}])
    document["bufferViews"] = [{"buffer": 0, "byteLength": size}]
    document |= {"images": [{"bufferView": 0}], "nodes": [{}], "meshes": []}
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", [CONVERT[0]]


@attack
def gltf_many_buffers_of_one_file(folder: Path) -> Made:
    (folder / "a.bin").write_bytes(bytes(200_000_000))
    document = gltf_document()
    document["buffers"] = [
        {"byteLength": 200_000_000, "uri": "./" * count + "a.bin"} for count in range(20)
    ]
    document["bufferViews"] = [{"buffer": at, "byteLength": 36} for at in range(20)]
    document["accessors"] = [
        {"bufferView": at, "componentType": 5126, "type": "VEC3", "count": 3} for at in range(20)
    ]
    parts = [{"attributes": {"POSITION": at}} for at in range(20)]
    document["meshes"] = [{"primitives": parts}]
    (folder / "doc.gltf").write_text(json.dumps(document))
    return "doc.gltf", [INSPECT]


@attack
def document_is_a_device(folder: Path) -> Made:
    for suffix in (".bvh", ".obj", ".gltf"):
        (folder / f"doc{suffix}").symlink_to("/dev/zero")
    return "", [["inspect", str(folder / f"doc{suffix}")] for suffix in (".bvh", ".obj", ".gltf")]


@attack
def document_is_a_pipe(folder: Path) -> Made:
    for suffix in (".bvh", ".obj", ".gltf", ".json"):
        os.mkfifo(folder / f"doc{suffix}")
    verbs = {".bvh": "inspect", ".obj": "inspect", ".gltf": "inspect", ".json": "replay"}
    return "", [[verb, str(folder / f"doc{suffix}")] for suffix, verb in verbs.items()]


@attack
def document_is_huge(folder: Path) -> Made:
    for suffix in (".bvh", ".obj", ".glb"):
        with (folder / f"doc{suffix}").open("wb") as file:
            file.truncate(20 * 2**30)
    return "", [["inspect", str(folder / f"doc{suffix}")] for suffix in (".bvh", ".obj", ".glb")]


@attack
def gesture_names_any_file(folder: Path) -> Made:
    (folder.parent / "private.bvh").write_bytes(CANARY)
    for at, scene in enumerate(("../private.bvh", str(folder.parent / "private.bvh"))):
        (folder / f"{at}.json").write_text(json.dumps({"scene": scene, "drags": []}))
    return "", [["replay", str(folder / f"{at}.json")] for at in range(2)]


# Small files that ask for much.


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


def gesture(**more: Any) -> Attack:
    def made(folder: Path) -> Made:
        point = {"joint": "LeftHand"}
        drag = {"point": point, "frame": 11, "by": [0.01, 0, 0], "steps": 1}
        document: dict[str, Any] = {"scene": "biped:point", "drags": [drag]}
        (folder / "doc.json").write_text(json.dumps(document | more))
        return "doc.json", [["replay", "FILE"]]

    return made


@attack
def gesture_pin_of_a_million_frames(folder: Path) -> Made:
    pin = {"point": {"joint": "Hips"}, "frames": [0, 1_000_001]}
    return gesture(pins=[pin])(folder)


@attack
def gesture_contact_of_a_million_frames(folder: Path) -> Made:
    feet = [
        {"point": {"joint": f"{side}Foot"}, "frames": [-1e6, 1e300]} for side in ("Left", "Right")
    ]
    return gesture(contacts=feet)(folder)


@attack
def gesture_of_a_million_steps(folder: Path) -> Made:
    drag = {"point": {"joint": "LeftHand"}, "frame": 11, "by": [0.01, 0, 0], "steps": 100_000}
    return gesture(drags=[drag] * 10)(folder)


@attack
def gesture_far_away_in_time(folder: Path) -> Made:
    drag = {"point": {"joint": "LeftHand"}, "frame": 1e300, "by": [0.01, 0, 0], "steps": 1}
    return gesture(drags=[drag])(folder)


@attack
def gesture_constraint_of_a_million_frames(folder: Path) -> Made:
    apart = {"kind": "apart", "point": {"joint": "LeftHand"}, "other": {"joint": "RightHand"}}
    apart |= {"frames": [0, 1_000_001], "size": 0.4}
    options = {"knot_spacing": 0.02}
    return gesture(tool="spacetime", constraints=[apart], options=options, drags=[])(folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="only attacks with this word in their name")
    return run_all([each for each in ATTACKS if parser.parse_args().only in each.__name__])


if __name__ == "__main__":
    raise SystemExit(main())
