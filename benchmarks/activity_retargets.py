"""Activities on other bodies: do hands meet what they hold after retargeting.

    python benchmarks/activity_retargets.py

A take is retargeted; the scene with its props is scaled by the ratio of leg lengths, so that every
hand should be where the scaled one was while it holds something. Errors are of all frames of all
pairs with a hand, once carried alone, once led to the props by the body of the activity tool. What
is missed by more than 2 mm is named with its frames.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import one_thread  # noqa: F401

# isort: split
import numpy as np

import arcwright
from activity_sampled import Sampled, examples
from arcwright.arrays import Bools, Floats
from arcwright.kinematics.joint_roles import corresponding_joints
from arcwright.kinematics.retarget import leg_ratio, retarget
from arcwright.kinematics.scaled_limbs import scaled_limbs
from arcwright.objectives.edited_clip import EditedClip
from arcwright.scene.activity import Effector, element_of
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.scene import Character, Scene
from arcwright.scene.take import Take
from arcwright.tools.activity.element_paths import ElementPath
from arcwright.tools.activity.model import BodyModel
from arcwright.tools.activity.tracks import effector_track
from arcwright.tools.activity.trajectory import deformed
from data import DATA

WITHIN = 0.002  # m
SCENES = ("tea", "lamp follows hand", "captured drink", "captured mug", "14_37", "captured pick up")
KNIGHT = DATA / "gltf" / "kaykit" / "Knight.glb"


def targets(source: Character) -> Iterator[tuple[str, Character]]:
    """By name: the character with other arms, and other characters."""
    for factor in (0.8, 1.2):
        longer = scaled_limbs(source, arms=factor)
        yield f"arms x {factor}", Character(source.name, longer.rig, (), longer.shapes)
    for name in ("robot", "biped"):
        other = arcwright.read(name).characters[0]
        if other.rig.names != source.rig.names:
            yield name, other
    if KNIGHT.exists():
        yield "Knight", arcwright.read(KNIGHT).characters[0]


def hands(source: Sampled, target: Character) -> dict[str, Effector]:
    """The hands that hold something, on the target."""
    own = source.scene.characters[0]
    if own.rig.names == target.rig.names:
        effectors = {each.name: each for each in source.activity.effectors}
    else:
        chains = corresponding_joints(own, target).chains
        effectors = {
            f"{side} hand": Effector(f"{side} hand", Point(chains[f"{side}_hand"][1][-1]))
            for side in ("left", "right")
        }
    return {name: effectors[name] for name in held(source) if name in effectors}


def held(source: Sampled) -> dict[str, Bools]:
    """(T,) when each hand holds something, or something it."""
    found: dict[str, Bools] = {}
    for pair, frames in source.holds():
        for name in {element_of(pair.constrained), element_of(pair.constraining)}:
            if name.endswith("hand"):
                found.setdefault(name, np.zeros(len(source.times), bool))[frames] = True
    return found


def led(source: Sampled, target: Character) -> tuple[float, float, list[str]]:
    """The largest errors (m) of hands that hold something, before and after, and what is missed."""
    person = source.scene.characters[0]
    ratio = leg_ratio(person, target)
    take = retarget(person.takes[0], person, target)
    actor = Character(target.name, target.rig, (take,), target.shapes)
    own, when = hands(source, target), held(source)
    solver, paths = _body(actor, take, source.times, list(own.values())), {}
    alone, errors, missed = [], [], []
    for name, effector in own.items():
        track = effector_track(take, effector, source.times)
        goal = ratio * source.elements[name][:, :3, 3]
        move = _move(track.position, goal, when[name])
        paths[name] = ElementPath(track, move, np.zeros_like(move), np.zeros(len(move), bool))
        alone.append(np.linalg.norm(goal - track.position, axis=1)[when[name]].max())
    solved = solver.solve(paths, {})
    after = replace(take, base=replace(take.base, values=solved.values))
    for name, effector in own.items():
        track = effector_track(after, effector, source.times)
        goal = ratio * source.elements[name][:, :3, 3]
        error = np.where(when[name], np.linalg.norm(goal - track.position, axis=1), 0.0)
        errors.append(error.max())
        if error.max() > WITHIN:
            far = np.flatnonzero(error > WITHIN)
            missed.append(f"{name} in {len(far)} frames from {far[0]} to {far[-1]}")
    return max(alone), max(errors), missed


def _body(actor: Character, take: Take, times: Floats, effectors: list[Effector]) -> BodyModel:
    scene = Scene("retargeted", (actor,))
    base = take.base
    clip = Clip(base.name, (None,) * len(take.rig.channels), base.duration, base.rate)
    where = ("characters", 0, "takes", 0, "base", "curves")
    return BodyModel(scene, EditedClip(actor, take, clip, where), times, effectors, 0.0)


def _move(path: Floats, goal: Floats, when: Bools) -> Floats:
    """(T, 3) m from a path to its goal while that holds, blended in between."""
    edges = np.flatnonzero(np.diff(when.astype(int)) != 0)
    knots = np.unique([0, *(edges + when[edges + 1]), len(path) - 1])
    by = np.where(when[knots, None], goal[knots] - path[knots], 0.0)
    found = deformed(path, knots, by) - path
    return np.where(when[:, None], goal - path, found)


def main() -> None:
    """Print the table."""
    print("hands on what they hold, mm, most of all frames of contact")
    print(f"{'scene':20} {'onto':12} {'scale':>6} {'carried':>8} {'led':>7}  missed")
    known = examples()
    for label in (each for each in SCENES if each in known):
        source = Sampled.of(*known[label])
        for name, target in targets(source.scene.characters[0]):
            ratio = leg_ratio(source.scene.characters[0], target)
            alone, after, missed = led(source, target)
            row = f"{label:20} {name:12} {ratio:6.2f} {1e3 * alone:8.1f} {1e3 * after:7.2f}"
            print(f"{row}  {'; '.join(missed)}", flush=True)


if __name__ == "__main__":
    main()
