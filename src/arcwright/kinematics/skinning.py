"""Skinning: vertex positions of an actor's shapes in a pose."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import cross
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.shape import Part, Shape, Skin


class Deformed(NamedTuple):
    """One part of a shape in world space."""

    shape: Shape
    part: Part
    positions: Floats  # (V, 3) m
    normals: Floats  # (V, 3) unit; 0 where a vertex has no surface


def deform(actor: Actor, values: Floats, world: Floats) -> list[Deformed]:
    """Deform all shapes by morph targets, then linear blend skinning.

    `values` (C,) are the channels of one frame, for morph weights; `world` (J, 4, 4) is
    world_from_joint. Skin weights that do not sum to one are scaled so that they do; a vertex
    without weights follows the joint that carries the shape.
    """
    return [
        _deform_part(shape, part, weights, world)
        for shape in actor.shapes
        for weights in [morph_weights(actor.rig, shape, values)]
        for part in shape.parts
    ]


def morph_weights(rig: Rig, shape: Shape, values: Floats) -> Floats:
    """How much of each morph target is in, (M,): the shape's own, or its joint's channels."""
    count = max([len(part.morphs) for part in shape.parts], default=0)
    weights = np.zeros(count)
    given = shape.morph_weights[:count]
    weights[: len(given)] = given
    names = {name: index for index, name in enumerate(shape.morph_names[:count])}
    table = rig.channels
    channels = np.flatnonzero((table.kind == Kind.WEIGHT) & (table.joint == shape.joint))
    for channel in channels:
        target = names.get(table.label[channel])
        if target is not None:
            weights[target] = values[channel]
    return weights


def _deform_part(shape: Shape, part: Part, weights: Floats, world: Floats) -> Deformed:
    positions = _morphed(part, "POSITION", weights)
    if "NORMAL" in part.attributes:
        normals = _morphed(part, "NORMAL", weights)
    else:
        normals = surface_normals(part, positions)
    transform = vertex_transforms(shape, part, world)  # (V, 4, 4), or (1, 4, 4) for rigid shapes
    positions = (transform[:, :3, :3] @ positions[..., None])[..., 0] + transform[:, :3, 3]
    normals = (_normal_matrices(transform[:, :3, :3]) @ normals[..., None])[..., 0]
    return Deformed(shape, part, positions, _unit(normals))


def _morphed(part: Part, name: str, weights: Floats) -> Floats:
    morphed = part.attributes[name].astype(float)
    for weight, morph in zip(weights, part.morphs, strict=False):
        if weight != 0 and name in morph:
            morphed += weight * morph[name]
    return morphed


def vertex_transforms(shape: Shape, part: Part, world: Floats) -> Floats:
    """world_from_mesh of every vertex, (V, 4, 4); (1, 4, 4) where one holds for all."""
    carried: Floats = world[shape.joint][None]
    influences = skin_influences(shape, part)
    if shape.skin is None or influences is None:
        return carried
    joints, share = influences
    bones = world[shape.skin.joints] @ shape.skin.inverse_bind
    weighted = share.sum(axis=1) > 0
    blended = np.zeros((len(joints), 4, 4))
    for slot in range(joints.shape[1]):
        blended += share[:, slot, None, None] * bones[joints[:, slot]]
    return np.where(weighted[:, None, None], blended, carried)


def skin_influences(shape: Shape, part: Part) -> tuple[Ints, Floats] | None:
    """(V, K) places in the skin's list of joints, and how much each moves the vertex.

    The shares of a vertex are 1 in all, or all 0 where the shape's own joint carries it. None for
    a part that no skin bends.
    """
    if shape.skin is None or not {"JOINTS_0", "WEIGHTS_0"} <= part.attributes.keys():
        return None
    joints, weights = _influences(part, shape.skin)
    total = weights.sum(axis=1, keepdims=True)
    return joints, np.where(total > 0, weights / np.where(total > 0, total, 1.0), 0.0)


def _influences(part: Part, skin: Skin) -> tuple[Ints, Floats]:
    joints, weights = [], []
    for index in range(4):
        if f"JOINTS_{index}" in part.attributes and f"WEIGHTS_{index}" in part.attributes:
            joints.append(part.attributes[f"JOINTS_{index}"])
            weights.append(part.attributes[f"WEIGHTS_{index}"].astype(float))
    joint = np.concatenate(joints, axis=1).astype(np.int64)
    weight = np.clip(np.concatenate(weights, axis=1), 0.0, None)
    known = (joint >= 0) & (joint < len(skin.joints))  # unused slots may hold any number
    return np.where(known, joint, 0), np.where(known, weight, 0.0)


def surface_normals(part: Part, positions: Floats) -> Floats:
    """Normals (V, 3) of the triangles around each vertex, weighted by their area."""
    normals = np.zeros_like(positions)
    corners = part.triangles
    a, b, c = (positions[corners[:, i]] for i in range(3))
    face = cross(b - a, c - a)
    for i in range(3):
        np.add.at(normals, corners[:, i], face)
    return _unit(normals)


def _normal_matrices(matrices: Floats) -> Floats:
    """(..., 3, 3) that transform normals: the inverse transpose up to a positive factor.

    Made of cross products, so that a joint flattened by scale gives no division by zero.
    """
    x, y, z = matrices[..., 0], matrices[..., 1], matrices[..., 2]
    across = np.stack([cross(y, z), cross(z, x), cross(x, y)], axis=-1)
    mirrored = (x * across[..., 0]).sum(axis=-1) < 0
    return np.where(mirrored[..., None, None], -across, across)


def _unit(vectors: Floats) -> Floats:
    length = np.sqrt((vectors * vectors).sum(axis=-1, keepdims=True))
    unit: Floats = vectors / np.where(length > 0, length, 1.0)
    return unit
