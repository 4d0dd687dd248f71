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
    turn = np.zeros((len(before), len(joints), 3))
    groups: dict[tuple[str, bool, tuple[bool, ...]], list[int]] = {}
    for slot, joint in enumerate(joints.tolist()):
        mode, root = rig.modes[joint], bool(rig.parents[joint] < 0)
        present = tuple((plan.rotate[plan.wanted[joint]] != ZERO).tolist())
        groups.setdefault((mode, root, present), []).append(slot)
    for (mode, root, _), slots in groups.items():
        old, new = (
            _quaternions(plan, plan.wanted[joints[slots]], mode, v) for v in (before, after)
        )
        pair = (new, quaternion_conjugate(old)) if root else (quaternion_conjugate(old), new)
        turn[:, slots] = _long_vectors(quaternion_multiply(*pair))
    return PoseDisplacement(joints, turn, channels, (after - before)[:, channels])


def _quaternions(plan: Layout, rows: Ints, mode: str, values: Floats) -> Floats:
    """(T, G, 4) rotations of joints that have the same mode and channels."""
    if mode == QUATERNION:
        found: Floats = values[:, plan.quaternion[rows]]
        return found
    own = plan.rotate[rows]
    angles = np.where(own != ZERO, values[:, own], 0.0)
    return quaternion_from_euler(angles, mode)


def _long_vectors(q: Floats) -> Floats:
    """(T, G, 3) rotation vectors, beyond pi where quaternions (T, G, 4) have gone on to there."""
    q = unwrap_quaternion(q)
    middle = np.take_along_axis(q[..., 0], np.abs(q[..., 0]).argmax(axis=0)[None], axis=0)
    q = np.where(middle[..., None] < 0, -q, q)
    vectors = vector_from_quaternion(q)
    size = np.linalg.norm(vectors, axis=-1, keepdims=True)
    other = -vectors / np.maximum(size, 1e-300) * (2 * np.pi - size)
    return np.where(q[..., :1] < 0, other, vectors)


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
