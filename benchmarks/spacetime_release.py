"""Random drags of captures with the default options: what the release moves, and what it takes.

    python benchmarks/spacetime_release.py [--cases 40] [--half 1] [--seed 1] [--worst 5]

Hands, feet, hips and head, by 5 to 30 cm, in ten updates. Printed: the largest displacement of any
joint at any frame from the last update to the release, within NEAR seconds of the drag and farther
from it; CPU time of the first preview (begin and first update), of later updates and of the
release; and the largest displacement from the original farther than FAR seconds from the drag.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import files
from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.tool import SpacetimeOptions, SpacetimeTool
from arcwright.tools.tool import Note

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "bvh"
MOVES = 10
NEAR = 0.5  # s from the drag
FAR = 1.0  # s from the drag
PARTS = {
    "hand": ("LeftHand", "RightHand", "LeftWrist", "RightWrist"),
    "foot": ("LeftFoot", "RightFoot", "LeftAnkle", "RightAnkle"),
    "hips": ("Hips", "hip"),
    "head": ("Head", "head"),
}
COLUMNS = ("near mm", "far mm", "away mm", "short mm", "first ms", "move ms", "release ms")


@dataclass(frozen=True)
class Released:
    """One drag and what came of it."""

    name: str
    part: str
    found: dict[str, float]
    notes: Sequence[Note]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=40)
    parser.add_argument("--half", type=int, choices=(1, 2), default=1, help="of the files")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=5)
    parser.add_argument("--only", type=int, help="number of the one case to run")
    given = parser.parse_args()
    numbers = range(given.cases) if given.only is None else [given.only]
    released = [random_drag(given.half, given.seed, number) for number in numbers]
    print(f"{'':6}{'drags':>6}" + "".join(f"{name + ' p50':>15}{'p95':>8}" for name in COLUMNS))
    for part in (*PARTS, "all"):
        row(part, [each for each in released if part in (each.part, "all")])
    row("agree", [each for each in released if not missed(each)])
    row("differ", [each for each in released if missed(each)])
    for each in sorted(released, key=lambda one: (missed(one), -one.found["near mm"]))[
        : given.worst
    ]:
        print(f"{each.name}: " + ", ".join(f"{k} {v:.1f}" for k, v in each.found.items()))
        print("".join(f"    {note.text}\n" for note in each.notes), end="")
    return 0


def row(part: str, released: Sequence[Released]) -> None:
    """One line of the table."""
    if released:
        cells = [
            np.percentile([each.found[name] for each in released], (50, 95)) for name in COLUMNS
        ]
        print(f"{part:6}{len(released):6}" + "".join(f"{a:15.1f}{b:8.1f}" for a, b in cells))


def missed(released: Released) -> bool:
    """Whether the drag and the constraints contradict each other."""
    return any(note.kind == "residual" for note in released.notes)


@cache
def scene_at(path: Path) -> Scene:
    return files.read(path)


def random_drag(half: int, seed: int, number: int) -> Released:
    """A drag of its own seed."""
    random = np.random.default_rng([seed, number])
    paths = sorted(DATA.glob("*/*.bvh"))[half - 1 :: 2]
    path = paths[random.integers(len(paths))]
    part = str(random.choice(list(PARTS)))
    scene = scene_at(path)
    take = scene.characters[0].takes[0]
    known = [name for name in PARTS[part] if name in take.rig.names]
    joint = str(random.choice(known)) if known else take.rig.names[0]
    frames = take.frame_times()
    when = float(frames[random.integers(int(0.05 * len(frames)), int(0.95 * len(frames)))])
    way = random.normal(size=3)
    by = way / np.linalg.norm(way) * random.uniform(0.05, 0.3)
    name = f"#{number} {path.stem} {joint} at frame {when * take.rate:.0f} by {by.round(2)}"
    return Released(name, part, *measured(scene, take, Point(joint), when, by))


def measured(
    scene: Scene, take: Take, point: Point, when: float, by: Floats
) -> tuple[dict[str, float], Sequence[Note]]:
    """The numbers and notes of one drag."""
    place = trail(take, point, [when]).position[0]
    marks = [time.thread_time()]
    options = SpacetimeOptions(adapt_timing="off")  # frames before and after are compared
    session = SpacetimeTool().begin(scene, Target(), options)
    for share in np.linspace(1 / MOVES, 1, MOVES):
        preview = session.update(Drag(point, when, position=place + share * by))
        marks.append(time.thread_time())
    edit = session.finish()
    marks.append(time.thread_time())
    spent = np.diff(marks) * 1e3
    frames = take.frame_times()
    was = joints(take, frames)
    shown, after = (
        joints(each.apply(scene).characters[0].takes[0], frames) for each in (preview.edit, edit)
    )
    jump = np.linalg.norm(after - shown, axis=-1).max(axis=1)
    moved = np.linalg.norm(after - was, axis=-1).max(axis=1)
    near, far = np.abs(frames - when) <= NEAR, np.abs(frames - when) > FAR
    taken = edit.apply(scene).characters[0].takes[0]
    short = float(np.linalg.norm(trail(taken, point, [when]).position[0] - place - by))
    return {
        "near mm": 1e3 * float(jump[near].max()),
        "far mm": 1e3 * float(jump[~near].max(initial=0.0)),
        "away mm": 1e3 * float(moved[far].max(initial=0.0)),
        "short mm": 1e3 * short,
        "first ms": float(spent[0]),
        "move ms": float(np.median(spent[1:-1])),
        "release ms": float(spent[-1]),
    }, session.notes()


def joints(take: Take, times: Floats) -> Floats:
    """(T, J, 3) m."""
    found: Floats = forward(take.rig, values_at(take, times))[..., :3, 3]
    return found


if __name__ == "__main__":
    sys.exit(main())
