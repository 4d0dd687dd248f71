"""Carried joints: parts of the body beside its root, such as exported feet, kept on their limbs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.root_path import root_path
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_rotate,
)
from arcwright.tools.puppet.locomotion.root_frame import RootWriter
from arcwright.tools.puppet.puppet_character import PuppetCharacter


@dataclass(frozen=True, eq=False)
class Carried:
    """Joints that are not below the root, and where they are on a joint that is."""

    writer: RootWriter  # of the root
    joints: tuple[RootWriter, ...]
    limbs: tuple[int, ...]
    place: Floats  # (N, 7) in the limb's frame: position, m, and rotation, wxyz

    def write(self, values: Floats, root: Floats) -> None:
        """Set the channels of a pose (C,) whose root (7,) is in the world."""
        if not self.joints:
            return
        rig = self.writer.rig
        whole = self.writer.written(values, root)[None]
        places = forward(rig, whole, self.limbs)[0, :, :3, 3]
        turns = orientation(rig, whole, self.limbs)[0]
        at = places + quaternion_rotate(turns, self.place[:, :3])
        there = np.concatenate([at, quaternion_multiply(turns, self.place[:, 3:])], axis=1)
        for writer, own in zip(self.joints, there, strict=True):
            values[:] = writer.written(values, own)


def carried_joints(character: PuppetCharacter, owner: Ints, beginnings: Ints) -> Carried:
    """The joints of segments (J,), begun by joints (S,), that are not below the root."""
    rig, writer = character.rig, character.gaits.writer
    joints, limbs = [], []
    for joint, parent in enumerate(rig.parents.tolist()):
        top = parent < 0 or owner[parent] < 0
        if owner[joint] < 0 or joint == writer.joint or not top:
            continue
        path = root_path(rig, joint, character.stand[None])
        if path is not None:
            joints.append(RootWriter(path))
            limbs.append(int(beginnings[owner[joint]]))
    stand = character.stand[None]
    own = [each.joint for each in joints]
    inverse = quaternion_conjugate(orientation(rig, stand, limbs)[0])
    away = forward(rig, stand, own)[0, :, :3, 3] - forward(rig, stand, limbs)[0, :, :3, 3]
    turned = quaternion_multiply(inverse, orientation(rig, stand, own)[0])
    place = np.concatenate([quaternion_rotate(inverse, away), turned], axis=1)
    return Carried(writer, tuple(joints), tuple(limbs), place)
