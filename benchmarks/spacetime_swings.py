"""Random drags of swinging feet on captures: does anything move much further than the drag?

    python benchmarks/spacetime_swings.py [--cases 30] [--half 1] [--seed 1] [--worst 3]

A foot is dragged by 5 to 30 cm in a frame between two of its footplants. Printed: the largest
displacement of any joint at any frame over the length of the drag, in the last preview and after
the release; how far the release misses the drag; and CPU time of an update and of the release.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from spacetime_release import DATA, MOVES, scene_at

SHORTEST, LONGEST = 0.1, 1.0  # s between two footplants of a swing
COLUMNS = ("preview", "release", "short mm", "move ms", "release ms")


@dataclass(frozen=True)
class Swing:
    """A joint of a foot, and a time between two of its footplants."""

    joint: str
    start: float  # s
    end: float  # s


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=30)
    parser.add_argument("--half", type=int, choices=(1, 2), default=1, help="of the files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=3)
    given = parser.parse_args()
    found = [random_swing(given.half, given.seed, number) for number in range(given.cases)]
    for at, name in enumerate(COLUMNS):
        low, high = np.percentile([values[at] for _, values in found], (50, 95))
        most = max(values[at] for _, values in found)
        print(f"{name:10} p50 {low:8.2f}  p95 {high:8.2f}  max {most:8.2f}")
    for name, values in sorted(found, key=lambda each: -each[1][1])[: given.worst]:
        print(f"{values[1]:.2f}: {name}")
    return 0


def random_swing(half: int, seed: int, number: int) -> tuple[str, Sequence[float]]:
    """A drag of its own seed, on a file that has a swing."""
    random = np.random.default_rng([seed, number])
    paths = sorted(DATA.glob("*/*.bvh"))[half - 1 :: 2]
    swings: list[Swing] = []
    while not swings:
        path = paths[random.integers(len(paths))]
        scene = scene_at(path)
        take = scene.characters[0].takes[0]
        swings = swings_of(take)
    swing = swings[random.integers(len(swings))]
    frame = round(random.uniform(swing.start, swing.end) * take.rate)
    way = random.normal(size=3)
    by = way / np.linalg.norm(way) * random.uniform(0.05, 0.3)
    before = (swing.end * take.rate) - frame
    name = f"#{number} {path.stem} {swing.joint} at frame {frame}, {before:.0f} before its plant"
    return f"{name}, by {by.round(2)}", measured(scene, take, swing.joint, frame / take.rate, by)


def swings_of(take: Take) -> list[Swing]:
    """Times between two footplants of a joint; its foot is dragged."""
    found, plants = [], footplants(take)
    for joint in sorted({each.point.joint for each in plants}):
        own = sorted((each.start, each.end) for each in plants if each.point.joint == joint)
        foot = take.rig.names[take.rig.parents[take.rig.joint(joint)]]
        for (_, start), (end, _) in pairwise(own):
            if SHORTEST < end - start < LONGEST:
                found.append(Swing(foot, start, end))
    return found


def measured(scene: Scene, take: Take, joint: str, when: float, by: Floats) -> Sequence[float]:
    """The numbers of one drag, in the order of the columns."""
    point = Point(joint)
    place = trail(take, point, [when]).position[0]
    options = SpacetimeOptions(adapt_timing="off")  # frames before and after are compared
    session = SpacetimeTool().begin(scene, Target(), options)
    began = time.thread_time()
    for share in np.linspace(1 / MOVES, 1, MOVES):
        preview = session.update(Drag(point, when, position=place + share * by))
    moved = time.thread_time()
    edit = session.finish()
    ended = time.thread_time()
    after = edit.apply(scene).characters[0].takes[0]
    shown = preview.edit.apply(scene).characters[0].takes[0]
    far = [displacement(take, each) / float(np.linalg.norm(by)) for each in (shown, after)]
    short = float(np.linalg.norm(trail(after, point, [when]).position[0] - place - by))
    return (*far, 1e3 * short, 1e3 * (moved - began) / MOVES, 1e3 * (ended - moved))


def displacement(before: Take, after: Take) -> float:
    """The largest of any joint at any frame, m."""
    times = before.frame_times()
    first, second = (forward(take.rig, values_at(take, times)) for take in (before, after))
    return float(np.linalg.norm((second - first)[..., :3, 3], axis=-1).max())


if __name__ == "__main__":
    sys.exit(main())
