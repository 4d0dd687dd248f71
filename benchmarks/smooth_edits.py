"""Does a default drag of a motion curve leave the motion as smooth as it was?

    python benchmarks/smooth_edits.py [--cases 100] [--half 0|1]

Random drags by 4 % of the height, in reach, over built-in characters and over real rigs with
aligned key poses. Printed: the largest jump of the dragged point's velocity at the keys it passes
in the changed span, m/s: before, with `tangents="smooth"` (the default) and with "broken"; and how
far from the target the drags end.
"""

from __future__ import annotations

import argparse
import sys

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.tool import TangentOptions, TangentTool
from rig_drag_cases import height, keyed, takes
from tangent_drag_cases import built_in_takes

FAR = 0.04  # of the height
BESIDE = 1e-4  # s before and after a key
KINDS = ("smooth", "broken")


def cases(source: str, half: int, random: np.random.Generator) -> tuple[Scene, Take]:
    """A scene with one take, without pins or contacts."""
    if source == "built-in":
        scenes = built_in_takes()
        scene, take = scenes[random.integers(len(scenes))]
        actor = next(each for each in scene.characters if each.rig is take.rig)
    else:
        index = int(random.integers(len(takes(half))))
        _, actor, _ = takes(half)[index]
        take = keyed(half, index)
    character = type(actor)(actor.name, take.rig, (take,))
    return Scene(actor.name, (character,)), take


def jump(take: Take, point: Point, span: tuple[float, float]) -> float:
    """The largest change of the point's velocity at a key inside the span, m/s."""
    assert isinstance(take.base, Clip)
    curves = [take.base.curves[channel] for channel in channels_moving(take.rig, [point])]
    times = np.unique(np.concatenate([c.time for c in curves if c is not None]))
    times = times[(times > 0.01) & (times < take.duration - 0.01)]
    times = times[(times >= span[0] - 1e-6) & (times <= span[1] + 1e-6)]
    if not len(times):
        return 0.0
    at = (times[:, None] + BESIDE * np.array([-2, -1, 1, 2])).ravel()
    place = trail(take, point, at).position.reshape(-1, 4, 3)
    speed = (place[:, 1] - place[:, 0]) / BESIDE, (place[:, 3] - place[:, 2]) / BESIDE
    return float(np.linalg.norm(speed[1] - speed[0], axis=1).max())


def measured(scene: Scene, take: Take, random: np.random.Generator) -> list[float] | None:
    point = Point(take.rig.names[int(random.integers(len(take.rig.names)))])
    when = float(random.uniform(0.1, 0.9)) * take.duration
    start = trail(take, point, [when]).position[0]
    way = random.normal(size=3)
    target = start + way / np.linalg.norm(way) * FAR * height(take)
    found, span = [], None
    for kind in KINDS:
        session = TangentTool().begin(scene, Target(), TangentOptions(tangents=kind))
        span = span or session.update(Drag(point, when, position=target)).span
        session.update(Drag(point, when, position=target))
        after = session.finish().apply(scene).characters[0].takes[0]
        off = float(np.linalg.norm(trail(after, point, [when]).position[0] - target))
        if off > 1e-3:
            return None  # out of reach
        found += [jump(after, point, span), off]
    assert span is not None
    return [jump(take, point, span), *found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--half", type=int, choices=(0, 1), default=0)
    given = parser.parse_args()
    print(f"{'jump at keys, m/s':22}{'before':>18}{'smooth':>18}{'broken':>18}  off mm p95")
    for source in ("built-in", "real"):
        random = np.random.default_rng([given.half, len(source)])
        rows: list[list[float]] = []
        while len(rows) < given.cases:
            scene, take = cases(source, given.half, random)
            row = measured(scene, take, random) if take.duration > 0 else None
            if row is not None:
                rows.append(row)
        table = np.array(rows)
        cells = [
            f"{np.median(column):.3f} {np.percentile(column, 95):.3f}"
            for column in table[:, [0, 1, 3]].T
        ]
        off = 1e3 * np.percentile(table[:, 2], 95)
        print(f"{source + ', p50 p95':22}" + "".join(f"{c:>18}" for c in cells) + f"{off:10.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
