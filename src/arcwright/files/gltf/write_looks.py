"""Looks back into a file: the lists of all looks joined, their indices moved along."""

from __future__ import annotations

from typing import Any

from arcwright.arrays import same
from arcwright.files.gltf.output import Output
from arcwright.files.gltf.read_looks import extensions_in
from arcwright.scene.shape import Image, Look


def write_looks(output: Output, looks: list[Look]) -> dict[int, int]:
    """Write each different look once; `id(look)` to the index of its first material."""
    first: dict[int, int] = {}
    written: list[tuple[Look, int]] = []
    for look in looks:
        if id(look) in first:
            continue
        twin = next((at for other, at in written if same(other, look)), None)
        first[id(look)] = _write_look(output, look) if twin is None else twin
        written.append((look, first[id(look)]))
    return first


def _write_look(output: Output, look: Look) -> int:
    gltf = look.gltf
    moved = {key: len(output.gltf.get(key, [])) for key in ("materials", "textures", "samplers")}
    images = len(output.gltf.get("images", []))
    told = gltf.get("images", [])
    for place, image in enumerate(look.images):
        output.add("images", _image(output, image, told[place] if place < len(told) else {}))
    for sampler in gltf.get("samplers", []):
        output.add("samplers", sampler)
    for texture in gltf.get("textures", []):
        _shift(texture, "sampler", moved["samplers"])
        held = texture.get("extensions")
        for holder in (texture, *(held.values() if isinstance(held, dict) else ())):
            _shift(holder, "source", images)
        output.add("textures", texture)
    for material in gltf.get("materials", []):
        _shift_textures(material, moved["textures"])
        output.add("materials", material)
    used = extensions_in({key: gltf.get(key) for key in (*moved, "images")})
    for key, names in (
        ("extensionsUsed", used),
        ("extensionsRequired", gltf.get("extensionsRequired", [])),
    ):
        if names:
            output.gltf[key] = sorted({*output.gltf.get(key, []), *names})
    return moved["materials"]


def _image(output: Output, image: Image, told: dict[str, Any]) -> dict[str, Any]:
    if not image.data:
        return {"uri": told.get("uri", "missing.png")}
    return {
        "name": image.name,
        "mimeType": image.mime or "image/png",
        "bufferView": output.view(image.data),
    }


def _shift(holder: object, key: str, by: int) -> None:
    if isinstance(holder, dict) and isinstance(holder.get(key), int):
        holder[key] += by


def _shift_textures(value: object, by: int) -> None:
    """Move every texture index in a material, those of extensions too."""
    if isinstance(value, dict):
        for key, below in value.items():
            if key.endswith("Texture"):
                _shift(below, "index", by)
            if key != "extras":
                _shift_textures(below, by)
    elif isinstance(value, list):
        for below in value:
            _shift_textures(below, by)
