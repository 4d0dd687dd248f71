"""Random drags over the built-in characters: do they hit, do pins hold, do keys stay?

Reachable targets are made by moving tangents at random inside their bounds, on channels that
move no pinned point, and reading where the dragged point went. Unreachable ones lie anywhere
up to 2 m away.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

import numpy as np

from arcwright import characters
from arcwright.arrays import same
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.point import Pin, Point
from arcwright.scene.scene import Scene
from arcwright.tools.gesture import Drag
from arcwright.tools.replay import limit_excess, pin_drift
from arcwright.tools.tangent.grip import grip
from arcwright.tools.tangent.tool import TangentOptions, TangentTool
from arcwright.tools.tool import Target
from arcwright.tools.wished import channels_moving


def random_case(random: np.random.Generator, scenes: list[Scene]) -> tuple[Scene, Point, float]:
    """A scene with perhaps a pin, a point to drag and a time between keys."""
    scene = scenes[random.integers(len(scenes))]
    actor = scene.characters[0]
    take = actor.takes[random.integers(len(actor.takes))]
    clip = take.base
    assert isinstance(clip, Clip)
    scene = replace(
        scene, characters=(replace(actor, takes=(take,)),), pins=(), contacts=()
    )
    rig = actor.rig
    while True:
        joint = int(random.integers(len(rig.names)))
        point = Point(rig.names[joint], random.normal(0, 0.05, 3))
        time = float(random.uniform(0.02, 0.98)) * take.duration
        moving = channels_moving(take, [point])
        held = [clip.curves[c] for c in moving]
        if any(curve is not None and len(curve) > 1 for curve in held):
            break
    if random.random() < 0.6:
        other = rig.names[int(random.integers(len(rig.names)))]
        pin = Pin(Point(other), 0, take.duration, orientation=bool(random.random() < 0.5))
        scene = replace(scene, pins=(pin,))
    return scene, point, time


def reachable_target(
    random: np.random.Generator, scene: Scene, point: Point, time: float
) -> np.ndarray | None:
    """Where the point goes when tangents that move no pin are changed at random."""
    actor = scene.characters[0]
    take = actor.takes[0]
    held = grip(scene, actor, take, [(point, time)])
    handles = held.handles
    if not len(handles.channel):
        return None
    x = np.zeros(len(handles.stiffness))
    pinned: set[int] = set()
    for pin in scene.pins:
        pinned |= set(channels_moving(take, [pin.point]).tolist())
    for handle, pair in enumerate(handles.unknown):
        if int(handles.channel[handle // 2]) in pinned:
            continue
        for unknown in pair:
            if unknown >= 0:
                low = max(handles.box.low[unknown], -1.0)
                high = min(handles.box.high[unknown], 1.0)
                x[unknown] = random.uniform(low, high) * random.uniform(0, 0.8)
    from arcwright.tools.tangent.model import TangentModel
    from arcwright.tools.wishes import WishList

    model = TangentModel(
        take.rig, held.places, handles, held.times, held.values, WishList(())
    )
    return model.jacobian(model.values(x)[0]).position[0, 0]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    random = np.random.default_rng(given.seed)
    scenes = [characters.built_in(name) for name in characters.names()]
    hits, drifts, backs, excess = [], [], [], []
    changed = 0
    worst = []
    while len(hits) < given.cases:
        scene, point, time = random_case(random, scenes)
        target = reachable_target(random, scene, point, time)
        if target is None:
            continue
        take = scene.characters[0].takes[0]
        start = trail(take, point, np.array([time])).position[0]
        session = TangentTool().begin(scene, Target(), TangentOptions(tangents="broken"))
        moves = max(4, int(np.linalg.norm(target - start) / 0.02))
        for share in np.linspace(1 / moves, 1, moves):
            session.update(Drag(point, time, position=start + share * (target - start)))
        after = session.finish().apply(scene).characters[0].takes[0]
        hits.append(float(np.linalg.norm(trail(after, point, np.array([time])).position[0] - target)))
        drifts.append(pin_drift(scene, take, after))
        excess.append(limit_excess(after) - limit_excess(take))
        for old, new in zip(take.base.curves, after.base.curves, strict=True):
            if old is not None:
                changed += not (same(old.time, new.time) and same(old.value, new.value))
        for share in np.linspace(1, 0, moves + 1):
            session.update(Drag(point, time, position=start + share * (target - start)))
        back = session.finish().apply(scene).characters[0].takes[0]
        times = np.linspace(0, take.duration, 50)
        backs.append(float(np.abs(values_at(back, times) - values_at(take, times)).max()))
        worst.append((hits[-1], drifts[-1], backs[-1], scene.characters[0].name, take.name, point.joint, round(time * take.rate, 2), [(p.point.joint, p.orientation) for p in scene.pins], float(np.linalg.norm(target - start))))
    print(f"{len(hits)} reachable drags")
    for name, values, bound in (("hit m", hits, 1e-4), ("pin drift m", drifts, 5e-5), ("back", backs, 1e-6), ("limit excess", excess, 1e-9)):
        v = np.array(values)
        print(f"{name:14} p50 {np.median(v):.2e}  p95 {np.percentile(v,95):.2e}  max {v.max():.2e}  over {bound:g}: {(v > bound).sum()}")
    print("keys changed", changed)
    for k in range(3):
        for row in sorted(worst, key=lambda r: -r[k])[:6]:
            print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
