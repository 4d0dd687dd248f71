"""Does a dragged limb leave the rest of the body alone? Hands and feet, posed and along curves.

    python benchmarks/limbs_first.py [--cases 200] [--only spacetime] [--half 2] [--worst 5]
                                     [--source built-in]

Targets lie within 0.95 of the limb's length from its first joint and at most 6 % of the height from
where the point is. Printed: displacements of head, hips and the other hands and feet at the dragged
time, in per cent of the height: at most 1.2 (head) and 0.6 (hips) are wanted in 95 % of the cases.
Captures and takes with a key on every frame are reduced to keys first, except for spacetime edits;
there only hands are dragged, because the body follows planted feet.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import characters, files
from arcwright.kinematics.baked_clip import is_baked
from arcwright.kinematics.forward import forward
from arcwright.kinematics.reduction import fit
from arcwright.kinematics.rig_analysis import analyse, ancestors
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
FARTHEST = 0.06  # of the height, from where the point is
IN_REACH = 0.95  # of the limb's length, from its first joint
TOOLS = ("pose", "tangent", "spacetime")
SOURCES = ("built-in", "characters", "captures")
WANTED = {"head %": 1.2, "hips %": 0.6}
SECONDS = 3.0  # of captured takes


@dataclass(frozen=True)
class Body:
    """A humanoid take and where its parts are among the joints."""

    source: str
    scene: Scene
    take: Take
    head: int
    hips: int
    limbs: tuple[tuple[int, int], ...]  # first joint, end


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=200, help="of each source and tool")
    parser.add_argument("--only", choices=TOOLS)
    parser.add_argument("--source", choices=SOURCES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--half", type=int, choices=(1, 2), default=1, help="of the files")
    parser.add_argument("--worst", type=int, default=2)
    options = parser.parse_args()
    fine = True
    print(
        f"{'':20}{'drags':>6}{'head p95':>10}{'worst':>7}{'in':>6}{'hips p95':>10}{'worst':>7}"
        f"{'in':>6}{'others p50':>12}{'p95':>7}{'hit mm p95':>12}{'ms':>7}"
    )
    for name in TOOLS:
        for source in SOURCES:
            if options.only in (None, name) and options.source in (None, source):
                fine &= row(name, source, options)
    return 0 if fine else 1


def row(name: str, source: str, options: argparse.Namespace) -> bool:
    """One line of the table: whether 95 % of the drags leave head and hips alone."""
    random = np.random.default_rng([options.seed, len(name), len(source)])
    found, cases = [], []
    bodies = bodies_of(source, options.half, reduced=name != "spacetime")
    while len(found) < options.cases:
        body = bodies[random.integers(len(bodies))]
        case = random_case(random, body, hands_only=name == "spacetime")
        if case is not None:
            found.append(measured(name, body, *case))
            cases.append(f"{body.scene.name}:{body.take.name} {case[0].joint} at {case[1]:.3f} s")
    numbers = {key: np.array([each[key] for each in found]) for key in found[0]}
    p95 = {key: float(np.percentile(values, 95)) for key, values in numbers.items()}
    share = {key: float((numbers[key] <= most).mean()) for key, most in WANTED.items()}
    print(
        f"{name + ' ' + source:20}{len(found):6}{p95['head %']:10.2f}{numbers['head %'].max():7.2f}"
        f"{share['head %']:6.0%}{p95['hips %']:10.2f}{numbers['hips %'].max():7.2f}"
        f"{share['hips %']:6.0%}{np.median(numbers['others %']):12.2f}{p95['others %']:7.2f}"
        f"{p95['hit mm']:12.3f}{np.median(numbers['ms']):7.2f}"
    )
    for worst in np.argsort(-numbers["head %"])[: options.worst]:
        print(f"    {cases[worst]}: {', '.join(f'{k} {v[worst]:.2f}' for k, v in numbers.items())}")
    return min(share.values()) >= 0.95


def measured(name: str, body: Body, point: Point, when: float, target: np.ndarray) -> dict:
    """What one drag does to the body."""
    chosen = tool(name)
    session = chosen.begin(body.scene, Target(), chosen.Options())
    start = trail(body.take, point, np.array([when])).position[0]
    spent = []
    for share in np.linspace(0, 1, 7)[1:]:
        began = time.process_time()
        session.update(Drag(point, when, position=start + share * (target - start)))
        spent.append((time.process_time() - began) * 1e3)
    after = session.finish().apply(body.scene).characters[0].takes[0]
    was, now = (joints(take, when) for take in (body.take, after))
    moved = np.linalg.norm(now - was, axis=1) / height(was)
    rig, held = body.take.rig, body.take.rig.joint(point.joint)
    other = [end for _, end in body.limbs if not (on_way(rig, held, end) or on_way(rig, end, held))]
    reached = trail(after, point, np.array([when])).position[0]
    return {
        "head %": 100 * moved[body.head],
        "hips %": 100 * moved[body.hips],
        "others %": 100 * moved[other].max(initial=0.0),
        "hit mm": 1e3 * float(np.linalg.norm(reached - target)),
        "ms": float(np.median(spent)),
    }


def on_way(rig: Rig, joint: int, end: int) -> bool:
    """Whether a joint is another, or is above it."""
    return joint == end or bool(ancestors(rig, end)[joint])


def random_case(
    random: np.random.Generator, body: Body, *, hands_only: bool
) -> tuple[Point, float, np.ndarray] | None:
    """A hand or foot, a time between keys, and a place the limb alone can reach."""
    first, end = body.limbs[random.integers(len(body.limbs))]
    if hands_only and ("foot" in (name := body.take.rig.names[end].lower()) or "leg" in name):
        return None
    when = float(random.uniform(0.05, 0.95)) * body.take.duration
    place = joints(body.take, when)
    length, joint = 0.0, end
    while joint != first:
        parent = int(body.take.rig.parents[joint])
        length += float(np.linalg.norm(place[joint] - place[parent]))
        joint = parent
    way = random.normal(size=3)
    target = place[end] + way / np.linalg.norm(way) * FARTHEST * height(place)
    if np.linalg.norm(target - place[first]) > IN_REACH * length:
        return None
    return Point(body.take.rig.names[end]), when, target


def joints(take: Take, when: float) -> np.ndarray:
    """(J, 3) m."""
    return forward(take.rig, values_at(take, np.array([when])))[0, :, :3, 3]


def height(place: np.ndarray) -> float:
    return float(np.ptp(place, axis=0).max())


def sources(half: int, *, reduced: bool) -> dict[str, list[Body]]:
    """The humanoid takes of each source."""
    return {source: bodies_of(source, half, reduced=reduced) for source in SOURCES}


@cache
def bodies_of(source: str, half: int, *, reduced: bool) -> list[Body]:
    """Humanoid takes: the weights were chosen on half 1 of the captures and takes."""
    found = scenes(source, half, reduced=reduced)
    return [body for scene in found for body in bodies(source, scene, half, reduced=reduced)]


def scenes(source: str, half: int, *, reduced: bool) -> list[Scene]:
    if source == "built-in":
        names = ("walk", "jump", "stand", "wave", "throw", "carry")
        return [characters.built_in(f"biped:{name}") for name in names if _is_built_in(name)]
    if source == "captures":
        paths = sorted(DATA.glob("bvh/*/*.bvh"))[2 * half - 2 :: 4]
        return [captured(path, reduced=reduced) for path in paths]
    names = (
        "kaykit/Knight.glb",
        "CesiumMan.glb",
        "RiggedFigure.glb",
        "RobotExpressive.glb",
        "kenney/character.glb",
    )
    paths = [DATA / "gltf" / name for name in names]
    return [files.read(path) for path in paths if path.exists()]


def _is_built_in(name: str) -> bool:
    return any(take.name == name for take in characters.built_in("biped").characters[0].takes)


def captured(path: Path, *, reduced: bool) -> Scene:
    """Some seconds of a capture, as keys where `reduced`."""
    scene = files.read(path)
    character = scene.characters[0]
    base = character.takes[0].base
    assert isinstance(base, Motion)
    count = min(len(base.time) - 2, int(SECONDS * base.rate))
    base = replace(base, time=base.time[:count], values=base.values[2 : 2 + count])
    take = Take(character.rig, base)
    if reduced:
        take = replace(take, base=fit(take, 0.005).clip)
    return replace(scene, characters=(replace(character, takes=(take,)),))


def bodies(source: str, scene: Scene, half: int, *, reduced: bool) -> list[Body]:
    """The takes of a humanoid, each alone in its scene, without contacts."""
    character = scene.characters[0]
    rig = character.rig
    try:
        found = analyse(character, character.takes[0])
        head, hips = _named(rig, found.body, "head", "neck"), found.root
        limbs = tuple(_limbs(rig, hips))
    except StopIteration:
        return []
    if not limbs:
        return []
    found = []
    every = max(1, len(character.takes) // 6)
    for take in character.takes[(half - 1) * (every // 2) :: every]:
        if take.duration > 0.2:
            if reduced and isinstance(take.base, Clip) and is_baked(take.base):  # as is offered
                take = replace(take, base=fit(take, 0.005).clip)
            alone = replace(character, takes=(take,))
            only = replace(scene, characters=(alone,), props=(), constraints=())
            found.append(Body(source, only, take, head, hips, limbs))
    return found


def _named(rig: Rig, body: np.ndarray, *words: str) -> int:
    """The first joint of the body with one of these words in its name."""
    lower = [name.lower() if body[joint] else "" for joint, name in enumerate(rig.names)]
    return next(i for word in words for i, name in enumerate(lower) if word in name)


def _limbs(rig: Rig, hips: int):
    """(first, end) of arms and legs by the words of their names, or by the ends of the tree."""
    for end in range(len(rig.names)):
        name = rig.names[end].lower()
        tip = name.replace(".", "").replace("_", "")
        if not (
            tip.endswith(("hand", "handl", "handr", "foot", "footl", "footr", "wristl", "wristr"))
            or tip
            in (
                "lefthand",
                "righthand",
                "leftfoot",
                "rightfoot",
                "armjointl3",
                "armjointr3",
                "legjointl3",
                "legjointr3",
            )
        ):
            continue
        first = int(rig.parents[int(rig.parents[end])])
        above = first
        while above >= 0 and above != hips:
            above = int(rig.parents[above])
        if above == hips and first != hips:
            yield first, end


if __name__ == "__main__":
    sys.exit(main())
