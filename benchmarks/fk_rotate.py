"""Does a rotation turn that joint alone? Random joints, times and rotations, in both tools.

    python benchmarks/fk_rotate.py [--cases 200] [--files 12] [--only pose] [--rotate body]

Files are sorted and dealt out in two halves: the method was made with the first, the second tries
it. Printed for each tool, source and half, the largest of
- joint: how far the place of the rotated joint moved, m;
- others: how far any joint that neither hangs on it nor is attached to it moved, m;
- rigid: how far any joint that hangs on it moved seen from it, m;
- attached: the same of joints beside the limb that move with it;
- keys aside: keys added or moved on other joints, or at other times, without attached ones;
and then how many rotations were met within 0.01 degrees: of those about any axis, and of those that
the joint's own channels and limits allow, which are half of the cases; how many of the others have
a note that says so within 1 %, how far they are off, keys added per rotation and milliseconds of a
move. Exits with 1 where anything but the rotated joint moved, or a shortfall was not noted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright import characters, files
from arcwright.errors import ArcwrightError
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.reduction import fit
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.joint_rotation import rotation_channels

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
EXACT = 1e-12  # of the size, m
MET = 0.01  # degrees
SECONDS = 3.0  # of captured takes
WIDEST = np.radians(60)


@dataclass(frozen=True)
class Case:
    """A take alone in its scene."""

    name: str
    scene: Scene
    take: Take


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=200, help="of each row")
    parser.add_argument("--only", choices=("pose", "tangent"))
    parser.add_argument("--rotate", choices=("joint", "keep ends", "body"), default="joint")
    parser.add_argument("--files", type=int, default=12, help="most files of a source and half")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print(
        f"{'':28}{'cases':>6}{'joint m':>9}{'others m':>10}{'rigid m':>9}{'attached m':>11}"
        f"{'keys aside':>11}{'met':>6}{'allowed':>9}{'noted':>7}{'off° p50':>9}{'max':>6}"
        f"{'keys':>6}{'ms p50':>8}{'p95':>6}"
    )
    fine = True
    for name in ("pose", "tangent"):
        for half in (0, 1):
            for source in ("built-in", "characters", "captures"):
                if options.only in (None, name):
                    fine &= row(name, source, half, options)
    return 0 if fine else 1


def row(name: str, source: str, half: int, options: argparse.Namespace) -> bool:
    """One line of the table: whether only the rotated joint turned."""
    takes = sources(source, half, options.files)
    if not takes:
        return True
    random = np.random.default_rng([options.seed, len(name), len(source), half])
    found = []
    while len(found) < options.cases:
        case = takes[random.integers(len(takes))]
        rig = case.take.rig
        turning = [j for j in range(len(rig.names)) if len(rotation_channels(rig, j))]
        joint = int(random.choice(turning))
        when = round(random.uniform(0, case.take.duration) * case.take.rate) / case.take.rate
        allowed = len(found) % 2 == 1
        by = (by_channels if allowed else about_any_axis)(random, case.take, joint, when)
        found.append(measured(name, case, joint, when, by, options.rotate) | {"allowed": allowed})
    of = {key: np.array([each[key] for each in found], float) for key in found[0]}
    met, allowed = of["off"] <= MET, of["allowed"] > 0
    noted = of["noted"][~met].mean() if (~met).any() else 1.0
    left = of["off"][~met] if (~met).any() else np.zeros(1)
    print(
        f"{name + ' ' + source + (' made with', ' tried on')[half]:28}{len(found):6}"
        f"{of['joint'].max():9.1e}{of['others'].max():10.1e}{of['rigid'].max():9.1e}{of['attached'].max():11.1e}"
        f"{int(of['aside'].max()):11}{met[~allowed].mean():6.0%}{met[allowed].mean():9.0%}{noted:7.0%}{np.median(left):9.2f}"
        f"{left.max():6.1f}{of['keys'].mean():6.1f}{np.median(of['ms']):8.2f}"
        f"{np.percentile(of['ms'], 95):6.1f}"
    )
    still = (of["joint"] <= EXACT * of["size"]).all() and of["others"].max() == 0
    return bool(still and of["aside"].max() == 0 and noted == 1.0)


def about_any_axis(random: np.random.Generator, take: Take, joint: int, when: float) -> np.ndarray:
    """(3,) a rotation vector in the world."""
    del take, joint, when
    axis = random.normal(size=3)
    return axis / np.linalg.norm(axis) * random.uniform(0.02, WIDEST)


def by_channels(random: np.random.Generator, take: Take, joint: int, when: float) -> np.ndarray:
    """(3,) the rotation vector of other values of the joint's own channels, within its limits."""
    rig, own = take.rig, rotation_channels(take.rig, joint)
    pose = values_at(take, np.array([when]))
    other, table = pose.copy(), rig.channels
    steps = random.uniform(-0.5, 0.5, len(own)) * WIDEST
    other[0, own] = np.clip(pose[0, own] + steps, table.low[own], table.high[own])
    was, now = (orientation(rig, each, [joint])[0, 0] for each in (pose, other))
    return vector_from_quaternion(quaternion_multiply(now, quaternion_conjugate(was)))


def measured(
    name: str, case: Case, joint: int, when: float, by: np.ndarray, rotate: str
) -> dict[str, float]:
    """What one rotation does to the character."""
    chosen, rig = tool(name), case.take.rig
    point = Point(rig.names[joint])
    session = chosen.begin(case.scene, Target(), chosen.Options(rotate=rotate))
    start = trail(case.take, point, [when]).orientation[0]
    spent = []
    for share in (0.3, 0.7, 1.0):
        wanted = quaternion_multiply(quaternion_from_vector(share * by), start)
        began = time.process_time()
        session.update(Drag(point, when, orientation=wanted / np.linalg.norm(wanted)))
        spent.append((time.process_time() - began) * 1e3)
    edit = session.finish()
    after = edit.apply(case.scene).characters[0].takes[0]
    values = (values_at(take, np.array([when])) for take in (case.take, after))
    was, now = (forward(rig, each)[0] for each in values)
    assert np.isfinite(now).all()
    attached_to = analyse(case.scene.characters[0], case.take).attached_to
    hangs, follows = below(rig.parents, joint), below(rig.parents, joint, attached_to)
    moved = np.linalg.norm(now[:, :3, 3] - was[:, :3, 3], axis=1)
    turned = trail(after, point, [when]).orientation[0]
    away = vector_from_quaternion(quaternion_multiply(wanted, quaternion_conjugate(turned)))
    off = float(np.degrees(np.linalg.norm(away)))
    notes = [each.amount for each in session.notes() if "off" in each.text]
    own = set(rotation_channels(rig, joint).tolist())
    keys, joint_of = keys_changed(case.take, after, when), rig.channels.joint
    return {
        "joint": moved[joint],
        "others": moved[~follows].max(initial=0.0),
        "rigid": rigidity(was, now, joint, hangs),
        "attached": rigidity(was, now, joint, follows & ~hangs),
        "aside": sum(
            aside + (here if channel not in own or name == "tangent" else 0)
            for channel, (here, aside) in keys.items()
            if attached_to[joint_of[channel]] < 0
        ),
        "off": off,
        "noted": bool(notes) and abs(np.degrees(notes[0]) - off) <= 0.01 * off,
        "keys": after.base.key_count - case.take.base.key_count,
        "size": max(1.0, float(np.abs(was[:, :3, 3]).max())),
        "ms": float(np.median(spent)),
    }


def below(parents: np.ndarray, joint: int, attached_to: np.ndarray | None = None) -> np.ndarray:
    """(J,) the joint and all that hangs on it, or on a limb to which it is attached."""
    above = parents if attached_to is None else np.where(attached_to >= 0, attached_to, parents)
    found, grown = np.arange(len(parents)) == joint, True
    while grown:
        more = found | ((above >= 0) & found[above])
        grown, found = bool((more != found).any()), more
    return found


def rigidity(was: np.ndarray, now: np.ndarray, joint: int, hangs: np.ndarray) -> float:
    """How far places that hang on a joint moved, seen from it, in world metres."""
    size = np.linalg.norm(was[joint, :3, :3], axis=0)
    if size.min() < 1e-6:
        return 0.0
    seen = [np.linalg.inv(each[joint]) @ each[hangs][:, :, 3:] for each in (was, now)]
    return float((np.abs(seen[1] - seen[0])[:, :3, 0] * size).max(initial=0.0))


def keys_changed(before: Take, after: Take, when: float) -> dict[int, tuple[int, int]]:
    """By channel: keys added or moved at the time, and at any other time.

    A channel without keys gets its first one between key poses that it keeps.
    """
    found = {}
    for channel, (old, new) in enumerate(zip(before.base.curves, after.base.curves, strict=True)):
        if old is new:
            continue
        values = (
            {} if old is None else dict(zip(old.time.tolist(), old.value.tolist(), strict=True))
        )
        moved = [
            t
            for t, v in zip(new.time.tolist(), new.value.tolist(), strict=True)
            if values.get(t) != v
        ]
        near = [abs(t - when) < 1e-5 for t in moved]
        aside = 0 if old is None else len(near) - sum(near)
        found[channel] = int(sum(near)), aside
    return found


@cache
def sources(source: str, half: int, most: int) -> list[Case]:
    """The takes of one source: every second file."""
    named = {"built-in": built_in, "characters": models, "captures": captures}
    return list(named[source](half, most))


def built_in(half: int, most: int) -> Iterator[Case]:
    del most
    names = [f"{who}:{clip}" for who in characters.names() for clip in characters.clip_names(who)]
    for name in sorted(names)[half::2]:
        yield from cases(name, characters.built_in(name))


def models(half: int, most: int) -> Iterator[Case]:
    paths = sorted([*DATA.glob("gltf/**/*.glb"), *DATA.glob("gltf/**/*.gltf")])[half::2]
    count = 0
    for path in paths[:: max(1, len(paths) // (4 * most))]:
        try:
            scene = files.read(path)
        except ArcwrightError:
            continue
        found = list(cases(path.stem, scene)) if scene.characters else []
        if found and len(found[0].take.rig.names) > 2 and count < most:
            count += 1
            yield from found


def captures(half: int, most: int) -> Iterator[Case]:
    paths = sorted(DATA.glob("bvh/**/*.bvh"))[half::2]
    for path in paths[:: max(1, len(paths) // most)][:most]:
        try:
            yield from cases(path.stem, captured(path))
        except ArcwrightError:
            continue


def captured(path: Path) -> Scene:
    """Some seconds of a capture, as keys."""
    scene = files.read(path)
    character = scene.characters[0]
    base = character.takes[0].base
    assert isinstance(base, Motion)
    count = min(len(base.time), int(SECONDS * base.rate))
    base = replace(base, time=base.time[:count], values=base.values[:count])
    clip = fit(Take(character.rig, base), 0.005).clip
    return replace(scene, characters=(replace(character, takes=(Take(character.rig, clip),)),))


def cases(name: str, scene: Scene) -> Iterator[Case]:
    """Some takes of the first character, each alone in its scene, without constraints."""
    character = scene.characters[0]
    for take in character.takes[:: max(1, len(character.takes) // 3)]:
        if isinstance(take.base, Clip) and not take.layers and take.duration > 0.1:
            alone = replace(character, takes=(take,))
            only = replace(scene, characters=(alone,), props=(), constraints=())
            yield Case(f"{name} {take.name}", only, take)


if __name__ == "__main__":
    sys.exit(main())
