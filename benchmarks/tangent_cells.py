"""Cells of the timing grid: a rig, a clip, pins and contacts, and a drag that can be followed.

Every rig is a trunk with branches: the hand holds the end of one, pins and contacts hold the
ends of others. A channel in play has four unknowns (X and Y of the handles at both ends of the
segment), so a cell of 24, 72, 120 or 168 unknowns has 6, 18, 30 or 42 channels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.curves.keys import keyed
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.curve import Curve, Handle
from arcwright.scene.point import Point
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take

RATE = 24.0
SIZES = (24, 72, 120, 168)  # unknowns
LENGTHS = (2, 7, 20)  # frames strictly between the two keys
LIMIT = 2.5  # rad, of every rotation
REACH = 1.6  # m from the root to the end of the longest branch
MOVES = 60
STEP = 0.004  # m, mean distance of one move

# Channels of trunk, held branch, then the pinned and planted ones, by size.
SPLITS = {
    "none": {24: (0, 6), 72: (0, 18), 120: (0, 30), 168: (0, 42)},
    "pin low": {24: (1, 3, 2), 72: (3, 9, 6), 120: (6, 12, 12), 168: (6, 18, 18)},
    "pin high": {24: (2, 3, 1), 72: (6, 9, 3), 120: (9, 18, 3), 168: (12, 27, 3)},
    "contact": {24: (1, 3, 2), 72: (3, 9, 6), 120: (6, 12, 12), 168: (6, 18, 18)},
    "pin + contact": {24: (1, 3, 1, 1), 72: (3, 6, 3, 6), 120: (6, 9, 6, 9), 168: (6, 12, 12, 12)},
    "2 pins + contact": {
        24: (1, 2, 1, 1, 1),
        72: (3, 6, 3, 3, 3),
        120: (6, 6, 6, 6, 6),
        168: (6, 9, 9, 9, 9),
    },
}
SET_UPS = tuple(SPLITS)

# Milliseconds as published, rows by LENGTHS, columns by SIZES. The pictures that name the six
# tables are not in the text; the order is taken to be that of SET_UPS.
PUBLISHED = {
    "none": ((10, 12, 16, 21), (10, 13, 16, 21), (10, 12, 16, 20)),
    "pin low": ((52, 54, 57, 63), (59, 68, 81, 101), (63, 103, 144, 200)),
    "pin high": ((52, 57, 69, 86), (58, 80, 94, 130), (67, 106, 158, 227)),
    "contact": ((55, 57, 59, 64), (60, 67, 77, 92), (60, 99, 137, 167)),
    "pin + contact": ((53, 59, 63, 68), (63, 80, 91, 113), (65, 103, 144, 187)),
    "2 pins + contact": ((56, 59, 61, 66), (61, 76, 89, 99), (63, 101, 162, 191)),
}


@dataclass(frozen=True, eq=False)
class Cell:
    """One case of the grid."""

    set_up: str
    unknowns: int
    frames: int
    scene: Scene
    point: Point  # dragged
    time: float  # s, of the drag
    path: np.ndarray  # (MOVES, 3) m, of the drag

    @property
    def published(self) -> int:
        """The paper's milliseconds."""
        return PUBLISHED[self.set_up][LENGTHS.index(self.frames)][SIZES.index(self.unknowns)]


def cell(set_up: str, unknowns: int, frames: int) -> Cell:
    """Build a case; the same one every time."""
    random = np.random.default_rng([SET_UPS.index(set_up), unknowns, frames])
    split = SPLITS[set_up][unknowns]
    rig, owner = _rig(random, split)
    contacts = 1 if "contact" in set_up else 0
    ends = [Point(f"branch{b}.end") for b in range(len(split) - 1)]
    edge = (frames + 1) / RATE, 2 * (frames + 1) / RATE  # the second of three equal segments
    take = _take(random, rig, owner, edge, still=bool(contacts))
    pinned = ends[1 : len(ends) - contacts]
    scene = Scene(
        characters=(Character("body", rig, (take,)),),
        constraints=(
            *tuple(Pin(end, *edge, orientation=True) for end in pinned),
            *tuple(Contact(end, *edge) for end in ends[len(ends) - contacts :]),
        ),
    )
    time = edge[0] + round((frames + 1) * 0.4) / RATE
    path = _path(random, take, ends[0], time, np.flatnonzero(owner == 0))
    return Cell(set_up, unknowns, frames, scene, ends[0], time, path)


def _rig(random: np.random.Generator, split: tuple[int, ...]) -> tuple[Rig, np.ndarray]:
    """Joints of three rotations each; and which branch owns each channel, -1 for the trunk."""
    names, parents, offset, rows, owner = [], [], [], [], []
    trunk = -1
    for branch, count in enumerate(split, start=-1):
        above, length = trunk, REACH / (2 * max(-(-count // 3), 1))
        aside = random.normal(0, 1, 3)
        for joint in range(-(-count // 3)):
            names.append(f"branch{branch}.{joint}" if branch >= 0 else f"trunk{joint}")
            parents.append(above)
            offset.append(_bone(random, aside, length) if above >= 0 else np.zeros(3))
            above = len(names) - 1
            turns = [(above, Kind(Kind.ROTATE_X + r)) for r in range(min(3, count - 3 * joint))]
            rows += turns
            owner += [branch] * len(turns)
        if branch < 0:
            trunk = above
        else:
            names.append(f"branch{branch}.end")
            parents.append(above)
            offset.append(_bone(random, aside, length))
    table = ChannelTable.of([joint for joint, _ in rows], [kind for _, kind in rows])
    free = np.full(len(rows), LIMIT)
    table = ChannelTable(
        table.joint, table.kind, table.default, -free, free, table.stiffness, table.label
    )
    still = np.tile([1.0, 0.0, 0.0, 0.0], (len(names), 1))
    ones = np.ones((len(names), 3))
    rig = Rig(tuple(names), parents, offset, still, ones, ("XYZ",) * len(names), table)
    return rig, np.array(owner)


def _bone(random: np.random.Generator, aside: np.ndarray, length: float) -> np.ndarray:
    way = aside / np.linalg.norm(aside) + random.normal(0, 0.4, 3)
    return length * way / np.linalg.norm(way)


def _take(
    random: np.random.Generator, rig: Rig, owner: np.ndarray, edge: tuple[float, float], still: bool
) -> Take:
    """Four keys of every channel; with a contact, what carries it stands still in the segment.

    So a contact holds at the beginning, and every target of `_path` can be reached with it.
    """
    times = [0.0, *edge, edge[0] + edge[1]]
    planted = owner.max()
    curves = []
    for branch in owner:
        values = random.normal(0, 0.35, 4)
        if still and branch in (-1, planted):
            values[2] = values[1]
        curves.append(keyed(times, np.clip(values, -0.9, 0.9), Handle.AUTO_CLAMPED))
    return Take(rig, Clip("move", tuple(curves), times[-1], RATE))


def _path(
    random: np.random.Generator, take: Take, point: Point, time: float, channels: np.ndarray
) -> np.ndarray:
    """Where the point goes when the handles of its own branch are moved along a bent way.

    The handles stay well inside their bounds, and no pinned point hangs on that branch, so
    there is always an answer that hits the target and meets every constraint.
    """
    ways = random.uniform(-1, 1, (2, len(channels), 2))

    def walked(size: float, moves: int) -> np.ndarray:
        there = [
            _moved(take, channels, size * (s * ways[0] + 0.5 * np.sin(np.pi * s) * ways[1]))
            for s in np.linspace(1 / moves, 1, moves)
        ]
        return np.array([trail(t, point, np.array([time])).position[0] for t in there])

    low, high = 0.0, 1.2  # rad
    for _ in range(8):
        middle = (low + high) / 2
        way = np.linalg.norm(np.diff(walked(middle, 12), axis=0), axis=1).sum()
        low, high = (middle, high) if way < STEP * MOVES else (low, middle)
    return walked(low, MOVES)


def _moved(take: Take, channels: np.ndarray, by: np.ndarray) -> Take:
    """The take with the values of two handles of each channel moved by (channels, 2)."""
    clip = take.base
    assert isinstance(clip, Clip)
    curves = list(clip.curves)
    for channel, (out, into) in zip(channels, by, strict=True):
        curve = curves[channel]
        assert curve is not None
        tangent = np.array(curve.tangent)
        tangent[1, 1, 1] += out
        tangent[2, 0, 1] += into
        handles = np.full((len(curve), 2), Handle.FREE)
        curves[channel] = Curve(curve.time, curve.value, tangent, handles, curve.interpolation)
    return Take(take.rig, Clip(clip.name, tuple(curves), clip.duration, clip.rate))
