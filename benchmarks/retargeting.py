"""Retargeting: how well limbs keep their directions, and feet their places.

    python benchmarks/retargeting.py                   # the table of docs/decisions/0070
    python benchmarks/retargeting.py --pictures out    # strips, the source above the target
    python benchmarks/retargeting.py --packed 40       # every 40th capture packed for learning

For each pair: the angle between the bones of limbs in source and target; how far balls and heels of
the target go within a frame at 30 frames per second while those of the source are planted; and how
deep heels, balls and toe tips are below the ground; once carried alone, once with planted feet.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

import arcwright
from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.joint_roles import body_of, corresponding_joints
from arcwright.kinematics.reference_pose import NEXT, ReferencePose, reference_pose
from arcwright.kinematics.retarget import leg_ratio, retarget
from arcwright.kinematics.rotation import quaternion_rotate
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.scaled_limbs import scaled_limbs
from arcwright.kinematics.standing_feet import standing, standing_height
from arcwright.picture.strip import strip
from arcwright.picture.strobe import strobe
from arcwright.scene.motion import Motion
from arcwright.scene.scene import Actor, Character, Scene
from arcwright.scene.take import Take
from stance_clips import library, packed_take

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
RATE = 30.0
SHOWN = 7  # pictures of a strip
CMU = "bvh/cmu/"
KNIGHT, ROBOT = "gltf/kaykit/Knight.glb", "gltf/RobotExpressive.glb"
PAIRS = (
    ("walk to biped", f"{CMU}02_01_walk.bvh", "biped"),
    ("run to biped", f"{CMU}02_03_run.bvh", "biped"),
    ("jump to biped", f"{CMU}16_05_forward_jump.bvh", "biped"),
    ("pickup to biped", f"{CMU}69_70_pickup_setdown.bvh", "biped"),
    ("sit to biped", f"{CMU}143_18_sit_getup.bvh", "biped"),
    ("walk to Knight", f"{CMU}143_32_walk.bvh", KNIGHT),
    ("sit to Knight", f"{CMU}75_17_medium_sit.bvh", KNIGHT),
    ("kick to Knight", f"{CMU}143_24_kicking.bvh", KNIGHT),
    ("drink to RobotExpressive", f"{CMU}14_37_drink_soda.bvh", ROBOT),
    ("walk to RobotExpressive", f"{CMU}02_01_walk.bvh", ROBOT),
    ("walk to CesiumMan", f"{CMU}02_01_walk.bvh", "gltf/CesiumMan.glb"),
    ("biped walk to CMU", "biped@walk", f"{CMU}02_01_walk.bvh"),
    ("biped carry, arms x 1.2", "biped@carry", "biped*1.2"),
    ("biped carry, arms x 0.8", "biped@carry", "biped*0.8"),
    ("Rokoko dance to biped", "bvh/other-skeletons/rokoko_jesse_dance.bvh", "biped"),
    ("Knight walk to biped", f"{KNIGHT}@Walking_A", "biped"),
)


class Figures(NamedTuple):
    """What a retargeted take is like."""

    direction: Floats  # degrees, of every limb bone and frame
    slide: Floats  # mm, of every planted point and frame
    depth: Floats  # mm below the ground, of every point and frame


def main() -> None:
    """Print the table, or draw the strips."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pairs", nargs="*", help="names of pairs; all without")
    parser.add_argument("--pictures", type=Path, help="folder for strips")
    parser.add_argument("--packed", type=int, help="of how many packed captures one is taken")
    chosen = parser.parse_args()
    print(f"{'':28}{'scale':>6} {'direction deg':>14}{'slide mm':>20}{'depth mm':>20}")
    print(f"{'':28}{'':>6} {'p50 / p95':>14}{'p50/p95/max':>20}{'p95/max':>20}")
    if chosen.packed:
        packed(chosen.packed)
        return
    for name, one, other in PAIRS:
        if chosen.pairs and name not in chosen.pairs:
            continue
        source, take = loaded(one)
        target = loaded(other)[0]
        ratio = leg_ratio(source, target)
        for plant in (False, True):
            made = retarget(take, source, target, plant=plant)
            row = measured(take, made, source, target)
            print(f"{name if not plant else '  planted':28}{ratio:6.2f} {_row(row)}", flush=True)
        if chosen.pictures:
            chosen.pictures.mkdir(parents=True, exist_ok=True)
            path = chosen.pictures / f"{name.replace(' ', '_')}.png"
            pictures(name, (source, take), (target, made), path)


def packed(every: int) -> None:
    """Print the figures of some of the captures packed for learning, for three characters."""
    takes = [packed_take(name) for name in library()["name"].tolist()[::every]]
    for name in ("biped", KNIGHT, "gltf/CesiumMan.glb"):
        target, rows, spent, frames = loaded(name)[0], [], 0.0, 0
        for take in takes:
            source = Actor(take.name, take.rig, (take,))
            start = time.process_time()
            made = retarget(take, source, target)
            spent += time.process_time() - start
            frames += len(made.base.values)
            rows.append(measured(take, made, source, target))
        whole = Figures(*(np.concatenate(each) for each in zip(*rows, strict=True)))
        rate = f"{1e3 * spent / frames:.2f} ms of CPU a frame"
        print(f"{name[-27:]:28}{'':>6} {_row(whole)}  {len(takes)} takes, {rate}", flush=True)


def _row(row: Figures) -> str:
    direction = "{:.1f} / {:.1f}".format(*np.quantile(row.direction, [0.5, 0.95]))
    slide = depth = "-"
    if len(row.slide):
        slide = "{:.2f} / {:.2f} / {:.1f}".format(*np.quantile(row.slide, [0.5, 0.95, 1.0]))
    if len(row.depth):
        depth = "{:.1f} / {:.1f}".format(*np.quantile(row.depth, [0.95, 1.0]))
    return f"{direction:>14}{slide:>20}{depth:>20}"


def loaded(name: str) -> tuple[Actor, Take]:
    """An actor and its first or named take: `biped@walk`, `biped*1.2` for longer arms."""
    file, _, shown = name.partition("@")
    file, _, arms = file.partition("*")
    actor: Actor = arcwright.read(file if "/" not in file else DATA / file).characters[0]
    take = actor.take(shown) if shown else actor.takes[0]
    return (scaled_limbs(actor, arms=float(arms)) if arms else actor), take


def measured(take: Take, made: Take, source: Actor, target: Actor) -> Figures:
    """The figures of a retargeted take."""
    found = corresponding_joints(source, target)
    own, new = (
        _reference(actor, {role: pair[i] for role, pair in found.chains.items()}, shown)
        for i, (actor, shown) in enumerate(((source, take), (target, made)))
    )
    times = np.arange(int(take.duration * RATE + 1e-6) + 1) / RATE
    poses = [_poses(side, shown, times) for side, shown in ((own, take), (new, made))]
    direction = _directions(own, new, poses[0], poses[1])
    slide, depth = [], []
    for side in ("left", "right"):
        if f"{side}_foot" not in found.chains:
            continue
        low = standing_height(take, own)
        high = (
            new.ball_height
            if new.ball_height is not None
            else low * new.leg_length / own.leg_length
        )
        sole, state = new.sole(side, high), standing(take, own, side, times)
        if sole is None:
            continue
        foot = new.chains[f"{side}_foot"][0]
        toes = new.chains.get(f"{side}_toes", (foot,))[0]
        points = [
            _path(new, poses[1], *each)
            for each in ((foot, sole.heel), (foot, sole.ball), (toes, sole.tip))
        ]
        for path, on in ((points[0], state.heel & ~state.ball), (points[1], state.ball)):
            step = np.linalg.norm(np.diff(path[:, [0, 2]], axis=0), axis=1)
            slide.append(step[on[1:] & on[:-1]])
        depth += [np.maximum(-path[:, 1], 0.0) for path in points]
    return Figures(
        direction,
        1e3 * np.concatenate(slide) if slide else np.zeros(0),
        1e3 * np.concatenate(depth) if depth else np.zeros(0),
    )


def _reference(actor: Actor, names: dict[str, tuple[str, ...]], take: Take) -> ReferencePose:
    body = body_of(actor)
    chains = {role: [body.rig.joint(name) for name in chain] for role, chain in names.items()}
    return reference_pose(body, chains, take)


def _poses(side: ReferencePose, take: Take, times: Floats) -> Floats:
    values = values_at(take, times)
    return values if side.body.skeleton is None else side.body.skeleton.assembled_values(values)


def _directions(own: ReferencePose, new: ReferencePose, mine: Floats, theirs: Floats) -> Floats:
    """Degrees between bones of limbs."""
    place = [
        forward(side.body.rig, poses)[..., :3, 3] for side, poses in ((own, mine), (new, theirs))
    ]
    found = []
    for part, following in NEXT.items():
        for side in ("left", "right"):
            roles = f"{side}_{part}", f"{side}_{following}"
            if all(role in own.chains for role in roles):
                bones = [
                    where[:, each.chains[roles[1]][0]] - where[:, each.chains[roles[0]][0]]
                    for where, each in zip(place, (own, new), strict=True)
                ]
                unit = [bone / np.linalg.norm(bone, axis=1, keepdims=True) for bone in bones]
                cross = np.linalg.norm(np.cross(*unit), axis=1)
                found.append(np.degrees(np.arctan2(cross, (unit[0] * unit[1]).sum(axis=1))))
    return np.concatenate(found)


def _path(side: ReferencePose, poses: Floats, joint: int, arm: Floats) -> Floats:
    place = forward(side.body.rig, poses, [joint])[:, 0, :3, 3]
    return place + quaternion_rotate(orientation(side.body.rig, poses, [joint])[:, 0], arm)


def pictures(name: str, source: tuple[Actor, Take], target: tuple[Actor, Take], path: Path) -> None:
    """A strip of moments: the source above, the target below, from the side of the source."""
    times = np.linspace(0.0, source[1].duration, SHOWN + 1)[1:] - 1e-6
    panels = []
    for actor, take in (source, target):
        for moment in times.tolist():
            panels.append((picture(actor, take, moment), f"{actor.name} {moment:.2f} s"))
    strip(panels, path, columns=SHOWN, title=name)


def picture(
    actor: Actor, take: Take, moment: float, view: tuple[float, ...] = (-0.8, -0.15, -0.6)
) -> np.ndarray:
    """One pose of a take."""
    values = values_at(take, np.array([moment]))
    still = Take(take.rig, Motion("pose", np.zeros(1), values, take.rate))
    shown = Character(actor.name, take.rig, (still,), actor.shapes, actor.look)
    return strobe(
        Scene("pose", (shown,)), size=(260, 300), view=view, title="", labels=False, points=[]
    )


if __name__ == "__main__":
    main()
