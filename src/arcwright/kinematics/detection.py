"""Detection: stances, footplants, handholds, symmetric pairs and the true frame rate of a take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from arcwright.errors import BadValue
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.feet import feet, foot_joints, heels
from arcwright.kinematics.forward import forward
from arcwright.kinematics.frame_rate import RateCheck, check_rate
from arcwright.kinematics.handholds import find_handholds
from arcwright.kinematics.hands import pairs
from arcwright.kinematics.places import places
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.stances import sole_paths, stances
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take


@dataclass(frozen=True)
class Footplant:
    """A point of a foot that stands still for a while."""

    joint: str
    part: str  # "toe" or "heel"
    first: float  # frame
    last: float  # frame
    place: tuple[float, float, float]  # m, mean position
    slide: float  # m, largest distance from there


@dataclass(frozen=True)
class DetectedStance:
    """A foot that carries on the ground, with heel, ball or toes."""

    joint: str  # its toes
    first: float  # frame
    last: float  # frame


@dataclass(frozen=True)
class Handhold:
    """A point of a hand that stays in its place on a prop for a while."""

    joint: str
    offset: tuple[float, float, float]  # m, in the joint
    prop: str
    first: float  # frame
    last: float  # frame
    place: tuple[float, float, float]  # m, mean position on the prop
    slide: float  # m, largest distance from there


@dataclass(frozen=True)
class Pair:
    """A left and a right joint, and their distance in the take."""

    left: str
    right: str
    shortest: float  # m
    longest: float  # m


@dataclass(frozen=True)
class Detection:
    """What was detected in a take."""

    stances: tuple[DetectedStance, ...]
    footplants: tuple[Footplant, ...]
    handholds: tuple[Handhold, ...]
    pairs: tuple[Pair, ...]
    in_place: bool  # feet stand on ground that moves: there are stances, but no footplants
    rate: RateCheck | None  # where falls do not fit the frame rate

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def detect(scene: Scene, take: str = "", character: str = "") -> Detection:
    """Detect stances, footplants, handholds and symmetric pairs in a take of a character."""
    actor = scene.actor(character)
    if not actor.takes:
        raise BadValue(f"character {actor.name!r}", "a clip to edit", "none")
    played = actor.take(take) if take else actor.takes[0]
    standing = footplants(played, heels=True)
    heel_joints = _heel_joints(played.rig) if standing else set()
    detected = [
        _footplant(played, each, "heel" if each.point.joint in heel_joints else "toe")
        for each in standing
    ]
    return Detection(
        _stances(played),
        tuple(sorted(detected, key=lambda each: (each.first, each.joint))),
        tuple(_handhold(scene, played, each) for each in find_handholds(scene, actor, played)),
        tuple(_pair(played, *names) for names in pairs(played.rig)),
        in_place=_has_feet(played.rig) and sole_paths(played).in_place,
        rate=check_rate(played),
    )


def _has_feet(rig: Rig) -> bool:
    try:
        return bool(feet(rig))
    except BadValue:
        return False


def _stances(take: Take) -> tuple[DetectedStance, ...]:
    """The stances of a take in frames; none for a rig without feet."""
    found = stances(take) if _has_feet(take.rig) else ()
    frames = [[round(time * take.rate, 3) for time in (each.start, each.end)] for each in found]
    return tuple(
        DetectedStance(each.joint, *span) for each, span in zip(found, frames, strict=True)
    )


def contacts_with_footplants(
    take: Take, contacts: Sequence[Contact], *, heels: bool
) -> list[Contact]:
    """The contacts of a take or, where it has none, its detected footplants.

    With `heels`, detected footplants of heels are added beside contacts of toes: only of feet that
    stand at that time and whose heel has no contact of its own.
    """
    if not contacts:
        return list(footplants(take, heels=heels))
    detected = footplants(take, heels=True) if heels else ()
    heel_joints = _heel_joints(take.rig) if detected else set()
    added = [each for each in detected if each.point.joint in heel_joints]
    return [*contacts, *(each for each in added if _stands(take.rig, each, contacts))]


def _heel_joints(rig: Rig) -> set[str]:
    return {heel.joint for heel in heels(rig)}


def _stands(rig: Rig, heel: Contact, contacts: Sequence[Contact]) -> bool:
    """Whether toes of the same foot have a contact at the time of a heel that has none itself."""
    during = [each for each in contacts if each.start <= heel.end and each.end >= heel.start]
    joints = {each.point.joint for each in during if each.relative_to is None and each.position}
    if heel.point.joint in joints:
        return False
    foot = foot_joints(rig)
    return any(foot[rig.joint(name)] and _heel_of(rig, name, heel.point.joint) for name in joints)


def _heel_of(rig: Rig, toe: str, heel: str) -> bool:
    """Whether a heel is the parent of toes, or a sibling of them."""
    parent = int(rig.parents[rig.joint(toe)])
    behind = rig.joint(heel)
    return parent >= 0 and parent in (behind, int(rig.parents[behind]))


def _footplant(take: Take, contact: Contact, part: str) -> Footplant:
    times = np.linspace(contact.start, contact.end, 9)
    path = trail(take, contact.point, times).position
    x, y, z = path.mean(axis=0).tolist()
    slide = float(np.linalg.norm(path - [x, y, z], axis=1).max())
    return Footplant(contact.point.joint, part, *_frames(take, contact), (x, y, z), slide)


def _handhold(scene: Scene, take: Take, contact: Contact) -> Handhold:
    assert contact.relative_to is not None
    prop = scene.actor(contact.relative_to.character)
    assert isinstance(prop, Prop)
    times = np.linspace(contact.start, contact.end, 17)
    values = np.tile(prop.rig.channels.default, (len(times), 1))
    if prop.takes:
        values = values_at(prop.takes[0], times)
    world_from_prop = forward(prop.rig, values, [0])[:, 0]
    path = trail(take, contact.point, times).position
    homogeneous = np.append(path, np.ones((len(path), 1)), axis=1)[..., None]
    on_prop = np.linalg.solve(world_from_prop, homogeneous)[:, :3, 0]
    x, y, z = on_prop.mean(axis=0).tolist()
    slide = float(np.linalg.norm(on_prop - [x, y, z], axis=1).max())
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
    points = places(take.rig, [Point(left), Point(right)])
    a, b = (each.position for each in trail(take, points, take.frame_times()))
    distance = np.linalg.norm(a - b, axis=1)
    return Pair(left, right, float(distance.min()), float(distance.max()))


def _frames(take: Take, contact: Contact) -> tuple[float, float]:
    first, last = (round(time * take.rate, 3) for time in (contact.start, contact.end))
    return first, last
