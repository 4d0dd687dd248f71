"""Weigh: how much each joint holds each vertex, from the distances to the lumps it owns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.characters.lump import Lump, joint_distances
from arcwright.scene.rig import Rig

ROUNDS = 6  # of smoothing over neighbouring vertices


def weigh(lumps: Sequence[Lump], rig: Rig, position: Floats, faces: Ints) -> Floats:
    """Hold (V, J), sum 1: the nearest lump's joint and its kin, fading with distance.

    Only joints in line with the nearest one (up to two above or below) may hold a vertex, so
    that neighbouring fingers and legs do not pull at each other.
    """
    far = joint_distances(lumps, rig.names, position)  # in units of softness
    nearest = far.argmin(axis=1)
    ahead = far - far.min(axis=1, keepdims=True)
    hold = np.where(_kin(rig)[nearest], np.exp(-ahead), 0)
    hold /= hold.sum(axis=1, keepdims=True)
    return _smoothed(hold, position, faces)


def strongest(hold: Floats) -> tuple[Ints, Floats]:
    """The four joints that hold each vertex most, and their weights (V, 4), sum 1."""
    joints = np.argsort(-hold, axis=1, kind="stable")[:, :4]
    weights = np.take_along_axis(hold, joints, axis=1)
    weights[weights < 0.01] = 0
    weights /= weights.sum(axis=1, keepdims=True)
    return np.where(weights > 0, joints, joints[:, :1]), weights


def _kin(rig: Rig) -> Bools:
    """(J, J) whether two joints stand in one line, at most two apart."""
    count = len(rig.names)
    kin = np.eye(count, dtype=bool)
    for joint in range(count):
        above = joint
        for _ in range(2):
            above = int(rig.parents[above]) if above >= 0 else -1
            if above >= 0:
                kin[joint, above] = kin[above, joint] = True
    return kin


def _smoothed(hold: Floats, position: Floats, faces: Ints) -> Floats:
    """Each vertex takes of its neighbours, a few times over; the farther away, the less."""
    edges = faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    edges = np.unique(np.sort(edges, axis=1), axis=0)
    length = np.linalg.norm(position[edges[:, 0]] - position[edges[:, 1]], axis=1)
    near = np.exp(-((length / np.median(length)) ** 2))
    both, near = np.concatenate([edges, edges[:, ::-1]]), np.concatenate([near, near])
    order = np.argsort(both[:, 0], kind="stable")
    both, near = both[order], near[order, None]
    start = np.searchsorted(both[:, 0], np.arange(len(hold)))
    total = 1 + np.add.reduceat(near, start)
    for _ in range(ROUNDS):
        hold = (hold + np.add.reduceat(near * hold[both[:, 1]], start)) / total
    return hold
