"""Swivel: how the middle of a limb turns about the line from its root to its end.

An elbow may swing about the line from shoulder to wrist without moving either. The angle itself
has no zero that holds in every direction of the line, but its change from frame to frame does: the
rest of the rotation carries the line along by the shortest way.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.end_effectors import end_effectors
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layering import displaced
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import cross
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

ALIKE = 0.45  # shorter bone of a limb over the longer one, at least


class BentLimb(NamedTuple):
    """Two long bones: an arm from shoulder to wrist, a leg from hip to ankle."""

    root: int
    middle: int
    end: int


class Swivel(NamedTuple):
    """A limb in T poses."""

    line: Floats  # (T, 3) direction from its root to its end
    steps: Floats  # (T - 1,) rad, by which its middle turns about the line
    flexion: Floats  # (T,) rad, 0 where it is straight


def bent_limbs(actor: Actor, take: Take) -> tuple[BentLimb, ...]:
    """The arms and legs of a take."""
    rig = take.rig
    place = forward(rig, rig.channels.default[None])[0, :, :3, 3]
    found = []
    for each in end_effectors(rig, analyse(actor, take).body):
        joints = each.limb
        bones = np.linalg.norm(np.diff(place[list(joints)], axis=0), axis=1)
        short, long = np.minimum(bones[:-1], bones[1:]), np.maximum(bones[:-1], bones[1:])
        first = next(iter(np.flatnonzero(short > ALIKE * long).tolist()), None)
        if first is not None:
            found.append(BentLimb(joints[first + 2], joints[first + 1], joints[first]))
    return tuple(found)


def swivel(rig: Rig, values: Floats, limb: BentLimb) -> Swivel:
    """How a limb turns about its line in poses (T, C)."""
    place = forward(rig, values, limb)[..., :3, 3]
    whole, upper, lower = place[:, 2] - place[:, 0], place[:, 1] - place[:, 0], place[:, 2]
    lower = lower - place[:, 1]
    line = whole / _length(whole)
    out = upper - (upper * line).sum(axis=1, keepdims=True) * line
    cosine = (upper * lower).sum(axis=1) / (_length(upper) * _length(lower))[:, 0]
    return Swivel(line, _steps(line, out), np.arccos(np.clip(cosine, -1.0, 1.0)))


def _length(vectors: Floats) -> Floats:
    size: Floats = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return size


def _steps(line: Floats, out: Floats) -> Floats:
    """(T - 1,) rad from `out` (T, 3), carried along with the line, to the next one."""
    old, new, before, after = line[:-1], line[1:], out[:-1], out[1:]
    cosine = (old * new).sum(axis=1, keepdims=True)
    axis = cross(old, new)
    along = (axis * before).sum(axis=1, keepdims=True) / np.maximum(1 + cosine, 1e-9)
    carried = cosine * before + cross(axis, before) + along * axis
    sine = (cross(carried, after) * new).sum(axis=1)
    found: Floats = np.arctan2(sine, (carried * after).sum(axis=1))
    return found


def swivelled(rig: Rig, values: Floats, limb: BentLimb, angle: Floats) -> Floats:
    """Poses (T, C) whose limb is turned by (T,) rad about its line; its end keeps its pose."""
    world = forward(rig, values, limb)
    line = world[:, 2, :3, 3] - world[:, 0, :3, 3]
    turn = angle[:, None] * line / _length(line)
    joints: Ints = np.array([limb.root, limb.end], np.int64)
    axes = world[:, [0, 2], :3, :3]
    axes = axes / np.linalg.norm(axes, axis=-2, keepdims=True)
    local = np.einsum("trji,tj->tri", axes, turn) * np.array([1.0, -1.0])[:, None]
    none = np.zeros(0, np.int64), np.zeros((len(values), 0))
    return displaced(rig, (joints, local), none, values)
