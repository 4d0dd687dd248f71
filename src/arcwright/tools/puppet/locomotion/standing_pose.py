"""Standing pose: how a character without an idle stands: as in some take, else at rest."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import Places
from arcwright.kinematics.sample import values_at
from arcwright.scene.take import Take
from arcwright.tools.puppet.limb_ik import LimbTargets, solve_limbs
from arcwright.tools.puppet.objects.hands_on import Arms, shoulders

LOOKED_AT = 20  # takes
EACH, MOST = 0.1, 120  # s between moments of a take, and how many of them
STEP = 1 / 30  # s, over which speeds are measured
STILL = 0.25  # of the size a second: joints of a body that stands are slower on average
APART = 0.15  # of the size: how far one foot may be before another
UPRIGHT = 0.93  # of the height of the rest pose, from feet to the highest joint
HANDS = 0.15  # of the size above the root: hands that hang are lower
STRETCHED = 0.5  # of an arm's length: hands of a rest pose less far below the shoulders are lowered
HANGS = np.array([0.16, -0.95, 0.06])  # of an arm's length: outwards, down, ahead
SPINE = 1e3  # times as stiff as an arm


def standing_pose(
    takes: Sequence[Take], rest: Floats, root: int, toes: Places, arms: Arms | None, size: float
) -> Floats:
    """(C,) the pose of the takes that stands most at ease, or the rest pose with its arms down."""
    best, least = None, np.inf
    for take in takes[:LOOKED_AT]:
        count = int(np.clip(take.duration / EACH, 1, MOST))
        times = np.linspace(0.0, max(take.duration - STEP, 0.0), count)
        values = values_at(take, times)
        unease = _unease(take, values, values_at(take, times + STEP), rest, root, toes, arms, size)
        if unease.min() < least:
            best, least = values[int(unease.argmin())], float(unease.min())
    return arms_down(rest, arms) if best is None else best


def _unease(
    take: Take,
    values: Floats,
    after: Floats,
    rest: Floats,
    root: int,
    toes: Places,
    arms: Arms | None,
    size: float,
) -> Floats:
    """(T,) how little poses stand at ease; infinite for those that do not stand."""
    joints, later, resting = (
        forward(take.rig, each)[..., :3, 3] for each in (values, after, rest[None])
    )
    speed = np.linalg.norm(later - joints, axis=-1).mean(axis=-1) / (STEP * size)
    feet = joints[:, toes.joints]
    between = feet[:, :, None] - feet[:, None]
    apart = np.linalg.norm(between, axis=-1).reshape(len(feet), -1).max(axis=-1, initial=0.0)
    stance = resting[0, toes.joints]
    wide = np.linalg.norm(stance[:, None] - stance[None], axis=-1).max(initial=0.0)
    aside = np.maximum(apart - wide, 0.0) / size
    high = (joints[..., 1].max(axis=1) - feet[..., 1].mean(axis=1)) / (
        resting[0, :, 1].max() - resting[0, toes.joints, 1].mean()
    )
    hands = np.zeros(len(joints))
    if arms is not None:
        hands = (joints[:, arms.palms.joints, 1].max(axis=1) - joints[:, root, 1]) / size
    stands: Bools = (speed < STILL) & (aside < APART) & (high > UPRIGHT) & (hands < HANDS)
    bent = 2 * np.maximum(1.0 - high, 0.0)
    return np.where(stands, speed + 2 * aside + bent + np.maximum(hands, 0.0), np.inf)


def arms_down(pose: Floats, arms: Arms | None) -> Floats:
    """(C,) a pose whose arms hang, if it spreads them."""
    if arms is None:
        return pose
    rig, palms = arms.rig, arms.palms
    there = point_jacobian(rig, pose[None], palms, []).position[0]
    world = forward(rig, pose[None])[0, :, :3, 3]
    target = there.copy()
    for side, joint in enumerate(shoulders(arms)):
        shoulder = world[joint]
        length = float(np.linalg.norm(there[side] - shoulder))
        if shoulder[1] - there[side, 1] > STRETCHED * length:
            return pose
        outwards = np.array([np.sign(there[side, 0] - world[0, 0]), 1.0, 1.0])
        target[side] = shoulder + length * HANGS * outwards
    stiff = np.where(arms.spine, SPINE, 1.0) * 1e-4
    lowered = pose
    for _ in range(4):  # a step of a limb is bounded, and hands have a long way to go
        lowered, _ = solve_limbs(
            rig, arms.channels, lowered, LimbTargets.of(palms, target), lowered, stiff
        )
    return lowered
