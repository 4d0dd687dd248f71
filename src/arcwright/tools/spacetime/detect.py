"""Detect: footplants, handholds and symmetric pairs of a clip, for people and programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from arcwright.kinematics.contact import footplants
from arcwright.kinematics.feet import heels
from arcwright.kinematics.handholds import find_handholds
from arcwright.kinematics.hands import pairs
from arcwright.kinematics.places import places
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Contact, Point
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take
from arcwright.tools.edited_clip import find_take
from arcwright.tools.spacetime.wishes import Carrier
from arcwright.tools.tool import Target


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
    actor, take, _ = find_take(scene, Target(character, clip))
    standing = footplants(take, heels=True)
    behind = {point.joint for point in heels(take.rig)} if standing else set()
    plants = [
        _plant(take, each, "heel" if each.point.joint in behind else "toe") for each in standing
    ]
    held = find_handholds(scene, actor, take)
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
    carrier = Carrier(prop, prop.takes[0] if prop.takes else None, 0)
    path = trail(take, contact.point, times).position
    wide = np.append(path, np.ones((len(path), 1)), axis=1)[..., None]
    on = np.linalg.solve(carrier.matrices(times), wide)[:, :3, 0]
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
