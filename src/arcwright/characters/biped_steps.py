"""The biped's feet: planted at key poses, and kept there between them by the handles."""

from __future__ import annotations

import numpy as np

from arcwright.characters.posing import (
    Pose,
    mirrored,
    only,
    point_position,
    pose,
    pose_at,
    solve_ik,
    with_fitted_handles,
)
from arcwright.characters.skeleton import Vector
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig

HEEL: Vector = (0.0, -0.09, -0.07)  # m, under the heel, in the foot
BALL: Vector = (0.0, -0.06, 0.137)  # m, the toes' joint, in the foot
SOLE = 0.09  # m, of the ankle above the floor
ANKLE = -0.022  # m, of the ankle before the middle
LEG_LENGTH = 0.9  # m, from the hip to the sole
WIDE = 0.105  # m, of a standing foot from the middle
Written = dict[str, float | tuple[float, ...]]


def even(rig: Rig, written: Written) -> Pose:
    """A pose in which the right side does as the left."""
    left = pose(rig, written)
    return mirrored(left) | left


def leg(side: str) -> tuple[str, ...]:
    """The joints of one leg."""
    return tuple(f"{side}{part}" for part in ("UpperLeg", "LowerLeg", "Foot", "Toes"))


def step(
    rig: Rig,
    posed: Pose,
    side: str,
    ahead: float,
    *,
    wide: float = WIDE,
    high: float = 0.0,
    pitch: float = 0.0,
    yaw: float = 6.0,
) -> Pose:
    """The pose with one foot at `ahead` m: flat, on its heel (pitch < 0) or on its ball (> 0)."""
    sign = 1 if side == "Left" else -1
    pivot = HEEL if pitch < 0 else BALL
    at = (sign * wide, high + SOLE + pivot[1], ahead + pivot[2] + ANKLE)
    bent = kneeling(rig, side, posed, at) | posed | pose(rig, {f"{side}Toes": -max(pitch, 0.0)})
    return solve_ik(rig, bent, f"{side}Foot", at, (pitch, sign * yaw, 0.0), point=pivot)


def kneeling(rig: Rig, side: str, posed: Pose, at: Vector) -> Pose:
    """A first guess for a leg: the knee bends forward as far as the foot is near."""
    way = np.array(at) - point_position(rig, posed, f"{side}UpperLeg")
    bend = 2 * np.degrees(np.arccos(min(float(np.linalg.norm(way)) / LEG_LENGTH, 1.0)))
    swing = np.degrees(np.arctan2(way[2], -way[1])) + np.degrees(posed.get("Hips.rotate.x", 0.0))
    return pose(rig, {f"{side}UpperLeg": (-swing - bend / 2, 0, 0), f"{side}LowerLeg": bend})


def feet(rig: Rig, posed: Pose, ahead: float = 0.0, high: float = 0.0, pitch: float = 0.0) -> Pose:
    """Both feet side by side."""
    left = step(rig, posed, "Left", ahead, high=high, pitch=pitch)
    return step(rig, left, "Right", ahead, high=high, pitch=pitch)


def stays(
    rig: Rig,
    played: Clip,
    side: str,
    span: tuple[float, float],
    ahead: float,
    *,
    wide: float = WIDE,
    high: float = 0.0,
    pitch: tuple[float, float] = (0.0, 0.0),
    yaw: float = 6.0,
) -> Clip:
    """The clip with one leg's handles fitted so that its foot stays put between two keys."""
    start, end = span
    poses: dict[float, Pose] = {}
    for frame in np.arange(start + 0.5, end, 0.5):
        share = (frame - start) / (end - start)
        tip = pitch[0] + (pitch[1] - pitch[0]) * share**1.5
        held = step(
            rig, pose_at(rig, played, frame), side, ahead, wide=wide, high=high, pitch=tip, yaw=yaw
        )
        poses[float(frame)] = only(held, *leg(side))
    return with_fitted_handles(rig, played, poses)


def both_stay(
    rig: Rig,
    played: Clip,
    span: tuple[float, float],
    ahead: float = 0.0,
    high: float = 0.0,
    pitch: tuple[float, float] = (0.0, 0.0),
) -> Clip:
    """As `stays`, for two feet side by side."""
    left = stays(rig, played, "Left", span, ahead, high=high, pitch=pitch)
    return stays(rig, left, "Right", span, ahead, high=high, pitch=pitch)


def at_ease(rig: Rig, ahead: float = 0.0, high: float = 0.0) -> Pose:
    """Standing, knees a little bent, arms hanging."""
    arms: Written = {"LeftUpperArm": (0, -5, -32), "LeftLowerArm": -18, "LeftHand": (0, 0, -6)}
    body: Written = {
        "Hips.translate": (0, high - 0.035, ahead),
        "Hips": (0, 0, 0),
        "Spine": (2, 0, 0),
    }
    return feet(rig, even(rig, arms) | pose(rig, body), ahead, high)
