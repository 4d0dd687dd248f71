"""Attachments: joints that hang on the rig's top, yet follow the end of a limb by their own keys.

Exports of rigs with inverse kinematics often have feet beside the body: their keys put them where
the leg ends. An edit that moves only the leg would leave them behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take

MOVES = 0.02  # of the body's size: how far a joint goes in its parent at least
STAYS = 0.01  # of the body's size: how far it leaves its place on the limb, half of the time
LEAVES = 0.5  # of how far it goes in its parent: how far it leaves that place, nine times in ten
SAMPLES = 24  # of each take
MOST_TAKES = 12  # that are looked at, spread over all: files may have a hundred
SINGULAR = 1e-9  # determinant of a joint that is scaled to nothing

_poses: WeakKeyDictionary[Clip | Motion, tuple[Rig, np.ndarray[Any, np.dtype[np.float32]]]] = (
    WeakKeyDictionary()
)


def find_attached(
    rig: Rig, takes: Sequence[Take], deforms: Bools, slides: Bools, root: int, size: float
) -> Ints:
    """(J,) the joint that each one is attached to, -1 for none; as the animator set it, if so.

    Candidates deform a mesh, are translated by a take (`slides`), and are children of the root or
    of a joint above it. They are attached to the joint of a limb in whose frame they stay at one
    place most of the time, while they go about in their parent.
    """
    found = np.full(len(rig.names), -1, np.int64)
    above = _path_up(rig, root)
    beside = deforms & slides & ~above & (rig.parents >= 0) & above[np.maximum(rig.parents, 0)]
    for joint, limb in enumerate(rig.attached_to):
        found[joint] = -1 if limb == joint else limb
        beside[joint] &= limb < 0
    if not beside.any() or not takes:
        return found
    some = takes[:: -(-len(takes) // MOST_TAKES)]
    world = np.concatenate([_world(rig, take) for take in some])
    world = world[np.isfinite(world).all(axis=(1, 2, 3))]
    if not len(world):
        return found
    rotates = _rotating(world, rig) & deforms & ~above & ~beside
    for joint in np.flatnonzero(beside).tolist():
        limbs = np.flatnonzero(rotates & ~_below(rig, joint)).tolist()
        found[joint] = _limb(world, joint, int(rig.parents[joint]), limbs, size)
    return found


def _limb(world: Floats, joint: int, parent: int, limbs: Sequence[int], size: float) -> int:
    """The joint among `limbs` that a joint follows, or -1."""
    goes = _distances(world, joint, parent)
    if goes is None or np.percentile(goes, 90) < MOVES * size:
        return -1
    best, found = np.inf, -1
    for limb in limbs:
        leaves = _distances(world, joint, limb)
        if leaves is None or np.percentile(leaves, 90) > LEAVES * np.percentile(goes, 90):
            continue
        median = float(np.median(leaves))
        if median <= STAYS * size and median < best:
            best, found = median, limb
    return found


def _distances(world: Floats, joint: int, frame: int) -> Floats | None:
    """(T,) m, how far a joint is from its usual place in a frame; None for one without extent."""
    determinant = np.abs(np.linalg.det(world[:, frame, :3, :3]))
    if determinant.min() < SINGULAR:
        return None
    apart = (world[:, joint, :3, 3] - world[:, frame, :3, 3])[..., None]
    place = np.linalg.solve(world[:, frame, :3, :3], apart)[..., 0]
    away = (place - np.median(place, axis=0)) * np.cbrt(determinant)[:, None]
    return np.asarray(np.linalg.norm(away, axis=1))


def _rotating(world: Floats, rig: Rig) -> Bools:
    """(J,) joints that rotate in their parent in some pose."""
    above = world[:, np.maximum(rig.parents, 0), :3, :3]
    turned = above.swapaxes(-1, -2) @ world[..., :3, :3]
    return np.asarray(np.ptp(turned, axis=0).max(axis=(1, 2)) > 1e-3 * np.abs(turned).max())


def _world(rig: Rig, take: Take) -> Floats:
    """(T, J, 4, 4) poses of a take without its layers; remembered, as edits leave most takes."""
    known = _poses.get(take.base)
    if known is None or known[0] is not rig:
        times = np.linspace(0.0, take.duration, SAMPLES)
        world = forward(rig, values_at(Take(rig, take.base), times))
        known = _poses[take.base] = rig, world.astype(np.float32)
    return np.asarray(known[1], np.float64)


def _path_up(rig: Rig, joint: int) -> Bools:
    """(J,) a joint and its ancestors."""
    path = np.zeros(len(rig.names), bool)
    while joint >= 0:
        path[joint] = True
        joint = int(rig.parents[joint])
    return path


def _below(rig: Rig, joint: int) -> Bools:
    """(J,) a joint and its descendants."""
    below = np.zeros(len(rig.names), bool)
    below[joint] = True
    for each in range(joint + 1, len(below)):
        below[each] = rig.parents[each] >= 0 and below[rig.parents[each]]
    return below
