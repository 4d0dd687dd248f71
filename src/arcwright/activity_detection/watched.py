"""What is watched to detect events: hands and pelvis of a character, and the props around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.effectors import effector_joint
from arcwright.kinematics.feet import rig_size
from arcwright.kinematics.forward import forward
from arcwright.kinematics.hands import hands
from arcwright.kinematics.legs import rest_places
from arcwright.kinematics.movement_events import ElementPath
from arcwright.kinematics.prop_contacts import PropPath
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform
from arcwright.kinematics.stays import MovementRule
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Prop
from arcwright.scene.take import Take

_HANDS = "LeftHand", "RightHand"
_SHOULDERS = "LeftShoulder", "RightShoulder"
RATE = 60.0  # moments per second at which a person of 1.7 m is looked at
_PERSON = 1.7  # m
_LEAST_ACROSS = 1e-3  # m between the shoulders on the ground, for a heading
_LOW = 0.1  # quantile over time of the lowest joint's height: the floor
_FASTEST = 10.0  # m/s of a hand; a first frame that is left faster is no part of the take


@dataclass(frozen=True, eq=False)
class WatchedBody:
    """Paths of what is watched, at equally spaced moments."""

    time: Floats  # (T,) s
    paths: tuple[ElementPath, ...]
    points: dict[str, Point]  # of the elements


def watched_body(actor: Actor, take: Take) -> WatchedBody:
    """The hands and the pelvis of a character in a take, as far as its rig shows them."""
    joints = {name: _joint(actor, name) for name in ("Pelvis", *_HANDS, *_SHOULDERS)}
    size = rig_size(take.rig)
    rate = RATE * np.sqrt(_PERSON / size) if size > 0 else RATE
    start = _start(take)
    time = start + np.arange(int(np.floor((take.duration - start) * rate + 1e-3)) + 1) / rate
    places = forward(take.rig, values_at(take, time))
    pelvis, head = joints["Pelvis"], _head(take)
    across = _across(places, [joints[name] for name in _SHOULDERS])
    paths, points = [], {}
    for side in ("Left", "Right"):
        hand, shoulder = joints[f"{side}Hand"], joints[f"{side}Shoulder"]
        if hand is None:
            continue
        point = points[f"{side}Hand"] = _palm(take, hand)
        paths.append(
            ElementPath(
                f"{side}Hand",
                _positions(places, hand, point.offset),
                None if pelvis is None else places[:, pelvis, :3, 3],
                None if shoulder is None else places[:, shoulder, :3, 3],
                None if head is None else places[:, head, :3, 3],
                _arm(take, hand, shoulder, point),
                across=across,
            )
        )
    if pelvis is not None:
        points["Pelvis"] = Point(take.rig.names[pelvis])
        position = places[:, pelvis, :3, 3]
        seat = _seat_height(take, pelvis, places)
        paths.append(ElementPath("Pelvis", position, position, seat=seat))
    return WatchedBody(time, tuple(paths), points)


def prop_path(prop: Prop, time: Floats) -> PropPath:
    """Where a prop is, and the box around it."""
    values = np.tile(prop.rig.channels.default, (len(time), 1))
    if prop.takes:
        values = values_at(prop.takes[0], time)
    rest = prop.rig.channels.default
    world = forward(prop.rig, rest[None])[0]
    parts = [part.positions for part in deform(prop, rest, world)]
    corners = np.concatenate(parts) if parts else world[:1, :3, 3]
    inner = np.linalg.inv(world[0])
    own = corners @ inner[:3, :3].T + inner[:3, 3]
    frames = forward(prop.rig, values, [0])[:, 0]
    return PropPath(prop.name, frames, own.min(axis=0), own.max(axis=0))


def _joint(actor: Actor, name: str) -> int | None:
    try:
        return effector_joint(actor, name)
    except BadValue:
        return None


def _head(take: Take) -> int | None:
    named = [j for j, name in enumerate(take.rig.names) if "head" in name.lower()]
    return named[0] if named else None


def _palm(take: Take, hand: int) -> Point:
    """The farthest point of a hand that `hands` finds: half way to its fingers."""
    name = take.rig.names[hand]
    own = [each for each in hands(take.rig) if each[0].joint == name]
    return own[0][-1] if own else Point(name)


def _positions(places: Floats, joint: int, offset: Floats) -> Floats:
    found: Floats = places[:, joint, :3, :3] @ offset + places[:, joint, :3, 3]
    return found


def _across(places: Floats, shoulders: Sequence[int | None]) -> Floats | None:
    """(T, 3) unit vectors on the ground from the right shoulder to the left one."""
    left, right = shoulders
    if left is None or right is None:
        return None
    found: Floats = (places[:, left, :3, 3] - places[:, right, :3, 3]) * [1.0, 0.0, 1.0]
    length = np.linalg.norm(found, axis=1, keepdims=True)
    return found / length if length.min() > _LEAST_ACROSS else None


def _arm(take: Take, hand: int, shoulder: int | None, palm: Point) -> float:
    """Length of the stretched arm to the palm."""
    if shoulder is None:
        return 0.0
    rest = rest_places(take.rig)
    length, at = float(np.linalg.norm(palm.offset)), hand
    while at != shoulder and at >= 0:
        length += float(np.linalg.norm(rest[at] - rest[int(take.rig.parents[at])]))
        at = int(take.rig.parents[at])
    return length


def _seat_height(take: Take, pelvis: int, places: Floats) -> float:
    """The height in the world below which a pelvis is seated."""
    rest = rest_places(take.rig)
    standing = float(rest[pelvis, 1] - rest[:, 1].min())
    floor = float(np.quantile(places[:, :, 1, 3].min(axis=1), _LOW))
    return floor + MovementRule().seat * standing


def _start(take: Take) -> float:
    """When the movement begins, s: captures may begin with one frame in a T-pose."""
    if not isinstance(take.base, Motion) or len(take.base.time) < 3:
        return 0.0
    time = take.base.time[:3]
    position = forward(take.rig, values_at(take, time))[:, :, :3, 3]
    speed = np.linalg.norm(np.diff(position, axis=0), axis=-1).max(axis=1) / np.diff(time)
    fastest = _FASTEST * np.sqrt(rig_size(take.rig) / _PERSON)
    return float(time[1]) if speed[0] > fastest > speed[1] else 0.0
