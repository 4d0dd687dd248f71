"""Colliders: what a ragdoll can hit besides itself: the ground, blocks of the terrain, props."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.scene import Actor
from arcwright.tools.puppet.terrain import Block, Terrain

DEEP = 1.0  # m that blocks go below the ground, so that nothing slips under them
FRICTION = 0.8


@dataclass(frozen=True, eq=False)
class Collider:
    """A convex body that does not move, by its corners."""

    corners: Floats  # (8, 3) m, in the world


@dataclass(frozen=True)
class Floor:
    """Level ground without an end."""

    level: float  # m


def colliders_of(terrain: Terrain, props: Sequence[Actor]) -> list[Collider | Floor]:
    """The ground, its blocks, and a box around each mesh of a prop as its first take begins."""
    found: list[Collider | Floor] = [Floor(terrain.level)]
    found += [_block(block, terrain.level) for block in terrain.blocks]
    for prop in props:
        found += _boxes(prop)
    return found


def _block(block: Block, level: float) -> Collider:
    (x0, x1), (z0, z1), (low, high) = block.x, block.z, block.heights
    top = [[x, y, z] for x in (x0, x1) for z, y in ((z0, low), (z1, high))]
    deep = level - DEEP
    return Collider(np.array(top + [[x, deep, z] for x, _, z in top]))


def _boxes(prop: Actor) -> list[Collider]:
    values = prop.rig.channels.default
    if prop.takes:
        values = values_at(prop.takes[0], np.zeros(1))[0]
    world = forward(prop.rig, values[None])[0]
    made = []
    for shape in prop.shapes:
        points = [np.asarray(part.attributes["POSITION"], float) for part in shape.parts]
        if shape.skin is not None or not points:
            continue
        whole = np.concatenate(points)
        low, high = whole.min(axis=0), whole.max(axis=0)
        choose = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
        own = np.where(choose == 1, high, low)
        corners = own @ world[shape.joint, :3, :3].T + world[shape.joint, :3, 3]
        made.append(Collider(corners))
    return made


def add_collider(engine: Any, spec: Any, collider: Collider | Floor, bits: int) -> None:
    """Put a collider into a model; `bits` are what it collides with."""
    if isinstance(collider, Floor):
        turned = np.sqrt(0.5) * np.array([1.0, -1.0, 0.0, 0.0])  # its normal, z, becomes y
        geom = spec.worldbody.add_geom(
            type=engine.mjtGeom.mjGEOM_PLANE, size=[0, 0, 1], quat=turned
        )
        geom.pos = [0.0, collider.level, 0.0]
    else:
        name = f"collider {len(spec.meshes)}"
        middle = collider.corners.mean(axis=0)
        spec.add_mesh(name=name, uservert=(collider.corners - middle).ravel())
        geom = spec.worldbody.add_geom(type=engine.mjtGeom.mjGEOM_MESH, meshname=name, pos=middle)
    geom.contype, geom.conaffinity = bits, 0
    geom.friction = [FRICTION, 0.02, 0.002]
    geom.condim = 4
