"""Attacks: files that name other files, or are no files."""

from __future__ import annotations

import json
import os
from pathlib import Path

from attack import CANARY, PNG, Made
from file_attacks import (
    CONVERT,
    INSPECT,
    attack,
    gltf_document,
)

FACES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n"


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
