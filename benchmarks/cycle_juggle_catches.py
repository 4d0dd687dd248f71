"""Palms that meet the balls: the juggler's hands shaped after all was acted.

Hands and balls are acted apart from each other, so a ball that is held floats a few centimetres
from its palm. As an animator would, the curve of each palm is dragged onto the ball at every other
frame from its catch to its throw.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.characters.biped_juggle import palm
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene

BEAT, BEATS, DWELL = 20, 3, 12  # frames of a beat, beats of the loop, frames that a ball is held
RATE = 24.0
NEAR = 0.09  # m: a ball that is farther away is not held yet, or no longer
EVERY = 2  # frames between drags
OPTIONS = {"affected_range": 0.2, "chain_length": 5}


def catches(scene: Scene) -> list[dict[str, Any]]:
    """Drags of both palms, as gesture files have them: one undo step for each hand."""
    found = []
    for side in ("Left", "Right"):
        point = palm(side)
        where = {"joint": point.joint, "offset": point.offset.tolist()}
        for number, (frame, place) in enumerate(_held(scene, side)):
            drag = {"kind": "drag", "point": where, "frame": frame, "to": place, "steps": 1}
            found.append({**drag, **({"continues": True} if number else {"options": OPTIONS})})
    return found


def palm_gaps(scene: Scene, acted: Scene) -> Floats:
    """m, from each palm to the ball that it holds, at all frames of all holds of what was acted."""
    gaps = []
    for side in ("Left", "Right"):
        away, holds = _distances(scene, side), _holds(_distances(acted, side), side)
        gaps += [away[ball, frames] for ball, frames in holds]
    return np.concatenate(gaps)


def _held(scene: Scene, side: str) -> list[tuple[int, list[float]]]:
    """Frames at which a palm is dragged, and where to."""
    balls, found = _balls(scene), list[tuple[int, list[float]]]()
    for ball, frames in _holds(_distances(scene, side), side):
        chosen = sorted({*frames[::EVERY].tolist(), int(frames[-1])})
        found += [(each, balls[ball, each].round(4).tolist()) for each in chosen]
    return found


def _holds(away: Floats, side: str) -> list[tuple[int, Ints]]:
    """The ball of each beat, and the frames from its catch to its throw."""
    late, found = 0 if side == "Left" else BEAT // 2, list[tuple[int, Ints]]()
    for beat in range(BEATS):
        frames = (np.arange(DWELL + 1) + BEAT * beat + late) % (BEAT * BEATS)
        ball = int(np.argmin(np.median(away[:, frames[2:10]], axis=1)))
        near = np.flatnonzero(away[ball, frames] < NEAR)
        found.append((ball, frames[near[0] : near[-1] + 1]))
    return found


def _distances(scene: Scene, side: str) -> Floats:
    """(B, F) m, from a palm to the balls."""
    hand = trail(scene.characters[0].takes[0], palm(side), _times()).position
    return np.asarray(np.linalg.norm(_balls(scene) - hand, axis=-1))


def _balls(scene: Scene) -> Floats:
    """(B, F, 3) m"""
    takes = [prop.takes[0] for prop in scene.props if prop.takes]
    return np.stack([trail(each, Point(each.rig.names[0]), _times()).position for each in takes])


def _times() -> Floats:
    return np.arange(BEAT * BEATS) / RATE
