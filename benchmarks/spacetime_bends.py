"""Do knees and elbows of captured skeletons bend backwards? Random drags, with and without limits.

    python benchmarks/spacetime_bends.py [--cases 60] [--half 2] [--seed 1]

back      degrees by which a knee or elbow bends further backwards than ever in the original
aside     degrees by which its lower bone leaves the plane of its bends further than in the original
off       mm, distance of the dragged point from its target
move      ms of CPU time for a move, p95
finish    s of CPU time for the release

Hands, feet, elbows, knees, hips and heads are dragged by 10 to 35 cm anywhere. Limits were built
with half 1 of the files.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import read
from arcwright.arrays import Floats
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.spacetime.tool import SpacetimeOptions
from spacetime_figures import DATA, STRAIGHT, Played, bends, figures, hinges, play

WORDS = ("hand", "foot", "forearm", "leg", "hips", "head", "elbow", "knee")
SECONDS = 4.0


def part(scene: Scene, random: np.random.Generator) -> Scene:
    """Some seconds of a capture, as a take of their own."""
    character = scene.characters[0]
    base = character.takes[0].base
    count = min(len(base.time) - 2, int(SECONDS * base.rate))
    first = int(random.integers(2, max(3, len(base.time) - count)))
    base = replace(base, time=base.time[:count], values=base.values[first : first + count])
    take = Take(character.rig, base)
    return Scene(scene.name, (replace(character, takes=(take,)),))


def aside(played: Played) -> float:
    """Degrees that lower bones leave the plane of their bends, beyond the original."""
    old, new = played.takes
    worst = 0.0
    for joint, end in hinges(old.rig):
        axis = bends(old, old.frame_times(), joint, end)[0].mean(axis=0)
        if np.linalg.norm(axis) < STRAIGHT:
            continue
        axis = axis / np.linalg.norm(axis)
        off = []
        for take in (old, new):
            cross = bends(take, old.frame_times(), joint, end)[0]
            bone = cross - (cross @ axis)[:, None] * axis
            off.append(np.degrees(np.arcsin(np.clip(np.linalg.norm(bone, axis=1), 0, 1))).max())
        worst = max(worst, float(off[1] - off[0]))
    return worst


def drawn(random: np.random.Generator, scene: Scene) -> tuple[Point, float, Floats]:
    """A random point, time, and way to drag it."""
    take = scene.characters[0].takes[0]
    names = [name for name in take.rig.names if not name.endswith("End")]
    joints = [name for name in names if any(word in name.lower() for word in WORDS)]
    joint = joints[random.integers(len(joints))]
    when = float(np.round(random.uniform(0.1, 0.9) * take.duration * take.rate) / take.rate)
    way = random.normal(size=3)
    return Point(joint), when, way / np.linalg.norm(way) * random.uniform(0.1, 0.35)


def measured(scenes: list[Scene], cases: int, seed: int, *, limits: bool) -> tuple[Floats, list]:
    """(N, 5) figures of random drags, and what was dragged."""
    random = np.random.default_rng(seed)
    found, words = [], []
    for _ in range(cases):
        scene = part(scenes[random.integers(len(scenes))], random)
        pull = drawn(random, scene)
        played = play(scene, [pull], SpacetimeOptions(guess_limits=limits, adapt_timing="off"))
        got = figures(played)
        found.append([got["back"], aside(played), *(got[k] for k in ("handle", "move", "finish"))])
        words.append(f"{scene.name} {pull[0].joint} at {pull[1]:.2f} s by {np.round(pull[2], 2)}")
    return np.array(found), words


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=60)
    parser.add_argument("--half", type=int, choices=(1, 2), default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=3)
    given = parser.parse_args()
    scenes = [read(path) for path in sorted(DATA.glob("bvh/*/*.bvh"))[given.half - 1 :: 2]]
    names = "drags", "back p50", "p95", "worst", "within 2", "aside p50", "p95", "off p95"
    print(f"{'':10}" + "".join(f"{each:>11}" for each in (*names, "move", "finish p50", "p95")))
    for name in ("free", "limited"):
        table, words = measured(scenes, given.cases, given.seed, limits=name == "limited")
        p50, p95 = np.percentile(table, 50, axis=0), np.percentile(table, 95, axis=0)
        within = f"{(table[:, 0] <= 2).mean():.0%}"
        cells = p50[0], p95[0], table[:, 0].max(), p50[1], *p95[1:4], p50[4], p95[4]
        text = [f"{each:11.2f}" for each in cells]
        text.insert(3, f"{within:>11}")
        print(f"{name:10}{len(table):11}" + "".join(text))
        for at in np.argsort(-table[:, 0])[: given.worst]:
            print(f"    {words[at]}: back {table[at, 0]:.2f}, aside {table[at, 1]:.2f}")


if __name__ == "__main__":
    main()
