"""Write characters as BVH: a ROOT for each root joint, columns in the order they were read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.files.atomic import write_bytes
from arcwright.files.bvh.columns import JointColumns, RigColumns
from arcwright.files.bvh.reader import END
from arcwright.files.names import unique
from arcwright.files.units import RADIANS, check, rotate_from_y_up
from arcwright.kinematics.sample import sample
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.rig import QUATERNION, Rig
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take

_PIECE = 100_000  # numbers formatted at once
_DIGITS = "%.13g"  # enough for 1e-12, and not so many that 0.1 becomes 0.1000000000000000056


def write(
    scene: Scene,
    path: str | Path,
    *,
    character: str | None = None,
    take: str | None = None,
    fps: float | None = None,
    unit: float | None = None,
    up: str | None = None,
) -> tuple[str, ...]:
    """Write all characters, or one, playing `take` (their first); returns warnings.

    A motion keeps its own samples unless `fps` is another rate; a clip is sampled.
    `unit` (metres per unit of the file) and `up` are those of the BVH file the scene came
    from, else 1 m and Y.
    """
    check(unit, up)
    if fps is not None and not 0 < fps < float("inf"):
        raise BadValue("fps", "frames per second above 0", fps)
    came = scene.source if scene.source and scene.source.format == "bvh" else None
    unit = unit or (came.unit if came else 1.0)
    up = up or (came.up if came else "Y")
    actors: list[Actor] = [scene.actor(character)] if character else [*scene.characters]
    if not actors:
        raise BadValue("scene", "a character to write as BVH", "none")
    notes = _losses(scene, actors, take)
    takes = [_take(actor, take) for actor in actors]
    times, frame_time = _times(takes, fps)
    written = [
        _Written(rotate_from_y_up(actor, up), take, times, unit)
        for actor, take in zip(actors, takes, strict=True)
    ]
    for each in written:
        notes += each.notes
    if sum(len(each.roots) for each in written) > 1:
        notes.append("more than one ROOT: many programs read only the first")
    write_bytes(path, *_pieces(written, len(times), frame_time))
    return tuple(notes)


def _losses(scene: Scene, actors: list[Actor], name: str | None) -> list[str]:
    notes = []
    for actor in actors:
        others = [take.name for take in actor.takes if take is not _take(actor, name)]
        if others:
            notes.append(f"other takes of {actor.name} left out: {', '.join(others[:5])}")
        if actor.shapes:
            notes.append(f"meshes of {actor.name} left out")
    left = [each.name for each in scene.actors if each not in actors]
    if left:
        notes.append(f"left out: {', '.join(left[:5])}")
    return notes


def _take(actor: Actor, name: str | None) -> Take:
    """The named take, else the first, else the rest pose."""
    if name:
        return actor.take(name)
    if actor.takes:
        return actor.takes[0]
    rest = actor.rig.channels.default[None]
    return Take(actor.rig, Motion("rest", np.zeros(1), rest))


def _times(takes: list[Take], fps: float | None) -> tuple[Floats, float]:
    """The frame times of the longest take, and the seconds between frames."""
    take = max(takes, key=lambda each: each.duration)
    base = take.base
    if isinstance(base, Motion) and (fps is None or abs(fps - base.rate) < 1e-9 * base.rate):
        step = float(base.time[1]) if len(base.time) > 1 else _period(base.rate)
        if np.allclose(base.time, np.arange(len(base.time)) * step, rtol=1e-9, atol=1e-9):
            return base.time, step
    rate = fps or take.rate
    times = replace(take, base=replace(base, rate=rate)).frame_times()
    if isinstance(base, Clip) and base.loops and len(times) > 1 and _is(times[-1], take.duration):
        times = times[:-1]  # the first frame again: a player that repeats would show it twice
    return times, _period(rate)


def _is(time: float, other: float) -> bool:
    return abs(time - other) < 1e-6


def _period(rate: float) -> float:
    """The number with the fewest digits whose inverse is `rate`."""
    for digits in range(1, 17):
        seconds = float(f"{1 / rate:.{digits}g}")
        if seconds > 0 and 1 / seconds == rate:
            return seconds
    return 1 / rate


class _Written:
    """One character in file units: lengths in the file's unit, angles in degrees."""

    def __init__(self, actor: Actor, take: Take, times: Floats, unit: float) -> None:
        self.rig: Rig = actor.rig
        values = sample(take, times).values
        columns = RigColumns(self.rig, values)
        self.joints: list[JointColumns] = columns.joints
        self.notes = columns.notes
        self.unit = unit
        self.names = unique(_clean(name) for name in self.rig.names)
        if self.names != list(self.rig.names):
            self.notes.append(f"joint names of {actor.name} changed to fit the format")
        self.children: list[list[int]] = [[] for _ in self.rig.names]
        for joint, parent in enumerate(self.rig.parents):
            if parent >= 0:
                self.children[parent].append(joint)
        self.roots = np.flatnonzero(self.rig.parents < 0).tolist()

    def is_end(self, joint: int) -> bool:
        """Whether a joint is written as an End Site."""
        parent = self.rig.parents[joint]
        bare = not self.joints[joint].columns and not self.children[joint] and parent >= 0
        named = self.rig.names[joint].startswith(f"{self.rig.names[parent]}{END}")
        return bare and named and self.rig.modes[joint] != QUATERNION

    def walk(self) -> Iterator[tuple[int, int]]:
        """Joints in the order of the file with their depth; -1 closes the joint of that depth."""
        waiting = [(root, 0) for root in self.roots[::-1]]
        while waiting:
            joint, depth = waiting.pop()
            yield joint, depth
            if joint >= 0:
                waiting.append((-1, depth))
                waiting += [(child, depth + 1) for child in self.children[joint][::-1]]

    def lines(self) -> Iterator[str]:
        """The hierarchy."""
        for joint, depth in self.walk():
            indent = "\t" * min(depth, 50)
            if joint < 0:
                yield f"{indent}}}"
                continue
            yield indent + self._title(joint)
            yield f"{indent}{{"
            offset = _row(self.joints[joint].offset / self.unit)
            yield f"{indent}\tOFFSET {offset}"
            columns = self.joints[joint].columns
            if not self.is_end(joint):
                yield " ".join([f"{indent}\tCHANNELS {len(columns)}", *columns])

    def _title(self, joint: int) -> str:
        if self.is_end(joint):
            return "End Site"
        return f"{'ROOT' if self.rig.parents[joint] < 0 else 'JOINT'} {self.names[joint]}"

    def rows(self) -> list[Floats]:
        """The columns of the file."""
        return [
            column / (self.unit if name.endswith("position") else RADIANS)
            for joint, _ in self.walk()
            if joint >= 0
            for name, column in self.joints[joint].columns.items()
        ]


def _clean(name: str) -> str:
    bare = "".join("_" if letter in "{}" else letter for letter in name)
    return " ".join(bare.split()) or "joint"


def _row(numbers: Floats) -> str:
    return " ".join(_DIGITS % number for number in numbers)


def _pieces(written: list[_Written], count: int, frame_time: float) -> list[bytes]:
    """The text of the file; rows in pieces, to limit memory."""
    lines = ["HIERARCHY"]
    for each in written:
        lines += each.lines()
    lines += ["MOTION", f"Frames: {count}", f"Frame Time: {frame_time!r}", ""]
    pieces = ["\n".join(lines).encode()]
    columns = [column for each in written for column in each.rows()]
    table = np.stack(columns, axis=1) if columns else np.zeros((count, 0))
    template = " ".join([_DIGITS] * len(columns)) + "\n"
    step = max(_PIECE // max(len(columns), 1), 1)
    for start in range(0, count, step):
        rows = table[start : start + step].tolist()
        pieces.append("".join([template % tuple(row) for row in rows]).encode())
    return pieces
