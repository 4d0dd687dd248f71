"""The biped's skeleton: 1.72 m, A-pose, humanoid joint names.

The arms hang 45 degrees from level, palms in and down, fingers at ease. Arm and finger joints
have X along the bone, Y out of the back of the hand and Z forward; all others have the world's
axes. Euler orders let the bone's twist turn first, and their poles lie where no human joint goes:
a leg straight out to the side, a torso bent by 90 degrees. Only the upper arm has one within
reach, straight ahead, where y passes 90 degrees.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.skeleton import Joint, Vector, both_sides, root
from arcwright.kinematics.rotation import euler_from_matrix, matrix_from_euler

SHOULDER = np.array([0.168, 1.335, -0.01])
ARM = (0.0, 0.0, -45.0)  # frame of the arm, degrees
UPPER_ARM, LOWER_ARM = 0.27, 0.25  # m
LEG = 0.088  # m, of hip, knee and ankle from the middle

FINGERS: dict[str, tuple[Vector, float, tuple[float, float, float]]] = {
    # knuckle in the hand, splay in degrees, bone lengths in metres
    "Index": ((0.112, 0.002, 0.043), 4.5, (0.048, 0.032, 0.026)),
    "Middle": ((0.118, 0.004, 0.0145), 1.0, (0.053, 0.036, 0.028)),
    "Ring": ((0.112, 0.002, -0.0145), -4.0, (0.048, 0.032, 0.026)),
    "Little": ((0.1, -0.002, -0.042), -8.5, (0.038, 0.025, 0.022)),
}
BONES = ("Proximal", "Intermediate", "Distal")
CURL = (-13.0, -19.0, -13.0)  # degrees of ease per bone
THUMB: tuple[Vector, Vector, Vector] = (
    (0.032, -0.008, 0.042),
    (60.0, -46.0, -12.0),
    (0.05, 0.038, 0.032),
)


def arm_point(along: float, up: float = 0.0, ahead: float = 0.0) -> Vector:
    """A place in the left arm's frame, counted from the shoulder, in the world."""
    return _vector(SHOULDER + _rotated(ARM) @ np.array([along, up, ahead]))


def hand_point(along: float, up: float = 0.0, ahead: float = 0.0) -> Vector:
    """A place in the left hand's frame, counted from the wrist, in the world."""
    return arm_point(UPPER_ARM + LOWER_ARM + along, up, ahead)


def finger_bones(name: str) -> list[tuple[Vector, Vector, Vector]]:
    """For each bone of a left finger or thumb: start, end, and frame in degrees."""
    knuckle, rotation, lengths = _finger(name)
    start, bones = np.array(hand_point(*knuckle)), []
    for at, length in enumerate(lengths):
        bend = sum(CURL[: at + 1])
        axes = _rotated(ARM) @ rotation @ _rotated((0, 0, bend))
        end = start + axes[:, 0] * length
        bones.append((_vector(start), _vector(end), _frame(axes)))
        start = end
    return bones


def _finger(name: str) -> tuple[Vector, Floats, Vector]:
    if name == "Thumb":
        knuckle, rotation, lengths = THUMB
        return knuckle, _rotated(rotation), lengths
    knuckle, splay, lengths = FINGERS[name]
    return knuckle, _rotated((0, -splay, 0)), lengths


def _rotated(degrees: Vector) -> Floats:
    """Degrees about x, then y, then z as a matrix."""
    return matrix_from_euler(np.radians(degrees)[::-1], "ZYX")


def _frame(axes: Floats) -> Vector:
    z, y, x = np.degrees(euler_from_matrix(axes, "ZYX"))
    return (float(x), float(y), float(z))


def _vector(place: Floats) -> Vector:
    x, y, z = (round(float(each), 6) for each in place)
    return (x, y, z)


def _finger_joints(name: str) -> list[Joint]:
    rows, parent = [], "LeftHand"
    for bone, (start, _, frame) in zip(BONES, finger_bones(name), strict=True):
        own = f"Left{name}{bone}"
        rotations = {
            "Proximal": {"y": (-18.0, 18.0), "z": (-80.0, 30.0)},
            "Intermediate": {"z": (-95.0, 22.0)},
            "Distal": {"z": (-70.0, 22.0)},
        }[bone]
        if name == "Thumb":
            rotations = (
                {"y": (-35.0, 35.0), "z": (-50.0, 30.0)} if bone == "Proximal" else rotations
            )
        rows.append(Joint(own, parent, start, rotations, "YZX", 0.6, frame))
        parent = own
    return rows


def _torso() -> list[Joint]:
    bend = {"x": (-25.0, 40.0), "y": (-25.0, 25.0), "z": (-22.0, 22.0)}
    return [
        root("Hips", (0, 0.93, 0), stiffness=1.5),
        Joint("Spine", "Hips", (0, 1.03, -0.005), bend, "YXZ", 3),
        Joint("Chest", "Spine", (0, 1.14, -0.012), bend, "YXZ", 3),
        Joint("UpperChest", "Chest", (0, 1.25, -0.015), bend, "YXZ", 4),
        Joint(
            "Neck",
            "UpperChest",
            (0, 1.395, -0.012),
            {"x": (-35, 35), "y": (-40, 40), "z": (-25, 25)},
            "YXZ",
            2,
        ),
        Joint(
            "Head",
            "Neck",
            (0, 1.465, 0.0),
            {"x": (-40, 40), "y": (-55, 55), "z": (-30, 30)},
            "YXZ",
            1.5,
        ),
    ]


def _arm() -> list[Joint]:
    elbow, wrist = arm_point(UPPER_ARM), hand_point(0)
    return [
        Joint(
            "LeftShoulder",
            "UpperChest",
            (0.035, 1.35, 0.0),
            {"y": (-28, 22), "z": (-12, 38)},
            "ZYX",
            4,
        ),
        Joint(
            "LeftUpperArm",
            "LeftShoulder",
            _vector(SHOULDER),
            {"x": (-85, 85), "y": (-125, 55), "z": (-62, 135)},
            "ZYX",
            1,
            ARM,
        ),
        Joint("LeftLowerArm", "LeftUpperArm", elbow, {"y": (-150, 0)}, "ZYX", 0.8),
        Joint(
            "LeftHand",
            "LeftLowerArm",
            wrist,
            {"x": (-75, 75), "y": (-25, 30), "z": (-75, 70)},
            "ZYX",
            1,
        ),
        *(row for name in ("Thumb", *FINGERS) for row in _finger_joints(name)),
    ]


def _leg() -> list[Joint]:
    return [
        Joint(
            "LeftUpperLeg",
            "Hips",
            (LEG, 0.9, 0),
            {"x": (-130, 35), "y": (-45, 45), "z": (-30, 60)},
            "XZY",
            1.2,
        ),
        Joint("LeftLowerLeg", "LeftUpperLeg", (LEG, 0.495, 0.008), {"x": (0, 155)}, "XZY", 1),
        Joint(
            "LeftFoot",
            "LeftLowerLeg",
            (LEG, 0.09, -0.022),
            {"x": (-45, 60), "y": (-30, 30), "z": (-30, 30)},
            "XYZ",
            1.5,
        ),
        Joint("LeftToes", "LeftFoot", (LEG, 0.03, 0.115), {"x": (-70, 30)}, "XYZ", 2),
    ]


JOINTS = both_sides([*_torso(), *_arm(), *_leg()])
