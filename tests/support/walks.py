"""A biped that walks several cycles of the built-in walk."""

from __future__ import annotations

import numpy as np

import arcwright
from arcwright import Character, Motion, Take
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.root_path import root_path
from arcwright.kinematics.rotation import (
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_rotate,
)
from arcwright.kinematics.sample import values_at

CYCLES = 4
RATE = 60.0
WALKED = 1.32  # m, the stride of the built-in walk


def walk(turn: float = 0.0, stride: float = 1.1) -> tuple[Character, float]:
    """The biped, and the length of a cycle, s; in each it goes `stride` m and turns by `turn`."""
    built_in = arcwright.read("biped:walk").characters[0]
    take = built_in.takes[0]
    count = int(CYCLES * take.duration * RATE) + 1
    phase = np.arange(count) / RATE / take.duration
    values = values_at(take, (phase % 1) * take.duration)
    root = root_path(take.rig, analyse(built_in, take).root, values)
    assert root is not None
    spin = quaternion_from_vector((turn * phase)[:, None] * [0.0, 1.0, 0.0])
    if turn:
        way = np.stack([1 - np.cos(turn * phase), 0 * phase, np.sin(turn * phase)], axis=1) / turn
    else:
        way = phase[:, None] * [0.0, 0.0, 1.0]
    own = root.position - (phase % 1)[:, None] * [0.0, 0.0, WALKED]
    place = stride * way + quaternion_rotate(spin, own)
    moved = root.written(values, place, quaternion_multiply(spin, root.rotation))
    made = Take(take.rig, Motion("walk", np.arange(count) / RATE, moved, RATE))
    return Character("biped", take.rig, (made,)), take.duration
