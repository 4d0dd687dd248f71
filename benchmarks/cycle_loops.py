"""Closure of fitted loops: captures of ../shared/data/bvh, and synthetic performances as takes.

Run `make bench-cycle-loops`. Gaps are measured in the samples of a loop and in the clip with few
keys that users get, by its joint positions; in place and travelling. FILE names choose captures.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

import arcwright
from arcwright import Character, Motion, Take
from arcwright.arrays import Floats
from arcwright.tools.cycle.extraction.closure import Closure
from performances import KINDS, act
from points import points_rig

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "bvh"
JITTERS = (0.0, 0.1, 0.2)
SEEDS = range(70_000, 70_003)
TOLERANCE = 0.005  # m, and as a share of the size of synthetic loops
GAP = 0.01


def main() -> None:
    """Print a line for each loop, then how many close."""
    chosen = [each for each in sys.argv[1:] if not each.startswith("-")]
    print(f"{'loop':36}{'period':>8}{'keys':>6}{'mm':>6}{'s':>6}   samples | clip | travelling")
    captured = _captures(chosen)
    _summary("captures", captured)
    if not chosen:
        _summary("synthetic", _synthetic())


def _captures(chosen: list[str]) -> list[list[Closure]]:
    found = []
    for path in sorted(DATA.glob("*/*.bvh")):
        if chosen and not any(each in path.name for each in chosen):
            continue
        character = arcwright.read(path).characters[0]
        gaps = _line(path.stem, character, character.takes[0], travels=True)
        if gaps:
            found.append(gaps)
    return found


def _synthetic() -> list[list[Closure]]:
    found = []
    for kind in KINDS:
        for jitter in JITTERS:
            for seed in SEEDS:
                acted = act(kind, jitter, seed)
                take = _points(acted.time, acted.values)
                character = Character(kind, take.rig, (take,))
                gaps = _line(f"{kind} {jitter:.0%} {seed}", character, take, travels=False)
                if gaps:
                    found.append(gaps)
    return found


def _points(at: Floats, values: Floats) -> Take:
    """A take of points that move as the values do, three for each point."""
    rig = points_rig(-(-values.shape[1] // 3))
    padded = np.zeros((len(at), len(rig.channels)))
    padded[:, : values.shape[1]] = values
    return Take(rig, Motion("acted", at, padded, 1 / float(at[1] - at[0])))


def _line(name: str, character: Character, take: Take, *, travels: bool) -> list[Closure]:
    """Print one loop; the closures of its samples, of its clip, and of its travelling clip."""
    found = arcwright.cycle(take, actor=character)
    if found.cycle is None or found.period is None:
        print(f"{name:36}    none: {found.reason}")
        return []
    start = time.thread_time()
    loop = found.loop(tolerance=TOLERANCE)
    spent = time.thread_time() - start
    gaps = [found.cycle.closure, loop.closure]
    if travels and found.travel is not None:
        gaps.append(found.loop(tolerance=TOLERANCE, travels=True).closure)
    said = " | ".join(f"{e.position:.0e} {e.velocity:.0e} {e.acceleration:.2f}" for e in gaps)
    mm = 1000 * loop.error
    print(
        f"{name:36}{found.period:8.3f}{loop.key_poses:6}{mm:6.1f}{spent:6.1f}   {said}", flush=True
    )
    return gaps


def _summary(title: str, loops: list[list[Closure]]) -> None:
    for index, part in enumerate(("samples", "fitted clip", "travelling clip")):
        gaps = [each[index] for each in loops if len(each) > index]
        if gaps:
            closed = [max(each.position, each.velocity) <= GAP for each in gaps]
            calm = [each.acceleration <= 1 for each in gaps]
            print(
                f"{title}, {part}: {sum(closed)} of {len(gaps)} within 1 % in position and "
                f"velocity, {sum(calm)} with a seam as calm as the loop's p95; at most "
                f"{max(e.position for e in gaps):.0e}, {max(e.velocity for e in gaps):.0e}, "
                f"{max(e.acceleration for e in gaps):.2f}"
            )


if __name__ == "__main__":
    main()
