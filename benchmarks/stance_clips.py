"""Clips whose stances were marked by hand, and the halves they are split into.

`benchmarks/stances/marks.json` says how they were marked. Within a kind, clips in order of their
name belong in turns to the half that may be looked at and to the one kept for the final table.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import arcwright
from arcwright.scene.motion import Motion
from arcwright.scene.rig import ChannelTable, Kind, Rig
from arcwright.scene.take import Take

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
MARKS = Path(__file__).resolve().parent / "stances" / "marks.json"
PACKED = "learn/cmu_30fps.npz"
RATE = 30.0


@dataclass(frozen=True)
class MarkedClip:
    """A clip, the frames that were looked at, and the stances of each foot."""

    name: str
    kind: str
    file: str  # below the folder of real data
    take: str  # of the file; "" the first
    frames: tuple[int, int]  # first and last that were looked at
    feet: dict[str, tuple[str, ...]]  # joints of each foot, from the shin to the toes
    stances: dict[str, tuple[tuple[int, int], ...]]  # first and last frame of each
    uncertainty: int  # frames, of both ends
    in_place: bool  # the ground moves under the character
    seen: bool  # belongs to the half that may be looked at

    def load(self) -> Take:
        """The take."""
        if self.file == PACKED:
            return packed_take(self.take)
        actor = arcwright.read(DATA / self.file).characters[0]
        return actor.take(self.take) if self.take else actor.takes[0]


def marked_clips() -> list[MarkedClip]:
    """All marked clips, by kind and name."""
    table = json.loads(MARKS.read_text())
    rows = sorted(table["clips"], key=lambda row: (row["kind"], row["name"]))
    counts: dict[str, int] = {}
    clips = []
    for row in rows:
        turn = counts[row["kind"]] = counts.get(row["kind"], -1) + 1
        feet = {side: tuple(joints) for side, joints in table["skeletons"][row["skeleton"]].items()}
        stances = {
            side: tuple((first, last) for first, last in row["stances"].get(side, []))
            for side in feet
        }
        clips.append(
            MarkedClip(
                row["name"],
                row["kind"],
                row["file"],
                row.get("take", ""),
                (row["frames"][0], row["frames"][1]),
                feet,
                stances,
                row["uncertainty"],
                row.get("in_place", False),
                seen=turn % 2 == 0,
            )
        )
    return clips


@cache
def library() -> dict[str, np.ndarray]:
    with np.load(DATA / PACKED, allow_pickle=False) as packed:
        return {name: packed[name] for name in packed.files}


def packed_take(name: str) -> Take:
    """A clip of the packed library: root translation, then Z, Y and X rotation of each joint."""
    known = library()
    clip = known["name"].tolist().index(name)
    rows = known["values"][known["start"][clip] : known["start"][clip + 1]]
    count = len(known["joints"])
    turns = [Kind.ROTATE_Z, Kind.ROTATE_Y, Kind.ROTATE_X]
    rig = Rig(
        names=tuple(known["joints"].tolist()),
        parents=known["parents"],
        offset=known["offset"][clip],
        rest=np.tile([1.0, 0.0, 0.0, 0.0], (count, 1)),
        scale=np.ones((count, 3)),
        modes=("ZYX",) * count,
        channels=ChannelTable.of(
            [0] * 3 + [joint for joint in range(count) for _ in turns],
            [Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z] + turns * count,
        ),
    )
    values = np.concatenate([rows[:, :3] / 1000.0, np.radians(rows[:, 3:] / 50.0)], axis=1)
    return Take(rig, Motion(name, np.arange(len(values)) / RATE, values, RATE))
