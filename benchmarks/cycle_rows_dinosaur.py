"""Rows of table 5.1 with the dinosaur: walk, dance, leap."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from cycle_layers import (
    ARM,
    LIMB,
    NOVICE,
    PHASES,
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


def _step(late: float, stride: float, high: float, pitch: float) -> Floats:
    """A foot: back along the floor for 60 % of the cycle, then forward through the air."""
    share = (PHASES - late) % 1
    swing = np.clip((share - 0.6) / 0.4, 0, 1)
    along = np.where(share < 0.6, 0.5 - share / 0.6, -0.5 + swing**2 * (3 - 2 * swing))
    lift = np.sin(np.pi * swing) ** 2
    return path(
        0.02 * lift,
        high * lift,
        stride * along,
        (pitch * np.sin(2 * np.pi * swing), 2.0 * along, 3.0 * lift),
    )


DINOSAUR_WALK = Row(
    "dinosaur_walk",
    "dinosaur:stand",
    28,
    Paper(13, 39, NOVICE),
    (
        held(
            "hips",
            "Hips",
            path(
                wave(0.03, 0.3),
                wave(0.02, 0.1, -0.04, often=2),
                wave(0.01, often=2),
                (wave(2, often=2), wave(6, 0.55), wave(3, 0.3)),
            ),
        ),
        held("left foot", "LeftFoot", _step(0.0, 0.36, 0.13, 24), options=LIMB),
        held("right foot", "RightFoot", _step(0.5, 0.36, 0.13, 24), options=LIMB),
        pad(
            "trunk",
            {
                "Spine.y": wave(6, 0.05),
                "Chest.y": wave(7, 0.08),
                "Spine.z": wave(3, 0.3),
                "Chest.z": wave(3, 0.35),
            },
        ),
        pad(
            "head",
            {
                "Neck.x": wave(6, 0.15, often=2),
                "Head.x": wave(6, 0.4, often=2),
                "Neck.y": wave(5, 0.55),
                "Head.y": wave(6, 0.58),
            },
        ),
        pad("tail root", chain("Tail", range(1, 5), "y", 10, 0.06)),
        pad("tail end", chain("Tail", range(5, 9), "y", 14, 0.06)),
        pad(
            "arms",
            {
                "LeftUpperArm.x": wave(12, 0.5, -14),
                "RightUpperArm.x": wave(12, 0.0, -14),
                "LeftLowerArm.x": wave(10, 0.55, -8),
                "RightLowerArm.x": wave(10, 0.05, -8),
            },
        ),
        pad(
            "tail lift", {"Tail1.x": wave(4, 0.1, 3, often=2), "Tail3.x": wave(5, 0.2, 2, often=2)}
        ),
    ),
)

DINOSAUR_DANCE = Row(
    "dinosaur_dance",
    "dinosaur:stand",
    24,
    Paper(18, 49, NOVICE),
    (
        held(
            "hips",
            "Hips",
            path(
                wave(0.07),
                wave(0.04, 0.25, -0.06, often=2),
                wave(0.02, 0.2),
                (wave(4, 0.1), wave(10, 0.2), wave(6, 0.05)),
            ),
        ),
        held(
            "left foot",
            "LeftFoot",
            path(
                pulse(0.04, 0.3),
                pulse(0.1, 0.3),
                pulse(0.04, 0.35),
                (pulse(18, 0.3), pulse(10, 0.3), pulse(6, 0.3)),
            ),
            options=LIMB,
        ),
        held(
            "right foot",
            "RightFoot",
            path(
                pulse(-0.04, 0.8),
                pulse(0.1, 0.8),
                pulse(0.04, 0.85),
                (pulse(18, 0.8), pulse(-10, 0.8), pulse(-6, 0.8)),
            ),
            options=LIMB,
        ),
        pad(
            "trunk",
            {
                "Spine.y": wave(6, 0.6),
                "Spine.z": wave(7, 0.5),
                "Chest.y": wave(7, 0.64),
                "Chest.z": wave(7, 0.54),
            },
        ),
        pad(
            "head",
            {
                "Neck.y": wave(12, 0.2),
                "Neck.z": wave(8, 0.05),
                "Head.x": wave(10, 0.2, often=2),
                "Head.y": wave(14, 0.24),
            },
        ),
        pad("tail root", chain("Tail", range(1, 5), "y", 12, 0.07, 0.5)),
        pad("tail end", chain("Tail", range(5, 9), "y", 16, 0.07, 0.5)),
        pad("tail lift", {f"Tail{n}.x": wave(6, 0.1 + 0.05 * n, 3, often=2) for n in (1, 3, 5, 7)}),
        pad(
            "jaw and tip",
            {
                "Jaw.x": wave(14, 0.2, 14, often=2),
                "Tail9.x": wave(10, 0.5),
                "Tail9.y": wave(18, 0.2),
            },
        ),
        held(
            "left hand",
            "LeftHand",
            path(
                wave(0.04, 0.0, 0.02),
                wave(0.035, 0.0, 0.02),
                wave(0.035, 0.3),
                (wave(14, 0.2), wave(8, 0.4), wave(8)),
            ),
            options=ARM,
        ),
        held(
            "right hand",
            "RightHand",
            path(
                wave(0.04, 0.0, -0.02),
                wave(0.035, 0.5, 0.02),
                wave(0.035, 0.8),
                (wave(14, 0.7), wave(8, 0.9), wave(8, 0.5)),
            ),
            options=ARM,
        ),
    ),
)

_CROUCH = pulse(1.0, 0.2, 0.2) + 0.7 * pulse(1.0, 0.92, 0.12)
_FLIGHT = pulse(1.0, 0.58, 0.26)
DINOSAUR_LEAP = Row(
    "dinosaur_leap",
    "dinosaur:stand",
    30,
    Paper(11, 21),
    (
        held(
            "body",
            "Hips",
            path(
                wave(0.01, 0.2),
                0.3 * _FLIGHT - 0.14 * _CROUCH,
                0.05 * _FLIGHT - 0.04 * _CROUCH,
                (8 * _CROUCH - 6 * _FLIGHT, wave(2, 0.3), wave(1, 0.4)),
            ),
            options=ROOT,
        ),
        held(
            "left foot",
            "LeftFoot",
            path(
                0.02 * _FLIGHT,
                0.24 * _FLIGHT,
                0.06 * _FLIGHT,
                (26 * _FLIGHT, 4 * _FLIGHT, 3 * _FLIGHT),
            ),
            options=LIMB,
        ),
        held(
            "right foot",
            "RightFoot",
            path(
                -0.02 * _FLIGHT,
                0.24 * _FLIGHT,
                0.06 * _FLIGHT,
                (26 * _FLIGHT, -4 * _FLIGHT, -3 * _FLIGHT),
            ),
            options=LIMB,
        ),
        pad(
            "tail root", {f"Tail{n}.x": 8 * _CROUCH - 9 * np.roll(_FLIGHT, n) for n in (1, 2, 3, 4)}
        ),
        pad(
            "arms and head",
            {
                "LeftUpperArm.x": 22 * _CROUCH - 30 * _FLIGHT,
                "RightUpperArm.x": 22 * _CROUCH - 30 * _FLIGHT,
                "Neck.x": 10 * _CROUCH - 8 * _FLIGHT,
                "Head.x": -10 * _CROUCH + 6 * _FLIGHT,
            },
        ),
    ),
)
