"""How far does a dragged hand or foot swing in the segments beyond the keys around the drag?

    python benchmarks/counter_swing.py [--cases 100] [--half 0|1] [--seed 1] [--worst 3]

Random drags by 10 to 15 cm, within the limb's reach and at least two frames from a key, over
captures that are reduced to key poses. Printed in per cent of the drag, p50, p90 and worst: how far
the point moves before the key in front of the drag or after the one behind it (the swing), against
the drag's direction there, and between those keys; how much its velocity jumps at keys, and how
far the release moves any joint from what was shown. Drags that end more than a millimetre short
are counted, not measured.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from functools import cache

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import files
from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduction import fit
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.gesture import Drag
from arcwright.tools.tangent.tool import TangentOptions, TangentTool
from limbs_first import DATA, Body, bodies, joints
from smooth_edits import jump

SHORTEST, LONGEST = 0.10, 0.15  # m, of the drags
IN_REACH = 0.95  # of the limb's length, from its first joint
SECONDS = 3.0  # of a capture
TOLERANCE = 0.01  # m, of the reduction
BESIDE = 2.0  # frames between a drag and the nearest key, at least
MET = 1e-3  # m
MOVES = 6  # of the pointer


@cache
def captures(half: int) -> list[Body]:
    """One half of the captures, reduced to key poses."""
    found = []
    for path in sorted(DATA.glob("bvh/*/*.bvh"))[half::2]:
        scene = files.read(path)
        character = scene.characters[0]
        base = character.takes[0].base
        assert isinstance(base, Motion)
        count = min(len(base.time) - 2, int(SECONDS * base.rate))
        take = Take(
            character.rig,
            replace(base, time=base.time[:count], values=base.values[2 : 2 + count]),
        )
        take = replace(take, base=fit(take, TOLERANCE).clip)
        scene = replace(scene, characters=(replace(character, takes=(take,)),))
        found += bodies(path.stem, scene, 1, reduced=True)
    return found


def random_case(random: np.random.Generator, body: Body) -> tuple[Point, float, np.ndarray] | None:
    """A hand or foot, a time between keys, and a place the limb alone can reach."""
    first, end = body.limbs[random.integers(len(body.limbs))]
    when = float(random.uniform(0.05, 0.95)) * body.take.duration
    point = Point(body.take.rig.names[end])
    if min(abs(key - when) for key in around(body.take, point, when)) * body.take.rate < BESIDE:
        return None
    place = joints(body.take, when)
    length, joint = 0.0, end
    while joint != first:
        parent = int(body.take.rig.parents[joint])
        length += float(np.linalg.norm(place[joint] - place[parent]))
        joint = parent
    way = random.normal(size=3)
    target = place[end] + way / np.linalg.norm(way) * random.uniform(SHORTEST, LONGEST)
    if np.linalg.norm(target - place[first]) > IN_REACH * length:
        return None
    return point, when, target


def around(take: Take, point: Point, when: float) -> tuple[float, float]:
    """The span of the segments, of all channels that move the point, that hold a time."""
    assert isinstance(take.base, Clip)
    start, end = when, when
    for channel in channels_moving(take.rig, [point]):
        curve = take.base.curves[channel]
        if curve is not None and len(curve) > 1:
            last = int(np.clip(np.searchsorted(curve.time, when, "right"), 1, len(curve) - 1))
            start, end = min(start, curve.time[last - 1]), max(end, curve.time[last])
    return start, end


def measured(
    scene: Scene, point: Point, when: float, target: np.ndarray
) -> tuple[dict[str, float], Take]:
    """What one drag does beyond the keys around it, and the take after it."""
    take = scene.characters[0].takes[0]
    session = TangentTool().begin(scene, Target(), TangentOptions())
    start = trail(take, point, [when]).position[0]
    way = target - start
    spent = []
    for share in np.linspace(0, 1, MOVES + 1)[1:]:
        began = time.thread_time()
        preview = session.update(Drag(point, when, position=start + share * way))
        spent.append(1e3 * (time.thread_time() - began))
    shown = preview.edit.apply(scene).characters[0].takes[0]
    began = time.thread_time()
    edit = session.finish()
    finished = 1e3 * (time.thread_time() - began)
    after = edit.apply(scene).characters[0].takes[0]
    times = np.arange(0, take.duration, 0.25 / take.rate)
    moved = trail(after, point, times).position - trail(take, point, times).position
    size = float(np.linalg.norm(way))
    far = np.linalg.norm(moved, axis=1) / size
    back = -(moved @ way) / size**2
    since, until = around(take, point, when)
    inside = (times >= since) & (times <= until)
    span = float(times[far > 1e-6].min(initial=since)), float(times[far > 1e-6].max(initial=until))
    found = {
        "swing %": 100 * float(far[~inside].max(initial=0.0)),
        "back %": 100 * float(back[~inside].max(initial=0.0)),
        "inside %": 100 * float(far[inside].max(initial=0.0)),
        "jump m/s": jump(after, point, span),
        "was m/s": jump(take, point, span),
        "off mm": 1e3 * float(np.linalg.norm(trail(after, point, [when]).position[0] - target)),
        "release mm": 1e3 * apart(shown, after),
        "move ms": float(np.median(spent)),
        "finish ms": finished,
    }
    return found, after


def apart(one: Take, other: Take) -> float:
    """How far any joint is from where it is in another take, at any frame, m."""
    times = one.frame_times()
    first, second = (forward(take.rig, values_at(take, times))[..., :3, 3] for take in (one, other))
    return float(np.linalg.norm(first - second, axis=-1).max())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--half", type=int, choices=(0, 1), default=0, help="of the captures")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--worst", type=int, default=3)
    options = parser.parse_args()
    random = np.random.default_rng([options.seed, options.half])
    among, rows, names, short = captures(options.half), [], [], 0
    while len(rows) < options.cases:
        body = among[random.integers(len(among))]
        case = random_case(random, body)
        if case is None:
            continue
        row, _ = measured(body.scene, *case)
        if row["off mm"] > 1e3 * MET:
            short += 1
            continue
        rows.append(row)
        frame = case[1] * body.take.rate
        names.append(f"{body.source} {case[0].joint} at frame {frame:.1f}")
    print(f"{len(rows)} drags, {short} more end short")
    table = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    for name, column in table.items():
        low, high = np.percentile(column, [50, 90])
        print(f"  {name:10} p50 {low:8.3f}  p90 {high:8.3f}  worst {column.max():8.3f}")
    for worst in np.argsort(-table["swing %"])[: options.worst]:
        print(f"    {names[worst]}: " + ", ".join(f"{k} {v:.2f}" for k, v in rows[worst].items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
