"""The biped with a guitar: it sways and strums; four fingertips hold a chord on the moving neck."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.biped_joints import FINGERS
from arcwright.characters.biped_steps import Written, both_stay, even, feet
from arcwright.characters.guitar import FACE, RATE, guitar, world_from_guitar
from arcwright.characters.posing import Pose, clip, only, pose, pose_at, solve_ik
from arcwright.characters.recipe import Stage
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import euler_from_matrix
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

GRIP = (0.405, -0.105, FACE - 0.044)  # m, of the left wrist on the guitar
LIFT = 60.0  # degrees: how far the hand leans away from the neck
CURL = (-40.0, -60.0, -20.0)  # degrees, of the three bones of a finger
STRUM = {0: 0.045, 6: -0.045, 12: 0.045, 18: -0.045, 24: 0.045}  # frame: m above the middle string
REACH = 0.21  # m, from the right wrist to where its fingers strum


def play(rig: Rig) -> Clip:
    """Three poses of the body, five of the strumming arm; the left hand goes with the neck."""
    body = {0: _swung(rig, 0), 12: _swung(rig, 12), 24: _swung(rig, 24)}
    base = clip(rig, "guitar", body, rate=RATE)
    poses: dict[int, Pose] = dict(body)
    for frame, high in STRUM.items():
        arm = _strumming(rig, pose_at(rig, base, frame), frame, high)
        poses[frame] = poses.get(frame, {}) | only(
            arm, "RightUpperArm", "RightLowerArm", "RightHand"
        )
    made = clip(rig, "guitar", poses, rate=RATE)
    return both_stay(rig, both_stay(rig, made, (0, 12)), (12, 24))


def stage() -> Stage:
    """The guitar; its neck carries the fingertips, the floor the feet."""
    neck = Point("Guitar", character="Guitar")
    end = max(STRUM) / RATE
    tips = tuple(Contact(fingertip(name), 0.0, end, relative_to=neck) for name in FINGERS)
    soles = tuple(
        Contact(Point(f"{side}Foot"), 0.0, end, orientation=True) for side in ("Left", "Right")
    )
    return Stage((guitar(),), (*soles, *tips))


def fingertip(name: str) -> Point:
    """The end of a finger of the left hand."""
    return Point(f"Left{name}Distal", np.array([FINGERS[name][2][2], 0.0, 0.0]))


def _swung(rig: Rig, frame: int) -> Pose:
    """Weight on one leg, the chest turned with the neck, the chord held."""
    far = frame == 12
    side = 1.0 if far else -1.0
    posed = even(rig, {"LeftUpperArm": (0, -5, -32), "LeftLowerArm": -18})
    posed |= pose(
        rig,
        {
            "Hips.translate": (0.03 * side, -0.035 - 0.01 * far, 0.0),
            "Hips": (0, -4 * side, -2 * side),
            "Spine": (2, -3 * side, 2 * side),
            "Chest": (2, -5 * side, 3 * side),
            "Head": (12 if far else 2, 14, 4 * side),
        },
    )
    return _holding(rig, feet(rig, posed), frame)


def _holding(rig: Rig, posed: Pose, frame: int) -> Pose:
    """The left hand on the neck, all four fingers on the strings, the thumb behind."""
    arm: Written = {"LeftUpperArm": (-15, -30, -45), "LeftLowerArm": -90, "LeftHand": (-55, 0, -57)}
    arm |= {"LeftThumbProximal": (-34, -12), "LeftThumbIntermediate": -15.0}
    for name in FINGERS:
        arm[f"Left{name}Proximal"] = (0.0, CURL[0])
        arm[f"Left{name}Intermediate"], arm[f"Left{name}Distal"] = CURL[1:]
    lift = np.radians(LIFT)
    along = np.array([0.0, np.cos(lift), np.sin(lift)])
    back = np.array([0.0, -np.sin(lift), np.cos(lift)])
    return _with_hand_at(
        rig, posed | pose(rig, arm), "LeftHand", frame, np.array(GRIP), along, back
    )


def _strumming(rig: Rig, posed: Pose, frame: int, high: float) -> Pose:
    """The right hand with its fingers across the strings, palm to the guitar."""
    guess: Written = {
        "RightUpperArm": (7, -12, 8),
        "RightLowerArm": 105,
        "RightHand": (10, 0, 45),
    }
    down = np.array([0.34, -0.94, 0.03])  # of the fingers, on the guitar
    back = np.array([0.28, 0.07, 0.96])
    wrist = np.array([0.0, high, FACE + 0.01]) - REACH * down
    return _with_hand_at(rig, posed | pose(rig, guess), "RightHand", frame, wrist, -down, back)


def _with_hand_at(
    rig: Rig, posed: Pose, hand: str, frame: int, wrist: Floats, along: Floats, back: Floats
) -> Pose:
    """The pose with a hand on the guitar: its x axis near `along`, its back facing `back`."""
    world = world_from_guitar(frame)
    x = along / np.linalg.norm(along)
    y = back - x * (x @ back)
    y /= np.linalg.norm(y)
    turned = world[:3, :3] @ np.stack([x, y, np.cross(x, y)], axis=1)
    rest = forward(rig, rig.channels.default[None])[0, rig.joint(hand), :3, :3]
    about_z, about_y, about_x = np.degrees(euler_from_matrix(turned @ rest.T, "ZYX")).tolist()
    place = world[:3, :3] @ wrist + world[:3, 3]
    return solve_ik(rig, posed, hand, place.tolist(), (about_x, about_y, about_z))
