"""Foot paths: where feet go between keys, so that none slides over the floor or enters it.

A foot that rests at one place at two of its keys stays there between. One that rests at two places
lifts from the first, in an arc to the second.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.feet import foot_joints, rig_size, whole_feet
from arcwright.kinematics.forward import forward
from arcwright.kinematics.resting import runs_of
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    quaternion_from_matrix,
    slerp,
)
from arcwright.kinematics.stances import sole_paths
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take

LOW = 0.04  # of the body's size above the floor: a foot that rests
SAME = 0.012  # of it: how far apart two keys of a foot at one place are
STILL = 1e-6  # of it: a foot that moves less need not be held
LIFT, HIGHEST = 0.12, 0.07  # of a step's length, and at most of the body's size
STANDS = 0.06  # of the time of a step, before and after it
UNLIFTED = 0.012  # of the body's size above the floor: a foot that is not lifted
SLOW = 0.3  # of the body's size a second: a foot that is faster does not stand
SHORTEST_STANCE = 0.1  # s


@dataclass(frozen=True, eq=False)
class FootPath:
    """Where the joint that carries a foot should be, at all T times."""

    joint: str
    position: Floats  # (T, 3) m
    orientation: Floats  # (T, 4) wxyz
    held: Bools  # (T,) when that differs from the spline
    planted: Bools  # (T,) when the foot stands


@dataclass(frozen=True, eq=False)
class FootJoints:
    """The joints of a foot."""

    carrier: int  # the joint that moves all of it, its ankle
    toe: int
    sole: Ints  # all that may touch the floor


@dataclass(frozen=True, eq=False)
class FootPoses:
    """A foot over time: what it is before it is put anywhere else."""

    carrier: Floats  # (T, 3) m
    turned: Floats  # (T, 3, 3)
    toe: Floats  # (T, 3) m
    sole: Floats  # (T, S, 3) m


def foot_paths(
    rig: Rig,
    times: Floats,
    values: Floats,
    key_times: Floats,
    known: Bools,
    passing: bool,
    steps: bool = False,
) -> list[FootPath]:
    """Paths of all feet, through values (T, C) at their own keys; `known` is (K, C).

    Where the ground passes under them, feet only keep out of it. Where values show `steps`, feet
    stand when they do there; else they step from key to key.
    """
    feet, size = _feet(rig), rig_size(rig)
    if not feet:
        return []
    world = forward(rig, values)[..., :3, :]
    rows = abs(times[:, None] - key_times).argmin(axis=0)
    floor = float(min(world[rows][:, foot.sole, 1, 3].min() for foot in feet))
    found = []
    for foot in feet:
        above = ancestors(rig, foot.toe)
        above[foot.toe] = True
        keyed = known[:, above[rig.channels.joint]].any(axis=1)
        poses = FootPoses(
            world[:, foot.carrier, :, 3],
            world[:, foot.carrier, :, :3] / _lengths(world[:, foot.carrier, :, :3]),
            world[:, foot.toe, :, 3],
            world[..., 3][:, foot.sole],
        )
        own = rows[:0] if passing else rows[keyed]
        path = _stance_path if steps and not passing else _path
        found.append(path(rig.names[foot.carrier], poses, times, own, floor, size))
    return found


def ground_passes(take: Take) -> bool:
    """Whether a take walks in place: its feet slide over the ground, or with it."""
    try:
        return sole_paths(take).in_place
    except BadValue:
        return False


def has_feet(rig: Rig) -> bool:
    """Whether a rig stands on feet at the ends of legs."""
    return bool(_feet(rig))


def _feet(rig: Rig) -> list[FootJoints]:
    try:
        feet = whole_feet(rig)
    except BadValue:
        return []
    low, found = foot_joints(rig), []
    for foot in feet:
        toe = carrier = rig.joint(foot.toe.joint)
        while (parent := int(rig.parents[carrier])) >= 0 and low[parent]:
            carrier = parent
        if rig.parents[carrier] < 0:
            continue
        sole = np.unique([rig.joint(point.joint) for point in foot.points])
        found.append(FootJoints(carrier, toe, sole))
    return found


def _lengths(matrices: Floats) -> Floats:
    lengths: Floats = np.linalg.norm(matrices, axis=-2, keepdims=True)
    return np.where(lengths > 0, lengths, 1.0)


def _path(
    joint: str, poses: FootPoses, times: Floats, rows: Ints, floor: float, size: float
) -> FootPath:
    """The path of one foot, through its poses at its own keys."""
    toe, turned = poses.toe.copy(), poses.turned.copy()
    held, planted = np.zeros(len(times), bool), np.zeros(len(times), bool)
    rests = poses.sole[..., 1].min(axis=1) <= floor + LOW * size
    for first, last in pairwise(rows.tolist()):
        if not (rests[first] and rests[last]) or last - first < 2:
            continue
        inside = slice(first + 1, last)
        apart = float(np.linalg.norm(poses.toe[last] - poses.toe[first]))
        away = np.linalg.norm(poses.toe[first : last + 1] - poses.toe[first], axis=1).max()
        stands = apart <= SAME * size
        if stands and away <= STILL * size and _still(poses.turned[first : last + 1]):
            planted[first : last + 1] = True
            continue
        share = (times[inside] - times[first]) / (times[last] - times[first])
        pause = 0.0 if stands else STANDS
        eased = _ease(np.clip((share - pause) / (1 - 2 * pause), 0.0, 1.0))
        toe[inside] = poses.toe[first] + eased[:, None] * (poses.toe[last] - poses.toe[first])
        if not stands:
            toe[inside, 1] += min(LIFT * apart, HIGHEST * size) * np.sin(np.pi * eased) ** 2
        turned[inside] = _turned(poses.turned[first], poses.turned[last], eased)
        held[inside] = True
        planted[first : last + 1] |= stands
    in_foot = np.einsum("tji,tj->ti", poses.turned, poses.carrier - poses.toe)
    position = toe + np.einsum("tij,tj->ti", turned, in_foot)
    _raise_above_floor(poses, position, turned, held, floor)
    return FootPath(joint, position, quaternion_from_matrix(turned), held, planted)


def _stance_path(
    joint: str, poses: FootPoses, times: Floats, rows: Ints, floor: float, size: float
) -> FootPath:
    """The path of a foot that stays where it stands, and goes from stance to stance as it did.

    A stance keeps the places that it has at keys, one without keys its own mean place. From key to
    key without a lift a foot stays, or steps if it would be dragged over the floor.
    """
    height = poses.sole[..., 1].min(axis=1) - floor
    low = height <= LOW * size
    speed = np.linalg.norm(np.gradient(poses.toe, times, axis=0)[:, [0, 2]], axis=1)
    stands = low & (speed < SLOW * size)
    steps = [
        (first, last)
        for first, last in pairwise(rows.tolist())
        if height[first : last + 1].max() <= UNLIFTED * size
    ]
    for first, last in steps:
        stands[first + 1 : last] = False
    moved, planted = _stance_offsets(poses, times, rows, stands)
    position, turned = poses.carrier + moved, quaternion_from_matrix(poses.turned)
    held = planted | (np.linalg.norm(moved, axis=1) > STILL * size)
    _raise_above_floor(poses, position, poses.turned, held, floor)
    for first, last in steps:
        arc = _path(joint, poses, times, np.array([first, last]), floor, size)
        own = slice(first + 1, last)
        position[own], turned[own] = arc.position[own], arc.orientation[own]
        held[own], planted[own] = arc.held[own], arc.planted[own]
    return FootPath(joint, position, turned, held, planted)


def _stance_offsets(
    poses: FootPoses, times: Floats, rows: Ints, stands: Bools
) -> tuple[Floats, Bools]:
    """(T, 3) how far a foot is moved so that it stays while it stands, and (T,) when it does."""
    moved, planted = np.zeros((len(times), 3)), np.zeros(len(times), bool)
    fixed = {int(row): np.zeros(3) for row in rows}
    for first, last in runs_of(stands):
        if times[last] - times[first] < SHORTEST_STANCE:
            continue
        planted[first : last + 1] = True
        run = np.arange(first, last + 1)
        own = [row for row in rows.tolist() if first <= row <= last]
        goal = np.repeat(poses.toe[run].mean(axis=0)[None], len(run), axis=0)
        for axis in range(3) if own else ():
            goal[:, axis] = np.interp(run, own, poses.toe[own, axis])
        goal[:, 1] = poses.toe[run, 1]
        fixed |= dict(zip(run.tolist(), goal - poses.toe[run], strict=True))
    at = np.array(sorted(fixed), np.int64)
    away = np.array([fixed[row] for row in at.tolist()]).reshape(-1, 3)
    for axis in range(3) if len(at) else ():
        moved[:, axis] = np.interp(times, times[at], away[:, axis])
    return moved, planted


def _raise_above_floor(
    poses: FootPoses, position: Floats, turned: Floats, held: Bools, floor: float
) -> None:
    """Lift a foot by as much as a point of its sole is below the floor."""
    in_foot = np.einsum("tji,tsj->tsi", poses.turned, poses.sole - poses.carrier[:, None])
    sole = position[:, None] + np.einsum("tij,tsj->tsi", turned, in_foot)
    below = np.maximum(floor - sole[..., 1].min(axis=1), 0.0)
    below[below < 1e-6] = 0.0
    position[:, 1] += below
    held |= below > 0


def _still(turned: Floats) -> bool:
    return bool(abs(turned - turned[0]).max() <= STILL)


def _ease(share: Floats) -> Floats:
    eased: Floats = share * share * (3 - 2 * share)
    return eased


def _turned(first: Floats, last: Floats, share: Floats) -> Floats:
    """(N, 3, 3) between two orientations (3, 3)."""
    ends = quaternion_from_matrix(np.stack([first, last]))
    start, end = (np.repeat(each[None], len(share), axis=0) for each in ends)
    return matrix_from_quaternion(slerp(start, end, share))
