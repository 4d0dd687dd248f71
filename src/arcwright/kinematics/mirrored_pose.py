"""A pose of a take in the mirror, in place: about the upright plane along which the body heads."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.mirror import mirror_of
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_multiply
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

AROUND = 0.5  # s before and after, over which the heading is averaged: hips twist with each step
STOPS = 9
STRAIGHT = np.radians(4)  # so near to an axis a body heads along it


def mirrored_pose(actor: Actor, take: Take, time: float, values: Floats) -> Floats:
    """(C,) channel values of a pose in the mirror; the root stays on its path."""
    rig, root = actor.rig, analyse(actor, take).root
    centre = forward(rig, values[None], [root])[0, 0, :3, 3]
    heading = heading_near(take, root, time)
    mirrored: Floats = mirror_of(rig).mirrored(values[None], root, heading, centre)[0]
    return mirrored


def heading_near(take: Take, root: int, time: float) -> float:
    """Radians about the vertical axis by which the root is turned from its rest, around a time."""
    around = time + np.linspace(-AROUND, AROUND, STOPS)
    if isinstance(take.base, Clip) and take.base.loops and take.duration > 0:
        around = np.mod(around, take.duration)
    around = np.clip(around, 0, take.duration)
    world = orientation(take.rig, values_at(take, around))[:, root]
    rest = orientation(take.rig, take.rig.channels.default[None])[0, root]
    away = quaternion_multiply(world, quaternion_conjugate(rest))
    yaw = 2 * np.arctan2(away[:, 2], away[:, 0])
    heading = float(np.arctan2(np.sin(yaw).sum(), np.cos(yaw).sum()))
    quarter = round(heading / (np.pi / 2)) * (np.pi / 2)
    return quarter if abs(heading - quarter) < STRAIGHT else heading
