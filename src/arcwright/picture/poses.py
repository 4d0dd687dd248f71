"""Poses: which moments of a take to show, which way to look, and how far to spread them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

POSES = 7  # as many as a picture shows well
SIDES = (("left", "right"), ("_l", "_r"), (".l", ".r"), ("l_", "r_"))


@dataclass(frozen=True, eq=False)
class Poses:
    """The moments shown."""

    frames: Ints  # (T,)
    time: Floats  # (T,) s
    values: Floats  # (T, C)
    world: Floats  # (T, J, 4, 4)
    now: int  # which of them is the solid one


def poses_of(actor: Actor, take: Take | None, every: int | None, now: int | None) -> Poses:
    """Moments `every` so many frames apart; `now` is the frame shown solid, else one past half."""
    if every is not None and every < 1:
        raise BadValue("every", "1 frame or more", every)
    if take is None:
        values = actor.rig.channels.default[None]
        zero = np.zeros(1, np.int64)
        return Poses(zero, np.zeros(1), values, forward(actor.rig, values), 0)
    last = len(take.frame_times()) - 1
    step = every or max(int(np.ceil(last / (POSES - 1) - 1e-9)), 1)
    frames = np.arange(0, last + 1, step)
    if now is not None:
        frames = np.unique(np.append(frames, np.clip(now, 0, last)))
    solid = int(np.searchsorted(frames, now)) if now is not None else round(0.6 * (len(frames) - 1))
    values = values_at(take, frames / take.rate)
    at = min(solid, len(frames) - 1)
    return Poses(frames, frames / take.rate, values, forward(actor.rig, values), at)


def view_direction(rig: Rig, world: Floats) -> Floats:
    """Along which way to look, (3,): across the travel, or else at the face from one side."""
    middle = world[:, :, :3, 3].mean(1)
    travel = (middle[-1] - middle[0]) * (1, 0, 1)
    tall = body_height(world)
    far = float(np.linalg.norm(travel))
    if far > 0.7 * tall:
        ahead, turn = travel / far, 0.5
    else:
        ahead, turn = facing(rig, world[len(world) // 2, :, :3, 3]), 1.75
    across = np.cross((0.0, 1.0, 0.0), ahead)
    level = across - turn * ahead
    level /= np.linalg.norm(level)
    return level + np.array([0.0, -0.2, 0.0])


def body_height(world: Floats) -> float:
    """The largest reach of the joints in a usual pose, m."""
    return max(float(np.median(np.ptp(world[:, :, :3, 3], axis=1).max(1))), 1e-6)


def facing(rig: Rig, places: Floats) -> Floats:
    """The level direction a body looks along, from its left and right joints; +Z if unknown."""
    index = {name.lower(): joint for joint, name in enumerate(rig.names)}
    left = np.zeros(3)
    for name, joint in index.items():
        for one, other in SIDES:
            twin = index.get(name.replace(one, other)) if one in name else None
            if twin is not None and twin != joint:
                left += places[joint] - places[twin]
                break
    ahead = np.cross(left, (0.0, 1.0, 0.0))
    length = float(np.linalg.norm(ahead))
    spread = float(np.ptp(places, axis=0).max())
    return ahead / length if length > 0.05 * spread else np.array([0.0, 0.0, 1.0])


def fan(middles: Floats, widths: Floats, right: Floats) -> float:
    """Metres to move each pose on from the last, along `right`, so that all can be read.

    `middles` (T, 3) and `widths` (T,) are the poses' centres and sizes across the picture.
    """
    if len(middles) < 2:
        return 0.0
    gaps = np.diff(middles @ right)
    want = float(np.median(widths)) * 0.8
    if gaps.mean() > 0.55 * want:
        return 0.0
    return float(max(want - gaps.mean(), 0.7 * want - gaps.min()))
