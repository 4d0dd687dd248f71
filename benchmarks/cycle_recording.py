"""Recording: what an update and the end of a performance cost, and how near the layer is.

600 samples at 60 Hz come one by one, as a face delivers them; the edit of every preview is built.
Circles of a hand with a tempo that varies by 3 % and 3 mm of noise. CPU time of one thread.
`off` is the largest distance of the performed point from the solved poses at the frames, `keys` are
those of the performed channels; of all runs the most.
"""

from __future__ import annotations

import argparse
from time import thread_time

import one_thread  # noqa: F401

# isort: split
import numpy as np

import arcwright
from arcwright.arrays import Floats
from arcwright.scene.clip import Clip
from arcwright.tools.gesture import chunks

SAMPLES, RATE = 600, 60.0
CASES = (
    ("biped:stand", "RightHand", 1.02),
    ("biped:walk", "LeftHand", 0.97),
    ("biped:walk", "Hips", 0.51),
    ("dinosaur:punch", "Head", 0.8),
    ("biped:carry", "Bench", 1.1),
)


def main() -> None:
    """Print a row for each case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=5)
    runs = parser.parse_args().runs
    print(f"{'':28} update ms: p50    p95    max   finish ms: p50   p95    keys   off mm")
    for name, joint, period in CASES:
        spent: list[float] = []
        ends: list[float] = []
        keys, off = 0, 0.0
        for seed in range(runs):
            updates, end, own, away = recorded(name, joint, period, seed)
            spent += updates
            ends.append(end)
            keys, off = max(keys, own), max(off, away)
        middle, most, worst = np.percentile(spent, [50, 95, 100])
        half, last = np.percentile(ends, [50, 95])
        print(
            f"{name + ' ' + joint:28} {middle:14.1f} {most:6.1f} {worst:6.1f} "
            f"{half:16.0f} {last:5.0f} {keys:7d} {1000 * off:8.1f}"
        )


def recorded(
    name: str, joint: str, period: float, seed: int
) -> tuple[list[float], float, int, float]:
    """Milliseconds of each update and of the end, keys, and metres off."""
    scene = arcwright.read(name)
    prop = joint in [each.name for each in scene.props]
    point = arcwright.Point(joint, character=joint if prop else "")
    interaction = arcwright.begin("cycle", scene, point=point, take="")
    spent = []
    for part in chunks(acted(period, seed), 1):
        start = thread_time()
        interaction.update(part).edit.apply(scene)
        spent.append(1000 * (thread_time() - start))
    start = thread_time()
    edit = interaction.finish()
    end = 1000 * (thread_time() - start)
    take = edit.apply(scene).actor(interaction.target.character).takes[0]
    layer = interaction.session._use._finished()[0]  # type: ignore[attr-defined]
    assert isinstance(take.base, Clip)
    performed = [take.base.curves[each] for each in layer.poses.channels.tolist()]
    keys = sum(len(curve) for curve in performed if curve is not None)
    rows = layer.poses.rows
    found = arcwright.trail(take, point, layer.poses.times[rows]).position
    solved = arcwright.forward(take.rig, layer.poses.values[rows], [take.rig.joint(point.joint)])
    off = np.linalg.norm(found - solved[:, 0, :3, 3], axis=1)
    return spent, end, keys, float(off.max())


def acted(period: float, seed: int) -> arcwright.Performance:
    """Circles of a hand."""
    random = np.random.default_rng(seed)
    time = np.arange(SAMPLES) / RATE
    wander: Floats = 0.03 * np.cumsum(random.normal(size=SAMPLES)) / np.sqrt(RATE)
    angle = 2 * np.pi * (time / period + wander)
    poses = np.zeros((SAMPLES, 1, 7))
    poses[:, 0, :3] = 0.08 * np.stack([np.cos(angle), np.sin(angle), 0.2 * np.sin(angle)], axis=1)
    poses[:, 0, :3] += random.normal(0, 0.003, (SAMPLES, 3))
    poses[:, 0, 3] = 1.0
    return arcwright.Performance(time, poses)


if __name__ == "__main__":
    main()
