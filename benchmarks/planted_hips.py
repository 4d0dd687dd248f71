"""Hips dragged up or down along motion curves over planted toes, on captures.

    python benchmarks/planted_hips.py [--by -0.05] [--worst 3]

`--by` is the way up in parts of the body's height. Three random times of each clip, in the middle
between two key poses while a foot stands. Percentiles of: how far a heel sinks below where it was,
how far the knee or elbow that bends aside most is out of its plane, how far hands and head move
against the hips, the largest jump of a joint at the held time on release, by how much the target is
missed, and the CPU time of a move and of the release.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace

import one_thread  # noqa: F401

# isort: split
import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.forward import forward
from arcwright.kinematics.hinges import hinges, local_rotations
from arcwright.kinematics.reduction import fit
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.tools.catalogue import tool
from arcwright.tools.gesture import Drag
from stance_clips import DATA, packed_take

CLIPS = (
    "79_93", "137_29", "69_01", "143_27", "105_36", "14_37",
    "56_01", "81_03", "77_02", "22_21", "143_20", "36_01",
)  # fmt: skip
FRAMES = 150  # of each
TOLERANCE = 0.01  # m, of the key poses
APART = 0.1  # s between key poses
AROUND = 0.6  # s
MOVES = 5
HIPS = Point("Hips")
ENDS = ("LeftHand", "RightHand", "Head")
COLUMNS = ("heel mm", "aside °", "ends mm", "release mm", "missed mm", "move ms", "release ms")


def scene_of(name: str) -> Scene:
    """A capture reduced to key poses, with its footplants as contacts."""
    take = packed_take(name)
    assert isinstance(take.base, Motion)
    cut = replace(take.base, time=take.base.time[:FRAMES], values=take.base.values[:FRAMES])
    take = replace(take, base=fit(replace(take, base=cut), TOLERANCE).clip)
    scene = Scene(name, (Character("Body", take.rig, takes=(take,)),))
    return replace(scene, constraints=footplants(take))


def moments(scene: Scene, random: np.random.Generator) -> Iterator[float]:
    """Times between key poses while a foot stands, s."""
    clip = scene.characters[0].takes[0].base
    assert isinstance(clip, Clip)
    keys = np.unique(np.concatenate([each.time for each in clip.curves if each is not None]))
    middle = 0.5 * (keys[1:] + keys[:-1])[np.diff(keys) > APART]
    stands = [any(each.start <= when <= each.end for each in scene.contacts) for when in middle]
    yield from random.permutation(middle[stands])[:3].tolist()


def dragged(scene: Scene, when: float, by: float) -> list[float]:
    """What one drag does, in the order of `COLUMNS`."""
    take, chosen = scene.characters[0].takes[0], tool("tangent")
    began = time.thread_time()
    session = chosen.begin(scene, Target(), chosen.Options())
    start = trail(take, HIPS, [when]).position[0]
    up = by * float(np.ptp(places(take, np.zeros(1))[0, :, 1])) * np.array([0.0, 1.0, 0.0])
    for share in np.linspace(0, 1, MOVES + 1)[1:]:
        preview = session.update(Drag(HIPS, when, position=start + share * up))
    moved = time.thread_time()
    edit = session.finish()
    ended = time.thread_time()
    shown, after = (each.apply(scene).characters[0].takes[0] for each in (preview.edit, edit))
    at = np.array([when])
    jump = np.linalg.norm(places(after, at) - places(shown, at), axis=-1).max()
    missed = np.linalg.norm(trail(after, HIPS, [when]).position[0] - start - up)
    span = max(0.0, when - AROUND), min(take.duration, when + AROUND)
    times = np.linspace(*span, 97)
    metres = [sunk(scene, after, times), ends_moved(take, after, times), jump, missed]
    heel, ends, jump, missed = (1e3 * float(each) for each in metres)
    spent = 1e3 * (moved - began) / MOVES, 1e3 * (ended - moved)
    return [heel, aside(scene, after, times), ends, jump, missed, *spent]


def places(take: Take, times: Floats) -> Floats:
    """(T, J, 3) m."""
    return forward(take.rig, values_at(take, times))[..., :3, 3]


def sunk(scene: Scene, after: Take, times: Floats) -> float:
    """How far a heel goes below its lowest place while its toes stand, m."""
    before = scene.characters[0].takes[0]
    was, now = places(before, times)[..., 1], places(after, times)[..., 1]
    worst = 0.0
    for each in scene.contacts:
        heel = int(before.rig.parents[before.rig.joint(each.point.joint)])
        stands = (times >= each.start) & (times <= each.end)
        if stands.any():
            worst = max(worst, float((was[stands, heel].min() - now[stands, heel]).max()))
    return worst


def aside(scene: Scene, after: Take, times: Floats) -> float:
    """Degrees that the worst knee or elbow leaves its plane by, against before."""
    before, worst = scene.characters[0].takes[0], 0.0
    for hinge in hinges(scene.characters[0], before):
        was, now = (
            np.arcsin(local_rotations(take.rig, values_at(take, times), [hinge.joint])[:, 0]
            @ hinge.lower @ hinge.axis)
            for take in (before, after)
        )  # fmt: skip
        worst = max(worst, float(np.degrees(np.abs(now - was).max())))
    return worst


def ends_moved(before: Take, after: Take, times: Floats) -> float:
    """How far hands and head move against the hips, m."""
    rig = before.rig
    ends, hips = [rig.joint(name) for name in ENDS], rig.joint(HIPS.joint)
    was, now = (
        place[:, ends] - place[:, [hips]]
        for place in (places(take, times) for take in (before, after))
    )
    return float(np.linalg.norm(now - was, axis=-1).max())


def main() -> None:
    """Print the percentiles, and the drags that bend a limb aside most."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--by", type=float, default=-0.05, help="of the height, upwards")
    parser.add_argument("--worst", type=int, default=3)
    given = parser.parse_args()
    if not DATA.is_dir():
        print("no captures: ../shared/data is not there")
        return
    random, rows, names = np.random.default_rng(7), [], []
    for name in CLIPS:
        scene = scene_of(name)
        for when in moments(scene, random):
            rows.append(dragged(scene, when, given.by))
            names.append(f"{name} at {when:.2f} s")
    table = np.array(rows)
    print(f"{len(rows)} drags {'':7}" + "".join(f"{each:>12}" for each in COLUMNS))
    for share in (50, 90, 100):
        found = np.percentile(table, share, axis=0)
        print(f"{share:>12} % {'':3}" + "".join(f"{each:12.2f}" for each in found))
    for worst in np.argsort(-table[:, 1])[: given.worst]:
        print(f"    {names[worst]}: aside {table[worst, 1]:.1f}°")


if __name__ == "__main__":
    main()
