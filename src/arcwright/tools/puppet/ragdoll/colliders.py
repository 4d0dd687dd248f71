"""Colliders: what a ragdoll can hit besides itself: the ground, blocks of the terrain, props."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_rotate
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.scene.scene import Actor
from arcwright.scene.terrain import Block, Terrain

DEEP = 1.0  # m that blocks go below the ground, so that nothing slips under them
FRICTION = 0.8
THINNEST = 0.01  # m: what is flatter collides as a sheet of this thickness


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
    turn, choose = orientation(prop.rig, values[None], [0])[0, 0], np.indices((2, 2, 2))
    made = []
    for mesh in deform(prop, values, world):
        if len(mesh.positions):
            own = quaternion_rotate(quaternion_conjugate(turn), mesh.positions)
            middle, size = (own.min(axis=0) + own.max(axis=0)) / 2, np.ptp(own, axis=0)
            half = np.maximum(size, THINNEST) / 2
            sides = np.stack([middle - half, middle + half])
            corners = np.stack([sides[choose[axis].ravel(), axis] for axis in range(3)], axis=1)
            made.append(Collider(quaternion_rotate(turn, corners)))
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
