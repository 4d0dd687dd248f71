"""Contacts: legs are posed anew, so that feet follow their paths; the base of a lamp stays put."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.pose_sequence import PointPath, PoseSequence, SolvedPoses
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.autocomplete.foot_paths import FootPath, foot_paths
from arcwright.tools.autocomplete.key_poses import KeyPoses

REACHED = 0.002  # m; feet that end further off are noted


@dataclass(frozen=True, eq=False)
class Grounded:
    """Values with feet on their paths."""

    values: Floats  # (T, C)
    planted: dict[str, Bools]  # (T,) of each foot, by its joint
    missed: dict[str, float]  # m, of feet that do not get there


def grounded(
    scene: Scene, edited: EditedClip, keys: KeyPoses, times: Floats, values: Floats
) -> Grounded:
    """Keep feet where they rest, and let them lift where they step."""
    rig = edited.take.rig
    paths = foot_paths(rig, times, values, keys.times, keys.known)
    planted = {path.joint: path.planted for path in paths}
    active = np.zeros(len(times), bool)
    for path in paths:
        active |= path.held
    active[abs(times[:, None] - keys.times).argmin(axis=0)] = False
    if not active.any():
        return Grounded(values, planted, {})
    frames = np.flatnonzero(active)
    made = _posed(scene, edited, times[frames], values[frames], paths, frames)
    after = np.array(values)
    after[frames] = made.values
    after[:, ~keys.free] = values[:, ~keys.free]
    off = made.remaining.max(axis=0)
    missed = {p.joint: float(m) for p, m in zip(paths, off, strict=True) if m > REACHED}
    return Grounded(after, planted, missed)


def _posed(
    scene: Scene,
    edited: EditedClip,
    times: Floats,
    values: Floats,
    paths: list[FootPath],
    frames: Ints,
) -> SolvedPoses:
    """Poses of the frames in which feet are on their paths."""
    name = edited.actor.name
    take = Take(edited.take.rig, Motion(edited.take.name, times, values, edited.take.rate))
    there = EditedClip(edited.actor, take, edited.clip, edited.curves)
    points = [Point(path.joint, character=name) for path in paths]
    # constraints of the scene hold at keys; between them feet go where the completion says
    free = replace(scene, constraints=())
    sequence = PoseSequence(free, there, times, points, plant_feet=False)
    return sequence.solve(
        [
            PointPath(point, path.position[frames], path.orientation[frames])
            for point, path in zip(points, paths, strict=True)
        ]
    )
