"""Packed captures: CMU motions of many subjects in one file, as the humanoid model learns them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import quaternion_from_euler, unwrap_quaternion
from arcwright.tools.autocomplete.body.captures import Captures, mirrored, planted_feet
from arcwright.tools.autocomplete.body.key_slerp import Poses
from arcwright.tools.autocomplete.body.skeleton import Skeleton

WITHOUT_MEANING = ("HipJoint", "Finger", "Thumb", "Index")


def packed_captures(path: Path) -> Captures:
    """Of a file of the layout that `docs/autocomplete.md` describes."""
    with np.load(path, allow_pickle=False) as stored:
        named = [str(name) for name in stored["joints"]]
        kept = [
            at for at, name in enumerate(named) if not any(part in name for part in WITHOUT_MEANING)
        ]
        start, values = stored["start"], stored["values"].astype(np.float64)
        offset = stored["offset"].astype(np.float64)
        subject, names = stored["subject"], tuple(str(name) for name in stored["name"])
        parents, offsets = _without(stored["parents"], offset, kept)
    angles = np.radians(values[:, 3:].reshape(len(values), -1, 3) / 50)[:, kept]
    rotations = quaternion_from_euler(angles, "ZYX")
    for first, last in pairwise(start.tolist()):
        rotations[first:last] = unwrap_quaternion(rotations[first:last])
    joints = [named[at] for at in kept]
    legs = [joints.index("LeftLeg"), joints.index("LeftFoot")]
    size = np.linalg.norm(offsets[:, legs], axis=2).sum(axis=1)
    offsets = offsets / size[:, None, None]
    clip = np.repeat(np.arange(len(names)), np.diff(start))
    position = values[:, :3] / 1000 / size[clip, None]
    skeleton = Skeleton(tuple(joints), parents, offsets.mean(axis=0))
    feet = np.array([joints.index("LeftToeBase"), joints.index("RightToeBase")])
    planted = planted_feet(skeleton, Poses(rotations, position), offsets, start, feet)
    return Captures(
        *(skeleton, rotations, position, start, offsets, size, feet, planted),
        *(subject, names, mirrored(joints)),
    )


def _without(parents: Ints, offset: Floats, kept: list[int]) -> tuple[Ints, Floats]:
    """Parents and offsets of the joints that are kept; others are stiff."""
    place = {joint: at for at, joint in enumerate(kept)}
    found, away = [], []
    for joint in kept:
        total, above = offset[:, joint].copy(), int(parents[joint])
        while above >= 0 and above not in place:
            total += offset[:, above]
            above = int(parents[above])
        found.append(place.get(above, -1))
        away.append(total if above >= 0 else np.zeros_like(total))
    return np.array(found), np.stack(away, axis=1)
