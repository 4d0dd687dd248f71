"""Rows of table 5.1 with the biped: punch, dance, kick."""

from __future__ import annotations

from cycle_layers import (
    ARM,
    LIMB,
    NOVICE,
    Layer,
    Paper,
    Row,
    held,
    pad,
    path,
    pulse,
    wave,
)


def _tapped(name: str, point: str, at: float) -> Layer:
    """A foot that is lifted once a cycle, with a mouse."""
    return Layer(name, "mouse", point, path(0.0, pulse(0.09, at), pulse(0.05, at)), options=LIMB)


HUMAN_PUNCH = Row(
    "human_punch",
    "biped:stand",
    24,
    Paper(5, 8, NOVICE),
    (
        Layer(
            "hips",
            "pen",
            "Hips",
            path(0.0, pulse(-0.05, 0.2), pulse(0.09, 0.4, 0.3) + pulse(-0.05, 0.1, 0.2)),
        ),
        pad(
            "trunk",
            {
                "Chest.y": pulse(18, 0.4) + pulse(-14, 0.1),
                "Head.y": pulse(-10, 0.4) + pulse(8, 0.1),
            },
        ),
        Layer(
            "right hand",
            "mouse",
            "RightHand",
            path(
                0.0,
                0.28 + pulse(0.2, 0.42),
                0.12 + pulse(0.42, 0.42, 0.22) + pulse(-0.1, 0.15, 0.15),
            ),
            options=LIMB,
        ),
        Layer(
            "left hand",
            "mouse",
            "LeftHand",
            path(0.0, 0.38 + pulse(-0.06, 0.42), 0.24 + pulse(-0.12, 0.45, 0.3)),
            options=LIMB,
        ),
    ),
)

HUMAN_DANCE = Row(
    "human_dance",
    "biped:stand",
    24,
    Paper(12, 33, NOVICE),
    (
        held(
            "hips",
            "Hips",
            path(
                wave(0.07),
                wave(0.03, 0.25, -0.05, often=2),
                wave(0.02, 0.2),
                (wave(3, 0.1), wave(9, 0.2), wave(5, 0.05)),
            ),
        ),
        pad(
            "trunk",
            {
                "Spine.y": wave(6, 0.7),
                "Spine.z": wave(6, 0.5),
                "Chest.y": wave(7, 0.72),
                "Chest.z": wave(6, 0.52),
            },
        ),
        pad(
            "head",
            {
                "Neck.y": wave(8, 0.3),
                "Neck.z": wave(5, 0.1),
                "Head.x": wave(8, 0.2, often=2),
                "Head.y": wave(10, 0.32),
            },
        ),
        pad(
            "shoulders",
            {
                "LeftShoulder.z": wave(8, 0.0, 6),
                "RightShoulder.z": wave(8, 0.0, -6),
                "UpperChest.y": wave(6, 0.75),
                "UpperChest.z": wave(5, 0.55),
            },
        ),
        Layer(
            "left foot",
            "mouse",
            "LeftFoot",
            path(0.0, pulse(0.09, 0.3), pulse(0.05, 0.3)),
            options=LIMB,
        ),
        Layer(
            "right foot",
            "mouse",
            "RightFoot",
            path(0.0, pulse(0.09, 0.8), pulse(0.05, 0.8)),
            options=LIMB,
        ),
        held(
            "left hand",
            "LeftHand",
            path(wave(0.06, 0.1, 0.02), wave(0.1, 0.0, 0.26), wave(0.08, 0.3, 0.2)),
            options=ARM,
        ),
        held(
            "right hand",
            "RightHand",
            path(wave(0.06, 0.1, -0.02), wave(0.1, 0.5, 0.26), wave(0.08, 0.8, 0.2)),
            options=ARM,
        ),
        pad(
            "wrists",
            {
                "LeftHand.x": wave(20, 0.3),
                "LeftHand.z": wave(25, 0.1, -10),
                "RightHand.x": wave(20, 0.8),
                "RightHand.z": wave(-25, 0.6, 10),
            },
        ),
        pad("nod", {"Neck.x": wave(6, 0.2, often=2), "UpperChest.x": wave(4, 0.1, often=2)}),
    ),
)


_KICK = pulse(1.0, 0.5, 0.25)
HUMAN_KICK = Row(
    "human_kick",
    "biped:stand",
    32,
    Paper(11, 30),
    (
        held(
            "hips",
            "Hips",
            path(
                0.06 + wave(0.01, 0.2),
                -0.03 * _KICK,
                0.04 * _KICK,
                (-8 * _KICK, 10 * _KICK, wave(2, 0.4)),
            ),
        ),
        pad(
            "trunk",
            {
                "Spine.x": -6 * _KICK,
                "Spine.y": 6 * _KICK,
                "Chest.x": -4 * _KICK,
                "Chest.y": 10 * _KICK,
            },
        ),
        pad(
            "head",
            {
                "Neck.y": -6 * _KICK,
                "Head.x": 8 * _KICK,
                "Head.y": -9 * _KICK,
                "UpperChest.y": 6 * _KICK,
            },
        ),
        pad(
            "shoulders",
            {
                "LeftShoulder.z": 8 * _KICK + wave(2, 0.2, 2),
                "RightShoulder.z": -6 * _KICK + wave(2, 0.3, -2),
            },
        ),
        held(
            "right foot",
            "RightFoot",
            path(
                0.05 * _KICK,
                0.62 * _KICK + pulse(0.08, 0.15, 0.15),
                0.55 * _KICK + pulse(-0.16, 0.15, 0.2),
                (-40 * _KICK + pulse(25, 0.15, 0.2), 8 * _KICK, 5 * _KICK),
            ),
            options=LIMB,
        ),
        held(
            "left hand",
            "LeftHand",
            path(
                -0.06 * _KICK,
                0.12 + 0.1 * _KICK,
                0.14 + 0.1 * _KICK,
                (-30 - 20 * _KICK, 8 * _KICK, 8 * _KICK),
            ),
            options=ARM,
        ),
        held(
            "right hand",
            "RightHand",
            path(
                -0.08 * _KICK,
                0.12 - 0.04 * _KICK,
                0.14 - 0.24 * _KICK,
                (-30 + 40 * _KICK, -8 * _KICK, -6 * _KICK),
            ),
            options=ARM,
        ),
    ),
    seed=7,
)
