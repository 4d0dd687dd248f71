"""Soles: heel, ball and toe of each foot, from the mesh where there is one, else from bone lengths.

A foot is flat while the ankle is low above standing toes; without footplants, in the rest pose. A
sole of bones is level then and goes through the ball, that is, through the joint of the toes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.contact import footplants
from arcwright.kinematics.feet import feet, foot_joints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.skinning import deform, skin_influences
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

HEEL_BEHIND = 0.35  # of the level way from ankle to ball: how far the heel is behind the ankle
TIP_AHEAD = 0.45  # of the same: how far the tip of the toes is ahead of the ball
FLAT_QUANTILE = 0.35  # of the ankle's height above standing toes: heels rise later, toes earlier
STANDING_SAMPLES = 200  # moments of a take that are looked at, at most
LOW = 0.25  # of the height of a foot's mesh: vertices below are its sole
OWN_WEIGHT = 0.5  # skin weight from which a vertex belongs to a joint


class Sole(NamedTuple):
    """Points under one foot."""

    joints: tuple[str, ...]  # of the foot: those that carry it, and all below
    ball: Point
    heel: Point
    tip: Point  # of the toes
    rise: tuple[float, float]  # m, of heel and tip above the ball while the foot is flat

    @property
    def points(self) -> tuple[tuple[Point, float], ...]:
        """Ball, heel and tip, and how high each is above the ball while the foot is flat, m."""
        return (self.ball, 0.0), (self.heel, self.rise[0]), (self.tip, self.rise[1])

    def volume(self, rig: Rig) -> tuple[Point, ...]:
        """Heel, ball, tip, and the points half-way between."""
        world = forward(rig, rig.channels.default[None])[0]
        behind, ahead = (
            _between(rig, world, *pair) for pair in ((self.heel, self.ball), (self.ball, self.tip))
        )
        return self.heel, behind, self.ball, ahead, self.tip


def soles(actor: Actor, take: Take) -> tuple[Sole, ...]:
    """The soles of an actor; none for a rig without feet, or for feet that are a single joint."""
    rig = take.rig
    try:
        balls = [rig.joint(each.joint) for each in feet(rig)]
    except BadValue:
        return ()
    foot = foot_joints(rig)
    found = []
    for ball in balls:
        ankle = int(rig.parents[ball])
        if ankle < 0 or not foot[ankle]:
            continue
        pose = _flat_pose(take, ankle, ball)
        found.append(_mesh_sole(actor, pose, ankle, ball) or _bone_sole(rig, pose, ankle, ball))
    return tuple(each for each in found if each is not None)


def _flat_pose(take: Take, ankle: int, ball: int) -> Floats:
    """(C,) channel values while the foot is flat on the ground."""
    name = take.rig.names[ball]
    standing = [each for each in footplants(take) if each.point.joint == name]
    if not standing:
        default: Floats = take.rig.channels.default
        return default
    times = _moments_of(standing)
    values = values_at(take, times)
    height = forward(take.rig, values, [ankle, ball])[..., 1, 3]
    above = height[:, 0] - height[:, 1]
    picked: Floats = values[np.argsort(above)[int(FLAT_QUANTILE * (len(above) - 1))]]
    return picked


def _moments_of(standing: Sequence[Contact]) -> Floats:
    """Times spread over contacts, s."""
    each = max(3, STANDING_SAMPLES // len(standing))
    return np.concatenate([np.linspace(one.start, one.end, each) for one in standing])


def _bone_sole(rig: Rig, pose: Floats, ankle: int, ball: int) -> Sole | None:
    """A level sole through the ball of the foot."""
    world = forward(rig, pose[None])[0]
    at, behind = world[ball, :3, 3], world[ankle, :3, 3]
    ahead = (at - behind) * [1.0, 0.0, 1.0]
    if np.linalg.norm(ahead) < 1e-6:
        return None
    heel = behind * [1.0, 0.0, 1.0] + [0.0, at[1], 0.0] - HEEL_BEHIND * ahead
    below = np.flatnonzero(rig.parents == ball)
    reach = max((float((world[each, :3, 3] - at) @ ahead) for each in below), default=0.0)
    share = reach / float(ahead @ ahead) or TIP_AHEAD
    return Sole(
        _names_below(rig, ankle),
        Point(rig.names[ball]),
        _point(rig, world, ankle, heel),
        _point(rig, world, ball, at + share * ahead),
        (0.0, 0.0),
    )


def _mesh_sole(actor: Actor, pose: Floats, ankle: int, ball: int) -> Sole | None:
    """The rear and the front end of the lowest part of a foot's mesh."""
    rig = actor.rig
    if not actor.shapes or len(rig.channels.default) != len(pose):
        return None
    world = forward(rig, pose[None])[0]
    ahead = (world[ball, :3, 3] - world[ankle, :3, 3]) * [1.0, 0.0, 1.0]
    size = float(np.linalg.norm(ahead))
    vertices, owner = vertices_of(actor, pose, world, _below(rig, ankle))
    if size < 1e-6 or not len(vertices):
        return None
    level = vertices[:, 1].min()
    low = vertices[:, 1] <= level + LOW * (world[ankle, 1, 3] - level)
    along = (vertices - world[ball, :3, 3]) @ ahead / size
    if not low.any():
        return None
    rear, front = (int(np.flatnonzero(low)[pick(along[low])]) for pick in (np.argmin, np.argmax))
    if along[front] - along[rear] < 0.5 * size:
        return None
    under = world[ball, :3, 3] * [1.0, 0.0, 1.0] + [0.0, level, 0.0]
    return Sole(
        _names_below(rig, ankle),
        _point(rig, world, ball, under),
        _point(rig, world, ankle if owner[rear] != ball else ball, vertices[rear]),
        _point(rig, world, ball if owner[front] != ankle else ankle, vertices[front]),
        (float(vertices[rear, 1] - level), float(vertices[front, 1] - level)),
    )


def vertices_of(actor: Actor, pose: Floats, world: Floats, joints: Bools) -> tuple[Floats, Floats]:
    """(V, 3) m, the vertices that belong to some joints (J,), and (V,) those joints."""
    positions, owners = [np.zeros((0, 3))], [np.zeros(0)]
    for each in deform(actor, pose, world):
        owner = np.full(len(each.positions), each.shape.joint)
        influences = skin_influences(each.shape, each.part)
        if each.shape.skin is not None and influences is not None:
            slots, shares = influences
            best = shares.argmax(axis=1)[:, None]
            strong = np.take_along_axis(shares, best, 1)[:, 0] >= OWN_WEIGHT
            joint = each.shape.skin.joints[np.take_along_axis(slots, best, 1)[:, 0]]
            owner = np.where(strong, joint, -1)
        own = (owner >= 0) & joints[owner]
        positions.append(each.positions[own])
        owners.append(owner[own])
    return np.concatenate(positions), np.concatenate(owners)


def _below(rig: Rig, joint: int) -> Bools:
    """(J,) a joint and all below it."""
    found: Bools = np.arange(len(rig.names)) == joint
    for each, parent in enumerate(rig.parents.tolist()):
        found[each] |= parent >= 0 and found[parent]
    return found


def _names_below(rig: Rig, joint: int) -> tuple[str, ...]:
    return tuple(rig.names[each] for each in np.flatnonzero(_below(rig, joint)).tolist())


def _point(rig: Rig, world: Floats, joint: int, place: Floats) -> Point:
    """The point of a joint that is at a place (3,) of the world."""
    offset = np.linalg.solve(world[joint], np.append(place, 1.0))[:3]
    return Point(rig.names[joint], offset)


def _between(rig: Rig, world: Floats, one: Point, other: Point) -> Point:
    """The point half-way between two, on the joint of the first."""
    here, there = world[rig.joint(one.joint)], world[rig.joint(other.joint)]
    far = np.linalg.solve(here, there @ np.append(other.offset, 1.0))[:3]
    return Point(one.joint, (one.offset + far) / 2)
