"""The biped's gaze: neck and head turned so that the eyes face a place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.posing import Pose, pose_at, values_of
from arcwright.characters.skeleton import Vector
from arcwright.kinematics.forward import forward
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

EYES: Vector = (0.0, 0.135, 0.12)  # m, between the eyes, in the head
NECK = 0.4  # of the turn; the head has the rest
DOWN = np.radians(8.0)  # that the eyes themselves look below the way the head faces
ROUNDS = 12
JOINTS = ("Neck", "Head")


def eyes() -> Point:
    """Between the eyes."""
    return Point("Head", np.array(EYES))


def facing(rig: Rig, posed: Pose, place: Sequence[float], share: float = 1.0) -> Pose:
    """The neck and head of a pose that looks at a place, or goes a share of the way there."""
    channels = [[f"{joint}.rotate.{axis}" for joint in JOINTS] for axis in "xy"]
    base = {name: posed.get(name, 0.0) for pair in channels for name in pair}
    found = dict(base)
    for _ in range(ROUNDS):
        for pair, error in zip(channels, gaze_error(rig, posed | found, place), strict=True):
            for name, part in zip(pair, (NECK, 1 - NECK), strict=True):
                column = rig.channel(name)
                low, high = 0.97 * rig.channels.low[column], 0.97 * rig.channels.high[column]
                found[name] = float(np.clip(found[name] + part * error, low, high))
    return {name: base[name] + share * (value - base[name]) for name, value in found.items()}


def gaze_error(rig: Rig, posed: Pose, place: Sequence[float]) -> tuple[float, float]:
    """Angles (down, left) in rad that the gaze would have to turn to face a place."""
    world = forward(rig, values_of(rig, posed)[None])[0, rig.joint("Head")]
    x, y, z = world[:3, :3].T @ (np.asarray(place, float) - world[:3, 3]) - np.array(EYES)
    return float(np.arctan2(-y, np.hypot(x, z)) - DOWN), float(np.arctan2(x, z))


def gazes(rig: Rig, body: Clip, places: Mapping[int, Floats | Vector]) -> dict[int, Pose]:
    """By frame: neck and head that look at a place from where the body is then."""
    return {
        frame: facing(rig, pose_at(rig, body, frame), np.asarray(place, float).tolist())
        for frame, place in places.items()
    }
