"""Arm swing: arms of a made walk go ahead with the leg of the other side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.rotation import matrix_from_vector
from arcwright.tools.puppet.limb_ik import STIFF, LimbTargets, solve_limbs
from arcwright.tools.puppet.locomotion.gait_clip import GaitClip
from arcwright.tools.puppet.locomotion.leg_ik import Legs
from arcwright.tools.puppet.locomotion.root_frame import RootWriter
from arcwright.tools.puppet.objects.hands_on import Arms, shoulders

SWING = 0.38  # rad of an arm to each side
AHEAD = 0.08  # rad by which the middle of the swing is ahead
HANGS = 0.5  # of its length: a hand that is less far below its shoulder does not swing
SPINE = 1e4  # times as stiff as an arm


def with_arm_swing(clip: GaitClip, legs: Legs, arms: Arms | None, writer: RootWriter) -> GaitClip:
    """A walk on two legs whose arms swing where they hang."""
    if arms is None or len(legs.toes) != 2:
        return clip
    poses = np.array([writer.written(*each) for each in zip(clip.values, clip.root, strict=True)])
    feet = point_jacobian(legs.rig, poses, legs.toes, []).position
    palms = point_jacobian(legs.rig, poses, arms.palms, []).position
    joints = forward(legs.rig, poses, shoulders(arms))[..., :3, 3]
    away = palms - joints
    if (away[0, :, 1] > -HANGS * np.linalg.norm(away[0], axis=-1)).any():
        return clip
    first = 0 if feet[:, 0, 0].mean() > feet[:, 1, 0].mean() else 1  # the left is at +x
    ahead = feet[:, [first, 1 - first], 2] - feet[..., 2].mean(axis=1, keepdims=True)
    angle = AHEAD - SWING * ahead / max(float(np.abs(ahead).max()), 1e-9)
    turns = matrix_from_vector(np.stack([-angle, 0 * angle, 0 * angle], axis=-1))
    target = joints + (turns @ away[..., None])[..., 0]
    return replace(clip, values=_reached(clip.values, poses, target, arms))


def _reached(values: Floats, poses: Floats, target: Floats, arms: Arms) -> Floats:
    """(P, C) values whose palms are at targets (P, 2, 3); two rounds, so that the cycle closes."""
    found, offset = values.copy(), np.zeros(len(arms.channels))
    stiff = STIFF * np.where(arms.spine, SPINE, 1.0)
    for phase in [*range(len(values))] * 2:
        start = poses[phase].copy()
        start[arms.channels] += offset
        places = LimbTargets.of(arms.palms, target[phase])
        solved, _ = solve_limbs(arms.rig, arms.channels, start, places, poses[phase], stiff)
        offset = (solved - poses[phase])[arms.channels]
        found[phase, arms.channels] = solved[arms.channels]
    return found
