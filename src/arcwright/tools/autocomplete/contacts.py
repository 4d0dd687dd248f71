"""Contacts: legs are bent by two-bone IK, so that feet follow their paths between keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.nearest_rotations import nearest_rotations
from arcwright.kinematics.oriented_pose import oriented_values
from arcwright.kinematics.rotation import (
    cross,
    quaternion_conjugate,
    quaternion_rotate,
)
from arcwright.kinematics.two_bone_ik import reaching
from arcwright.scene.rig import Kind, Rig
from arcwright.tools.autocomplete.base_contact import with_resting_base
from arcwright.tools.autocomplete.foot_paths import FootPath, foot_paths, has_feet
from arcwright.tools.autocomplete.key_poses import KeyPoses

REACHED = 0.002  # m; feet that end further off are noted
SHORT = 0.4  # of the longest bone of a leg: shorter ones at its top are no thigh
BENT = 1e-3  # mean sine of a knee's bend from which its axis shows


@dataclass(frozen=True, eq=False)
class Grounded:
    """Values with feet on their paths."""

    values: Floats  # (T, C)
    planted: dict[str, Bools]  # (T,) of each foot, by its joint
    missed: dict[str, float]  # m, of feet that do not get there


def grounded(
    rig: Rig,
    keys: KeyPoses,
    times: Floats,
    values: Floats,
    spline: Floats,
    passing: bool,
    steps: bool = False,
) -> Grounded:
    """Keep feet where they rest, and let them lift where they step; without feet, keep the base.

    Where the ground passes under feet, as in a walk in place, none is held. Where the values show
    `steps`, feet stand when they do there.
    """
    if not has_feet(rig):
        based = with_resting_base(rig, keys, times, values, spline)
        based[:, ~keys.free] = values[:, ~keys.free]
        return Grounded(based, {}, {})
    paths = foot_paths(rig, times, values, keys.times, keys.known, passing, steps)
    planted = {path.joint: path.planted for path in paths}
    at_keys = np.zeros(len(times), bool)
    at_keys[abs(times[:, None] - keys.times).argmin(axis=0)] = True
    legs = [_leg(rig, path, paths) for path in paths]
    bent = [(path, leg) for path, leg in zip(paths, legs, strict=True) if leg is not None]
    rows = np.flatnonzero(np.any([path.held for path, _ in bent], axis=0) & ~at_keys)
    after = np.array(values)
    if bent and len(rows):
        after[rows] = _reached(rig, values, bent, rows)
    same = (after == values).all(axis=1)
    after = np.where(same[:, None], values, nearest_rotations(rig, after, values))
    after = np.clip(
        after, np.minimum(rig.channels.low, values), np.maximum(rig.channels.high, values)
    )
    after[:, ~keys.free] = values[:, ~keys.free]
    return Grounded(after, planted, _missed(rig, after, paths, at_keys))


def _leg(rig: Rig, path: FootPath, paths: Sequence[FootPath]) -> list[int] | None:
    """The joints of a leg from its foot up to its thigh; None where it cannot bend."""
    foot = rig.joint(path.joint)
    others = [rig.joint(other.joint) for other in paths if other is not path]
    chain = [foot]
    while (parent := int(rig.parents[chain[-1]])) > 0:
        if any(rig.is_below(other, parent) for other in others) and others:
            break
        chain.append(parent)
    bones = [float(np.linalg.norm(rig.offset[joint])) for joint in chain[:-1]]
    while len(bones) > 1 and bones[-1] < SHORT * max(bones):
        bones.pop()
        chain.pop()
    turns = rig.channels.joint[rig.channels.kind >= Kind.ROTATE_X]
    return chain if len(chain) > 2 and np.isin(chain[-2:], turns).all() else None


def _reached(
    rig: Rig, values: Floats, bent: Sequence[tuple[FootPath, list[int]]], rows: Ints
) -> Floats:
    """Poses in which feet are on their paths; joints between shin and foot stay oriented."""
    wanted: dict[int, Floats] = {}
    limbs = []
    for path, leg in bent:
        own, across = values[rows], _across(rig, values, leg)[rows]
        turned = orientation(rig, own, leg[:-2])
        wanted |= {joint: turned[:, at] for at, joint in enumerate(leg[:-2])}
        wanted[leg[0]] = path.orientation[rows]
        place = forward(rig, own, [leg[0], leg[-3]])[..., :3, 3]
        goal = path.position[rows] + place[:, 1] - place[:, 0]
        limb = (leg[-1], leg[-2], leg[-3])
        limbs.append(limb)
        wanted |= reaching(rig, own, limb, goal, across)
    return oriented_values(rig, values[rows], wanted, limbs)


def _across(rig: Rig, values: Floats, leg: list[int]) -> Floats:
    """(T, 3) the axis about which a knee bends, as it mostly does."""
    place = forward(rig, values, leg[-3:])[..., :3, 3]
    lower, upper = place[:, 0] - place[:, 1], place[:, 1] - place[:, 2]
    lengths = np.linalg.norm(upper, axis=1) * np.linalg.norm(lower, axis=1)
    bend = cross(upper, lower) / np.maximum(lengths, 1e-12)[:, None]
    turned = orientation(rig, values, [leg[-1]])[:, 0]
    own = quaternion_rotate(quaternion_conjugate(turned), bend).mean(axis=0)
    own = own if np.linalg.norm(own) > BENT else np.array([1.0, 0.0, 0.0])
    return quaternion_rotate(turned, np.repeat(own[None] / np.linalg.norm(own), len(values), 0))


def _missed(
    rig: Rig, values: Floats, paths: Sequence[FootPath], at_keys: Bools
) -> dict[str, float]:
    """How far feet are off their paths, m."""
    found = {}
    for path in paths:
        place = forward(rig, values, [rig.joint(path.joint)])[:, 0, :3, 3]
        rows = path.held & ~at_keys
        off = np.linalg.norm(place - path.position, axis=1)[rows].max(initial=0.0)
        if off > REACHED:
            found[path.joint] = float(off)
    return found
