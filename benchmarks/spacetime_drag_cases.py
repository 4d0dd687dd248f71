"""Random drags of whole motions: a take, a held point and its target, options and constraints."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from arcwright import files
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact, Pin
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.tools.spacetime.tool import SpacetimeOptions
from tangent_drag_cases import built_in_takes

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "support"))
from spacetime_cases import Case, cut, limited, only

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
KINDS = ("built-in", "gltf", "bvh")
FEWEST = 5  # joints of a rig that is a character
TAKES = 4  # of one file
UNCUT = 0.15  # of captured takes stay as long as they are
LIMITED = 0.4  # of captured rigs get joint limits, somewhat beyond where the motion goes
STEADY = 0.03  # m, how far a point that is planted moves
SHORT = 2.0  # s; only of shorter takes many control values are used
FLAGS = ("whole_body", "floating_footplants", "floor_limit", "lock_ends", "include_heels")


def random_case(random: np.random.Generator, kind: str, far: float) -> Case:
    """Everything at random."""
    scene = random_take(random, kind)
    take = scene.characters[0].takes[0]
    frames, last = take.frame_times(), take.duration
    moment = float(random.choice(frames) if random.random() < 0.7 else random.uniform(0, last))
    point = Point(str(random.choice(take.rig.names)), random.normal(0, 0.05, 3))
    away = random.normal(size=3)
    place = trail(take, point, [moment]).position[0]
    target = place + away / np.linalg.norm(away) * random.uniform(0.005, far)
    options = random_options(random, last, moment)
    return Case(with_constraints(random, scene), point, moment, place, target, options)


def random_options(random: np.random.Generator, last: float, moment: float) -> SpacetimeOptions:
    start, end = 0.0, 0.0
    if random.random() < 0.3:
        start = max(moment - random.uniform(0.1, 1), 0)
        end = min(moment + random.uniform(0.1, 1), last)
    spacings = [0.05, 0.07, 0.1, 0.5] if last > SHORT else [0.02, 0.07, 0.5]
    return SpacetimeOptions(
        knot_spacing=float(random.choice(spacings)),
        start=start,
        end=end,
        fix_foot_skate=bool(random.random() < 0.2),
        adapt_timing="off",  # frames before and after are compared
        **{name: bool(random.random() < 0.25) for name in FLAGS},
    )


def with_constraints(random: np.random.Generator, scene: Scene) -> Scene:
    """Up to two pins and contacts anywhere; without contacts, footplants are found."""
    take = scene.characters[0].takes[0]
    constraints: dict[type, list[Pin | Contact]] = {Pin: [], Contact: []}
    for kind in random.choice([Pin, Contact], random.integers(3)):
        joint = Point(str(random.choice(take.rig.names)))
        constraints[kind].append(random_constraint(random, take, kind, joint))
    return replace(scene, constraints=(*constraints[Pin], *constraints[Contact]))


def random_constraint(
    random: np.random.Generator, take: Take, kind: type[Pin | Contact], point: Point
) -> Pin | Contact:
    """A path anywhere, a footplant for as long as the point is about where it is in the middle."""
    start, end = np.sort(random.uniform(0, take.duration, 2))
    turned = bool(random.random() < 0.3)
    if kind is Contact:
        times = np.linspace(start, end, 41)
        path = trail(take, point, times).position
        off = np.flatnonzero(np.linalg.norm(path - path[20], axis=1) > STEADY)
        start = times[off[off < 20].max(initial=-1) + 1]
        end = times[off[off > 20].min(initial=41) - 1]
    return kind(point, start, end, orientation=turned)


def random_take(random: np.random.Generator, kind: str) -> Scene:
    """A scene with one character that has one take."""
    if kind != "bvh":
        known = takes_of(kind)
        scene, take = known[random.integers(len(known))]
        return only(scene, take, take.rig)
    path = captured()[random.integers(len(captured()))]
    scene = read(path)
    take = scene.characters[0].takes[0]
    rig = take.rig
    if random.random() >= UNCUT:
        take = cut(take, random.uniform(0, 1))
    if random.random() < LIMITED:
        take = limited(take, random.uniform(0.02, 0.3))
    return only(scene, take, rig)


@cache
def takes_of(kind: str) -> Sequence[tuple[Scene, Take]]:
    """The takes of characters that are drawn from."""
    if kind == "built-in":
        return built_in_takes()
    found: list[tuple[Scene, Take]] = []
    for path in sorted(DATA.glob("gltf/**/*.gl*")):
        scene = read(path)
        for actor in scene.characters:
            takes = [take for take in actor.takes if take.duration > 0][:TAKES]
            found += [(scene, take) for take in takes if len(take.rig.names) >= FEWEST]
    return found


@cache
def captured() -> Sequence[Path]:
    return sorted(DATA.glob("bvh/**/*.bvh"))


@cache
def read(path: Path) -> Scene:
    return files.read(path)
