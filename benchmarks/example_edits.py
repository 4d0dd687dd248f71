"""The twelve spacetime edits that `spacetime_shots.py` draws, on captures and characters."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from arcwright import read
from arcwright.arrays import Floats
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.trail import trail
from arcwright.picture.poses import facing
from arcwright.scene.constraint import Constraint, Contact, RegionConstraint
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.region import Box
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from spacetime_figures import DATA, places
from spacetime_props import real

Way = tuple[float, float, float]


@dataclass(frozen=True)
class Pull:
    """A point dragged at a frame."""

    joint: str
    frame: int
    by: Way  # m: to the right of the body, up, ahead
    character: str = ""


@dataclass(frozen=True)
class SpacetimeEdit:
    """One edit of one file."""

    name: str
    file: str  # below ../shared/data
    pulls: tuple[Pull, ...] = ()
    clip: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    every: int = 20  # frames between the pictures
    planted: bool = False  # each pull moves the footplant there
    obstacle: tuple[Way, Way] | None = None  # m, a box that toes stay out of
    slope: float = 0.0  # m per m, by which all footplants rise ahead
    carried: tuple[float, float] | None = None  # s, in which a box is between the hands
    view: Way | None = None


EDITS = (
    SpacetimeEdit(
        "hand_up", "bvh/cmu/139_25_giving_directions.bvh", (Pull("LeftHand", 150, (0, 0.25, 0)),)
    ),
    SpacetimeEdit(
        "hips_down", "bvh/cmu/143_32_walk.bvh", (Pull("Hips", 200, (0, -0.12, 0)),)
    ),
    SpacetimeEdit(
        "sit_lower", "bvh/cmu/75_17_medium_sit.bvh", (Pull("Hips", 150, (0, -0.12, 0)),), every=30
    ),
    SpacetimeEdit(
        "step_over",
        "bvh/cmu/02_01_walk.bvh",
        (Pull("LeftToeBase", 178, (0, 0, 0.15)),),
        obstacle=((0.2, -0.1, -0.3), (0.9, 0.18, -0.05)),
    ),
    SpacetimeEdit(
        "step_aside",
        "bvh/cmu/07_12_brisk_walk.bvh",
        (Pull("RightToeBase", 120, (0.2, 0, 0)),),
        planted=True,
        view=(-0.3, -0.2, -1.0),
    ),
    SpacetimeEdit(
        "higher_jump", "bvh/cmu/16_05_forward_jump.bvh", (Pull("Hips", 160, (0, 0.25, 0)),)
    ),
    SpacetimeEdit(
        "longer_steps",
        "bvh/cmu/02_01_walk.bvh",
        (Pull("Hips", 342, (0, 0, 0.5)),),
        options={"floating_footplants": True},
        every=45,
    ),
    SpacetimeEdit(
        "run_footplant",
        "bvh/cmu/35_22_run.bvh",
        (Pull("LeftToeBase", 80, (-0.15, 0, 0)),),
        planted=True,
        every=10,
        view=(-0.3, -0.2, -1.0),
    ),
    SpacetimeEdit(
        "box_moved",
        "bvh/cmu/143_13_pickup_basket.bvh",
        (Pull("Box", 282, (0, 0.3, 0), "Box"),),
        carried=(1.25, 3.45),
        every=40,
    ),
    SpacetimeEdit(
        "kick_higher",
        "gltf/kaykit/Knight.glb",
        (Pull("foot.r", 8, (0, 0.3, 0)),),
        clip="Unarmed_Melee_Attack_Kick",
        every=3,
    ),
    SpacetimeEdit(
        "reach_further",
        "bvh/cmu/14_24_traffic_wave_point.bvh",
        (Pull("RightHand", 600, (0, -0.1, 0.35)),),
    ),
    SpacetimeEdit("slope", "bvh/cmu/02_01_walk.bvh", slope=0.2, every=45),
)  # fmt: skip


def opened(edit: SpacetimeEdit) -> Scene:
    """The scene with one character and one take; captures without their first frame."""
    if edit.carried:
        return real(Path(edit.file).stem, *edit.carried)
    scene = read(DATA / edit.file)
    actor = scene.characters[0]
    take = actor.take(edit.clip) if edit.clip else actor.takes[0]
    if isinstance(take.base, Motion):
        values = take.base.values[1:]
        base = replace(take.base, time=take.base.time[: len(values)], values=values)
        take = replace(take, base=base)
    return Scene(scene.name, (replace(actor, takes=(take,)),))


def pulls_of(edit: SpacetimeEdit, take: Take) -> list[tuple[Point, float, Floats]]:
    """Points, times (s) and how far each is dragged, (3,) m."""
    if edit.slope:
        return _slope(edit, take)
    found = []
    for each in edit.pulls:
        when = each.frame / take.rate
        if edit.planted:
            when = _standing(take, each.joint, when)
        ahead = direction(take, when)
        axes = np.stack([np.cross(ahead, (0, 1, 0)), (0, 1, 0), ahead])
        point = Point(each.joint, character=each.character)
        found.append((point, when, np.array(each.by) @ axes))
    return found


def constraints_of(edit: SpacetimeEdit, take: Take) -> tuple[Constraint, ...]:
    """Toes stay out of the obstacle."""
    if edit.obstacle is None:
        return ()
    box = Box(*map(np.array, edit.obstacle))
    spans = {"LeftToeBase": (76, 149), "RightToeBase": (144, 216)}
    return tuple(
        RegionConstraint(Point(joint), first / take.rate, last / take.rate, box)
        for joint, (first, last) in spans.items()
    )


def direction(take: Take, when: float) -> Floats:
    """The level direction of travel, or where it stands still, the one that the body faces."""
    around = np.clip([when - 0.2, when + 0.2], 0, take.duration)
    middle = places(take, around).mean(1) * (1, 0, 1)
    travel = middle[1] - middle[0]
    if np.linalg.norm(travel) > 0.15:
        return travel / np.linalg.norm(travel)
    return facing(take.rig, places(take, around))


def _standing(take: Take, joint: str, when: float) -> float:
    """The middle frame of the footplant nearest to a time; that time where there is none."""
    own = [each for each in footplants(take) if each.point.joint == joint]
    if not own:
        return when
    nearest: Contact = min(own, key=lambda each: abs(each.start + each.end - 2 * when))
    return float(np.round((nearest.start + nearest.end) / 2 * take.rate) / take.rate)


def _slope(edit: SpacetimeEdit, take: Take) -> list[tuple[Point, float, Floats]]:
    """Every footplant, raised by how far it is ahead of the first."""
    plants = footplants(take)
    middles = [round((each.start + each.end) / 2 * take.rate) / take.rate for each in plants]
    spots = [
        trail(take, each.point, [when]).position[0]
        for each, when in zip(plants, middles, strict=True)
    ]
    ahead = direction(take, float(np.mean(middles)))
    first = min(float(spot @ ahead) for spot in spots)
    return [
        (each.point, when, np.array([0.0, edit.slope * (float(spot @ ahead) - first), 0.0]))
        for each, when, spot in zip(plants, middles, spots, strict=True)
    ]
