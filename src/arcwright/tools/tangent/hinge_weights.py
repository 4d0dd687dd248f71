"""Hinge weights: how much dearer channels are that bend knees out of their planes.

Captured knees have three free angles. A straight one is as quick to bend aside as in its plane.
Elbows are left alone: arms that hang bend in other planes than those a take has shown.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.feet import foot_joints
from arcwright.kinematics.hinges import Hinge, hinges, local_rotations
from arcwright.objectives.freedom import Freedom
from arcwright.scene.rig import Kind

ASIDE = 1000.0  # weight of a channel that bends a hinge aside alone, in that of one in its plane
PROBE = 1e-5  # of a channel, to see where it takes the lower bone
TWIST = 0.1  # of the fastest channel of a hinge: slower ones twist the bone, and hardly bend it


def hinge_weights(free: Freedom, channels: Ints, pose: Floats, dragged: Ints) -> Floats:
    """(N,) factors of the weights of channels, in a pose (C,); those of dragged legs stay."""
    found = np.ones(len(channels))
    kind, joint = (each[channels] for each in (free.take.rig.channels.kind, _joints(free)))
    turns = (kind >= Kind.ROTATE_X) & (kind <= Kind.QUATERNION_Z)
    foot = foot_joints(free.take.rig)
    for hinge in hinges(free.actor, free.take):
        if not foot[hinge.child]:
            continue
        own = np.flatnonzero(turns & (joint == hinge.joint))
        if len(own) and not np.isin(channels[own], dragged).any():
            found[own] += ASIDE * _shares_aside(free, hinge, channels[own], pose)
    return found


def _joints(free: Freedom) -> Ints:
    return free.take.rig.channels.joint


def _shares_aside(free: Freedom, hinge: Hinge, channels: Ints, pose: Floats) -> Floats:
    """(N,) the share of a hinge's channels' motion of the lower bone that leaves the plane."""
    probed = np.tile(pose, (len(channels) + 1, 1))
    probed[np.arange(len(channels)), channels] += PROBE
    bone = local_rotations(free.take.rig, probed, [hinge.joint])[:, 0] @ hinge.lower
    moved = (bone[:-1] - bone[-1]) / PROBE
    speed = np.linalg.norm(moved, axis=1)
    share: Floats = moved @ hinge.axis / np.maximum(speed, TWIST * speed.max() + 1e-12)
    return share**2
