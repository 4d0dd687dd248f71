"""Read BVH into a scene: degrees to radians, the file's unit to metres, columns kept in order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import faults_of
from arcwright.files.bvh.sections import HEADER, Frames, Hierarchy, Joint
from arcwright.files.names import Names, unique
from arcwright.files.regular import Text
from arcwright.files.units import RADIANS, check, guess, rescale, rotate_to_y_up, spread
from arcwright.scene.motion import Motion
from arcwright.scene.rig import QUATERNION, ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Scene, Source
from arcwright.scene.take import Take

END = "_End"  # an End Site is named after its parent
SIZE_LIMIT = 128_000_000  # bytes
_KINDS = {
    f"{axis}{word}": Kind(first + number)
    for word, first in (("position", Kind.TRANSLATE_X), ("rotation", Kind.ROTATE_X))
    for number, axis in enumerate("xyz")
}


def read(path: str | Path, *, unit: float | None = None, up: str | None = None) -> Scene:
    """The scene in a BVH file: one character for each ROOT, with a motion.

    `unit` (metres per unit of the file) and `up` override guesses. Guesses and repairs are
    listed in `source.warnings`.
    """
    path = Path(path)
    check(unit, up)
    with faults_of(path):
        return _read(path, unit, up)


def _read(path: Path, unit: float | None, up: str | None) -> Scene:
    text = Text(path, SIZE_LIMIT, HEADER)
    hierarchy = Hierarchy(path, text.head)
    joints, warnings = hierarchy.joints, hierarchy.warnings
    frame_time, rows = _motion(path, text, hierarchy)
    trees = _trees(joints)
    rigs = [_rig(tree, warnings) for tree in trees]
    first = len(rigs[0].channels)
    seen = rows[spread(len(rows)), :first] * _scale(rigs[0], 1.0)
    guessed = guess(rigs[0], seen, unit, up)
    rows *= np.concatenate([_scale(rig, guessed.unit) for rig in rigs])
    names = unique([path.stem] if len(trees) == 1 else [tree[0].name for tree in trees])
    times = np.arange(len(rows), dtype=np.float64) * frame_time
    characters, at = [], 0
    for name, rig in zip(names, rigs, strict=True):
        character = rotate_to_y_up(rescale(Character(name, rig), guessed.unit), guessed.up)
        values = _sealed(np.ascontiguousarray(rows[:, at : at + len(rig.channels)]))
        take = Take(character.rig, Motion(path.stem, times, values, 1 / frame_time))
        characters.append(replace(character, takes=(take,)))
        at += len(rig.channels)
    source = Source("bvh", guessed.unit, guessed.up, (*warnings, *guessed.notes))
    return Scene(path.stem, tuple(characters), source=source)


def _sealed(values: Floats) -> Floats:
    """Make the array read-only, so that a motion shares it instead of copying it."""
    owner: object = values
    while isinstance(owner, np.ndarray):
        owner.setflags(write=False)
        owner = owner.base
    return values


def _motion(path: Path, text: Text, hierarchy: Hierarchy) -> tuple[float, Floats]:
    """Frame time and rows; the rest pose is the one row where the file has none."""
    joints, warnings = hierarchy.joints, hierarchy.warnings
    frame_time, why = 1 / 30, "no MOTION"
    if hierarchy.motion_at is not None:
        width = sum(len(joint.channels) for joint in joints)
        frames = Frames(path, text, hierarchy.motion_at, width)
        warnings += frames.warnings
        if len(frames.rows):
            return frames.frame_time, frames.rows
        frame_time, why = frames.frame_time, "no frames"
    warnings.append(f"{why}: using the rest pose")
    rest = [
        joint.offset["xyz".index(name[0])] if joint.offset and name.endswith("position") else 0.0
        for joint in joints
        for name in joint.channels
    ]
    return frame_time, np.array([rest], float)


def _trees(joints: list[Joint]) -> list[list[Joint]]:
    """The joints of each ROOT, parents counted from it."""
    starts = [index for index, joint in enumerate(joints) if joint.parent < 0]
    if len(starts) == 1:
        return [joints]
    trees = []
    for start, stop in zip(starts, [*starts[1:], len(joints)], strict=True):
        trees.append(
            [replace(joint, parent=max(joint.parent - start, -1)) for joint in joints[start:stop]]
        )
    return trees


def _scale(rig: Rig, unit: float) -> Floats:
    """(C,) factors from file units to metres or radians."""
    return np.where(rig.channels.kind <= Kind.TRANSLATE_Z, unit, RADIANS)


def _rig(joints: list[Joint], warnings: list[str]) -> Rig:
    """Joints and columns in file order, lengths in the file's unit."""
    offset = np.array([joint.offset for joint in joints], float)
    rows: list[int] = []
    kinds: list[Kind] = []
    defaults: list[float] = []
    for index, joint in enumerate(joints):
        for name in joint.channels:
            kind = _KINDS[name]
            rows.append(index)
            kinds.append(kind)
            if kind <= Kind.TRANSLATE_Z:  # a position replaces the OFFSET
                defaults.append(float(offset[index, kind]))
                offset[index, kind] = 0
            else:
                defaults.append(0.0)
    names = _names(joints, warnings)
    return Rig(
        names=tuple(names),
        parents=np.array([joint.parent for joint in joints]),
        offset=offset,
        rest=np.tile([1.0, 0.0, 0.0, 0.0], (len(joints), 1)),
        scale=np.ones((len(joints), 3)),
        modes=tuple(_mode(*each) for each in zip(joints, names, strict=True)),
        channels=ChannelTable.of(rows, kinds, default=defaults),
    )


def _mode(joint: Joint, name: str) -> str:
    """The rotation order of the file, with missing axes at the end.

    A JOINT without channels named like an End Site gets a mode that no BVH joint has, so that
    it is written as a JOINT again.
    """
    rotation_axes = [name[0].upper() for name in joint.channels if name.endswith("rotation")]
    if not joint.channels and not joint.is_end and END in name:
        return QUATERNION
    return "".join(rotation_axes + [axis for axis in "XYZ" if axis not in rotation_axes])


def _names(joints: list[Joint], warnings: list[str]) -> list[str]:
    """Unique joint names; an End Site is named after its parent."""
    given = [joint.name for joint in joints if not joint.is_end]
    renamed = unique(given)
    for old, new in zip(given, renamed, strict=True):
        if old != new:
            warnings.append(f"a second joint named {old} is renamed to {new}")
    taken, own = Names(renamed), iter(renamed)
    names: list[str] = []
    for joint in joints:
        name = next(own) if not joint.is_end else taken.free(f"{names[joint.parent]}{END}")
        names.append(name)
    return names
