"""Root path: the movement of a rig's root in the world, written back to its channels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_rotate,
)
from arcwright.scene.rig import QUATERNION, Rig

STILL_FRAME = 1e-5  # m or quaternion: joints above the root that move more keep the root as it is


@dataclass(frozen=True, eq=False)
class RootPath:
    """The movement of a rig's root in the world, and how to write it back to its channels."""

    rig: Rig
    joint: int
    position: Floats  # (N, 3) m
    rotation: Floats  # (N, 4) wxyz
    heading: Floats  # (N,) rad about the vertical axis, without jumps
    frame: Floats  # (4, 4) the fixed frame in which its channels move it
    frame_rotation: Floats  # (4,) wxyz

    def written(self, values: Floats, position: Floats, rotation: Floats) -> Floats:
        """Channel values (T, C) with the root at these places and rotations in the world."""
        changed = values.copy()
        plan = layout(self.rig)
        own = int(plan.wanted[self.joint])
        local = (position - self.frame[:3, 3]) @ np.linalg.inv(self.frame[:3, :3]).T
        changed[:, plan.translate[own]] = local
        turned = quaternion_multiply(quaternion_conjugate(self.frame_rotation), rotation)
        mode = self.rig.modes[self.joint]
        if mode == QUATERNION:
            four = plan.quaternion[own]
            near = (turned * values[:, four]).sum(axis=-1, keepdims=True) < 0
            changed[:, four] = np.where(near, -turned, turned)
        else:
            angles = plan.rotate[own]
            changed[:, angles] = euler_from_quaternion(turned, mode, near=values[:, angles])
        return changed


def root_path(rig: Rig, joint: int, values: Floats) -> RootPath | None:
    """The path of a root joint; None if its channels cannot move and rotate it freely."""
    plan = layout(rig)
    own = int(plan.wanted[joint])
    angles = plan.quaternion[own] if rig.modes[joint] == QUATERNION else plan.rotate[own]
    if (plan.translate[own] == ZERO).any() or (angles == ZERO).any():
        return None
    above = int(rig.parents[joint])
    frame, turned = np.eye(4), np.array([1.0, 0.0, 0.0, 0.0])
    if above >= 0:
        parents, turns = (
            forward(rig, values, [above])[:, 0],
            orientation(rig, values, [above])[:, 0],
        )
        if max(np.ptp(parents, axis=0).max(), np.ptp(turns, axis=0).max()) > STILL_FRAME:
            return None
        frame[: parents.shape[1]], turned = parents[0], turns[0]
    rest = rig.rest[joint]
    local = np.eye(4)
    local[:3, :3] = np.stack([quaternion_rotate(rest, axis) for axis in np.eye(3)], axis=1)
    local[:3, 3] = rig.offset[joint]
    world = forward(rig, values, [joint])[:, 0]
    rotation = orientation(rig, values, [joint])[:, 0]
    default = orientation(rig, rig.channels.default[None], [joint])[0, 0]
    away = quaternion_multiply(rotation, quaternion_conjugate(default))
    heading = np.unwrap(2 * np.arctan2(away[:, 2], away[:, 0]), period=2 * np.pi)
    frame_rotation = quaternion_multiply(turned, rest)
    return RootPath(rig, joint, world[:, :3, 3], rotation, heading, frame @ local, frame_rotation)


def turned_about_vertical(angle: Floats, vectors: Floats) -> Floats:
    """Vectors (N, 3) rotated about the vertical axis."""
    cosine, sine = np.cos(angle), np.sin(angle)
    x, y, z = vectors.T
    return np.stack([cosine * x + sine * z, y, cosine * z - sine * x], axis=1)


def about_vertical(angle: Floats) -> Floats:
    """(..., 4) wxyz, rotations about the vertical axis."""
    zero = np.zeros_like(angle)
    return np.stack([np.cos(angle / 2), zero, np.sin(angle / 2), zero], axis=-1)
