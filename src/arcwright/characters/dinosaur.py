"""The dinosaur: a theropod of 2.2 m that punches and leans on its tail."""

from __future__ import annotations

from functools import partial

import numpy as np

from arcwright.characters import dinosaur_poses as poses
from arcwright.characters.dinosaur_body import PALETTE, sculptures
from arcwright.characters.dinosaur_joints import JOINTS, SOLE, TAIL_TIP
from arcwright.characters.posing import Pose, clip
from arcwright.characters.recipe import Recipe, Stage
from arcwright.characters.segment_handles import (
    SHARES,
    SegmentHandles,
    fit_handles,
    refine_handles,
    with_handles,
)
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

RATE = 24.0
FRAMES = (0.0, 11.0, 16.0, 22.0, 32.0, 40.0)
LYING = (0, 4)  # segments in which the tail's tip lies on the floor
LEG = ("UpperLeg", "LowerLeg", "Foot", "Toes")
LEGS = [f"{side}{part}" for side in ("Left", "Right") for part in LEG]


def clips(rig: Rig) -> list[Clip]:
    """`punch`: guard, wind-up, hit, follow-through, recoil onto the tail, guard; and `blocking`.

    In `blocking` the handles are plain, so that feet and tail slide between the keys. `stand` is
    a still loop to act on.
    """
    guard = poses.guard(rig)
    row = [guard, poses.wind_up(rig), poses.hit(rig), poses.follow(rig), poses.recoil(rig), guard]
    keys = dict(zip(FRAMES, row, strict=True))
    punch = clip(rig, "punch", keys)
    for at in range(len(FRAMES) - 1):
        punch = with_handles(rig, punch, at, _ground_handles(rig, punch, at))
    still = {0.0: poses.standing(rig), RATE: poses.standing(rig)}
    return [punch, clip(rig, "blocking", keys), clip(rig, "stand", still, loops=True, whole=True)]


def _ground_handles(rig: Rig, punch: Clip, at: int) -> dict[str, SegmentHandles]:
    """Bends between two keys that keep the feet, and where it lies the tail, on the floor."""
    start, end = FRAMES[at] / RATE, FRAMES[at + 1] / RATE
    rotations = np.interp(SHARES, (0, 1), poses.RIGHT_YAW[at : at + 2])
    stand = partial(_stand, rig, poses.RIGHT_YAW[at : at + 2])
    legs = fit_handles(rig, punch, start, end, LEGS, stand)
    faults = partial(poses.foot_faults, rig, rotations)
    legs = refine_handles(rig, with_handles(rig, punch, at, legs), start, end, legs, faults)
    tail = (
        fit_handles(rig, punch, start, end, poses.TAIL, partial(_lie, rig)) if at in LYING else {}
    )
    return legs | tail


def _stand(rig: Rig, rotations: tuple[float, ...], share: float, posed: Pose) -> Pose:
    posed = poses.planted(rig, posed, "Left", poses.LEFT_YAW, nudge=0)
    return poses.planted(rig, posed, "Right", float(np.interp(share, (0, 1), rotations)), nudge=0)


def _lie(rig: Rig, _: float, posed: Pose) -> Pose:
    return poses.draped(rig, posed)


def _stage(name: str) -> Stage:
    """Feet on the floor all the time, the tail's tip before the blow and after it."""
    tip = Point("Tail9", np.array(TAIL_TIP))
    return Stage(
        constraints=(
            Contact(
                Point("LeftToes", np.array(SOLE)), 0, FRAMES[-1] / RATE, orientation=True, take=name
            ),
            Contact(Point("RightToes", np.array([0, SOLE[1], 0])), 0, FRAMES[-1] / RATE, take=name),
            Contact(tip, 0, FRAMES[1] / RATE, take=name),
            Contact(tip, FRAMES[4] / RATE, FRAMES[5] / RATE, take=name),
        )
    )


def _still() -> Stage:
    """Both feet on the floor."""
    sole = np.array(SOLE)
    toes = (Point("LeftToes", sole), Point("RightToes", sole))
    return Stage(constraints=tuple(Contact(each, 0.0, 1.0, orientation=True) for each in toes))


_STAGES = {name: partial(_stage, name) for name in ("punch", "blocking")} | {"stand": _still}
RECIPE = Recipe("dinosaur", JOINTS, sculptures, PALETTE, clips, _STAGES)
