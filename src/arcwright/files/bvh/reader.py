"""Read BVH into a scene: degrees to radians, the file's unit to metres, columns kept in order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NoReturn

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadFile
from arcwright.files import units
from arcwright.files.bvh.hierarchy import AXES, Hierarchy, Joint
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Scene, Source
from arcwright.scene.take import Take


def read(path: str | Path, *, unit: float | None = None, up: str | None = None) -> Scene:
    """The scene in a BVH file; `unit` (metres per file unit) and `up` override the guesses."""
    path = Path(path)
    text = path.read_bytes().decode("utf-8-sig", "replace")

    def fail(fault: str, place: int) -> NoReturn:
        raise BadFile(path, f"line {text.count(chr(10), 0, place) + 1}: {fault}")

    hierarchy = Hierarchy(text, fail)
    joints = hierarchy.joints
    match = re.compile(r"\s*Frames:\s*(\d+)\s*Frame Time:\s*(\S+)").match(
        text, hierarchy.motion_at or 0
    )
    if match is None:
        raise BadFile(path, "no MOTION")
    frame_time = float(match[2])
    width = sum(len(joint.channels) for joint in joints)
    values = np.array(text[match.end() :].split(), float).reshape(-1, width)
    scale = _scale(joints)
    values = values * scale
    rig = _rig(joints)
    character = _character(path.stem, rig, values, frame_time)
    guess = units.guess(character, unit, up)
    character = units.turn_up(units.rescale(character, guess.unit), guess.up)
    source = Source("bvh", guess.unit, guess.up, guess.warnings)
    return Scene(path.stem, (character,), source=source)


def _character(name: str, rig: Rig, values: Floats, frame_time: float) -> Character:
    times = np.arange(len(values)) * frame_time
    take = Take(rig, Motion(name, times, values, 1 / frame_time))
    return Character(name, rig, (take,))


def _scale(joints: list[Joint]) -> Floats:
    names = [name for joint in joints for name in joint.channels]
    return np.array([1.0 if name.endswith("position") else np.pi / 180 for name in names])


def _rig(joints: list[Joint]) -> Rig:
    names = _names(joints)
    offset = np.array([joint.offset or (0.0, 0.0, 0.0) for joint in joints])
    row_joint: list[int] = []
    kinds: list[Kind] = []
    defaults: list[float] = []
    modes: list[str] = []
    for index, joint in enumerate(joints):
        for name in joint.channels:
            axis = AXES.index(name[0])
            moves = name.endswith("position")
            row_joint.append(index)
            kinds.append(Kind(axis if moves else Kind.ROTATE_X + axis))
            defaults.append(float(offset[index, axis]) if moves else 0.0)
            if moves:
                offset[index, axis] = 0
        modes.append(_mode(joint))
    count = len(joints)
    return Rig(
        names=tuple(names),
        parents=np.array([joint.parent for joint in joints]),
        offset=offset,
        rest=np.tile([1.0, 0, 0, 0], (count, 1)),
        scale=np.ones((count, 3)),
        modes=tuple(modes),
        channels=ChannelTable.of(row_joint, kinds, default=defaults),
    )


def _mode(joint: Joint) -> str:
    turns = [name[0].upper() for name in joint.channels if name.endswith("rotation")]
    return "".join(turns + [axis for axis in "XYZ" if axis not in turns])


def _names(joints: list[Joint]) -> list[str]:
    names: list[str] = []
    for joint in joints:
        names.append(joint.name if not joint.end else f"{names[joint.parent]}_End")
    return names
