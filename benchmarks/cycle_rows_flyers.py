"""Rows of table 5.1 with those that fly: the dragon eats and flies, the robot swims."""

from __future__ import annotations

from arcwright.arrays import Floats
from cycle_layers import (
    NOVICE,
    ROOT,
    Paper,
    Row,
    chain,
    held,
    pad,
    path,
    pulse,
    wave,
)


def _swimming(side: str) -> dict[str, Floats]:
    """A breaststroke: the arm reaches ahead, sweeps aside and is drawn in."""
    out = 1 if side == "Left" else -1
    return {
        f"{side}UpperArm.x": wave(45, 0.0, -55),
        f"{side}UpperArm.z": out * wave(24, 0.3, 28),
        f"{side}LowerArm.x": wave(30, 0.6, -30),
        f"{side}Hand.x": wave(20, 0.75),
    }


ROBOT_SWIM = Row(
    "robot_swim",
    "robot:hover",
    36,
    Paper(8, 23, NOVICE),
    (
        held(
            "body",
            "Body",
            path(
                0.01,
                wave(0.05, 0.3),
                wave(0.06, 0.45),
                (wave(5, 0.2, 22), wave(2, 0.4), wave(4, 0.1)),
            ),
            options=ROOT,
        ),
        pad("left arm", _swimming("Left")),
        pad("right arm", _swimming("Right")),
        pad(
            "hands",
            {
                "LeftHand.y": wave(25, 0.3),
                "RightHand.y": wave(-25, 0.3),
                "LeftFingers.x": wave(20, 0.6, -20),
                "RightFingers.x": wave(20, 0.6, -20),
            },
        ),
        pad(
            "head and fin",
            {
                "Head.x": wave(10, 0.4, -12),
                "Head.y": wave(14, 0.1),
                "Tail.x": wave(18, 0.6),
                "Tail.y": wave(20, 0.3),
            },
        ),
        pad(
            "rotors and antenna",
            {
                "LeftPylon.x": wave(20, 0.5),
                "RightPylon.x": wave(20, 0.55),
                "Antenna1.x": wave(24, 0.6),
                "Antenna2.x": wave(30, 0.7),
            },
        ),
    ),
)

_BITE = pulse(1.0, 0.45, 0.4)
DRAGON_EAT = Row(
    "dragon_eat",
    "dragon:stand",
    42,
    Paper(10, 29, "20"),
    (
        held(
            "hips",
            "Hips",
            path(
                wave(0.02, 0.3),
                -0.05 * _BITE,
                0.06 * _BITE,
                (2 * _BITE, wave(3, 0.2), wave(2, 0.1)),
            ),
        ),
        pad(
            "trunk",
            {
                "Chest.x": 10 * _BITE,
                "Spine.x": 5 * _BITE,
                "Chest.y": wave(4, 0.2),
                "Spine.y": wave(4, 0.15),
            },
        ),
        pad("neck down", {f"Neck{n}.x": (25 - 2 * n) * _BITE for n in range(1, 5)}),
        pad(
            "head",
            {
                "Neck5.x": 16 * _BITE,
                "Head.x": 14 * _BITE + wave(8, 0.45, often=3),
                "Head.y": wave(12, 0.2),
            },
        ),
        pad("jaw", {"Jaw.x": wave(15, 0.3, 17)}, ratio=0.5),
        pad("neck aside", {f"Neck{n}.y": wave(6, 0.15 + 0.03 * n) for n in range(1, 5)}),
        pad(
            "neck tilt",
            {
                "Neck1.z": wave(5, 0.3),
                "Neck2.z": wave(5, 0.33),
                "Neck3.z": wave(5, 0.36),
                "Head.z": wave(9, 0.4),
            },
        ),
        pad(
            "neck end",
            {
                "Neck4.z": wave(5, 0.39),
                "Neck5.y": wave(7, 0.3),
                "Neck5.z": wave(6, 0.42),
                "Chest.z": wave(3, 0.2),
            },
        ),
        pad("tail", {f"Tail{n}.y": wave(8, 0.07 * n) for n in (2, 4, 6, 8)}),
    ),
)

_FINGERS = (1, 2, 3)
DRAGON_FLY = Row(
    "dragon_fly",
    "dragon:hover",
    24,
    Paper(35, 51, "15"),
    (
        held(
            "body",
            "Hips",
            path(
                wave(0.01, 0.2),
                wave(0.08, 0.5),
                wave(0.03, 0.3),
                (wave(4, 0.1), wave(2, 0.4), wave(2, 0.2)),
            ),
            options=ROOT,
        ),
        pad(
            "left wing",
            {
                "LeftWingArm.z": wave(42, 0.0, 2),
                "LeftWingArm.x": wave(10, 0.25),
                "LeftWingForearm.z": wave(16, 0.06),
                "LeftWingHand.z": wave(18, 0.1),
            },
        ),
        pad(
            "right wing",
            {
                "RightWingArm.z": wave(-42, 0.0, -2),
                "RightWingArm.x": wave(10, 0.25),
                "RightWingForearm.z": wave(-16, 0.06),
                "RightWingHand.z": wave(-18, 0.1),
            },
        ),
        pad(
            "left fingers",
            {f"LeftWingFinger{n}.z": wave(8, 0.14 + 0.01 * n) for n in _FINGERS}
            | {"LeftWingFinger1Tip.z": wave(-18, 0.2)},
        ),
        pad(
            "right fingers",
            {f"RightWingFinger{n}.z": wave(-8, 0.14 + 0.01 * n) for n in _FINGERS}
            | {"RightWingFinger1Tip.z": wave(18, 0.2)},
        ),
        pad(
            "finger tips",
            {
                "LeftWingFinger2Tip.z": wave(-18, 0.21),
                "LeftWingFinger3Tip.z": wave(-18, 0.22),
                "RightWingFinger2Tip.z": wave(18, 0.21),
                "RightWingFinger3Tip.z": wave(18, 0.22),
            },
        ),
        pad(
            "sweep",
            {
                "LeftWingArm.y": wave(10, 0.25),
                "RightWingArm.y": wave(-10, 0.25),
                "LeftWingHand.y": wave(14, 0.3, 6),
                "RightWingHand.y": wave(-14, 0.3, -6),
            },
        ),
        pad("neck", chain("Neck", range(1, 5), "x", 6, 0.04, 0.4)),
        pad(
            "head",
            {
                "Neck5.x": wave(6, 0.62),
                "Head.x": wave(8, 0.1, -8),
                "Head.y": wave(10, 0.3),
                "Jaw.x": wave(8, 0.5, 10),
            },
        ),
        pad("tail root", chain("Tail", range(1, 5), "x", 9, 0.05, 0.5)),
        pad("tail end", chain("Tail", range(5, 9), "x", 12, 0.05, 0.5)),
        pad(
            "tail sway",
            {f"Tail{n}.y": wave(12, 0.06 * n) for n in (2, 4, 6, 8)},
            ratio=2.0,
            cycles=4,
        ),
        pad(
            "trunk and legs",
            {
                "Spine.x": wave(4, 0.5),
                "Chest.x": wave(5, 0.55),
                "LeftUpperLeg.x": wave(8, 0.6),
                "RightUpperLeg.x": wave(8, 0.62),
            },
        ),
    ),
)
