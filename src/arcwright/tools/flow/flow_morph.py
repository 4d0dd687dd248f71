"""The morph target that holds what flow does to a mesh."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.kinematics.rotation import cross
from arcwright.scene.flow import MORPH
from arcwright.scene.shape import Part, Shape


def without_flow(shape: Shape) -> Shape:
    """The shape without its flow."""
    if MORPH not in shape.morph_names:
        return shape
    at = shape.morph_names.index(MORPH)
    parts = tuple(
        replace(part, morphs=part.morphs[:at] + part.morphs[at + 1 :]) for part in shape.parts
    )
    names = shape.morph_names[:at] + shape.morph_names[at + 1 :]
    weights = shape.morph_weights[:at] + shape.morph_weights[at + 1 :]
    return replace(shape, parts=parts, morph_names=names, morph_weights=weights)


def with_flow(shape: Shape, offsets: tuple[Floats, ...]) -> Shape:
    """The shape (without flow) with offsets (V, 3) of each part's vertices as a morph target."""
    count = max((len(part.morphs) for part in shape.parts), default=0)
    names = (*shape.morph_names, *(f"target_{n}" for n in range(len(shape.morph_names), count)))
    weights = (*shape.morph_weights, *(0.0 for _ in range(len(shape.morph_weights), count)))
    parts = tuple(
        replace(part, morphs=(*part.morphs, _target(part, by)))
        for part, by in zip(shape.parts, offsets, strict=True)
    )
    return replace(shape, parts=parts, morph_names=(*names, MORPH), morph_weights=(*weights, 1.0))


def baked(shape: Shape) -> Shape:
    """The shape with its flow in its vertices instead of in a morph target."""
    if MORPH not in shape.morph_names:
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
