"""Points of a body on closed paths: all frames of a loop at once, beside one pose after the other.

Paths are random closed curves of up to 6 % of the body's size to each side, around a place within
14 % of it from where the point is. CPU time of one thread. `reached` is the share of frames within
0.1 mm, `farthest` the largest distance among these; the times are those of all frames.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

import arcwright
from arcwright.arrays import Floats
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import EditedClip, find_clip
from arcwright.objectives.pose_sequence import PointPath, PoseSequence
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.pose.tool import PoseOptions, PoseTool

_T = TypeVar("_T")
FRAMES = 40
CASES = (
    ("biped:walk", "LeftHand"),
    ("biped:walk", "LeftFoot"),
    ("biped:walk", "Hips"),
    ("biped:stand", "RightHand"),
    ("dinosaur:punch", "LeftHand"),
    ("spider:stride", "RightLeg4Tarsus"),
)
REACHED = 1e-4  # m


@dataclass(frozen=True, eq=False)
class Case:
    """A point of a take, and where it was."""

    scene: Scene
    edited: EditedClip
    point: Point
    times: Floats  # (T,) s
    was: Floats  # (T, 3) m


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--loops", type=int, default=40, help="random paths of each case")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"loops of {FRAMES} frames, ms of CPU time; 40 poses: the pose tool, move and release")
    print(
        f"{'point':34}{'free':>5}{'begin':>7}{'p50':>7}{'p95':>7}{'40 poses':>10}{'ratio':>7}"
        f"{'reached':>9}{'farthest':>10}"
    )
    for name, joint in CASES:
        _row(_case(name, joint), f"{name} {joint}", given.loops, given.seed)


def _case(name: str, joint: str) -> Case:
    scene = arcwright.read(name)
    edited, point = find_clip(scene, Target()), Point(joint)
    times = np.arange(FRAMES) / FRAMES * edited.take.duration
    return Case(scene, edited, point, times, trail(edited.take, point, times).position)


def _row(case: Case, name: str, loops: int, seed: int) -> None:
    random, size = np.random.default_rng(seed), rig_size(case.edited.take.rig)
    PoseSequence(case.scene, case.edited, case.times, [case.point])  # weighs the body, once
    begin, sequence = _timed(
        lambda: PoseSequence(case.scene, case.edited, case.times, [case.point])
    )
    took, singly, remaining = [], [], []
    for number in range(loops):
        path = case.was + size * _closed(random)
        spent, found = _timed(partial(sequence.solve, [PointPath(case.point, path)]))
        took.append(spent)
        remaining.append(found.remaining)
        if number < max(loops // 10, 1):
            singly.append(_timed(partial(_one_by_one, case, path))[0])
    reached = np.concatenate(remaining) < REACHED
    middle, most = np.percentile(took, [50, 95])
    peer = float(np.median(singly))
    print(
        f"{name:34}{len(sequence.channels):5}{begin:7.1f}{middle:7.1f}{most:7.1f}{peer:10.1f}"
        f"{peer / middle:7.1f}{100 * reached.mean():8.1f}%"
        f"{1e3 * np.concatenate(remaining)[reached].max():8.4f}mm"
    )


def _closed(random: np.random.Generator) -> Floats:
    """(T, 3) a smooth closed curve, in parts of the body's size."""
    phase = 2 * np.pi * np.arange(FRAMES) / FRAMES
    waves = np.stack([f(n * phase) / n for n in (1, 2) for f in (np.sin, np.cos)])
    curve = waves.T @ random.normal(0.0, 1.0, (4, 3))
    curve *= random.uniform(0.02, 0.06) / np.abs(curve).max()
    shift = random.normal(0.0, 1.0, 3)
    return np.asarray(curve + random.uniform(0.0, 0.14) * shift / np.linalg.norm(shift))


def _one_by_one(case: Case, path: Floats) -> None:
    session = PoseTool().begin(case.scene, Target(), PoseOptions())
    for moment, place in zip(case.times.tolist(), path, strict=True):
        session.update(Drag(case.point, moment, place))
        session.finish()


def _timed(run: Callable[[], _T]) -> tuple[float, _T]:
    start = time.thread_time()
    found = run()
    return 1e3 * (time.thread_time() - start), found


if __name__ == "__main__":
    main()
