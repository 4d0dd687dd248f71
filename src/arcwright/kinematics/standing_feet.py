"""Standing feet: when a foot stands on its heel and on its ball, and how high its joints are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reference_pose import ReferencePose
from arcwright.kinematics.resting import runs_of
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.stances import stances
from arcwright.scene.take import Take

NEAR = 1e-6  # s


class Standing(NamedTuple):
    """When a foot stands."""

    heel: Bools  # (T,)
    ball: Bools  # (T,)
    runs: list[tuple[int, int]]  # first and last frame of each time on the ground


def standing(take: Take, own: ReferencePose, side: str, times: Floats) -> Standing:
    """When a foot of a take stands on its heel and on its ball; gaps within a stance count."""
    rig, foot = own.body.rig, own.chains[f"{side}_foot"][0]
    toes = f"{side}_toes" in own.chains
    heel, ball = np.zeros((2, len(times)), bool)
    for plant in footplants(take, heels=True):
        joint = rig.joint(plant.point.joint)
        if rig.is_below(joint, foot):
            during = _within(times, plant.start, plant.end)
            heel |= during & (joint == foot or not toes)
            ball |= during & (joint != foot or not toes)
    closed = heel | ball
    for stance in stances(take) if closed.any() else ():
        if rig.is_below(rig.joint(stance.joint), foot):
            inside = np.flatnonzero((heel | ball) & _within(times, stance.start, stance.end))
            if len(inside):
                closed[inside[0] : inside[-1] + 1] = True
    return Standing(heel, ball, runs_of(closed))


def _within(times: Floats, start: float, end: float) -> Bools:
    return np.asarray((times >= start - NEAR) & (times <= end + NEAR))


def standing_height(take: Take, own: ReferencePose) -> float:
    """m, how high the joints of the balls of the feet are above the ground while they stand.

    From the mesh where there is one; else from the take, whose floor is at a height of 0.
    """
    if own.ball_height is not None:
        return own.ball_height
    times, heights = take.frame_times(), []
    for side in ("left", "right"):
        if f"{side}_foot" in own.chains:
            height = ball_path(own, side, values_at(take, times))
            on = standing(take, own, side, times).ball if footplants(take) else np.zeros(0, bool)
            low = np.median(height[on]) if on.any() else np.quantile(height, 0.02)
            heights.append(float(low))
    return max(float(np.mean(heights)), 0.0) if heights else 0.0


def ball_path(own: ReferencePose, side: str, values: Floats) -> Floats:
    """(T,) m, height of the joint of the toes, or of a foot without, of the actor's own rig."""
    role = f"{side}_toes" if f"{side}_toes" in own.chains else f"{side}_foot"
    rig = own.body.actor.rig
    joint = rig.joint(own.body.rig.names[own.chains[role][0]])
    return np.asarray(forward(rig, values, [joint])[:, 0, 1, 3])
