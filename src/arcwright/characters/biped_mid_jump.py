"""The biped between take-off and touch-down: the root stays, who plays it moves it along."""

from __future__ import annotations

from arcwright.characters.biped_limbs import Foot, standing
from arcwright.characters.biped_steps import even
from arcwright.characters.posing import Pose, clip, pose
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig

RATE = 24.0


def mid_jump(rig: Rig) -> Clip:
    """Stretched off the toes, arms up, tucked at the apex, feet reaching for the ground."""
    off = pose(rig, {"Hips.translate": (0, 0.05, 0), "Hips": (10, 0, 0), "Spine": (-6, 0, 0)})
    off |= pose(rig, {"Chest": (-8, 0, 0), "Head": (-12, 0, 0)})
    off |= even(rig, {"LeftUpperArm": (0, -44, 80), "LeftLowerArm": -18, "LeftHand": (0, 0, -16)})
    off = _both(rig, off, Foot(-0.13, 0.0, 56))
    rise = pose(rig, {"Hips.translate": (0, 0.065, 0), "Hips": (4, 0, 0), "Spine": (-4, 0, 0)})
    rise |= pose(rig, {"Chest": (-8, 0, 0), "Head": (-8, 0, 0)})
    rise |= even(rig, {"LeftUpperArm": (0, -36, 98), "LeftLowerArm": -10, "LeftHand": (0, 0, 14)})
    rise |= even(rig, {"LeftUpperLeg": (-26, 0, 2), "LeftLowerLeg": 68, "LeftFoot": (32, 0, 0)})
    rise |= even(rig, {"LeftToes": 0})
    tuck = pose(rig, {"Hips.translate": (0, 0, 0), "Hips": (14, 0, 0), "Spine": (14, 0, 0)})
    tuck |= pose(rig, {"Chest": (8, 0, 0), "Head": (-14, 0, 0)})
    tuck |= even(rig, {"LeftUpperArm": (0, -40, 44), "LeftLowerArm": -30, "LeftHand": (0, 0, 18)})
    tuck |= even(rig, {"LeftUpperLeg": (-84, 0, 8), "LeftLowerLeg": 106, "LeftFoot": (22, 0, 0)})
    fall = pose(rig, {"Hips.translate": (0, -0.01, 0), "Hips": (8, 0, 0), "Spine": (10, 0, 0)})
    fall |= pose(rig, {"Chest": (6, 0, 0), "Head": (-4, 0, 0)})
    fall |= even(rig, {"LeftUpperArm": (0, -44, 26), "LeftLowerArm": -22, "LeftHand": (0, 0, 20)})
    fall |= even(rig, {"LeftUpperLeg": (-42, 0, 5), "LeftLowerLeg": 40, "LeftFoot": (4, 0, 0)})
    touch = pose(rig, {"Hips.translate": (0, -0.035, 0), "Hips": (8, 0, 0), "Spine": (8, 0, 0)})
    touch |= pose(rig, {"Chest": (5, 0, 0), "Head": (-6, 0, 0)})
    touch |= even(rig, {"LeftUpperArm": (0, -54, 4), "LeftLowerArm": -26, "LeftHand": (0, 0, 12)})
    touch = _both(rig, touch, Foot(0.04, 0.0, 12))
    poses = {0: off, 3: rise, 8: tuck, 13: fall, 16: touch}
    lag = {"LeftHand": 1.0, "RightHand": 1.0, "Head": 1.0}
    return clip(rig, "mid_jump", poses, rate=RATE, lag=lag)


def _both(rig: Rig, posed: Pose, foot: Foot) -> Pose:
    return standing(rig, standing(rig, posed, "Left", foot), "Right", foot)
