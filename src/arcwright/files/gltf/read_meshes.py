"""Read meshes and skins: primitives become parts, nodes with a mesh become shapes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.files.gltf.accessor import Accessors
from arcwright.files.gltf.document import Document
from arcwright.files.gltf.draco import DRACO, draco_numbers
from arcwright.files.gltf.item import Item
from arcwright.files.names import Names
from arcwright.scene.shape import Part, Shape, Skin

MOST_PARTS = 100_000  # primitives that nodes show; a mesh counts at each node that shows it
_SHARED = 16
_VECTORS = {"POSITION": 3, "NORMAL": 3, "TANGENT": 4}
_FLOATS = ("POSITION", "NORMAL", "TANGENT", "TEXCOORD")


@dataclass(frozen=True)
class Mesh:
    """One glTF mesh, shared by all nodes that show it."""

    name: str
    parts: tuple[Part, ...]
    morph_names: tuple[str, ...]
    weights: tuple[float, ...]


class Meshes:
    """All meshes and skins of a document, read on demand and cached."""

    def __init__(self, document: Document, accessors: Accessors) -> None:
        self.document = document
        self.accessors = accessors
        self._shown = 0  # primitives of all nodes so far
        self._meshes: dict[int, Mesh] = {}
        self._joints: dict[int, list[int]] = {}
        self._skins: dict[int, Skin] = {}
        self._bent: dict[tuple[int, int], tuple[Part, ...]] = {}

    def mesh_of(self, node: Item) -> Mesh | None:
        """The mesh a node shows."""
        index = node.index("mesh", len(self.document["meshes"]), "mesh")
        if index is None:
            return None
        if index not in self._meshes:
            self._meshes[index] = self._read(self.document["meshes"][index])
        return self._meshes[index]

    def skin_of(self, node: Item) -> int | None:
        """The skin of a node's mesh, checked."""
        index = node.index("skin", len(self.document["skins"]), "skin")
        if index is not None and index not in self._joints:
            item = self.document["skins"][index]
            joints = item.indices("joints", len(self.document["nodes"]), "node")
            if not joints or len(set(joints)) < len(joints):
                raise item.bad("has a joint twice" if joints else "has no joints")
            item.index("skeleton", len(self.document["nodes"]), "node")
            self._joints[index] = joints
        return index

    def joints(self, skin: int) -> list[int]:
        """The nodes of a skin that `skin_of` has given."""
        return self._joints[skin]

    def shape(self, node: Item, joint: int, place: dict[int, int], name: str) -> Shape | None:
        """The shape on a node; `place` says which rig joint each node became."""
        mesh = self.mesh_of(node)
        if mesh is None or not mesh.parts:
            return None
        self._shown += len(mesh.parts)
        if self._shown > MOST_PARTS:
            raise node.bad(f"shows its mesh once too often: at most {MOST_PARTS} primitives in all")
        weights = node.numbers("weights")
        if weights is not None and len(weights) != len(mesh.morph_names):
            raise node.bad(f"has {len(weights)} weights for {len(mesh.morph_names)} morph targets")
        parts, skin = mesh.parts, None
        if node.has("skin"):
            parts, skin = self._skinned(node, mesh.parts, place)
        return Shape(
            name=mesh.name or name,
            joint=joint,
            parts=parts,
            skin=skin,
            morph_names=mesh.morph_names,
            morph_weights=tuple(weights) if weights is not None else mesh.weights,
        )

    def _skinned(
        self, node: Item, parts: tuple[Part, ...], place: dict[int, int]
    ) -> tuple[tuple[Part, ...], Skin | None]:
        if not all({"JOINTS_0", "WEIGHTS_0"} <= set(part.attributes) for part in parts):
            self.document.warn(f"{node.label} has a skin but its mesh no joints: shown unskinned")
            return parts, None
        skin = self.skin_of(node)
        assert skin is not None
        joints = self._joints[skin]
        if skin not in self._skins:
            bind = self._binds(self.document["skins"][skin], len(joints))
            self._skins[skin] = Skin(np.array([place[j] for j in joints]), bind)
        key = (id(parts), len(joints))
        if key not in self._bent:
            self._bent[key] = tuple(self._within(node, part, len(joints)) for part in parts)
        return self._bent[key], self._skins[skin]

    def _binds(self, item: Item, count: int) -> AnyArray:
        index = item.index("inverseBindMatrices", len(self.accessors), "accessor")
        if index is None:
            return np.tile(np.eye(4), (count, 1, 1))
        given = self.accessors.numbers(index)
        if given.array.shape[1:] != (4, 4) or given.array.dtype.kind != "f":
            raise item.bad(f"has inverse bind matrices in {given.item.label}, not float MAT4")
        if len(given.array) < count:
            raise item.bad(f"has {len(given.array)} inverse bind matrices for {count} joints")
        return given.array[:count].astype(np.float64)

    def _within(self, node: Item, part: Part, count: int) -> Part:
        """The part with joint indices inside the skin; stray ones without weight become 0."""
        repaired: dict[str, AnyArray] = {}
        for name, joints in part.attributes.items():
            if not name.startswith("JOINTS_") or joints.max(initial=0) < count:
                continue
            weights = part.attributes.get(name.replace("JOINTS", "WEIGHTS"))
            stray = joints >= count
            if weights is None or weights[stray].any():
                raise node.bad(f"has a mesh with joint {joints.max()}, its skin has {count}")
            self.document.warn(f"{node.label}: joint numbers outside the skin, without weight")
            repaired[name] = np.where(stray, joints.dtype.type(0), joints)
        return replace(part, attributes={**part.attributes, **repaired}) if repaired else part

    def _read(self, item: Item) -> Mesh:
        primitives = item.children("primitives", "primitive")
        if not primitives:
            raise item.bad("has no primitives")
        parts = [self._part(primitive) for primitive in primitives]
        kept = tuple(part for part in parts if part is not None)
        counts = {len(primitive.array("targets")) for primitive in primitives}
        if len(counts) > 1:
            raise item.bad("has primitives with different numbers of morph targets")
        count = counts.pop()
        weights = item.numbers("weights") or [0.0] * count
        if len(weights) != count:
            raise item.bad(f"has {len(weights)} weights for {count} morph targets")
        return Mesh(item.text("name", ""), kept, self._names(item, count), tuple(weights))

    def _names(self, item: Item, count: int) -> tuple[str, ...]:
        extras = item.value.get("extras")
        given = extras.get("targetNames") if isinstance(extras, dict) else None
        names = [f"target_{n}" for n in range(count)]
        if isinstance(given, list) and len(given) == count:
            names = [
                g if isinstance(g, str) and g else n for g, n in zip(given, names, strict=True)
            ]
        used = Names()
        return tuple(used.free(name) for name in names)

    def _part(self, item: Item) -> Part | None:
        named = item.child("attributes")
        if named is None or not named.value:
            raise item.bad("has no attributes")
        if not named.has("POSITION"):
            self.document.warn("meshes without positions are left out")
            return None
        count = len(self.accessors)
        packed = draco_numbers(self.document, self.accessors, item) if item.extension(DRACO) else {}
        if packed is None:
            return None
        attributes: dict[str, AnyArray] = {}
        for name in named.value:
            index = named.needed(name, count, "accessor")
            attributes[name] = (
                packed[name] if name in packed else self._attribute(item, name, index)
            )
        indices = packed.get("indices", self._indices(item) if "indices" not in packed else None)
        material = item.index("material", len(self.document["materials"]), "material")
        morphs = tuple(self._morph(target) for target in item.children("targets", "target"))
        self._repair_weights(item, attributes)
        self._check(item, attributes, morphs, indices)
        mode = item.integer("mode", 4, high=6)
        return Part(attributes, indices, mode, -1 if material is None else material, morphs)

    def _attribute(self, item: Item, name: str, index: int) -> AnyArray:
        given = self.accessors.numbers(index)
        array = given.array
        if name.startswith(_FLOATS) or (name.startswith("_") and given.normalized):
            array = given.floats
        elif (
            name.startswith(("COLOR", "WEIGHTS"))
            and array.dtype.kind != "f"
            and not given.normalized
        ):
            self.document.warn(f"{item.label} {name}: whole numbers read as normalised ones")
        if name.startswith("JOINTS") and array.dtype.kind == "f":
            raise item.bad(f"has {name} in {given.item.label}, which is not whole numbers")
        # An array that many parts share takes no room, but each part looks through it.
        own = array is not given.array
        self.document.spend(array.nbytes if own else array.nbytes // _SHARED, given.item.label)
        wide = _VECTORS.get(name) or (4 if name.startswith(("JOINTS", "WEIGHTS")) else None)
        if wide and array.shape[1:] != (wide,):
            raise item.bad(f"has {name} in {given.item.label}, which is not VEC{wide}")
        array.setflags(write=False)
        return array

    def _morph(self, target: Item) -> dict[str, AnyArray]:
        found = {}
        for name in target.value:
            given = self.accessors.numbers(target.needed(name, len(self.accessors), "accessor"))
            if name in ("POSITION", "NORMAL", "TANGENT") and given.array.shape[1:] != (3,):
                raise target.bad(f"has {name} in {given.item.label}, which is not VEC3")
            found[name] = given.floats
            self.document.spend(found[name].nbytes, given.item.label)
        return found

    def _indices(self, item: Item) -> AnyArray | None:
        index = item.index("indices", len(self.accessors), "accessor")
        if index is None:
            return None
        given = self.accessors.numbers(index)
        if given.array.ndim != 1 or given.array.dtype.kind != "u":
            raise item.bad(f"has indices in {given.item.label}, which is not unsigned SCALAR")
        self.document.spend(len(given.array) * 8, item.label)
        return given.array.astype(np.int64)

    def _check(
        self, item: Item, attributes: dict[str, AnyArray], morphs: Any, indices: AnyArray | None
    ) -> None:
        count = len(attributes["POSITION"])
        for group in (attributes, *morphs):
            for name, array in group.items():
                if len(array) != count:
                    raise item.bad(f"has {len(array)} of {name} for {count} positions")
        if indices is not None and indices.max(initial=0) >= count:
            raise item.bad(f"has index {indices.max()}, but only {count} vertices")

    def _repair_weights(self, item: Item, attributes: dict[str, AnyArray]) -> None:
        """Bind vertices without weight to their first joint; other sums are only reported."""
        sets = [array for name, array in attributes.items() if name.startswith("WEIGHTS_")]
        if "WEIGHTS_0" not in attributes or any(array.dtype.kind != "f" for array in sets):
            return
        total = sum(array.sum(axis=1) for array in sets)
        loose = total == 0
        if loose.any():
            repaired = attributes["WEIGHTS_0"].copy()
            repaired[loose, 0] = 1
            attributes["WEIGHTS_0"] = repaired
            self.document.warn(f"{item.label}: {loose.sum()} vertices without weight, bound to one")
        off = (abs(total - 1) > 1e-2) & ~loose
        if off.any():
            self.document.warn(f"{item.label}: {off.sum()} vertices whose weights do not sum to 1")
