"""Shape: a rigid or skinned mesh; Look: its materials and textures."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints, frozen
from arcwright.errors import BadValue, json_fault


@dataclass(frozen=True, eq=False)
class Image:
    """An image file as bytes."""

    name: str
    mime: str  # "image/png", "image/jpeg", ...
    data: bytes


@dataclass(frozen=True, eq=False)
class Look:
    """Materials, textures and samplers as glTF JSON, so that nothing is lost.

    `text` is JSON with the glTF arrays `materials`, `textures`, `samplers`, `images`;
    entry i of `images` (names only) belongs to `images[i]` here.
    """

    text: str = "{}"
    images: tuple[Image, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "images", tuple(self.images))
        try:
            parsed = json.loads(self.text)
        except ValueError as error:
            raise BadValue("Look.text", "JSON", json_fault(error)) from error
        if not isinstance(parsed, dict):
            raise BadValue("Look.text", "a JSON object", type(parsed).__name__)

    @property
    def gltf(self) -> dict[str, Any]:
        """The parsed JSON."""
        parsed: dict[str, Any] = json.loads(self.text)
        return parsed

    @classmethod
    def of(cls, gltf: Mapping[str, Any], images: tuple[Image, ...] = ()) -> Look:
        """A look from glTF dictionaries."""
        return cls(json.dumps(gltf, sort_keys=True, separators=(",", ":")), images)


@dataclass(frozen=True, eq=False)
class Part:
    """One primitive of a mesh. `attributes` has glTF's names; POSITION is (V, 3) in metres."""

    attributes: Mapping[str, AnyArray]  # each (V, ...) in its own number type
    indices: Ints | None  # (I,) or None when the vertices are used in order
    mode: int = 4  # glTF's primitive mode, 4 = triangles
    material: int = -1  # index into the look's materials, -1 for none
    morphs: tuple[Mapping[str, AnyArray], ...] = ()  # per morph target: POSITION, NORMAL offsets

    def __post_init__(self) -> None:
        keep = object.__setattr__
        attributes = _frozen_attributes(self.attributes, "Part.attributes")
        if "POSITION" not in attributes or attributes["POSITION"].shape[1:] != (3,):
            raise BadValue("Part.attributes", "POSITION of shape (V, 3)", list(attributes))
        count = len(attributes["POSITION"])
        morphs = tuple(_frozen_attributes(morph, "Part.morphs") for morph in self.morphs)
        for group in (attributes, *morphs):
            for name, array in group.items():
                if len(array) != count:
                    raise BadValue(f"Part.attributes {name}", f"{count} vertices", len(array))
        keep(self, "attributes", attributes)
        keep(self, "morphs", morphs)
        if self.indices is not None:
            indices = frozen(self.indices, "Part.indices", ("I",), np.int64)
            if len(indices) and not (indices.min() >= 0 and indices.max() < count):
                raise BadValue("Part.indices", f"0 to {count - 1}", "one outside")
            keep(self, "indices", indices)

    @property
    def triangle_count(self) -> int:
        """The number of triangles."""
        count = len(self.attributes["POSITION"]) if self.indices is None else len(self.indices)
        return {4: count // 3, 5: max(count - 2, 0), 6: max(count - 2, 0)}.get(self.mode, 0)

    @property
    def triangles(self) -> Ints:
        """(F, 3) vertex indices; empty for points and lines. Strips and fans are unrolled."""
        if self.mode not in (4, 5, 6):
            return np.zeros((0, 3), np.int64)
        order = self.indices
        if order is None:
            order = np.arange(len(self.attributes["POSITION"]))
        if self.mode == 4:
            return order[: len(order) // 3 * 3].reshape(-1, 3)
        first = np.arange(max(len(order) - 2, 0))
        if self.mode == 6:
            return np.stack([order[first * 0], order[first + 1], order[first + 2]], axis=-1)
        odd = first % 2
        return np.stack([order[first], order[first + 1 + odd], order[first + 2 - odd]], axis=-1)


@dataclass(frozen=True, eq=False)
class Skin:
    """The joints that deform a shape, and their inverse bind matrices."""

    joints: Ints  # (S,) rig joints; JOINTS_0 of the parts counts in this list
    inverse_bind: Floats  # (S, 4, 4) joint_from_mesh at bind time

    def __post_init__(self) -> None:
        joints = frozen(self.joints, "Skin.joints", ("S",), np.int64)
        bind = frozen(self.inverse_bind, "Skin.inverse_bind", ("S", 4, 4))
        if len(joints) != len(bind):
            raise BadValue("Skin.inverse_bind", f"{len(joints)} matrices", len(bind))
        object.__setattr__(self, "joints", joints)
        object.__setattr__(self, "inverse_bind", bind)


@dataclass(frozen=True, eq=False)
class Shape:
    """A mesh: rigid on `joint`, or deformed by `skin` (then `joint` has no effect)."""

    name: str
    joint: int  # rig joint that carries it
    parts: tuple[Part, ...]
    skin: Skin | None = None
    morph_names: tuple[str, ...] = ()
    morph_weights: tuple[float, ...] = ()  # as the file has them; a weight channel overrides

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        object.__setattr__(self, "morph_names", tuple(self.morph_names))
        object.__setattr__(self, "morph_weights", tuple(float(w) for w in self.morph_weights))


def _frozen_attributes(given: Mapping[str, AnyArray], field: str) -> Mapping[str, AnyArray]:
    kept: dict[str, AnyArray] = {}
    for name, array in given.items():
        value = np.asarray(array)
        shape = tuple("VXYZ"[: value.ndim])
        kept[name] = frozen(value, f"{field} {name}", shape, value.dtype)
    return MappingProxyType(kept)
