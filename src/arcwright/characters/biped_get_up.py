"""The biped gets up, from its front and from its back: hands push, knee and feet come under."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from arcwright.characters.biped_idle import first_pose
from arcwright.characters.biped_limbs import (
    Foot,
    Hand,
    ball_contact,
    fingers,
    foot_of,
    palm_contact,
    with_foot,
    with_hand,
)
from arcwright.characters.biped_steps import Written, even
from arcwright.characters.ik_track import Span
from arcwright.characters.posing import Pose, clip, mirrored, pose
from arcwright.characters.recipe import Stage
from arcwright.characters.skeleton import Vector
from arcwright.scene.clip import Clip
from arcwright.scene.rig import Rig

RATE = 24.0
FRAMES = 56
HIPS = 0.93  # m, of the hips in the rest pose
STILL: Vector = (0, 0, 0)


class Trunk(NamedTuple):
    """The hips in the world (m), and the spine up to the head in degrees."""

    at: Vector
    hips: Vector
    spine: Vector = STILL
    chest: Vector = STILL
    upper: Vector = STILL
    neck: Vector = STILL
    head: Vector = STILL

    def posed(self, rig: Rig) -> Pose:
        """These seven as a pose."""
        x, y, z = self.at
        names = ("Hips", "Spine", "Chest", "UpperChest", "Neck", "Head")
        turned = dict(zip(names, self[1:], strict=True))
        return pose(rig, turned | {"Hips.translate": (x, y - HIPS, z)})


FRONT: Mapping[int, Trunk] = {
    0: Trunk((0, 0.11, -0.12), (90, 0, 0), neck=(-8, 34, 0), head=(-14, 44, 0)),  # on a cheek
    9: Trunk((0, 0.11, -0.12), (90, 0, 0), (-4, 0, 0), (-6, 0, 0), STILL, (-20, 6, 0), (-20, 8, 0)),
    15: Trunk(  # the chest pushed up
        (0, 0.125, -0.13),
        (84, 0, 0),
        (-20, 0, 0),
        (-20, 0, 0),
        (-10, 0, 0),
        (-12, 0, 0),
        (-20, 0, 0),
    ),
    20: Trunk(
        (0, 0.33, -0.2), (74, 0, 0), (-10, 0, 0), (-8, 0, 0), (-2, 0, 0), (-14, 0, 0), (-24, 0, 0)
    ),
    25: Trunk(  # on all fours
        (-0.01, 0.462, -0.38), (76, 0, 0), (8, 0, 0), (8, 0, 0), (4, 0, 0), (-20, 0, 0), (-30, 0, 0)
    ),
    29: Trunk(  # over the right knee and hand, the left leg comes through
        (-0.03, 0.485, -0.34),
        (58, 0, 0),
        (20, 8, 8),
        (16, 8, 8),
        (8, 4, 4),
        (-20, 0, 0),
        (-30, 0, 0),
    ),
    32: Trunk(
        (-0.02, 0.48, -0.3),
        (24, 0, 0),
        (34, 6, 6),
        (32, 6, 6),
        (18, 4, 4),
        (-20, 0, 0),
        (-30, 0, 0),
    ),
    38: Trunk(
        (0, 0.53, -0.29), (42, 0, 0), (14, 0, 0), (10, 0, 0), (4, 0, 0), (-14, 0, 0), (-24, 0, 0)
    ),
    43: Trunk(  # rising over the left foot
        (0.035, 0.68, -0.14), (42, 0, 0), (14, 0, 0), (8, 0, 0), (2, 0, 0), (-12, 0, 0), (-26, 0, 0)
    ),
    49: Trunk(
        (0.02, 0.825, -0.02), (18, 0, 0), (8, 0, 0), (4, 0, 0), STILL, (-6, 0, 0), (-14, 0, 0)
    ),
}
FRONT_ARMS: Mapping[int, Written] = {  # of both sides
    0: {"LeftUpperArm": (0, -20, 30), "LeftLowerArm": -70},
    38: {"LeftUpperArm": (10, -38, -22), "LeftLowerArm": -46, "LeftHand": (6, 2, -8)},
    43: {"LeftUpperArm": (10, -6, -26), "LeftLowerArm": -34, "LeftHand": (4, 1, -14)},
    49: {"LeftUpperArm": (0, 14, -28), "LeftLowerArm": -20},
}
PRONE: Written = {"LeftUpperLeg": (-4, 0, 4), "LeftLowerLeg": 8, "LeftFoot": (52, 0, 0)}
THROUGH: Written = {"LeftUpperLeg": (-124, 8, 28), "LeftLowerLeg": 150, "LeftFoot": (-44, 0, 0)}
SPREAD = Hand(0.4, 0.5, -20.0)  # beside the head
PUSH = Hand(0.28, 0.34, 5.0)  # beside the chest
OVER = PUSH._replace(tilt=16.0)  # under the shoulders, on the balls of the hands
PUSHING: Mapping[str, Span] = {"Left": (9.0, 26.0), "Right": (9.0, 29.0)}
LEFT_KNEE, RIGHT_KNEE = (25.0, 26.0), (25.0, 42.0)  # frames on a knee and tucked toes
LEFT_STEP, RIGHT_STEP = 33.0, 49.0  # frames in which the feet are set down


def get_up_front(rig: Rig) -> Clip:
    """Prone: push the chest up, hips back over the knees, left foot through, rise, right foot."""
    poses = {frame: row.posed(rig) for frame, row in FRONT.items()}
    for frame, arms in FRONT_ARMS.items():
        poses[frame] |= even(rig, arms)
    lying = poses[0] | even(rig, PRONE | {"LeftToes": 29})
    poses[29] |= pose(rig, THROUGH | {"LeftToes": -40})
    poses[FRAMES] = first_pose(rig)
    for frame, bend, lift in ((0, -1, 0), (9, -1, 0), (20, -1, 16), (32, -1, 16), (40, 0, 0)):
        hand = fingers(rig, "Left", bend, lift)
        poses[frame] = poses.get(frame, {}) | hand | mirrored(hand)
    made = clip(rig, "get_up_front", poses, rate=RATE, lag={"Head": 1.0})
    made = _kneeling_up(rig, made, foot_of(rig, lying, "Left"))
    for side, (start, end) in PUSHING.items():
        hands = {0: SPREAD, 5: Hand(0.34, 0.44, -8, 0.03), start: PUSH, 15: PUSH._replace(tilt=8)}
        hands |= {20: OVER, end: OVER, end + 4: Hand(0.26, 0.28, 0, 0.16, 45)}
        made = with_hand(rig, made, side, hands, [(start, end)])
    return made


def _kneeling_up(rig: Rig, made: Clip, flat: Foot) -> Clip:
    """Both legs: lying, toes tucked under the knees, then a step each to where idle stands."""
    knee = Foot(-0.917, 0.0, 68, wide=0.1, yaw=2)
    tuck = Foot((flat.ahead + knee.ahead) / 2, 0.075, 104, -70, 0.105, 4)
    under = {0: flat, 19: flat, 22: tuck, LEFT_KNEE[0]: knee}
    right = under | {RIGHT_KNEE[1]: knee, 46: Foot(-0.4, 0.09, 50, -30)}
    right |= {RIGHT_STEP: Foot(), FRAMES: Foot()}
    made = with_foot(rig, made, "Right", right, [RIGHT_KNEE, (RIGHT_STEP, FRAMES)])
    lifted = LEFT_KNEE[1]
    made = with_foot(rig, made, "Left", under | {lifted: knee}, [LEFT_KNEE], (0.0, lifted))
    left = {LEFT_STEP: Foot(pitch=16, knee=12), 37: Foot(), FRAMES: Foot()}
    standing = (LEFT_STEP, float(FRAMES))
    return with_foot(rig, made, "Left", left, [standing], standing)


def get_up_front_stage() -> Stage:
    """Hands that push, balls of the feet under the knees, feet from where they step to."""
    hands = (palm_contact(side, span, RATE) for side, span in PUSHING.items())
    balls = (
        ball_contact("Left", LEFT_KNEE, RATE),
        ball_contact("Right", RIGHT_KNEE, RATE),
        ball_contact("Left", (LEFT_STEP, FRAMES), RATE),
        ball_contact("Right", (RIGHT_STEP, FRAMES), RATE),
    )
    return Stage(constraints=(*hands, *balls))


BACK: Mapping[int, Trunk] = {
    0: Trunk((0, 0.122, -0.42), (-90, 0, 0), (2, 0, 0), (2, 0, 0), (2, 0, 0), (4, 0, 0), (4, 6, 0)),
    9: Trunk(  # head and shoulders first
        (0, 0.124, -0.42), (-80, 0, 0), (14, 0, 0), (14, -4, 0), (10, -4, 0), (16, 0, 0), (14, 0, 0)
    ),
    18: Trunk(  # sitting, turned to the right hand
        (-0.02, 0.13, -0.42),
        (-34, -8, 0),
        (20, -6, 0),
        (18, -6, 0),
        (10, -2, 0),
        (4, 8, 0),
        (-4, 12, 0),
    ),
    26: Trunk(  # hips pushed off the ground
        (-0.03, 0.215, -0.345),
        (-14, -10, 3),
        (27, -6, 7),
        (20, -6, 4),
        (8, 0, 0),
        (-6, 6, 0),
        (-16, 8, 0),
    ),
    33: Trunk(  # squatting over the feet
        (0, 0.4, -0.16), (8, 0, 0), (28, 0, 0), (24, 0, 0), (10, 0, 0), (-14, 0, 0), (-28, 0, 0)
    ),
    43: Trunk(
        (0, 0.64, -0.09), (34, 0, 0), (16, 0, 0), (10, 0, 0), (4, 0, 0), (-12, 0, 0), (-28, 0, 0)
    ),
    50: Trunk((0, 0.865, -0.02), (10, 0, 0), (5, 0, 0), (2, 0, 0), head=(-8, 0, 0)),
}
BACK_ARMS: Mapping[int, Written] = {
    0: {
        "LeftUpperArm": (-60, 10.5, -12),
        "LeftLowerArm": -22,
        "LeftHand": (0, 0, -6),
        "RightUpperArm": (-60, -10.5, 12),
        "RightLowerArm": 22,
        "RightHand": (0, 0, 6),
    },
    9: {
        "LeftUpperArm": (-10, -26, 14),
        "LeftLowerArm": -24,
        "RightUpperArm": (0, 14, 4),
        "RightLowerArm": 62,
    },
    18: {
        "LeftUpperArm": (-20, -44, 26),
        "LeftLowerArm": -22,
        "LeftHand": (0, 0, 8),
        "RightUpperArm": (10, 1, 30),
        "RightLowerArm": 61,
        "RightHand": (44, 2, -60),
    },
    26: {"LeftUpperArm": (-20, -60, 40), "LeftLowerArm": -20},
    33: {
        "LeftUpperArm": (-20, -62, 48),
        "LeftLowerArm": -34,
        "LeftHand": (0, 0, 4),
        "RightUpperArm": (-16, 52, -36),
        "RightLowerArm": 44,
        "RightHand": (4, -1, -4),
    },
    43: {
        "LeftUpperArm": (0, -24, -14),
        "LeftLowerArm": -32,
        "LeftHand": (0, 0, -14),
        "RightUpperArm": (0, 24, 14),
        "RightLowerArm": 32,
        "RightHand": (0, 0, 14),
    },
    50: {
        "LeftUpperArm": (0, 14, -28),
        "LeftLowerArm": -18,
        "RightUpperArm": (0, -14, 28),
        "RightLowerArm": 18,
    },
}
PROP = Hand(0.36, -0.45, 100.0, tilt=16.0)  # beside the right hip, fingers outward
PROPPING: Span = (17.0, 26.0)
SET_DOWN: Mapping[str, float] = {"Left": 10.0, "Right": 12.0}  # frames, of the feet


def get_up_back(rig: Rig) -> Clip:
    """Supine: feet in, curl up onto the right hand, push the hips over the feet, rise."""
    poses = {frame: row.posed(rig) | pose(rig, BACK_ARMS[frame]) for frame, row in BACK.items()}
    poses[FRAMES] = first_pose(rig)
    for frame, bend, lift in ((0, 0, 0), (16, -1, 16), (26, -1, 16), (34, 0, 0)):
        poses[frame] = poses.get(frame, {}) | fingers(rig, "Right", bend, lift)
    made = clip(rig, "get_up_back", poses, rate=RATE, lag={"Head": 1.0, "LeftHand": 1.0})
    heel = Foot(0.37, 0.17, -70, 70, 0.16, 14)
    for side, down in SET_DOWN.items():
        feet = {0: heel, down - 8: heel, down - 4: Foot(0.2, 0.1, -24, 24, 0.13, 8)}
        feet |= {down: Foot(knee=14), 22: Foot(knee=14), 29: Foot(pitch=22, knee=22)}
        feet |= {35: Foot(pitch=22, knee=20), 43: Foot(knee=8), FRAMES: Foot()}
        made = with_foot(rig, made, side, feet, [(down, FRAMES)])
    start, end = PROPPING
    hands = {start: PROP, end: PROP, end + 4: PROP._replace(high=0.16, tilt=40, ahead=-0.36)}
    return with_hand(rig, made, "Right", hands, [PROPPING])


def get_up_back_stage() -> Stage:
    """The hand that props, and both feet from where they are set down."""
    feet = (ball_contact(side, (down, FRAMES), RATE) for side, down in SET_DOWN.items())
    return Stage(constraints=(palm_contact("Right", PROPPING, RATE), *feet))
