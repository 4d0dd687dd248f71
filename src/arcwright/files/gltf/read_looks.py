"""Read looks: materials, textures and samplers as glTF JSON, images as bytes."""

from __future__ import annotations

import json
from typing import Any

from arcwright.errors import BadFile
from arcwright.files.gltf.accessor import Accessors
from arcwright.files.gltf.document import Document
from arcwright.files.gltf.fetch import is_remote
from arcwright.files.gltf.item import Item
from arcwright.files.images import mime_of
from arcwright.files.referenced_files import IMAGES
from arcwright.scene.shape import Image, Look

KEPT = ("materials", "textures", "samplers")
MAX_COUNTS = {"images": 5000, "materials": 40_000, "textures": 40_000, "samplers": 40_000}


def read_look(document: Document, accessors: Accessors) -> Look:
    """The look that all actors of a file share."""
    for key, most in MAX_COUNTS.items():
        if len(document[key]) > most:
            fault = f"has {len(document[key])} {key}, more than the {most} that are read"
            raise BadFile(document.path, fault)
    gltf: dict[str, Any] = {
        key: [item.value for item in document[key]] for key in KEPT if document[key]
    }
    images = [_image(document, accessors, item) for item in document["images"]]
    if images:
        # Never the URI of a missing image: in another folder it would name another file.
        gltf["images"] = [{"name": image.name} for image in images]
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
    """An image with its bytes, without them if they are not a supported format."""
    uri = item.text("uri", "")
    name = item.text("name", "") or ("" if uri.startswith("data:") else uri)
    data = _data(document, accessors, item, uri)
    mime = mime_of(data)
    if data and not mime:
        document.warn(f"{item.label} is not a PNG, JPEG, WebP or KTX2 picture: left out")
        data = b""
    return Image(name or f"image_{item.label.split()[-1]}", mime, data)


def _data(document: Document, accessors: Accessors, item: Item, uri: str) -> bytes:
    view = item.index("bufferView", len(document["bufferViews"]), "bufferView")
    if view is not None:
        return accessors.view_bytes(view)
    if not item.has("uri"):
        document.warn(f"{item.label} has neither a uri nor a bufferView: left empty")
        return b""
    if is_remote(uri):
        document.warn(f"{item.label} is on another machine ({uri[:60]}): not fetched")
        return b""
    try:
        return document.fetch(uri, item.label, IMAGES)
    except BadFile as error:
        document.warn(f"texture missing: {error.fault}")
        return b""
