"""Looks: materials, textures and samplers kept in glTF's own words, pictures as their bytes."""

from __future__ import annotations

import json
from typing import Any

from arcwright.errors import BadFile
from arcwright.files.gltf.accessor import Accessors
from arcwright.files.gltf.document import Document
from arcwright.files.gltf.fetch import data_mime, is_remote
from arcwright.files.gltf.item import Item
from arcwright.scene.shape import Image, Look

KEPT = ("materials", "textures", "samplers")
_MAGIC = {
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"RIFF": "image/webp",
    b"\xabKTX": "image/ktx2",
}


def read_look(document: Document, accessors: Accessors) -> Look:
    """The one look that all actors of a file share."""
    gltf: dict[str, Any] = {
        key: [item.value for item in document[key]] for key in KEPT if document[key]
    }
    images, told = [], []
    for item in document["images"]:
        image = _image(document, accessors, item)
        images.append(image)
        # The address of a picture that is not there is kept, so that writing loses nothing.
        lost = not image.data and not item.text("uri", "").startswith("data:") and item.has("uri")
        told.append({"name": image.name} | ({"uri": item.text("uri")} if lost else {}))
    if told:
        gltf["images"] = told
    used = extensions_in(gltf)
    needed = [word for word in document.root.texts("extensionsRequired") if word in used]
    if needed:
        gltf["extensionsRequired"] = needed
    try:
        json.dumps(gltf, allow_nan=False)
    except (ValueError, RecursionError) as error:
        raise BadFile(document.path, "has a material with a number that is not finite") from error
    return Look.of(gltf, tuple(images))


def extensions_in(value: object) -> set[str]:
    """The names of all extensions used anywhere in a piece of glTF."""
    found: set[str] = set()
    waiting = [value]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            held = here.get("extensions")
            if isinstance(held, dict):
                found |= set(held)
            waiting += [v for key, v in here.items() if key != "extras"]
        elif isinstance(here, list):
            waiting += here
    return found


def _image(document: Document, accessors: Accessors, item: Item) -> Image:
    name = item.text("name", "")
    mime = item.text("mimeType", "")
    data = b""
    view = item.index("bufferView", len(document["bufferViews"]), "bufferView")
    if view is not None:
        data = accessors.view_bytes(view)
    elif item.has("uri"):
        uri = item.text("uri")
        name = name or ("" if uri.startswith("data:") else uri)
        mime = mime or (data_mime(uri) if uri.startswith("data:") else "")
        data = _picture(document, item, uri)
    else:
        document.warn(f"{item.label} has neither a uri nor a bufferView: left empty")
    seen = next((kind for magic, kind in _MAGIC.items() if data.startswith(magic)), "")
    return Image(name or f"image_{item.label.split()[-1]}", seen or mime, data)


def _picture(document: Document, item: Item, uri: str) -> bytes:
    if is_remote(uri):
        document.warn(f"{item.label} is on another machine ({uri[:60]}): not fetched")
        return b""
    try:
        data = document.fetch(uri, item.label)
    except BadFile as error:
        document.warn(f"texture missing: {error.fault}")
        return b""
    return data
