"""Motion curves: what drawing costs, and redrawing after one drag; medians on one thread.

python benchmarks/motion_curves.py
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter

import numpy as np

from arcwright.arrays import same
from arcwright.curves.keys import keyed
from arcwright.kinematics.motion_curve import Sampling, motion_curve, refresh_curves
from arcwright.kinematics.trail import trail
from arcwright.open import read
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.tool import TangentOptions, TangentTool

HAND = Point("LeftHand")
EIGHT = [Point(f"{side}{part}") for side in ("Left", "Right") for part in (
    "Hand", "Foot", "LowerArm", "IndexDistal")]  # fmt: skip
LONG = 6000  # frames


def long_scene(every: int) -> Scene:
    """The biped over 6,000 frames with keys on all channels, one each so many frames."""
    scene = replace(read("biped:walk"), constraints=())
    actor = scene.characters[0]
    random = np.random.default_rng(0)
    times = np.arange(0, LONG + 1, every) / 24
    curves = tuple(
        keyed(times, random.normal(0, 0.1, len(times))) for _ in range(len(actor.rig.channels))
    )
    take = Take(actor.rig, Clip("long", curves, LONG / 24))
    return replace(scene, characters=(replace(actor, takes=(take,)),))


def dragged(scene: Scene) -> list[Scene]:
    """The scene after drags of the left hand in the middle of the clip."""
    take = scene.characters[0].takes[0]
    time = take.duration / 2 + 0.51 / take.rate
    start = trail(take, HAND, [time]).position[0]
    session = TangentTool().begin(scene, Target(), TangentOptions())
    moves = [start + share * np.array([0.02, 0.03, 0.01]) for share in np.linspace(0.1, 1, 10)]
    return [session.update(Drag(HAND, time, position=at)).edit.apply(scene) for at in moves]


def median(work: Callable[[Scene], object], scenes: list[Scene]) -> float:
    """ms"""
    spent = []
    for scene in scenes:
        began = perf_counter()
        work(scene)
        spent.append((perf_counter() - began) * 1000)
    return float(np.median(spent))


def main() -> None:
    """One row per clip and set of points."""
    clips = {
        "biped:walk, 24 frames": read("biped:walk"),
        "6,000 frames, a key each 12": long_scene(12),
        "6,000 frames, a key each frame": long_scene(1),
    }
    print("| clip | points | samples | drawn | refresh_curves | times | a window of 240 frames |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, scene in clips.items():
        after = dragged(scene)
        middle = scene.characters[0].takes[0].duration / 2
        window = Sampling(4, middle - 5, middle + 5)
        for points in ([HAND], EIGHT):
            curves = motion_curve(scene, points)
            for each in after:
                assert same(refresh_curves(curves, each), motion_curve(each, points))
            whole = median(lambda scene, p=points: motion_curve(scene, p), after)
            part = median(lambda scene, c=curves: refresh_curves(c, scene), after)
            near = median(lambda scene, p=points, w=window: motion_curve(scene, p, "", w), after)
            print(
                f"| {name} | {len(points)} | {len(curves[0])} | {whole:.2f} ms | {part:.2f} ms | "
                f"{whole / part:.1f} | {near:.2f} ms |"
            )


if __name__ == "__main__":
    main()
