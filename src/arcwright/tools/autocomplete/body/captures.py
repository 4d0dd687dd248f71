"""Captures: poses of many clips on one skeleton, that body models are trained on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadFile
from arcwright.kinematics.rotation import quaternion_normalise
from arcwright.tools.autocomplete.body.key_slerp import Poses
from arcwright.tools.autocomplete.body.skeleton import Skeleton, world_poses
from arcwright.tools.autocomplete.network.npz_file import write_npz

FORMAT = "arcwright captures"
FRAME_TIME = 1 / 30
PLAIN = ("start", "offsets", "size", "feet", "planted", "subject", "mirror")
SLOW = 0.15  # leg lengths a second: a toe that is slower may stand
LOW = 0.06  # leg lengths above where toes of its clip stand


@dataclass(frozen=True, eq=False)
class Captures:
    """Clips end to end, at one frame rate; every clip has bones of its own."""

    skeleton: Skeleton  # with mean offsets
    rotations: Floats  # (N, J, 4)
    position: Floats  # (N, 3) leg lengths
    start: Ints  # (clips + 1,) first frame of each
    offsets: Floats  # (clips, J, 3) leg lengths
    size: Floats  # (clips,) m, the length of a leg
    feet: Ints  # (F,) joints that stand
    planted: Bools  # (N, F) whether each of them stands
    subject: Ints  # (clips,)
    names: tuple[str, ...]  # (clips,)
    mirror: Ints  # (J,) the joint on the other side

    def __len__(self) -> int:
        return len(self.names)

    def part(self, clips: Ints) -> Captures:
        """Some of the clips."""
        frames = [np.arange(self.start[clip], self.start[clip + 1]) for clip in clips]
        rows = np.concatenate(frames)
        lengths = [len(each) for each in frames]
        return replace(
            self,
            rotations=self.rotations[rows],
            position=self.position[rows],
            start=np.concatenate([[0], np.cumsum(lengths)]),
            offsets=self.offsets[clips],
            size=self.size[clips],
            planted=self.planted[rows],
            subject=self.subject[clips],
            names=tuple(self.names[clip] for clip in clips),
        )


def planted_feet(
    skeleton: Skeleton, poses: Poses, offsets: Floats, start: Ints, feet: Ints
) -> Bools:
    """(N, F) whether a foot is slow and about as low as it ever is in its clip."""
    planted = np.zeros((len(poses.position), len(feet)), bool)
    for clip, (first, last) in enumerate(pairwise(start.tolist())):
        rows = slice(first, last)
        _, places = world_poses(
            skeleton, poses.rotations[rows], poses.position[rows], offsets[clip]
        )
        toes = places[:, feet]
        step = np.linalg.norm(np.diff(toes, axis=0), axis=2) / FRAME_TIME
        slow = (
            np.minimum(np.concatenate([step, step[-1:]]), np.concatenate([step[:1], step])) < SLOW
        )
        low = toes[..., 1] < np.percentile(toes[..., 1], 5) + LOW
        planted[rows] = slow & low
    return planted


def mirrored(joints: list[str]) -> Ints:
    """(J,) the joint of the same name on the other side; itself for others."""
    swapped = [
        name.replace("Left", "#").replace("Right", "Left").replace("#", "Right") for name in joints
    ]
    return np.array([joints.index(other) if other in joints else at
                     for at, other in enumerate(swapped)])  # fmt: skip


def write_captures(path: Path, captures: Captures) -> None:
    """As one file of plain arrays, for a training elsewhere."""
    skeleton = captures.skeleton
    write_npz(
        path,
        {
            "format": np.array(FORMAT),
            "joints": np.array(skeleton.names),
            "parents": skeleton.parents,
            "bones": skeleton.offsets,
            "rotations": captures.rotations.astype(np.float32),
            "position": captures.position.astype(np.float32),
            "start": captures.start,
            "offsets": captures.offsets,
            "size": captures.size,
            "feet": captures.feet,
            "planted": captures.planted,
            "subject": captures.subject,
            "names": np.array(captures.names),
            "mirror": captures.mirror,
        },
    )


def read_captures(path: Path) -> Captures:
    """What `write_captures` wrote."""
    with np.load(path, allow_pickle=False) as stored:
        if str(stored["format"]) != FORMAT:
            raise BadFile(path, "holds no captures")
        joints = tuple(str(name) for name in stored["joints"])
        return Captures(
            Skeleton(joints, stored["parents"], stored["bones"]),
            rotations=quaternion_normalise(stored["rotations"]),
            position=stored["position"].astype(np.float64),
            names=tuple(str(name) for name in stored["names"]),
            **{name: stored[name] for name in PLAIN},
        )
