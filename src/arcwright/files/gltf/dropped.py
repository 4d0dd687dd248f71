"""Report content of a glTF file that a scene cannot hold; nothing is dropped silently."""

from __future__ import annotations

from typing import Any

from arcwright.errors import BadFile
from arcwright.files.gltf.accessor import MESHOPT
from arcwright.files.gltf.document import Document
from arcwright.files.gltf.draco import DRACO
from arcwright.files.gltf.frame_rate import RATE_EXTRA
from arcwright.files.gltf.node_names import NAME_EXTRA
from arcwright.files.gltf.read_looks import extensions_in

_LISTS = ("nodes", "meshes", "skins", "animations", "accessors", "bufferViews", "scenes")
_KNOWN = {"KHR_mesh_quantization", DRACO, *MESHOPT}


def check_required(document: Document) -> None:
    """Raise for files that require an unsupported extension."""
    looks = set().union(*(extensions_in(item.value) for item in _look_items(document)))
    for word in document.root.texts("extensionsRequired"):
        if word not in _KNOWN and word not in looks and not word.startswith("KHR_lights"):
            raise BadFile(
                document.path,
                f"needs the extension {word}, which is not supported",
                "remove it with: gltf-transform",
            )


def report_dropped(document: Document) -> None:
    """Warn once for each kind of content that is dropped."""
    if not document["nodes"]:
        document.warn("there are no nodes: the scene is empty")
    _report_unused(document)
    cameras = sum(1 for node in document["nodes"] if node.has("camera"))
    if cameras:
        document.warn(f"dropped: cameras ({cameras})")
    counts: dict[str, int] = {}
    extras = 0
    for key in _LISTS:
        for item in document[key]:
            extras += _extras(item.value, key)
            for name in extensions_in(item.value):
                counts[name] = counts.get(name, 0) + 1
    for name in sorted(set(counts) - _KNOWN):
        document.warn(f"dropped: extension {name} on {counts[name]} items")
    root = document.root.child("extensions")
    for name in sorted(root.value if root else {}):
        if name not in counts:
            document.warn(f"dropped: extension {name} of the whole file")
    if extras:
        document.warn(f"dropped: extras on {extras} items")


def _report_unused(document: Document) -> None:
    """Warn about meshes and skins that no node uses."""
    for kind, word in (("mesh", "meshes"), ("skin", "skins")):
        used = {node.value[kind] for node in document["nodes"] if node.has(kind)}
        if unused := len(document[word]) - len(used):
            document.warn(f"dropped: {unused} {word} that no node uses")


def _extras(value: dict[str, Any], key: str) -> int:
    held = value.get("extras")
    kept = {"meshes": "targetNames", "nodes": NAME_EXTRA, "animations": RATE_EXTRA}.get(key)
    if isinstance(held, dict):
        held = {k: v for k, v in held.items() if k != kept}
    return 1 if held else 0


def _look_items(document: Document) -> list[Any]:
    keys = ("materials", "textures", "samplers", "images")
    return [item for key in keys for item in document[key]]
