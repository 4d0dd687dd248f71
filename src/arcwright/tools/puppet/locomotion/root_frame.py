"""Root frame: poses of a puppet's frame written to channels of its rig, one pose at a time."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layout import layout
from arcwright.kinematics.root_path import RootPath
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    quaternion_conjugate,
    quaternion_from_euler,
    quaternion_multiply,
)
from arcwright.scene.rig import QUATERNION


class RootWriter:
    """Puts the root of a rig at a place and rotation in the world."""

    def __init__(self, path: RootPath) -> None:
        self.path, self.rig, self.joint = path, path.rig, path.joint
        plan = layout(path.rig)
        own = int(plan.wanted[path.joint])
        self._translate = plan.translate[own]
        self._inverse = np.linalg.inv(path.frame[:3, :3])
        self._origin = path.frame[:3, 3]
        self._unturned = quaternion_conjugate(path.frame_rotation)
        self._mode = path.rig.modes[path.joint]
        self._rotate = plan.quaternion[own] if self._mode == QUATERNION else plan.rotate[own]

    def written(self, values: Floats, root: Floats, near: Floats | None = None) -> Floats:
        """(C,) channel values with the root (7,) of the world: position, m, and rotation, wxyz.

        Angles and quaternions are those nearest to the pose `near`, by default `values`.
        """
        changed = values.copy()
        changed[self._translate] = self._inverse @ (root[:3] - self._origin)
        turned = quaternion_multiply(self._unturned, root[3:])
        like = (values if near is None else near)[self._rotate]
        if self._mode == QUATERNION:
            changed[self._rotate] = -turned if turned @ like < 0 else turned
        else:
            changed[self._rotate] = euler_from_quaternion(turned, self._mode, near=like)
        return changed

    def moved(self, values: Floats, position: Floats) -> Floats:
        """(C,) channel values with the root at another position (3,) of the world, m."""
        changed = values.copy()
        changed[self._translate] = self._inverse @ (position - self._origin)
        return changed

    def read(self, values: Floats) -> Floats:
        """(7,) the root of a pose (C,) in the world."""
        world = forward(self.rig, values[None], [self.joint])[0, 0]
        turned = values[self._rotate]
        own = turned if self._mode == QUATERNION else quaternion_from_euler(turned, self._mode)
        rotation = quaternion_multiply(quaternion_conjugate(self._unturned), own)
        return np.concatenate([world[:3, 3], rotation])


def in_world(root: Floats, place: Floats, heading: float) -> Floats:
    """(7,) a root of the puppet's frame in the world, where the frame is at a place and heads."""
    cosine, sine = np.cos(heading), np.sin(heading)
    x, y, z = root[:3]
    turn = np.array([np.cos(heading / 2), 0.0, np.sin(heading / 2), 0.0])
    position = place + np.array([cosine * x + sine * z, y, cosine * z - sine * x])
    return np.concatenate([position, quaternion_multiply(turn, root[3:])])


def standing_frame(root: Floats, own: Floats) -> tuple[Floats, float]:
    """Place (3,) on the level 0 and heading of the frame in which a root of the world is `own`.

    What the root tilts besides is left out.
    """
    heading = 2.0 * float(np.arctan2(root[5], root[3]) - np.arctan2(own[5], own[3]))
    offset = in_world(own, np.zeros(3), heading)[:3]
    return (root[:3] - offset) * [1, 0, 1], heading
