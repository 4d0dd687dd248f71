"""What attacks by files share: the list of all, the commands that open them, glTF documents."""

from __future__ import annotations

import base64
import struct
from typing import Any

from attack import Attack

INSPECT = ["inspect", "FILE"]
PICTURE = ["picture", "FILE", "OUT.png", "--size", "640x360"]
CONVERT = [["convert", "FILE", f"OUT{suffix}"] for suffix in (".glb", ".gltf", ".bvh", ".arc.glb")]
FIT = ["convert", "FILE", "OUT.glb", "--fit", "0.005"]
EVERYTHING = [INSPECT, *CONVERT, FIT, PICTURE]

ATTACKS: list[Attack] = []


def attack(function: Attack) -> Attack:
    """An attack makes files in a folder; it returns the one to open, and the commands to run."""
    ATTACKS.append(function)
    return function


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
