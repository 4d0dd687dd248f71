"""Write shapes as meshes and skins; shared parts are written once."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.files.gltf.output import INDICES, VERTICES, Output
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Part, Shape, Skin

_KNOWN = re.compile(r"POSITION|NORMAL|TANGENT|(TEXCOORD|COLOR|JOINTS|WEIGHTS)_\d+")
_WHOLE = ("u1", "u2")


class MeshWriter:
    """Writes shapes to one output and remembers what is already there."""

    def __init__(self, output: Output, materials: dict[int, int]) -> None:
        self.output = output
        self.materials = materials
        self._meshes: dict[tuple[object, ...], int] = {}
        # Written values stay referenced, so that their identity can be recognised.
        self._primitives: dict[tuple[int, int], tuple[Part, dict[str, Any]]] = {}
        self._attributes: dict[tuple[int, str, bool], tuple[AnyArray, int]] = {}

    def mesh(self, shape: Shape, actor: Actor) -> int:
        """The index of a shape's mesh."""
        first = self.materials[id(actor.look)]
        count = len(shape.morph_names)
        key = (tuple(id(part) for part in shape.parts), shape.name, shape.morph_names, first)
        if key not in self._meshes:
            entry: dict[str, Any] = {
                "name": shape.name,
                "primitives": [self._primitive(part, first) for part in shape.parts],
            }
            if count:
                entry["weights"] = list(shape.morph_weights) or [0.0] * count
                entry["extras"] = {"targetNames": list(shape.morph_names)}
            self._meshes[key] = self.output.add("meshes", entry)
        return self._meshes[key]

    def skin(self, skin: Skin, nodes: list[int], name: str) -> int:
        """The index of a new skin over these nodes (one for each joint of the rig)."""
        bind = skin.inverse_bind.astype(np.float32)
        bind[:, 3] = (0, 0, 0, 1)
        entry = {
            "name": name,
            "joints": [nodes[joint] for joint in skin.joints.tolist()],
            "inverseBindMatrices": self.output.accessor(bind),
        }
        return self.output.add("skins", entry)

    def _primitive(self, part: Part, first_material: int) -> dict[str, Any]:
        key = (id(part), first_material)
        if key not in self._primitives:
            self._primitives[key] = (part, self._new_primitive(part, first_material))
        return self._primitives[key][1]

    def _new_primitive(self, part: Part, first_material: int) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "attributes": {_name(n): self._attribute(n, a) for n, a in _used(part).items()}
        }
        if part.indices is not None and len(part.indices):
            # The largest number of a type restarts a primitive on some devices.
            small = part.indices.max() < 65535
            indices = part.indices.astype("<u2" if small else "<u4")
            entry["indices"] = self.output.accessor(indices, target=INDICES)
        if part.mode != 4:
            entry["mode"] = part.mode
        if part.material >= 0:
            entry["material"] = first_material + part.material
        if part.morphs:
            entry["targets"] = [
                {n: self._attribute(n, a, morph=True) for n, a in morph.items()}
                for morph in part.morphs
            ]
        return entry

    def _attribute(self, name: str, array: AnyArray, *, morph: bool = False) -> int:
        key = (id(array), name, morph)
        if key not in self._attributes:
            self._attributes[key] = (array, self._new_attribute(name, array, morph))
        return self._attributes[key][1]

    def _new_attribute(self, name: str, array: AnyArray, morph: bool) -> int:
        whole = array.dtype.kind in "iu"
        if name.startswith("JOINTS"):
            array = array.astype("<u1" if array.max(initial=0) < 256 else "<u2")
        elif name.startswith(("COLOR", "WEIGHTS")) and whole and array.dtype.str[1:] in _WHOLE:
            return self.output.accessor(array, target=VERTICES, normalized=True)
        elif not (name.startswith("_") and whole and array.itemsize < 4 and not morph):
            array = array.astype("<f4")
        return self.output.accessor(array, target=VERTICES, bounds=name == "POSITION")


def _used(part: Part) -> dict[str, AnyArray]:
    """The attributes; joints that have no weight are called 0, as the standard asks."""
    found = dict(part.attributes)
    for name, joints in part.attributes.items():
        weights = found.get(name.replace("JOINTS", "WEIGHTS"))
        if name.startswith("JOINTS") and weights is not None:
            found[name] = np.where(weights == 0, joints.dtype.type(0), joints)
    return found


def _name(name: str) -> str:
    """glTF wants an underscore before names of one's own."""
    return name if name.startswith("_") or _KNOWN.fullmatch(name) else f"_{name}"
