"""Plants: footplants that are found, where a take has no contacts, or heels beside its toes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from arcwright.errors import BadValue
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.feet import foot_joints, heels
from arcwright.kinematics.feet import heels as heels_of
from arcwright.kinematics.forward import forward
from arcwright.kinematics.hands import pairs
from arcwright.kinematics.holds import find_holds
from arcwright.kinematics.places import places
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Contact, Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take


def plants_of(take: Take, contacts: Sequence[Contact], *, heels: bool) -> list[Contact]:
    """The contacts of a take, or where it has none, its footplants; with `heels`, these as well.

    Beside contacts, only heels of feet that stand at that time and have no contact of their own:
    what the scene says of its feet stays.
    """
    if not contacts:
        return list(footplants(take, heels=heels))
    found = footplants(take, heels=True) if heels else ()
    behind = {heel.joint for heel in heels_of(take.rig)} if found else set()
    more = [each for each in found if each.point.joint in behind]
    return [*contacts, *(each for each in more if _stands(take.rig, each, contacts))]


def _stands(rig: Rig, heel: Contact, contacts: Sequence[Contact]) -> bool:
    """Whether toes of the same foot stand at some time of a heel, and it has no contact itself."""
    beside = [each for each in contacts if each.start <= heel.end and each.end >= heel.start]
    joints = {each.point.joint for each in beside if each.relative_to is None and each.position}
    if heel.point.joint in joints:
        return False
    foot = foot_joints(rig)
    return any(foot[rig.joint(name)] and _heel_of(rig, name, heel.point.joint) for name in joints)


def _heel_of(rig: Rig, toe: str, heel: str) -> bool:
    """Whether a heel carries toes, or hangs beside them from one joint."""
    above = int(rig.parents[rig.joint(toe)])
    behind = rig.joint(heel)
    return above >= 0 and above in (behind, int(rig.parents[behind]))


@dataclass(frozen=True)
class Plant:
    """A point of a foot that stands still for a while."""

    joint: str
    part: str  # "toe" or "heel"
    first: float  # frame
    last: float  # frame
    place: tuple[float, float, float]  # m, its mean
    slide: float  # m, how far it slides from there at most


@dataclass(frozen=True)
class Handhold:
    """A point of a hand that stays in its place on a prop for a while."""

    joint: str
    offset: tuple[float, float, float]  # m, in the joint
    prop: str
    first: float  # frame
    last: float  # frame
    place: tuple[float, float, float]  # m, its mean on the prop
    slide: float  # m, how far it slides from there at most


@dataclass(frozen=True)
class Pair:
    """A left and a right joint, and how far they are from each other in the clip."""

    left: str
    right: str
    shortest: float  # m
    longest: float  # m


@dataclass(frozen=True)
class Found:
    """What a clip seems to keep."""

    plants: tuple[Plant, ...]
    holds: tuple[Handhold, ...]
    pairs: tuple[Pair, ...]

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def found(scene: Scene, clip: str = "", character: str = "") -> Found:
    """Footplants, handholds and pairs of a clip of a character."""
    actor = scene.actor(character)
    if not actor.takes:
        raise BadValue(f"character {actor.name!r}", "a clip to edit", "none")
    take = actor.take(clip) if clip else actor.takes[0]
    standing = footplants(take, heels=True)
    behind = {point.joint for point in heels(take.rig)} if standing else set()
    plants = [
        _plant(take, each, "heel" if each.point.joint in behind else "toe") for each in standing
    ]
    held = find_holds(scene, actor, take)
    return Found(
        tuple(sorted(plants, key=lambda each: (each.first, each.joint))),
        tuple(_hold(scene, take, each) for each in held),
        tuple(_pair(take, *names) for names in pairs(take.rig)),
    )


def _plant(take: Take, contact: Contact, part: str) -> Plant:
    times = np.linspace(contact.start, contact.end, 9)
    path = trail(take, contact.point, times).position
    x, y, z = path.mean(axis=0).tolist()
    slide = float(np.linalg.norm(path - [x, y, z], axis=1).max())
    return Plant(contact.point.joint, part, *_frames(take, contact), (x, y, z), slide)


def _hold(scene: Scene, take: Take, contact: Contact) -> Handhold:
    assert contact.relative_to is not None
    prop = scene.actor(contact.relative_to.character)
    assert isinstance(prop, Prop)
    times = np.linspace(contact.start, contact.end, 17)
    values = np.tile(prop.rig.channels.default, (len(times), 1))
    if prop.takes:
        values = values_at(prop.takes[0], times)
    world = forward(prop.rig, values, [0])[:, 0]
    path = trail(take, contact.point, times).position
    wide = np.append(path, np.ones((len(path), 1)), axis=1)[..., None]
    on = np.linalg.solve(world, wide)[:, :3, 0]
    x, y, z = on.mean(axis=0).tolist()
    slide = float(np.linalg.norm(on - [x, y, z], axis=1).max())
    across, up, ahead = contact.point.offset.tolist()
    return Handhold(
        contact.point.joint,
        (across, up, ahead),
        prop.name,
        *_frames(take, contact),
        (x, y, z),
        slide,
    )


def _pair(take: Take, left: str, right: str) -> Pair:
    marks = places(take.rig, [Point(left), Point(right)])
    a, b = (each.position for each in trail(take, marks, take.frame_times()))
    apart = np.linalg.norm(a - b, axis=1)
    return Pair(left, right, float(apart.min()), float(apart.max()))


def _frames(take: Take, contact: Contact) -> tuple[float, float]:
    first, last = (round(time * take.rate, 3) for time in (contact.start, contact.end))
    return first, last
