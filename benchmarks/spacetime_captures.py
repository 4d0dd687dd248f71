"""Three edits of every walk, run, jump, sit, carry and box: before and after in one table.

    python benchmarks/spacetime_captures.py [--half 1|2] [--seconds 5]

A hand goes up by 25 cm (by as much as the arm reaches), the hips go down by 12 cm, and a footplant
goes 20 cm aside, all at the middle of the take. "before" is without planted soles and guessed joint
limits, "after" is with them; timing stays as it is. `spacetime_figures.py` says what the figures
mean. Soles and hinges were built with the first half of the files.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import read
from arcwright.arrays import Floats
from arcwright.kinematics.contact import footplants
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.spacetime.tool import SpacetimeOptions
from example_edits import direction
from spacetime_figures import DATA, figures, places, play

WORDS = ("walk", "run", "jump", "sit", "carry", "pickup", "march", "sneak")
REACH = 0.95  # of the arm's length, from the shoulder
WAYS = {
    "before": SpacetimeOptions(adapt_timing="off", plant_soles=False, guess_limits=False),
    "after": SpacetimeOptions(adapt_timing="off"),
}
Edit = tuple[str, Point, float, Floats]


def captures(half: int | None) -> list[Path]:
    """The files."""
    paths = sorted(DATA.glob("bvh/*/*.bvh"))
    paths = paths if half is None else paths[half - 1 :: 2]
    return [path for path in paths if any(word in path.stem for word in WORDS)]


def opened(path: Path, seconds: float) -> Scene:
    """The middle of a capture, without its first frames."""
    scene = read(path)
    character = scene.characters[0]
    base = character.takes[0].base
    count = min(len(base.time) - 2, int(seconds * base.rate))
    first = 2 + (len(base.time) - 2 - count) // 2
    base = replace(base, time=base.time[:count], values=base.values[first : first + count])
    take = Take(character.rig, base)
    return Scene(path.stem, (replace(character, takes=(take,)),))


def edits(take: Take) -> Iterator[Edit]:
    """A hand up, the hips down, a footplant aside."""
    when = round(0.5 * take.duration * take.rate) / take.rate
    hand = next(name for name in take.rig.names if name.lower() in ("lefthand", "lhand"))
    yield "hand up", Point(hand), when, _within_reach(take, hand, when)
    yield "hips down", Point(take.rig.names[0]), when, np.array([0.0, -0.12, 0.0])
    plants = footplants(take)
    if plants:
        nearest = min(plants, key=lambda each: abs(each.start + each.end - 2 * when))
        middle = round((nearest.start + nearest.end) / 2 * take.rate) / take.rate
        across = np.cross(direction(take, middle), (0.0, 1.0, 0.0))
        yield "plant aside", nearest.point, middle, 0.2 * across


def _within_reach(take: Take, hand: str, when: float) -> Floats:
    """(3,) m up, 25 cm or as far as the arm reaches."""
    rig, place = take.rig, places(take, np.array([when]))[0]
    end = rig.joint(hand)
    elbow = int(rig.parents[end])
    shoulder = int(rig.parents[elbow])
    length = np.linalg.norm(place[end] - place[elbow]) + np.linalg.norm(
        place[elbow] - place[shoulder]
    )
    for up in np.arange(0.25, 0.0, -0.01):
        way = np.array([0.0, up, 0.0])
        if np.linalg.norm(place[end] + way - place[shoulder]) < REACH * length:
            return way
    return np.array([0.0, 0.05, 0.0])


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", type=int, choices=(1, 2))
    parser.add_argument("--seconds", type=float, default=5.0, help="of longer captures")
    given = parser.parse_args()
    found: dict[tuple[str, str], list[dict[str, float]]] = {}
    header = False
    for path in captures(given.half):
        scene = opened(path, given.seconds)
        for name, point, when, by in edits(scene.characters[0].takes[0]):
            for way, options in WAYS.items():
                numbers = figures(play(scene, [(point, when, by)], options))
                found.setdefault((name, way), []).append(numbers)
                if not header:
                    print(f"{'':26}{'':13}{'':8}" + "".join(f"{each:>9}" for each in numbers))
                    header = True
                cells = "".join(f"{value:9.3g}" for value in numbers.values())
                print(f"{path.stem[:25]:26}{name:13}{way:8}{cells}", flush=True)
    for quantile in (50, 95):
        for (name, way), rows in found.items():
            table = np.array([list(each.values()) for each in rows])
            cells = "".join(f"{value:9.3g}" for value in np.nanpercentile(table, quantile, axis=0))
            print(f"{f'p{quantile} of {len(rows)}':26}{name:13}{way:8}{cells}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
