"""Movable: a prop that can be moved as a rigid body: its size, where it is, and its channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layout import ONE, layout
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.root_path import root_path
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_normalise,
    quaternion_rotate,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.scene.scene import Actor
from arcwright.tools.puppet.locomotion.root_frame import RootWriter

ROUND = 0.03  # of its radius by which the surface of a ball varies at most


@dataclass(frozen=True, eq=False)
class Movable:
    """What does not change of a prop."""

    name: str
    writer: RootWriter
    values: Floats  # (C,) its channels at first
    middle: Floats  # (3,) m, of the box around it, in its root's frame
    half: Floats  # (3,) m, half the sides of that box
    round: bool  # whether it is a ball
    scaled: Ints  # (3,) channels of its root's scale; empty where it has none
    start: Placement


@dataclass(frozen=True, eq=False)
class Placement:
    """Where a movable is, and how large it has grown."""

    position: Floats  # (3,) m, of its middle
    rotation: Floats  # (4,) wxyz
    scale: float = 1.0

    def moved(self, position: Floats, rotation: Floats | None = None) -> Placement:
        """Somewhere else."""
        return replace(
            self, position=position, rotation=self.rotation if rotation is None else rotation
        )

    def rolled(self, by: Floats, radius: float) -> Placement:
        """A ball rolled by (3,) m over the ground: its rotation is the distance by its radius."""
        axis = np.array([by[2], 0.0, -by[0]]) / radius
        turned = quaternion_multiply(quaternion_from_vector(axis), self.rotation)
        return self.moved(self.position + by, np.asarray(quaternion_normalise(turned)))


def extent(movable: Movable, placement: Placement, direction: Floats) -> float:
    """m from the middle of a movable to its surface, or that of its box, in a unit direction."""
    half = placement.scale * movable.half
    if movable.round:
        return radius(movable, placement)
    own = np.abs(matrix_from_quaternion(placement.rotation).T @ direction)
    return float(half @ own)


def radius(movable: Movable, placement: Placement) -> float:
    """m, of a ball: without bands and the like that stand out of it."""
    return placement.scale * float(movable.half.min())


def channel_values(movable: Movable, placement: Placement, near: Floats | None = None) -> Floats:
    """(C,) channels of a movable that is somewhere."""
    offset = quaternion_rotate(placement.rotation, placement.scale * movable.middle)
    root = np.concatenate([placement.position - offset, placement.rotation])
    written = movable.writer.written(movable.values, root, near)
    written[movable.scaled] *= placement.scale
    return written


def movable_of(actor: Actor) -> Movable | None:
    """A prop as a movable; None where its root cannot be moved freely, or it has no mesh."""
    values = actor.rig.channels.default
    if actor.takes:
        values = values_at(actor.takes[0], np.zeros(1))[0]
    joint = analyse(actor).root
    path = root_path(actor.rig, joint, values[None])
    world = forward(actor.rig, values[None])[0]
    parts = [part.positions for part in deform(actor, values, world)]
    if path is None or not parts:
        return None
    writer = RootWriter(path)
    root = writer.read(values)
    inner = matrix_from_quaternion(root[3:]).T
    corners = (np.concatenate(parts) - root[:3]) @ inner.T
    low, high = corners.min(axis=0), corners.max(axis=0)
    middle, half = (low + high) / 2, (high - low) / 2
    away = np.linalg.norm(corners - middle, axis=1)
    even = float(np.ptp(half)) < ROUND * float(half.mean())
    ball = even and float(away.max() - half.mean()) < ROUND * float(half.mean())
    plan = layout(actor.rig)
    scaled = plan.stretch[int(plan.wanted[joint])]
    placed = root[:3] + quaternion_rotate(root[3:], middle)
    return Movable(
        actor.name,
        writer,
        values,
        middle,
        half,
        ball,
        np.zeros(0, np.int64) if (scaled == ONE).any() else scaled,
        Placement(np.asarray(placed), root[3:]),
    )


def top_of(movable: Movable, placement: Placement) -> float:
    """m, height of its top."""
    up = np.array([0.0, 1.0, 0.0])
    return float(placement.position[1]) + extent(movable, placement, up)


def support(
    others: Sequence[tuple[Movable, Placement]], x: float, z: float, ground: float
) -> tuple[float, Floats | None]:
    """Height, m, of what lies highest under a place, and the middle (3,) of that prop, if any."""
    best, under = ground, None
    for movable, placement in others:
        aside = np.array([x - placement.position[0], 0.0, z - placement.position[2]])
        away = float(np.linalg.norm(aside))
        direction = aside / away if away > 1e-9 else np.array([1.0, 0.0, 0.0])
        top = top_of(movable, placement)
        if away < 0.7 * extent(movable, placement, direction) and top > best:
            best, under = top, placement.position
    return best, under
