"""The biped's clay: a smooth mannequin in a suit, with gloves, shoes, and a face that looks.

Head, gloves and shoes are pieces of their own: finer than the body, crisp where they end.
All pieces take their hold from the same primitives, so they bend together.
"""

from __future__ import annotations

from dataclasses import replace

from arcwright.characters.biped_joints import (
    BONES,
    FINGERS,
    LEG,
    LOWER_ARM,
    UPPER_ARM,
    arm_point,
    finger_bones,
    hand_point,
)
from arcwright.characters.recipe import Sculpture
from arcwright.characters.sdf_primitive import SdfPrimitive, ball, block, both_sides, limb, mirrored

PALETTE = {
    "suit": ("#22a097", 0.0, 0.7),
    "trousers": ("#2f6690", 0.0, 0.75),
    "skin": ("#f0d7b8", 0.0, 0.6),
    "glove": ("#ebe1d0", 0.0, 0.65),
    "hair": ("#e8744f", 0.0, 0.7),
    "sole": ("#e8744f", 0.0, 0.8),
    "eye": ("#ffffff", 0.0, 0.25),
    "dark": ("#1d2733", 0.0, 0.3),
}
TILT = (0.0, 0.0, -45.0)  # of the left arm


def sculptures() -> list[Sculpture]:
    """Every closed piece of the character."""
    body, head = both_sides([*_torso(), *_leg(), *_arm()]), _head()
    hand, foot = _hand(), _foot()
    holders = [*body, *head, *both_sides([*hand, *foot])]
    floor = block("Hips", (0, -0.5, 0), (1, 0.5, 1), 0.001, blend=0.008, carve=True)
    shoe = [*foot, floor, *_sole()]
    pieces = [
        Sculpture([*body, _shirt()], 0.006, 7000),
        Sculpture(head, 0.004, 2600),
        Sculpture(hand, 0.003, 3000),
        Sculpture([mirrored(each) for each in hand], 0.003, 3000),
        Sculpture(shoe, 0.011),
        Sculpture([mirrored(each) for each in shoe], 0.011),
    ]
    features = [Sculpture(primitives, 0.0025, faces) for primitives, faces in _features()]
    return [*(replace(each, holders=holders) for each in pieces), *features]


def _torso() -> list[SdfPrimitive]:
    return [
        ball("Hips", (0, 0.945, -0.004), (0.124, 0.095, 0.092), colour="trousers", soft=0.03),
        ball("Hips", (0, 0.9, -0.03), (0.116, 0.075, 0.088), blend=0.05, soft=0.03),
        ball("Spine", (0, 1.05, 0.0), (0.109, 0.125, 0.086), blend=0.09, soft=0.03),
        ball("Chest", (0, 1.165, -0.004), (0.126, 0.12, 0.1), blend=0.09, soft=0.03),
        ball("UpperChest", (0, 1.275, -0.008), (0.15, 0.11, 0.106), blend=0.08, soft=0.03),
        limb("UpperChest", (0, 1.36, -0.018), (0, 1.4, -0.012), 0.066, 0.06, blend=0.05),
        limb("LeftShoulder", (0.06, 1.35, -0.012), (0.13, 1.348, -0.012), 0.05, 0.052, blend=0.05),
    ]


def _head() -> list[SdfPrimitive]:
    return [
        ball("Head", (0, 1.598, 0.014), (0.114, 0.122, 0.122), colour="skin", soft=0.02),
        ball("Head", (0, 1.53, 0.042), (0.084, 0.07, 0.082), blend=0.06, soft=0.02),
        limb("Neck", (0, 1.36, -0.012), (0, 1.49, 0.0), 0.045, 0.045, blend=0.03, soft=0.02),
        ball("Head", (0, 1.565, 0.14), (0.017, 0.017, 0.02), blend=0.012),
        ball("Head", (0.112, 1.57, 0.005), (0.014, 0.028, 0.022), (0, 0, -8), blend=0.012),
        ball("Head", (-0.112, 1.57, 0.005), (0.014, 0.028, 0.022), (0, 0, 8), blend=0.012),
        ball(
            "Head",
            (0, 1.628, -0.014),
            (0.121, 0.113, 0.124),
            (-14, 0, 0),
            blend=0.004,
            colour="hair",
        ),
        limb("Head", (-0.02, 1.722, 0.03), (0.03, 1.742, 0.088), 0.034, 0.014, blend=0.03),
        limb("Head", (0.0, 1.735, -0.02), (0.02, 1.77, 0.03), 0.026, 0.01, blend=0.03),
    ]


def _features() -> list[tuple[list[SdfPrimitive], int]]:
    """Eyes with pupils, brows whose tilt gives the face its mood, and a smile."""
    left = [
        (ball("Head", (0.043, 1.6, 0.121), (0.027, 0.036, 0.016), (-6, 20, 0), colour="eye"), 300),
        (
            ball("Head", (0.041, 1.598, 0.133), (0.014, 0.02, 0.008), (-6, 18, 0), colour="dark"),
            160,
        ),
        (
            limb(
                "Head", (0.026, 1.662, 0.118), (0.064, 1.66, 0.0975), 0.0055, 0.0045, colour="dark"
            ),
            160,
        ),
    ]
    corner, middle = (0.032, 1.53, 0.121), (0.009, 1.521, 0.1305)
    smile = [limb("Head", corner, middle, 0.0035, 0.0045, colour="dark", blend=0.001)]
    smile += [mirrored(smile[0])]
    smile += [limb("Head", middle, (-0.009, 1.521, 0.1305), 0.0045, 0.0045, blend=0.001)]
    pairs = [
        ([each], faces) for primitive, faces in left for each in (primitive, mirrored(primitive))
    ]
    return [*pairs, (smile, 300)]


def _arm() -> list[SdfPrimitive]:
    shoulder, elbow, wrist = arm_point(0), arm_point(UPPER_ARM), hand_point(-0.004)
    calf = arm_point(UPPER_ARM + 0.3 * LOWER_ARM, 0, -0.002)
    return [
        ball("LeftUpperArm", arm_point(0.008), 0.058, blend=0.05),
        limb("LeftUpperArm", shoulder, elbow, 0.05, 0.0385, blend=0.03, soft=0.013),
        limb("LeftLowerArm", elbow, wrist, 0.0385, 0.029, blend=0.003, soft=0.013),
        ball("LeftLowerArm", calf, (0.085, 0.041, 0.043), TILT, blend=0.02, soft=0.013),
    ]


def _hand() -> list[SdfPrimitive]:
    cuff, heel = hand_point(-0.036), hand_point(0.012)
    primitives = [
        limb("LeftHand", heel, hand_point(0.05), 0.034, 0.03, colour="glove", soft=0.012),
        block(
            "LeftHand", hand_point(0.068), (0.055, 0.023, 0.058), 0.022, TILT, blend=0.02, soft=0.01
        ),
        ball(
            "LeftHand",
            hand_point(0.048, -0.01, 0.034),
            (0.042, 0.022, 0.026),
            (0, -20, -45),
            blend=0.02,
        ),
        limb("LeftLowerArm", cuff, hand_point(-0.022), 0.044, 0.042, blend=0.02, soft=0.013),
    ]
    for name in ("Thumb", *FINGERS):
        thick = 0.0165 if name == "Thumb" else 0.0122 if name == "Little" else 0.0135
        for at, (start, end, _) in enumerate(finger_bones(name)):
            big, small = thick - 0.0007 * at, thick - 0.0007 * (at + 1)
            blend = 0.01 if at == 0 else 0.001
            joint = f"Left{name}{BONES[at]}"
            primitives.append(limb(joint, start, end, big, small, blend=blend, soft=0.004))
    return primitives


def _leg() -> list[SdfPrimitive]:
    hip, knee, ankle = (LEG, 0.89, 0), (LEG, 0.495, 0.006), (LEG, 0.1, -0.02)
    return [
        limb("LeftUpperLeg", hip, knee, 0.077, 0.052, blend=0.03, soft=0.02),
        ball(
            "LeftUpperLeg", (LEG + 0.004, 0.77, 0.012), (0.072, 0.13, 0.079), blend=0.03, soft=0.02
        ),
        limb("LeftLowerLeg", knee, ankle, 0.052, 0.033, blend=0.003, soft=0.017),
        ball("LeftLowerLeg", (LEG, 0.38, -0.018), (0.049, 0.11, 0.053), blend=0.03, soft=0.017),
    ]


def _foot() -> list[SdfPrimitive]:
    """A big soft shoe: heel, instep, ball, toe cap, and a collar that the shin carries."""
    foot, toes, shin = "LeftFoot", "LeftToes", "LeftLowerLeg"
    return [
        limb(
            foot, (LEG, 0.105, -0.02), (LEG, 0.07, -0.018), 0.046, 0.048, colour="glove", soft=0.012
        ),
        ball(foot, (LEG, 0.04, -0.045), (0.048, 0.052, 0.052), blend=0.02, soft=0.012),
        limb(
            foot,
            (LEG, 0.07, -0.005),
            (LEG + 0.003, 0.038, 0.065),
            0.05,
            0.046,
            blend=0.03,
            soft=0.012,
        ),
        ball(foot, (LEG + 0.004, 0.025, 0.07), (0.056, 0.046, 0.05), blend=0.03, soft=0.012),
        ball(toes, (LEG + 0.006, 0.03, 0.143), (0.058, 0.047, 0.078), blend=0.03, soft=0.012),
        limb(shin, (LEG, 0.132, -0.02), (LEG, 0.126, -0.02), 0.053, 0.053, blend=0.015, soft=0.012),
    ]


def _shirt() -> SdfPrimitive:
    """Paint from the waist to the sleeves."""
    return block("Chest", (0, 1.25, 0), (0.168, 0.262, 0.3), 0.02, colour="suit", paint=True)


def _sole() -> list[SdfPrimitive]:
    under = block(
        "LeftFoot", (LEG, -0.03, 0.05), (0.2, 0.048, 0.3), 0.001, colour="sole", paint=True
    )
    return [under]
