"""Write looks: the lists of all looks concatenated, with indices shifted."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Iterable
from typing import Any

from arcwright.arrays import same
from arcwright.files.gltf.output import Output
from arcwright.files.gltf.read_looks import extensions_in
from arcwright.files.images import mime_of
from arcwright.files.referenced_files import quoted
from arcwright.scene.shape import Image, Look

_WHITE = b64decode(  # a PNG of one white pixel: a texture that changes no factor of a material
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP4////fwAJ+wP9KobjigAAAABJRU5ErkJggg=="
)


def write_looks(output: Output, looks: list[Look]) -> dict[int, int]:
    """Write each different look once; `id(look)` to the index of its first material.

    A white pixel replaces an image whose bytes are missing. Its URI is never written:
    in the folder of the new file it could name another file.
    """
    first: dict[int, int] = {}
    written: list[tuple[Look, int]] = []
    for look in looks:
        if id(look) in first:
            continue
        twin = next((at for other, at in written if same(other, look)), None)
        first[id(look)] = _write_look(output, look) if twin is None else twin
        written.append((look, first[id(look)]))
    return first


def lost_pictures(looks: Iterable[Look]) -> list[str]:
    """A warning for each picture whose bytes are not there."""
    images = (image for look in looks for image in look.images if not mime_of(image.data))
    names = dict.fromkeys(image.name for image in images)
    return [f"picture {quoted(name)} is missing: replaced by a white pixel" for name in names]


def _write_look(output: Output, look: Look) -> int:
    gltf = look.gltf
    moved = {key: len(output.gltf.get(key, [])) for key in ("materials", "textures", "samplers")}
    images = len(output.gltf.get("images", []))
    for image in look.images:
        output.add("images", _image(output, image))
    for sampler in gltf.get("samplers", []):
        output.add("samplers", sampler)
    for texture in gltf.get("textures", []):
        _shift(texture, "sampler", moved["samplers"])
        held = texture.get("extensions")
        for holder in (texture, *(held.values() if isinstance(held, dict) else ())):
            _shift(holder, "source", images)
        output.add("textures", texture)
    flat = _textures_of_lost(look, gltf.get("textures", []))
    for material in gltf.get("materials", []):
        _drop_normal_maps(material, flat)
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


def _image(output: Output, image: Image) -> dict[str, Any]:
    mime = mime_of(image.data)
    data = image.data if mime else _WHITE
    return {
        "name": image.name,
        "mimeType": mime or "image/png",
        "bufferView": output.view(data),
    }


def _textures_of_lost(look: Look, textures: list[Any]) -> set[int]:
    """The textures whose picture is not there."""
    lost = {at for at, image in enumerate(look.images) if not mime_of(image.data)}
    held = {at: each for at, each in enumerate(textures) if isinstance(each, dict)}
    return {at for at, each in held.items() if _index(each, "source") in lost}


def _index(holder: object, key: str) -> int | None:
    """The whole number under a key; files may have anything there."""
    found = holder.get(key) if isinstance(holder, dict) else None
    return found if isinstance(found, int) else None


def _drop_normal_maps(value: object, textures: set[int]) -> None:
    """Take normal maps of these textures out of a material: a white pixel would tilt its light."""
    if isinstance(value, dict):
        for key, below in list(value.items()):
            if key.lower().endswith("normaltexture") and _index(below, "index") in textures:
                del value[key]
            elif key != "extras":
                _drop_normal_maps(below, textures)


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
