"""Does a released drag make joints jump? Hips, heads, hands and feet over detected footplants.

    python benchmarks/released_speed.py [--cases 120] [--half 2] [--worst 5] [--json FILE]

Humanoid characters and captures, reduced to key poses where they are baked, with their footplants
detected; drags along motion curves at a random frame by 1 to 4 % of the height, in ten moves.
Printed for each joint that is dragged, as p50, p95 and max: how far any joint at any frame differs
between the last preview and the release, and between what a resting pointer is shown and the
release; how far a joint moves between two frames beyond twice its greatest step before and what
the drag needs (twice its displacement at the dragged frame, over the frames to the nearest key);
how far the point ends from its target where no note says so; how much planted feet move
while they stand; thread CPU time of moves and of the release. `jumps` counts drags with a joint
that is faster by more than the rig's size in a second, whatever the drag needs; `silent` those of
them without a note; `needless` those that go beyond what the drag needs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.kinematics.columns import channels_moving
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from limbs_first import Body, height, joints, sources

MOVES = 10
LEAST, MOST = 0.01, 0.04  # of the height
JUMP = 1.0  # of the rig in a second
SHOWN = ("preview mm", "rest mm", "jump mm", "hit mm", "feet mm", "move ms", "end ms")


@dataclass(frozen=True)
class Case:
    """A point of a body, a frame, and how far it is dragged."""

    body: Body
    part: str  # "hips", "head", "limb"
    point: Point
    time: float  # s
    by: np.ndarray  # (3,) m


def random_case(random: np.random.Generator, bodies: list[Body]) -> Case:
    """A body with its footplants as contacts."""
    body = bodies[random.integers(len(bodies))]
    scene = replace(body.scene, constraints=footplants(body.take))
    part = ("hips", "head", "limb", "limb")[random.integers(4)]
    limb = body.limbs[random.integers(len(body.limbs))][1]
    joint = {"hips": body.hips, "head": body.head, "limb": limb}[part]
    last = int(body.take.duration * body.take.rate)
    frame = random.integers(1, max(last, 2))
    way = random.normal(size=3)
    far = random.uniform(LEAST, MOST) * height(joints(body.take, 0.0))
    by = way / np.linalg.norm(way) * far
    point = Point(body.take.rig.names[joint])
    return Case(replace(body, scene=scene), part, point, frame / body.take.rate, by)


def measured(case: Case) -> dict:
    """One drag; what it makes of the motion."""
    scene, take = case.body.scene, case.body.take
    chosen = tool("tangent")
    session = chosen.begin(scene, Target(), chosen.Options())
    start = trail(take, case.point, [case.time]).position[0]
    spent = []
    for share in np.linspace(0, 1, MOVES + 1)[1:]:
        began = time.thread_time()
        preview = session.update(Drag(case.point, case.time, position=start + share * case.by))
        spent.append(1e3 * (time.thread_time() - began))
    resting = session.fork()
    began = time.thread_time()
    edit = session.finish()
    ended = 1e3 * (time.thread_time() - began)
    notes = [note.text for note in session.notes()]
    edits = preview.edit, resting.finish(), edit
    shown, rested, after = (each.apply(scene).characters[0].takes[0] for each in edits)
    count = int(take.duration * take.rate)
    times = np.arange(count + 1) / take.rate
    was, now = places(take, times), places(after, times)
    fastest, needless, joint, frame = worst_jump(case, was, now)
    reached = trail(after, case.point, [case.time]).position[0]
    hit = float(np.linalg.norm(reached - start - case.by))
    return {
        "part": case.part,
        "case": f"{scene.name}:{take.name} {case.point.joint} at frame {case.time * take.rate:.0f}",
        "by mm": (1e3 * case.by).round(1).tolist(),
        "notes": notes,
        "tall": height(was[0]),
        "jump": f"{take.rig.names[joint]} at {frame}",
        "preview mm": 1e3 * apart(places(shown, times), now),
        "rest mm": 1e3 * apart(places(rested, times), now),
        "jump mm": 1e3 * max(needless, 0.0),
        "jumps": fastest > JUMP * rig_size(take.rig) / take.rate,
        "needless": needless > JUMP * rig_size(take.rig) / take.rate,
        "hit mm": 1e3 * hit if not notes else 0.0,
        "feet mm": 1e3 * slid(case, was, now, times),
        "move ms": float(np.median(spent)),
        "end ms": ended,
    }


def places(take: Take, times: np.ndarray) -> np.ndarray:
    """(T, J, 3) m."""
    return forward(take.rig, values_at(take, times))[..., :3, 3]


def apart(one: np.ndarray, two: np.ndarray) -> float:
    return float(np.linalg.norm(one - two, axis=-1).max())


def worst_jump(case: Case, was: np.ndarray, now: np.ndarray) -> tuple[float, float, int, int]:
    """The greatest step of a joint between frames beyond twice its own before, and beyond what the
    drag needs on top, m; joint and frame of the latter."""
    before, after = (np.linalg.norm(np.diff(each, axis=0), axis=-1) for each in (was, now))
    held = round(case.time * case.body.take.rate)
    moved = np.linalg.norm(now[held] - was[held], axis=-1)
    needed = 2 * np.maximum(moved, np.linalg.norm(case.by)) / frames_to_key(case)
    faster = after - 2 * before.max(axis=0)
    beyond = faster - needed
    frame, joint = np.unravel_index(beyond.argmax(), beyond.shape)
    return float(faster.max()), float(beyond[frame, joint]), int(joint), int(frame)


def frames_to_key(case: Case) -> float:
    """From the dragged frame to the nearest key, for the median of the channels that move it."""
    take = case.body.take
    channels = channels_moving(take.rig, [case.point])
    curves = [take.base.curves[channel] for channel in channels]
    away = [np.abs(curve.time - case.time).min() for curve in curves if curve and len(curve) > 1]
    return max(float(np.median(away)) * take.rate, 1.0) if away else 1.0


def slid(case: Case, was: np.ndarray, now: np.ndarray, times: np.ndarray) -> float:
    """How far planted feet are moved while they stand, without the dragged limb, m."""
    rig, held = case.body.take.rig, case.body.take.rig.joint(case.point.joint)
    worst = 0.0
    for contact in case.body.scene.contacts:
        joint = rig.joint(contact.point.joint)
        if case.part == "limb" and held in (joint, rig.parents[joint]):
            continue
        stands = (times >= contact.start) & (times <= contact.end)
        off = np.linalg.norm(now[stands, joint] - was[stands, joint], axis=-1)
        worst = max(worst, float(off.max(initial=0.0)))
    return worst


def report(lines: list[dict], worst: int) -> bool:
    """The table, and whether no drag jumps without a note."""
    print(f"{'':10}{'drags':>6}{'jumps':>7}{'silent':>7}{'needless':>9}{'noted':>7}", end="")
    print("".join(f"{name + ' p50 p95 max':>26}" for name in SHOWN))
    silent = 0
    for part in ("hips", "head", "limb"):
        own = [line for line in lines if line["part"] == part]
        if not own:
            continue
        jumps = [line for line in own if line["jumps"]]
        needless = sum(line["needless"] for line in own)
        quiet = [line for line in jumps if not line["notes"]]
        noted = sum(bool(line["notes"]) for line in own)
        print(f"{part:10}{len(own):6}{len(jumps):7}{len(quiet):7}{needless:9}{noted:7}", end="")
        for name in SHOWN:
            values = [line[name] for line in own]
            three = np.median(values), np.percentile(values, 95), max(values)
            print(f"{' '.join(f'{each:.3g}' for each in three):>26}", end="")
        print()
        silent += len(quiet)
    for line in sorted(lines, key=lambda each: -each["jump mm"] / each["tall"])[:worst]:
        print(
            f"    {line['case']} by {line['by mm']} mm: {line['jump']} {line['jump mm']:.1f} mm too"
            f" far, preview {line['preview mm']:.1f} mm off; {line['notes']}"
        )
    return not silent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=120, help="of characters and captures each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", type=int, choices=(1, 2), default=1, help="of the files")
    parser.add_argument("--worst", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    fine, every = True, []
    for source in ("characters", "captures"):
        bodies = sources(options.half, reduced=True)[source]
        if not bodies:
            print("no real files: ../shared/data is not there")
            continue
        random = np.random.default_rng([options.seed, len(source)])
        lines = [measured(random_case(random, bodies)) for _ in range(options.cases)]
        print(source)
        fine &= report(lines, options.worst)
        every += lines
    if options.json:
        options.json.write_text(json.dumps(every))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
