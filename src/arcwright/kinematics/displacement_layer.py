"""Displacement layer: the layer that makes other poses of a take, given at evenly spaced times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.spline import band
from arcwright.kinematics.layout import ZERO, Layout, layout
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_euler,
    quaternion_multiply,
    unwrap_quaternion,
    vector_from_quaternion,
)
from arcwright.scene.layer import Layer
from arcwright.scene.rig import QUATERNION, Kind, Rig

ROUNDS = 48  # of refining control values: each halves what is left
LEAST_CONTROLS = 4


@dataclass(frozen=True, eq=False)
class PoseDisplacement:
    """What takes poses (T, C) to others, as a layer has it."""

    joints: Ints  # (R,)
    turn: Floats  # (T, R, 3) rad
    channels: Ints  # (A,)
    add: Floats  # (T, A)

    @property
    def none(self) -> bool:
        """Whether nothing differs."""
        return not (len(self.joints) or len(self.channels))


def displacement(rig: Rig, before: Floats, after: Floats) -> PoseDisplacement:
    """The displacement from poses (T, C) to others; only what differs somewhere."""
    table, plan = rig.channels, layout(rig)
    differs = np.abs(after - before).max(axis=0, initial=0.0) > 0
    rotating = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
    counts = np.bincount(table.joint[rotating], minlength=len(rig.names))
    free = rotating & (counts[table.joint] > 2)
    joints = np.unique(table.joint[free & differs])
    channels = np.flatnonzero(differs & ~free)
    turns = [_turn(rig, plan, int(joint), before, after) for joint in joints]
    turn = np.stack(turns, axis=1) if turns else np.zeros((len(before), 0, 3))
    return PoseDisplacement(joints, turn, channels, (after - before)[:, channels])


def _turn(rig: Rig, plan: Layout, joint: int, before: Floats, after: Floats) -> Floats:
    """(T, 3) rotation vectors of one joint, continuous in time."""
    old, new = (_quaternions(rig, plan, joint, each) for each in (before, after))
    root = rig.parents[joint] < 0
    pair = (new, quaternion_conjugate(old)) if root else (quaternion_conjugate(old), new)
    between = unwrap_quaternion(quaternion_multiply(*pair))
    if between[np.abs(between[:, 0]).argmax(), 0] < 0:
        between = -between
    return _long_vectors(between)


def _long_vectors(q: Floats) -> Floats:
    """(T, 3) rotation vectors, beyond pi where a quaternion (T, 4) has gone on to there."""
    vectors = vector_from_quaternion(q)
    beyond = q[:, 0] < 0
    size = np.linalg.norm(vectors, axis=1, keepdims=True)
    other = -vectors / np.maximum(size, 1e-300) * (2 * np.pi - size)
    return np.where(beyond[:, None], other, vectors)


def _quaternions(rig: Rig, plan: Layout, joint: int, values: Floats) -> Floats:
    row = int(plan.wanted[joint])
    if rig.modes[joint] == QUATERNION:
        return values[:, plan.quaternion[row]]
    own = plan.rotate[row]
    present = own != ZERO
    angles = np.zeros((len(values), 3))
    angles[:, present] = values[:, own[present]]
    return quaternion_from_euler(angles, rig.modes[joint])


def displacement_layer(name: str, start: float, end: float, moved: PoseDisplacement) -> Layer:
    """A layer that passes through displacements given at evenly spaced times from start to end."""
    count = len(moved.add) + 2
    spline = band(start, end, count, np.linspace(start, end, len(moved.add)))

    def controls(samples: Floats) -> Floats:
        """Richardson's iteration: it converges, as each sample weighs its own value most."""
        found = np.concatenate([samples[:1], samples, samples[-1:]])
        for _ in range(ROUNDS):
            left = samples - spline.apply(found)
            found[1:-1] += left
            found[0], found[-1] = samples[0], samples[-1]
        return found

    return Layer(
        name, start, end, moved.joints, controls(moved.turn), moved.channels, controls(moved.add)
    )
