"""The spider robot: eight legs, and a walk made of two key poses.

The second pose is the first in a mirror, half a stride on. Four feet stand while four swing; that
they stay put, and that the others lift, lies in the tangents alone. `walk` is that half stride,
`stride` goes on with its mirror image and loops, `blocking` has the two poses with plain handles.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from arcwright.arrays import Floats
from arcwright.characters.assembly import assembled
from arcwright.characters.mesh import Mesh
from arcwright.characters.posing import Pose, clip, mirrored, point_position, pose, solve_ik
from arcwright.characters.recipe import Recipe, Stage
from arcwright.characters.segment_handles import (
    SegmentHandles,
    fit_handles,
    linear_handles,
    mirrored_handles,
    with_handles,
)
from arcwright.characters.skeleton import other_side, skeleton
from arcwright.characters.spider_body import HUBS, JOINTS, PALETTE, TIP, pieces
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig

RATE = 24.0
HALF = 12  # frames of half a stride
STEP = 0.15  # m the body goes in half a stride
LIFT = 0.085  # m, how high a swinging foot goes
CURL = 20.0  # degrees by which it folds under on its way
LEGS = [f"{side}Leg{number}" for side in ("Left", "Right") for number in HUBS]
STANDING = ["LeftLeg1", "RightLeg2", "LeftLeg3", "RightLeg4"]  # in the first half stride


def clips(rig: Rig) -> list[Clip]:
    """`walk`, its looping `stride`, and `blocking`, the same two poses as an animator begins."""
    first = _pose(rig)
    second = mirrored(first) | {"Body.translate.z": STEP}
    third = first | {"Body.translate.z": 2 * STEP}
    blocking = clip(rig, "blocking", {0.0: first, float(HALF): second})
    body = _body(first, second)
    handles = body | _legs(rig, with_handles(rig, blocking, 0, body), first, second)
    walk = with_handles(rig, clip(rig, "walk", {0.0: first, float(HALF): second}), 0, handles)
    keys = {0.0: first, float(HALF): second, float(2 * HALF): third}
    stride = with_handles(rig, clip(rig, "stride", keys, loops=True), 0, handles)
    return [walk, with_handles(rig, stride, 1, mirrored_handles(handles)), blocking]


def _pose(rig: Rig) -> Pose:
    """Feet of the standing legs ahead, of the others behind, all on the floor."""
    written = {"Body.translate": (0.006, -0.018, 0), "Body": (1, -3, -1.5)}
    posed = pose(rig, written | {"Abdomen": (4, -7), "Eye": (3, 8)})
    for leg in LEGS:
        foot = point_position(rig, {}, f"{leg}Tarsus", TIP)
        ahead = STEP / 2 if leg in STANDING else -STEP / 2
        posed |= pose(rig, {f"{leg}Tarsus": -4})
        posed = _planted(rig, posed, leg, foot + np.array([0, 0, ahead]))
    return posed


def _planted(rig: Rig, posed: Pose, leg: str, foot: Floats) -> Pose:
    chain = [f"{leg}{part}" for part in ("Coxa", "Femur", "Tibia")]
    return solve_ik(rig, posed, f"{leg}Tarsus", foot.tolist(), point=TIP, chain=chain, nudge=0)


def _body(first: Pose, second: Pose) -> dict[str, SegmentHandles]:
    """An even pace, a rise in mid-step, a wag of the abdomen."""
    pace = linear_handles(first["Body.translate.z"], second["Body.translate.z"])
    return {
        "Body.translate.z": pace,
        "Body.translate.y": (0.02, -0.02),
        "Abdomen.rotate.x": (-0.1, 0.1),
    }


def _legs(rig: Rig, walk: Clip, first: Pose, second: Pose) -> dict[str, SegmentHandles]:
    handles: dict[str, SegmentHandles] = {}
    for leg in LEGS:
        start, end = (point_position(rig, posed, f"{leg}Tarsus", TIP) for posed in (first, second))
        joints = [f"{leg}{part}" for part in ("Coxa", "Femur", "Tibia", "Tarsus")]
        target = partial(_step, rig, leg, start, end)
        handles |= fit_handles(rig, walk, 0.0, HALF / RATE, joints, target)
    return handles


def _step(rig: Rig, leg: str, start: Floats, end: Floats, share: float, posed: Pose) -> Pose:
    """A standing foot stays; a swinging one goes over in an arc and folds under."""
    foot = start + (end - start) * (share * share * (3 - 2 * share))
    if leg not in STANDING:
        arc = float(np.sin(np.pi * share))
        foot[1] += LIFT * arc
        posed[f"{leg}Tarsus.rotate.x"] += float(np.radians(CURL)) * arc
    return _planted(rig, posed, leg, foot)


def _stage(name: str) -> Stage:
    """The planted feet of each half stride."""
    other = [other_side(leg) for leg in STANDING]
    halves = [STANDING, other] if name == "stride" else [STANDING]
    contacts = [
        Contact(
            Point(f"{leg}Tarsus", np.array(TIP)),
            at * HALF / RATE,
            (at + 1) * HALF / RATE,
            take=name,
        )
        for at, legs in enumerate(halves)
        for leg in legs
    ]
    return Stage(constraints=tuple(contacts))


def sculptures() -> list[Mesh]:
    """The spider's pieces as one mesh."""
    return [assembled(skeleton(JOINTS), pieces())]


_STAGES = {name: partial(_stage, name) for name in ("walk", "stride", "blocking")}
RECIPE = Recipe("spider", JOINTS, sculptures, PALETTE, clips, _STAGES)
