"""Skin weights from the distances of vertices to the SDF primitives of each joint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.characters.sdf_primitive import SdfPrimitive, joint_distances
from arcwright.scene.rig import Rig

ROUNDS = 6  # of smoothing over neighbouring vertices


def skin_weights(
    primitives: Sequence[SdfPrimitive], rig: Rig, position: Floats, faces: Ints
) -> Floats:
    """(V, J) weights, sum 1: the joint of the nearest primitive and its chain, by distance.

    Only joints in one chain with the nearest one (up to two above or below) influence a vertex, so
    that neighbouring fingers and legs do not affect each other.
    """
    far = joint_distances(primitives, rig.names, position)  # in units of softness
    nearest = far.argmin(axis=1)
    ahead = far - far.min(axis=1, keepdims=True)
    weights = np.where(_kin(rig)[nearest], np.exp(-ahead), 0)
    weights /= weights.sum(axis=1, keepdims=True)
    return _smoothed(weights, position, faces)


def strongest_joints(weights: Floats) -> tuple[Ints, Floats]:
    """The four joints of largest weight of each vertex, and their weights (V, 4), sum 1."""
    joints = np.argsort(-weights, axis=1, kind="stable")[:, :4]
    weights = np.take_along_axis(weights, joints, axis=1)
    weights[weights < 0.01] = 0
    weights /= weights.sum(axis=1, keepdims=True)
    return np.where(weights > 0, joints, joints[:, :1]), weights


def _kin(rig: Rig) -> Bools:
    """(J, J) whether two joints are in one chain, at most two apart."""
    count = len(rig.names)
    kin = np.eye(count, dtype=bool)
    for joint in range(count):
        above = joint
        for _ in range(2):
            above = int(rig.parents[above]) if above >= 0 else -1
            if above >= 0:
                kin[joint, above] = kin[above, joint] = True
    return kin


def _smoothed(weights: Floats, position: Floats, faces: Ints) -> Floats:
    """Weights averaged with those of neighbouring vertices, by distance."""
    edges = faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    length = np.linalg.norm(position[edges[:, 0]] - position[edges[:, 1]], axis=1)
    near = np.exp(-((length / np.median(length)) ** 2))
    both, near = np.concatenate([edges, edges[:, ::-1]]), np.concatenate([near, near])
    order = np.argsort(both[:, 0], kind="stable")
    both, near = both[order], near[order, None]
    start = np.searchsorted(both[:, 0], np.arange(len(weights)))
    total = 1 + np.add.reduceat(near, start)
    for _ in range(ROUNDS):
        weights = (weights + np.add.reduceat(near * weights[both[:, 1]], start)) / total
    return weights
