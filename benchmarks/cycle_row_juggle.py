"""The row of table 5.1 in which three balls are juggled: a cascade.

Each hand catches and throws once in a beat, the right one half a beat late. A ball goes from
one hand to the other in one and a half beats and is back after three: so the loop is three beats
long, the balls follow each other by one, and what the body does repeats with every beat.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.biped_juggle import BALLS, HELD, palm
from cycle_juggle_catches import catches
from cycle_layers import ARM, PHASES, Layer, Paper, Row, held, pad, path, wave

BEAT = 20  # frames of 24 per second, from one catch of a hand to its next
BEATS = 3  # of a loop
DWELL = 0.6  # of a beat that a hand holds a ball
ASIDE = 0.07  # m from the middle of a hand's way: balls are caught outside and thrown inside
DIP, RISE = 0.16, 0.08  # m below and above where it catches that a hand goes
GRAVITY = 9.81  # m/s²


def hand_place(side: str, beats: Floats) -> Floats:
    """(N, 3) m, a palm from the middle of its way; the left hand catches at whole beats."""
    late, outward = (0.0, 1.0) if side == "Left" else (0.5, -1.0)
    share = (beats - late) % 1.0
    carried = np.clip(share / DWELL, 0.0, 1.0)
    back = np.clip((share - DWELL) / (1 - DWELL), 0.0, 1.0)
    across = ASIDE * np.where(share < DWELL, np.cos(np.pi * carried), -np.cos(np.pi * back))
    below = -DIP * (1 - (2 * carried - 1) ** 4)
    height = np.where(share < DWELL, below, 4 * RISE * back * (1 - back))
    return np.stack([outward * across, height, 0 * share], axis=1)


def ball_place(beats: Floats) -> Floats:
    """(N, 3) m, where a ball is that the left hand catches at beat 0, and every third one."""
    share = beats % BEATS
    half, flight = BEATS / 2, BEATS / 2 - DWELL
    sides = np.where(share < half, 0, 1)
    inside = share - half * sides
    places = np.empty((len(share), 3))
    for number, side in enumerate(("Left", "Right")):
        other = "Right" if side == "Left" else "Left"
        late = half * number
        carried = _world(side, hand_place(side, inside + late))
        first = _world(side, hand_place(side, np.array([late + DWELL - 1e-9])))[0]
        last = _world(other, hand_place(other, np.array([late + half])))[0]
        flown = np.clip((inside - DWELL) / flight, 0.0, 1.0)[:, None]
        thrown = first + (last - first) * flown
        seconds = flight * BEAT / 24
        thrown[:, 1] += (GRAVITY * seconds**2 / 2) * (flown * (1 - flown))[:, 0]
        own = np.where((inside < DWELL)[:, None], carried, thrown)
        places[sides == number] = own[sides == number]
    return places


def _world(side: str, offset: Floats) -> Floats:
    x, y, z = HELD
    return np.asarray(np.array([x if side == "Left" else -x, y, z]) + offset)


def _ball(name: str, caught: int, turned: float) -> Layer:
    """A ball that the left hand catches at this beat, from where it lies in the still loop."""
    x, y, z = (ball_place(BEATS * PHASES - caught) - BALLS[name][0]).T
    spin = (wave(40, turned), wave(15, turned + 0.2), wave(12, turned + 0.4))
    words = name.removesuffix("Ball").lower() + " ball"
    swung = z + wave(0.008, turned)
    return held(words, name, path(x, y, swung, spin), actor=name, beats=BEATS, options=LATER)


def _hand(side: str) -> Layer:
    x, y, _ = hand_place(side, PHASES).T
    late, sign = (0.0, 1.0) if side == "Left" else (0.5, -1.0)
    tilt = (wave(5, late + 0.8), wave(4 * sign, late + 0.3), wave(4, late + 0.2))
    x0, y0, z0 = palm(side).offset.tolist()
    more = {"offset": (x0, y0, z0), "ratio": 1 / BEATS, "cycles": 9, "options": {**ARM, **LATER}}
    return held(f"{side.lower()} hand", f"{side}Hand", path(x, y, wave(0.005, late), tilt), **more)


LATER = {"shape": "latest"}  # movements grow to their size
BODY = {"ratio": 1 / BEATS, "cycles": 8}  # what repeats with every beat
HUMAN_JUGGLE = Row(
    "human_juggle",
    "biped:juggle",
    BEATS * BEAT,
    Paper(16, 52, "35"),
    (
        _ball("LeftBall", 0, 0.7),
        _ball("RightBall", 1, 0.1),
        _ball("MiddleBall", 2, 0.4),
        held(
            "hips",
            "Hips",
            path(
                wave(0.012, 0.3),
                wave(0.008, 0.2, -0.02, often=2),
                wave(0.006, 0.1),
                (wave(1.5, 0.2), wave(3, 0.3), wave(2, 0.1)),
            ),
            **BODY,
        ),
        pad(
            "trunk",
            {
                "Spine.y": wave(2, 0.3),
                "Spine.z": wave(1.5, 0.1),
                "Chest.y": wave(2, 0.35),
                "Chest.z": wave(1.5, 0.15),
            },
            **BODY,
        ),
        pad(
            "head",
            {
                "Neck.x": wave(3, 0.3, often=2),
                "Neck.y": wave(3, 0.1),
                "Head.x": wave(5, 0.3, -6, often=2),
                "Head.y": wave(6, 0.15),
            },
            **BODY,
        ),
        pad(
            "shoulders",
            {
                "LeftShoulder.z": wave(2, 0.9, 2),
                "RightShoulder.z": wave(-2, 0.4, -2),
                "UpperChest.x": wave(2, 0.2),
                "UpperChest.y": wave(2, 0.4),
            },
            **BODY,
        ),
        _hand("Left"),
        _hand("Right"),
        pad(
            "fingers",
            {
                "LeftMiddleProximal.z": wave(10, 0.8, -12),
                "RightMiddleProximal.z": wave(-10, 0.3, 12),
                "LeftThumbProximal.z": wave(8, 0.8, -8),
                "RightThumbProximal.z": wave(-8, 0.3, 8),
            },
            **BODY,
        ),
    ),
    seed=4,
    shaped=catches,
)
