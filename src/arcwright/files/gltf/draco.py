"""Draco compression: unpacked by DracoPy where it is installed, otherwise the mesh is left out."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.files.gltf.accessor import COMPONENTS, Accessors
from arcwright.files.gltf.document import Document
from arcwright.files.gltf.item import Item

DRACO = "KHR_draco_mesh_compression"


def draco_numbers(
    document: Document, accessors: Accessors, primitive: Item
) -> dict[str, AnyArray] | None:
    """The attributes and `indices` of a packed primitive; None when it cannot be unpacked here."""
    packed = primitive.extension(DRACO)
    assert packed is not None
    try:
        draco = import_module("DracoPy")
    except ImportError:
        document.warn(
            "Draco-compressed meshes are left out: pip install 'arcwright[draco]', "
            "or unpack the file with: gltf-transform copy IN OUT"
        )
        return None
    view = packed.needed("bufferView", len(document["bufferViews"]), "bufferView")
    _spend(document, accessors, primitive)
    try:
        mesh = draco.decode(accessors.view_bytes(view))
    except Exception as error:  # whatever a decoder in C++ makes of damaged bytes
        raise primitive.bad("is damaged: its Draco data does not unpack") from error
    ids = {each["unique_id"]: each["data"] for each in mesh.attributes}
    return _arranged(primitive, packed, accessors, ids, np.asarray(mesh.faces))


def _spend(document: Document, accessors: Accessors, primitive: Item) -> None:
    """Room for what the accessors say will come out."""
    named = primitive.child("attributes")
    assert named is not None
    for name in named.value:
        index = named.needed(name, len(accessors), "accessor")
        document.spend(16 * document["accessors"][index].integer("count"), primitive.label)


def _arranged(
    primitive: Item, packed: Item, accessors: Accessors, ids: dict[int, Any], faces: AnyArray
) -> dict[str, AnyArray]:
    """Arrays by name, in the number types that the primitive's accessors tell."""
    named, order = primitive.child("attributes"), packed.child("attributes")
    if named is None or order is None:
        raise packed.bad("has no 'attributes'")
    out: dict[str, AnyArray] = {"indices": faces.reshape(-1).astype(np.int64)}
    for name in order.value:
        number = order.integer(name)
        if number not in ids:
            raise packed.bad(f"names {name} as {number}, which is not in the packed mesh")
        if not named.has(name):
            continue
        item = accessors.document["accessors"][named.needed(name, len(accessors), "accessor")]
        dtype = COMPONENTS.get(item.integer("componentType"))
        data = np.asarray(ids[number])
        if len(data) != item.integer("count"):
            raise packed.bad(f"unpacks to {len(data)} of {name}, {item.label} says otherwise")
        out[name] = data.astype(dtype)
    return out
