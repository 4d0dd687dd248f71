"""Segments: the rigid parts of a ragdoll: what joints they carry, their mass and their shape.

A joint with rotation channels and enough mass below it begins a segment; fingers, toes and joints
without mesh belong to that of their parent. Feet that an exporter put beside their legs belong to
the segment of the leg.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.mass import SEGMENT_RADIUS, body_mass
from arcwright.kinematics.mesh_mass import mesh_mass
from arcwright.kinematics.rig_analysis import RigAnalysis, animatable
from arcwright.kinematics.rotation import matrix_from_quaternion, quaternion_from_matrix
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor

LEAST_SHARE = 0.006  # of the mass, below a joint that begins a segment
DENSITY = 22.0  # kg for a body of 1 m; grows with the third power of its size
THINNEST = 0.008  # of the body's size: radius of a shape
ROUND = 1.5  # one half axis over the other, across: rounder shapes are capsules


@dataclass(frozen=True, eq=False)
class Shell:
    """What a segment collides with: a capsule or an ellipsoid, in the segment's frame."""

    place: Floats  # (3,) m
    rotation: Floats  # (4,) wxyz; a capsule lies along its z axis
    half: Floats  # (2,) radius and half length of a capsule, or (3,) half axes, m
    fixed_only: bool = False  # collides with ground and props, not with other segments

    def outside(self, points: Floats) -> Floats:
        """(P,) m, about how far points (P, 3) of the segment's frame are outside of it."""
        own = (points - self.place) @ matrix_from_quaternion(self.rotation)
        if len(self.half) == 2:
            own[:, 2] -= np.clip(own[:, 2], -self.half[1], self.half[1])
            return np.asarray(np.linalg.norm(own, axis=1) - self.half[0])
        far = np.linalg.norm(own, axis=1)
        return np.asarray(far - far / np.maximum(np.linalg.norm(own / self.half, axis=1), 1e-9))


@dataclass(frozen=True, eq=False)
class Segment:
    """A rigid part of the body, in the frame of the joint that begins it."""

    joint: int
    parent: int  # the segment that carries it, -1 for the root
    place: Floats  # (3,) m, in the parent's frame when the character stands
    frame: Floats  # (4,) wxyz, in the parent's frame, before the joint's own rotation channels
    mass: float  # kg
    centre: Floats  # (3,) m, of its mass
    inertia: Floats  # (3, 3) kg m², around its centre
    shells: tuple[Shell, ...]


@dataclass(frozen=True, eq=False)
class Standing:
    """Where joints are when the character stands."""

    place: Floats  # (J, 3) m
    matrix: Floats  # (J, 3, 3) with scale
    rotation: Floats  # (J, 3, 3) without


def segments_of(actor: Actor, analysis: RigAnalysis, stand: Floats) -> tuple[list[Segment], Ints]:
    """The segments of a character in a standing pose (C,), and that of each joint (J,), or -1."""
    rig = actor.rig
    world = forward(rig, stand[None])[0]
    turns = matrix_from_quaternion(orientation(rig, stand[None])[0])
    at = Standing(world[:, :3, 3], world[:, :3, :3], turns)
    mass = body_mass(rig, actor.shapes, analysis.body)
    share = np.zeros(len(rig.names))
    share[mass.joints] = mass.share
    begins = _beginnings(rig, analysis, share)
    joints = np.flatnonzero(begins)
    owner = _owners(rig, analysis, begins)
    total = DENSITY * analysis.size**3
    points = at.place[mass.joints] + np.einsum("pij,pj->pi", at.matrix[mass.joints], mass.centre)
    spread = at.matrix[mass.joints] @ mass.spread
    meshed = bool(mesh_mass(rig, actor.shapes).volume.any())
    made = []
    for index, joint in enumerate(joints.tolist()):
        own = owner[mass.joints] == index
        moments = _moments(mass.share[own], points[own], spread[own], at.place[joint])
        if meshed and own.any():
            shells: tuple[Shell, ...] = (_fitted(moments[1], moments[2], at, joint, analysis.size),)
        else:
            shells = _bones(rig, owner, index, at, joint, analysis.size)
        inside = np.flatnonzero((owner == index) & analysis.deforms)
        shells = (*shells, *_tip(shells, at, joint, inside, analysis.size))
        made.append(_segment(rig, joints, owner, joint, at, moments, shells, total, analysis.size))
    return made, owner


def _beginnings(rig: Rig, analysis: RigAnalysis, share: Floats) -> Bools:
    """(J,) joints that begin a segment."""
    below = share.copy()
    for joint in range(len(below) - 1, -1, -1):
        if rig.parents[joint] >= 0:
            below[rig.parents[joint]] += below[joint]
    inside = np.array([rig.is_below(joint, analysis.root) for joint in range(len(below))])
    begins = inside & animatable(rig)[1] & analysis.deforms & (below >= LEAST_SHARE)
    begins[analysis.root] = True
    return np.asarray(begins)


def _owners(rig: Rig, analysis: RigAnalysis, begins: Bools) -> Ints:
    """(J,) the segment of each joint; -1 for joints above the root and those that move no mesh."""
    number = np.cumsum(begins) - 1
    owner = np.full(len(rig.names), -1)
    root = int(number[analysis.root])
    for joint, parent in enumerate(rig.parents.tolist()):
        if begins[joint]:
            owner[joint] = number[joint]
        elif parent >= 0 and owner[parent] >= 0:
            owner[joint] = owner[parent]
    for joint, parent in enumerate(rig.parents.tolist()):
        limb = int(analysis.attached_to[joint])
        if owner[joint] >= 0 or rig.is_below(analysis.root, joint) or not analysis.deforms[joint]:
            continue
        if parent >= 0 and owner[parent] >= 0:
            owner[joint] = owner[parent]
        else:
            owner[joint] = owner[limb] if limb >= 0 and owner[limb] >= 0 else root
    return owner


def _moments(
    share: Floats, points: Floats, spread: Floats, otherwise: Floats
) -> tuple[float, Floats, Floats]:
    """Share, centre (3,) and covariance (3, 3) of several parts, in the world."""
    whole = float(share.sum())
    if not whole > 0:
        return 0.0, otherwise, np.zeros((3, 3))
    centre = share @ points / whole
    away = points - centre
    each = spread @ spread.transpose(0, 2, 1) + away[:, :, None] * away[:, None, :]
    return whole, centre, np.einsum("p,pij->ij", share, each) / whole


def _fitted(centre: Floats, covariance: Floats, at: Standing, joint: int, size: float) -> Shell:
    """The capsule or ellipsoid with these second moments."""
    variance, axes = np.linalg.eigh(covariance)
    small, middle, large = np.sqrt(np.maximum(variance, 0.0))
    thinnest = THINNEST * size
    if large > 1.5 * middle and middle < ROUND * small:
        radius = max(float(np.sqrt(2 * (small**2 + middle**2))), thinnest)
        half = np.array([radius, max(float(np.sqrt(3.0) * large) - 0.6 * radius, 0.1 * radius)])
    else:
        half = np.maximum(np.sqrt(5.0) * np.array([small, middle, large]), thinnest)
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    inverse = at.rotation[joint].T
    turned = quaternion_from_matrix(inverse @ axes)
    return Shell(inverse @ (centre - at.place[joint]), turned, half)


def _bones(
    rig: Rig, owner: Ints, index: int, at: Standing, joint: int, size: float
) -> tuple[Shell, ...]:
    """Capsules from each joint of a segment to the next ones."""
    radius, inverse, made = SEGMENT_RADIUS * size, at.rotation[joint].T, []
    for child, parent in enumerate(rig.parents.tolist()):
        if parent < 0 or owner[parent] != index:
            continue
        along = inverse @ (at.place[child] - at.place[parent])
        length = float(np.linalg.norm(along))
        if length > radius:
            middle = inverse @ ((at.place[child] + at.place[parent]) / 2 - at.place[joint])
            made.append(Shell(middle, _from_z(along / length), np.array([radius, length / 2])))
    if not made:
        made.append(Shell(np.zeros(3), np.array([1.0, 0, 0, 0]), np.full(3, radius)))
    return tuple(made)


def _tip(
    shells: tuple[Shell, ...], at: Standing, joint: int, inside: Ints, size: float
) -> tuple[Shell, ...]:
    """A ball around the joint that is farthest outside of a segment's shells, if any is."""
    own = (at.place[inside] - at.place[joint]) @ at.rotation[joint]
    away = np.min([shell.outside(own) for shell in shells], axis=0)
    if not len(inside) or away.max() < THINNEST * size:
        return ()
    radius, none = np.full(3, THINNEST * size), np.array([1.0, 0, 0, 0])
    return (Shell(own[int(np.argmax(away))], none, radius, fixed_only=True),)


def _from_z(direction: Floats) -> Floats:
    """(4,) wxyz, a rotation of the z axis to a direction."""
    if direction[2] < -0.999999:
        return np.array([0.0, 1.0, 0.0, 0.0])
    turn = np.array([1 + direction[2], -direction[1], direction[0], 0.0])
    return np.asarray(turn / np.linalg.norm(turn))


def _segment(
    rig: Rig,
    joints: Ints,
    owner: Ints,
    joint: int,
    at: Standing,
    moments: tuple[float, Floats, Floats],
    shells: tuple[Shell, ...],
    total: float,
    size: float,
) -> Segment:
    share, centre, covariance = moments
    mass = total * max(share, LEAST_SHARE)
    inverse = at.rotation[joint].T
    thick = covariance + (2 * THINNEST * size) ** 2 * np.eye(3)
    inertia = mass * (np.trace(thick) * np.eye(3) - thick)
    above = int(rig.parents[joint])
    parent = int(owner[above]) if above >= 0 else -1
    before = _rotation_before(rig, at, joint)
    place = at.place[joint]
    if parent >= 0:
        carrier = int(joints[parent])
        place = at.rotation[carrier].T @ (place - at.place[carrier])
        before = at.rotation[carrier].T @ before
    return Segment(
        joint=joint,
        parent=parent,
        place=place,
        frame=quaternion_from_matrix(before),
        mass=mass,
        centre=inverse @ (centre - at.place[joint]),
        inertia=inverse @ inertia @ inverse.T,
        shells=shells,
    )


def _rotation_before(rig: Rig, at: Standing, joint: int) -> Floats:
    """(3, 3) the rotation in the world of a joint without its own rotation channels."""
    above = int(rig.parents[joint])
    rest = matrix_from_quaternion(rig.rest[joint])
    return rest if above < 0 else np.asarray(at.rotation[above] @ rest)
