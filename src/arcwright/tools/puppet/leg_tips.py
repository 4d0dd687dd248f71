"""Leg tips: where the meshes of legs end at the ground, for rigs whose last joints are above it."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.places import Places
from arcwright.kinematics.skinning import Deformed, deform, skin_influences
from arcwright.scene.scene import Actor
from arcwright.tools.puppet.puppet_rig import PuppetRig

FLAT = 0.01  # of the body's size: the mean of vertices this close to the lowest is the tip
FLOOR = (
    0.03  # of the body's size: a tip this close to the lowest one, or to the ground, stands on it
)
MIRRORED = 0.05  # of the body's size: how much left and right tips may differ


def leg_tips(actor: Actor, own: PuppetRig, pose: Floats) -> Places:
    """The lowest point of each mesh that ends a branch at the ground in the rest pose, in pairs.

    Pairs are left and right. None where they do not reach the ground in a pose (C,): it hovers.
    """
    default = actor.rig.channels.default
    world = forward(actor.rig, default[None])[0]
    tips = _lowest(own, deform(actor, default, world))
    low = min((tip[1] for tip in tips.values()), default=0.0) + FLOOR * own.size
    standing = {joint: tip for joint, tip in tips.items() if tip[1] < low}
    paired = [joint for joint in standing if _is_paired(joint, standing, MIRRORED * own.size)]
    frames = world[own.joints[paired]]
    away = np.array([standing[joint] for joint in paired]).reshape(-1, 3) - frames[:, :3, 3]
    offsets = np.linalg.solve(frames[:, :3, :3], away[..., None])[..., 0]
    posed = forward(actor.rig, pose[None])[0, own.joints[paired]]
    height = (posed[:, 1, :3] * offsets).sum(axis=1) + posed[:, 1, 3]
    if height.min(initial=np.inf) > FLOOR * own.size:
        return Places(np.zeros(0, np.int64), np.zeros((0, 3)))
    return Places(np.array(paired, np.int64), offsets)


def _lowest(own: PuppetRig, parts: list[Deformed]) -> dict[int, Floats]:
    """The lowest point (3,) of the mesh of each joint that ends a branch."""
    tips = dict[int, Floats]()
    ends = _ends(own)
    for part in parts:
        carrier = _carriers(part)
        for joint in ends:
            here = part.positions[carrier == own.joints[joint]]
            if len(here):
                lowest = here[here[:, 1] < here[:, 1].min() + FLAT * own.size].mean(axis=0)
                if joint not in tips or lowest[1] < tips[joint][1]:
                    tips[joint] = lowest
    return tips


def _ends(own: PuppetRig) -> list[int]:
    """Joints below the root that deform a mesh and have no such joint below them."""
    parents = own.rig.parents
    carries = np.zeros(len(parents), bool)
    carries[parents[own.deforms & (parents >= 0)]] = True
    carries[own.root] = True
    return np.flatnonzero(own.deforms & ~carries).tolist()


def _carriers(deformed: Deformed) -> Ints:
    """(V,) the joint that moves each vertex most."""
    found = skin_influences(deformed.shape, deformed.part)
    if found is None or deformed.shape.skin is None:
        return np.full(len(deformed.positions), deformed.shape.joint)
    joints, share = found
    most = np.take_along_axis(joints, share.argmax(axis=1)[:, None], axis=1)[:, 0]
    return np.asarray(deformed.shape.skin.joints[most])


def _is_paired(joint: int, tips: dict[int, Floats], most: float) -> bool:
    mirrored = tips[joint] * [-1, 1, 1]
    others = [np.abs(tip - mirrored).max() for each, tip in tips.items() if each != joint]
    return min(others, default=np.inf) < most
