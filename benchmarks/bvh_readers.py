"""Read one BVH file with Arcwright and with the readers on PyPI: medians, ratios, same numbers.

Run it where all are installed:

    python -m venv .env-bvh
    .env-bvh/bin/pip install -e . pybvh upc-pymotion bvh bvhtoolbox
    .env-bvh/bin/python benchmarks/bvh_readers.py [FILE.bvh]

Some of the others keep the numbers as text (`bvh`, `bvhtoolbox`): they are timed as they are.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import argparse
import gc
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
LARGEST = DATA / "bvh" / "cmu" / "14_20_jumping_jacks_mix.bvh"
GOAL = 5.0

Reader = tuple[Callable[[Path], object], Callable[[object], np.ndarray] | None]


def ours() -> Reader:
    from arcwright.files import read
    from arcwright.scene.rig import Kind

    def rows(scene: object) -> np.ndarray:
        actor = scene.characters[0]
        moves = actor.rig.channels.kind <= Kind.TRANSLATE_Z
        return actor.takes[0].base.values / np.where(moves, scene.source.unit, np.pi / 180)

    return read, rows


def pybvh() -> Reader:
    from pybvh import read_bvh_file

    def rows(clip: object) -> np.ndarray:
        angles = np.degrees(clip.joint_angles)
        return np.hstack([clip.root_pos, angles.reshape(len(angles), -1)])

    return lambda path: read_bvh_file(str(path)), rows


def pymotion() -> Reader:
    from pymotion.io.bvh import BVH

    def load(path: Path) -> object:
        clip = BVH()
        clip.load(str(path))
        return clip

    def rows(clip: object) -> np.ndarray:
        turn = clip.data["rotations"]
        return np.hstack([clip.data["positions"][:, 0], turn.reshape(len(turn), -1)])

    return load, rows


def bvh() -> Reader:
    from bvh import Bvh

    return lambda path: Bvh(path.read_text()), lambda clip: np.array(clip.frames, float)


def bvhtoolbox() -> Reader:
    from bvhtoolbox import BvhTree

    return lambda path: BvhTree(path.read_text()), lambda clip: np.array(clip.frames, float)


def installed() -> dict[str, Reader]:
    found: dict[str, Reader] = {}
    for make in (ours, pybvh, pymotion, bvh, bvhtoolbox):
        try:
            found[make.__name__] = make()
        except ImportError:
            print(f"{make.__name__:12} not installed")
    return found


def differences(readers: dict[str, Reader], path: Path) -> dict[str, float]:
    wanted = np.array(path.read_text().split("Frame Time:")[1].split()[1:], float)
    result = {}
    for name, (load, rows) in readers.items():
        values = rows(load(path)).ravel()
        result[name] = abs(values - wanted).max() if values.size == wanted.size else np.inf
    return result


def medians(readers: dict[str, Reader], path: Path, rounds: int) -> dict[str, list[float]]:
    """Seconds per reader; the readers take turns, so that a busy machine is busy for all."""
    taken: dict[str, list[float]] = {name: [] for name in readers}
    for _ in range(rounds):
        for name, (load, _rows) in readers.items():
            gc.collect()
            start = time.perf_counter()
            load(path)
            taken[name].append(time.perf_counter() - start)
    return taken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", nargs="?", type=Path, default=LARGEST)
    parser.add_argument("--rounds", type=int, default=15)
    options = parser.parse_args()
    readers = installed()
    off = differences(readers, options.path)
    taken = medians(readers, options.path, options.rounds)
    size = options.path.stat().st_size / 1e6
    print(f"{options.path.name}, {size:.1f} MB, NumPy {np.__version__}, {options.rounds} rounds")
    # Ratios are taken round by round: a busy spell then slows both sides of each alike.
    ratios = {
        name: statistics.median(np.divide(seconds, taken["ours"]).tolist())
        for name, seconds in taken.items()
    }
    for name, seconds in sorted(taken.items(), key=lambda each: statistics.median(each[1])):
        middle, worst = statistics.median(seconds), np.quantile(seconds, 0.95)
        print(
            f"{name:12} median {middle * 1e3:7.1f} ms  p95 {worst * 1e3:7.1f} ms  "
            f"{ratios[name]:5.1f} x ours  largest difference {off[name]:.1e}"
        )
    others = [ratio for name, ratio in ratios.items() if name != "ours"]
    if len(others) < 2:
        print("fewer than two others: nothing to compare with")
        return 2
    print(f"the best other takes {min(others):.2f} times as long (goal {GOAL:g})")
    return 0 if off["ours"] < 1e-9 else 1


if __name__ == "__main__":
    raise SystemExit(main())
