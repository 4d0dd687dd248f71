"""Rows of table 5.1 with the biped: punch, dance, juggle with three balls, kick."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from cycle_layers import (
    LIMB,
    NOVICE,
    PHASES,
    Layer,
    Paper,
    Row,
    held,
    pad,
    path,
    pulse,
    wave,
)

FLIGHT, HEIGHT = 0.6, 0.66  # of a cycle that a ball is in the air; m that it rises
INNER = 0.1  # m from the outer to the inner place of the right hand


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
            options=LIMB,
        ),
        held(
            "right hand",
            "RightHand",
            path(wave(0.06, 0.1, -0.02), wave(0.1, 0.5, 0.26), wave(0.08, 0.8, 0.2)),
            options=LIMB,
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


def _carried(share: Floats) -> Floats:
    """Height of a hand with a ball, m: down and up again, from the catch to the throw."""
    return np.asarray(-0.11 * np.sin(np.pi * share) ** 2)


def _ball(catch: float) -> Floats:
    """Height of a ball above where it is caught, m: carried, then thrown and falling freely."""
    share = (PHASES - catch) % 1
    flown = np.clip((share - (1 - FLIGHT)) / FLIGHT, 0, 1)
    held_for = np.clip(share / (1 - FLIGHT), 0, 1)
    return np.asarray(_carried(held_for) + HEIGHT * 4 * flown * (1 - flown))


def _hand(*catches: float) -> Floats:
    """Height of a hand that carries a ball from each of the catches."""
    return np.asarray(
        sum(_carried(np.clip(((PHASES - c) % 1) / (1 - FLIGHT), 0, 1)) for c in catches)
    )


_OUTER, _MIDDLE = 0.0, 0.5  # phases at which the outer balls and the middle one are caught
_INWARD = pulse(INNER, _MIDDLE + (1 - FLIGHT) / 2, 0.34)
_ROCK = (wave(40, 0.7), wave(15, 0.2), wave(12, 0.4))
HUMAN_JUGGLE = Row(
    "human_juggle",
    "biped:juggle",
    30,
    Paper(16, 52, "35"),
    (
        held(
            "left ball",
            "LeftBall",
            path(wave(0.015, 0.2), _ball(_OUTER), wave(0.01, 0.5), _ROCK),
            actor="LeftBall",
        ),
        held(
            "right ball",
            "RightBall",
            path(wave(-0.015, 0.2), _ball(_OUTER), wave(0.01, 0.5), _ROCK),
            actor="RightBall",
        ),
        held(
            "middle ball",
            "MiddleBall",
            path(-0.09 + wave(0.01, 0.3), _ball(_MIDDLE) - HEIGHT, wave(0.01, 0.1, -0.02), _ROCK),
            actor="MiddleBall",
        ),
        held(
            "hips",
            "Hips",
            path(
                wave(0.015, 0.3),
                wave(0.012, 0.2, -0.02, often=2),
                wave(0.01, 0.1),
                (wave(1.5, 0.2), wave(3, 0.3), wave(2, 0.1)),
            ),
        ),
        pad(
            "trunk",
            {
                "Spine.y": wave(3, 0.3),
                "Spine.z": wave(2, 0.1),
                "Chest.y": wave(3, 0.35),
                "Chest.z": wave(2, 0.15),
            },
        ),
        pad(
            "head",
            {
                "Neck.x": wave(4, 0.3, often=2),
                "Neck.y": wave(4, 0.1),
                "Head.x": wave(6, 0.3, -6, often=2),
                "Head.y": wave(6, 0.15),
            },
        ),
        pad(
            "shoulders",
            {
                "LeftShoulder.z": wave(3, 0.5, 3),
                "RightShoulder.z": wave(-3, 0.5, -3),
                "UpperChest.x": wave(3, 0.2),
                "UpperChest.y": wave(3, 0.4),
            },
        ),
        held(
            "left hand",
            "LeftHand",
            path(
                wave(0.015, 0.2),
                _hand(_OUTER),
                wave(0.01, 0.5),
                (12 * _hand(_OUTER) / 0.11, wave(4, 0.3), wave(4, 0.2)),
            ),
            options=LIMB,
        ),
        held(
            "right hand",
            "RightHand",
            path(
                _INWARD,
                _hand(_OUTER, _MIDDLE),
                wave(0.01, 0.5),
                (12 * _hand(_OUTER, _MIDDLE) / 0.11, 150 * _INWARD, wave(4, 0.2)),
            ),
            options=LIMB,
        ),
        pad(
            "fingers",
            {
                "LeftMiddleProximal.z": wave(14, 0.4, -14),
                "RightMiddleProximal.z": wave(-14, 0.4, 14),
                "LeftThumbProximal.z": wave(10, 0.4, -8),
                "RightThumbProximal.z": wave(-10, 0.4, 8),
            },
        ),
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
            options=LIMB,
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
            options=LIMB,
        ),
    ),
    seed=7,
)
