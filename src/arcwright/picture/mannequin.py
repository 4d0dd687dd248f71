"""Mannequin: a rig without a mesh drawn as a wooden figure."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.picture.canvas import colour
from arcwright.picture.solid import Solid, ball, joined, surface_of_revolution
from arcwright.scene.rig import Rig

WOOD = colour("#dccbb2")
BALL = colour("#7f93ab")


def mannequin(rig: Rig, places: Floats) -> Solid:
    """Bones from joint to joint, balls between, a trunk and a head; places (J, 3) in the world."""
    tall = max(float(np.ptp(places, axis=0).max()), 1e-6)
    trunk = _trunk(rig)
    head = _head(rig)
    leaves = set(range(len(rig.names))) - set(rig.parents.tolist())
    solids = [ball(places[0], 0.034 * tall, WOOD if trunk else BALL, 22)]
    for joint, parent in enumerate(rig.parents):
        length = float(np.linalg.norm(places[joint] - places[parent])) if parent >= 0 else 0.0
        if length < tall * 0.004 or (parent == head and joint in leaves):
            continue
        if joint in trunk:
            solids += _trunk_piece(places[parent], places[joint], tall)
            continue
        thick = min(0.062 * np.sqrt(length * tall), 0.2 * length + 0.004 * tall, 0.036 * tall)
        sides = 20 if thick > 0.012 * tall else 10
        solids.append(
            surface_of_revolution(places[parent], places[joint], _bone(thick), WOOD, sides)
        )
        if joint != head:
            solids.append(ball(places[joint], min(thick * 0.6, 0.019 * tall), BALL, sides - 4))
    if head >= 0:
        solids.append(_skull(rig, places, head, tall))
    return joined(solids)


def _trunk(rig: Rig) -> set[int]:
    """Joints between the root and the joints where several limbs branch."""
    children = np.bincount(rig.parents[rig.parents >= 0], minlength=len(rig.names))
    forks = [j for j in range(1, len(rig.names)) if children[j] >= 3 and _reach(rig, j) >= 3]
    found: set[int] = set()
    for joint in forks[:1]:
        while rig.parents[joint] >= 0:
            found.add(joint)
            joint = int(rig.parents[joint])
    return found


def _reach(rig: Rig, joint: int) -> int:
    """Joints on the longest way down from a joint."""
    depth = np.zeros(len(rig.names), np.int64)
    for child in range(len(rig.names) - 1, joint, -1):
        parent = rig.parents[child]
        if parent >= 0:
            depth[parent] = max(depth[parent], depth[child] + 1)
    return int(depth[joint])


def _head(rig: Rig) -> int:
    for joint, name in enumerate(rig.names):
        if "head" in name.lower() and rig.parents[joint] >= 0:
            return joint
    return -1


def _skull(rig: Rig, places: Floats, head: int, tall: float) -> Solid:
    way = places[head] - places[rig.parents[head]]
    way = way / max(float(np.linalg.norm(way)), 1e-9)
    angle = np.linspace(0, np.pi, 20)
    radius = 0.045 * tall * np.sin(angle) * (1 + 0.18 * np.cos(angle - 2.2))
    profile = np.stack([(1 - np.cos(angle)) / 2, radius], axis=-1)
    start = places[head] - 0.012 * tall * way
    return surface_of_revolution(start, start + 0.13 * tall * way, profile, WOOD, 28)


def _trunk_piece(start: Floats, end: Floats, tall: float) -> list[Solid]:
    thick = 0.048 * tall
    profile = np.array([[0.0, 0.82], [0.25, 0.97], [0.5, 1.0], [0.75, 0.97], [1.0, 0.82]])
    body = surface_of_revolution(start, end, profile * (1, thick), WOOD, 26)
    return [body, ball(end, thick * 0.84, WOOD, 24)]


def _bone(thick: float) -> Floats:
    """The profile of a bone: a round start, full near one fifth, then a long taper."""
    way = 1 - np.cos(np.linspace(0, np.pi / 2, 8))
    shoulder = np.stack([way * 0.2, thick * np.sqrt(1 - (1 - way) ** 2)], axis=-1)
    rest = np.linspace(0.2, 1, 9)[1:]
    share = (rest - 0.2) / 0.8
    taper = thick * (1 - 0.62 * share * share * (3 - 2 * share))
    return np.concatenate([shoulder, np.stack([rest, taper], axis=-1), [[1.0, 0.0]]])
