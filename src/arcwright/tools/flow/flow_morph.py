"""The morph target that holds what flow does to a mesh."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.kinematics.rotation import cross
from arcwright.scene.flow import MORPH
from arcwright.scene.shape import Part, Shape

_NAMES = re.compile(rf"{MORPH}( [2-9]| [1-9][0-9]+)?")


def is_flow(name: str) -> bool:
    """Whether a morph target holds the flow of a key."""
    return _NAMES.fullmatch(name) is not None


def morph_name(key: int) -> str:
    """The name of the morph target of a key, counted from 0."""
    return MORPH if key == 0 else f"{MORPH} {key + 1}"


def without_flow(shape: Shape) -> Shape:
    """The shape without its flow."""
    kept = [row for row, name in enumerate(shape.morph_names) if not is_flow(name)]
    if len(kept) == len(shape.morph_names):
        return shape
    parts = tuple(
        replace(part, morphs=tuple(part.morphs[row] for row in kept)) for part in shape.parts
    )
    names = tuple(shape.morph_names[row] for row in kept)
    weights = tuple(shape.morph_weights[row] for row in kept)
    return replace(shape, parts=parts, morph_names=names, morph_weights=weights)


def with_flow(shape: Shape, offsets: tuple[Floats, ...], key: int = 0) -> Shape:
    """The shape with offsets (V, 3) of each part's vertices at a key as one more morph target."""
    count = max((len(part.morphs) for part in shape.parts), default=0)
    names = (*shape.morph_names, *(f"target_{n}" for n in range(len(shape.morph_names), count)))
    weights = (*shape.morph_weights, *(0.0 for _ in range(len(shape.morph_weights), count)))
    parts = tuple(
        replace(part, morphs=(*part.morphs, _target(part, by)))
        for part, by in zip(shape.parts, offsets, strict=True)
    )
    on = float(key == 0)
    return replace(
        shape, parts=parts, morph_names=(*names, morph_name(key)), morph_weights=(*weights, on)
    )


def baked(shape: Shape) -> Shape:
    """The shape with its flow in its vertices instead of in a morph target.

    One that is animated keeps its targets.
    """
    if sum(map(is_flow, shape.morph_names)) != 1:
        return shape
    at = shape.morph_names.index(MORPH)
    parts = []
    for part in shape.parts:
        moved = {
            name: (part.attributes[name] + by).astype(np.float32)
            for name, by in part.morphs[at].items()
            if name in part.attributes
        }
        parts.append(replace(part, attributes={**part.attributes, **moved}))
    return without_flow(replace(shape, parts=tuple(parts)))


def _target(part: Part, offsets: Floats) -> dict[str, AnyArray]:
    target: dict[str, AnyArray] = {"POSITION": offsets.astype(np.float32)}
    if "NORMAL" in part.attributes:
        target["NORMAL"] = _turned_normals(part, offsets).astype(np.float32)
    found: dict[str, Floats] = target
    return found


def _turned_normals(part: Part, offsets: Floats) -> Floats:
    """What is added to normals so that they turn as the surface does."""
    change = np.zeros(offsets.shape)
    moved = np.any(offsets, axis=1)
    own = np.flatnonzero(moved)
    triangles = part.triangles
    triangles = triangles[moved[triangles].any(axis=1)]
    if not len(triangles):
        return change
    given = part.attributes["NORMAL"][own].astype(float)
    start = part.attributes["POSITION"].astype(float)
    before = _normals(start, triangles)[own]
    after = _normals(start + offsets, triangles)[own]
    axis = np.cross(before, after)
    cosine = np.clip((before * after).sum(1, keepdims=True), -0.999, 1)
    turned = given * cosine + np.cross(axis, given)
    turned += axis * (axis * given).sum(1, keepdims=True) / (1 + cosine)
    change[own] = turned - given
    return change


def _normals(positions: Floats, triangles: Ints) -> Floats:
    """Unit normals (V, 3) of the triangles around each vertex; 0 where there are none."""
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    face = cross(b - a, c - a)
    count = len(positions)
    total = np.stack(
        [np.bincount(triangles.reshape(-1), np.repeat(face[:, k], 3), count) for k in range(3)],
        axis=1,
    )
    length = np.sqrt((total**2).sum(1, keepdims=True))
    found: Floats = total / np.where(length > 0, length, 1.0)
    return found
