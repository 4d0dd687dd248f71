"""Hinges: knees and elbows of a take, found by structure and by how they bend in it.

A hinge bends about one axis, which is fixed in the upper bone. The axis is the mean of the bends
of the take (upper bone x lower bone), strong ones first; a joint that hardly bends takes the mirror
image of its other side, and a straight knee bends away from the toes. The limits are those of a
person, widened by what the take itself does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.end_effectors import end_effectors
from arcwright.kinematics.feet import foot_joints, without_side
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.sample import values_at
from arcwright.scene.point import Point
from arcwright.scene.rig import Kind, Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

STRAIGHT, FLEXED = 0.0, np.radians(155.0)  # rad, how far knees and elbows of a person bend
BESIDE = 0.05  # of the rig's extent, by which left and right may differ
ALIKE = 0.45  # shorter bone of a limb over the longer one, at least
BENT = np.sin(np.radians(8.0))  # mean sine of a bend, from which on it shows the axis
ONE_PLANE = 0.8  # of all bends, the share along the axis, from which on a joint is a hinge
MOST_SAMPLES = 400  # frames of a take that are looked at


class Hinge(NamedTuple):
    """A joint between two bones that bends about one axis."""

    joint: int
    child: int  # the joint at the end of its bone
    upper: Floats  # (3,) direction of the upper bone, in the parent's axes
    lower: Floats  # (3,) direction of the lower bone, in the joint's axes
    axis: Floats  # (3,) in the parent's axes, across the upper bone: a positive bend flexes
    low: float  # rad
    high: float  # rad
    start: float = -np.inf  # s, from when to when the limits hold
    end: float = np.inf  # s

    def bend(self, lower: Floats) -> Floats:
        """(...) rad, the bend of lower bones (..., 3), in the parent's axes."""
        angle: Floats = np.arctan2(lower @ np.cross(self.axis, self.upper), lower @ self.upper)
        return angle


_known: WeakKeyDictionary[Take, tuple[Hinge, ...]] = WeakKeyDictionary()


def hinges(actor: Actor, take: Take) -> tuple[Hinge, ...]:
    """The knees and elbows of a take that turn freely in its rig; cached while the take exists."""
    if take not in _known:
        _known[take] = _find(actor, take)
    return _known[take]


def local_rotations(rig: Rig, values: Floats, joints: Sequence[int]) -> Floats:
    """(T, H, 3, 3) rotations of joints in their parents, without scale."""
    above = [int(rig.parents[joint]) for joint in joints]
    axes = forward(rig, values, [*joints, *above])[..., :3, :3]
    axes = axes / np.maximum(np.linalg.norm(axes, axis=-2, keepdims=True), 1e-12)  # 0 where hidden
    own, parent = axes[:, : len(joints)], axes[:, len(joints) :]
    local: Floats = parent.swapaxes(-1, -2) @ own
    return local


def hinge_of(actor: Actor, take: Take, joint: int, axis: Floats | None = None) -> Hinge | None:
    """A joint as a hinge without limits, about a given axis (3,) or the one that is found.

    None for a joint that is no end, middle or root of two bones, or shows no axis.
    """
    found = next((each for each in hinges(actor, take) if each.joint == joint), None)
    below = np.flatnonzero(take.rig.parents == joint)
    if axis is None and found is not None:
        return found
    if axis is None or take.rig.parents[joint] < 0 or not len(below):
        return None
    world = forward(take.rig, values_at(take, take.frame_times()[:1]))
    limb = _limb(take.rig, world, joint, found.child if found is not None else int(below[0]))
    across = _across(axis, limb.upper)
    return None if across is None else Hinge(*limb[:4], across, -np.pi, np.pi)


class _Limb(NamedTuple):
    """A joint between two bones, and how these point over a take."""

    joint: int
    child: int
    upper: Floats  # (3,) in the parent's axes
    lower: Floats  # (3,) in the joint's axes
    path: Floats  # (T, 3) lower bone in the parent's axes


def _find(actor: Actor, take: Take) -> tuple[Hinge, ...]:
    rig, times = take.rig, take.frame_times()
    picked = times[1 if len(times) > 2 else 0 :: max(1, len(times) // MOST_SAMPLES)]
    world = forward(rig, values_at(take, picked))
    limbs = [_limb(rig, world, *each) for each in _middles(rig, analyse(actor, take).body, world)]
    axes = {limb.joint: axis for limb in limbs if (axis := _axis(limb)) is not None}
    found = []
    for limb in limbs:
        axis = axes.get(limb.joint)
        if axis is None:
            axis = _mirrored_axis(rig, limb, axes)
        if axis is None:
            axis = _knee_axis(rig, limb)
        if axis is not None:
            hinge = Hinge(*limb[:4], axis, STRAIGHT, FLEXED)
            bend = hinge.bend(limb.path)
            low, high = min(STRAIGHT, float(bend.min())), max(FLEXED, float(bend.max()))
            found.append(hinge._replace(low=low, high=high))
    return tuple(found)


def _middles(rig: Rig, body: Bools, world: Floats) -> list[tuple[int, int]]:
    """The first joint above each hand and foot between two long bones, and its bone's end."""
    table = rig.channels
    limited = np.unique(table.joint[np.isfinite(table.low) | np.isfinite(table.high)])
    turns = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
    free = np.bincount(table.joint[turns], minlength=len(rig.names)) >= 3
    free[limited] = False
    found = []
    for each in end_effectors(rig, body):
        place = world[0, list(each.limb), :3, 3]
        bones = np.linalg.norm(np.diff(place, axis=0), axis=1)
        short, long = np.minimum(bones[:-1], bones[1:]), np.maximum(bones[:-1], bones[1:])
        first = next(iter(np.flatnonzero(short > ALIKE * long).tolist()), None)
        if first is not None and free[each.limb[first + 1]]:
            found.append((each.limb[first + 1], each.limb[first]))
    joints = [joint for joint, _ in found]
    return [each for each in found if _has_other_side(rig, each[0], joints)]


def _has_other_side(rig: Rig, joint: int, joints: list[int]) -> bool:
    """Whether one of some joints is the mirror image of another, by name or in the rest pose."""
    bare = without_side(Point(rig.names[joint]))[0]
    place = forward(rig, rig.channels.default[None])[0, :, :3, 3]
    near = BESIDE * float(np.ptp(place, axis=0).max())
    image = place[joint] * [-1.0, 1.0, 1.0] + [2 * float(np.median(place[:, 0])), 0.0, 0.0]
    return any(
        without_side(Point(rig.names[each]))[0] == bare
        or float(np.linalg.norm(place[each] - image)) < near
        for each in joints
        if each != joint
    )


def _limb(rig: Rig, world: Floats, joint: int, end: int) -> _Limb:
    above = int(rig.parents[joint])
    axes = [world[:, each, :3, :3].swapaxes(-1, -2) for each in (above, joint)]
    place = world[..., :3, 3]
    upper = _unit(axes[0][0] @ (place[0, joint] - place[0, above]))
    bone = place[:, end] - place[:, joint]
    lower = _unit(axes[1][0] @ bone[0])
    return _Limb(joint, end, upper, lower, _unit((axes[0] @ bone[..., None])[..., 0]))


def _axis(limb: _Limb) -> Floats | None:
    """(3,) the axis that a take bends a limb about; None where it does not show."""
    bends = np.cross(limb.upper, limb.path)
    size = np.linalg.norm(bends, axis=1)
    if size.mean() < BENT:
        return None
    total = size @ bends
    if np.linalg.norm(total) < ONE_PLANE * float(size @ size):
        return None
    return _unit(total)


def _mirrored_axis(rig: Rig, limb: _Limb, axes: dict[int, Floats]) -> Floats | None:
    """(3,) the mirror image of the other side's axis in the rest pose; None where none is known."""
    bare = without_side(Point(rig.names[limb.joint]))[0]
    for other, axis in axes.items():
        if without_side(Point(rig.names[other]))[0] == bare:
            own, beside = _rest_axes(rig, limb.joint), _rest_axes(rig, other)
            found = own.T @ ((beside @ axis) * [1.0, -1.0, -1.0])
            return _across(found, limb.upper)
    return None


def _knee_axis(rig: Rig, limb: _Limb) -> Floats | None:
    """(3,) the axis of a straight knee, which bends away from the toes; None for an elbow."""
    foot = foot_joints(rig)
    below = np.flatnonzero((rig.parents == limb.child) & foot)
    if not foot[limb.child] or not len(below):
        return None
    world = forward(rig, rig.channels.default[None])[0]
    ahead = world[below[0], :3, 3] - world[limb.child, :3, 3]
    axes = _rest_axes(rig, limb.joint)
    return _across(np.cross(axes.T @ ahead, limb.upper), limb.upper)


def _rest_axes(rig: Rig, joint: int) -> Floats:
    """(3, 3) orientation of a joint's parent in the rest pose."""
    above = int(rig.parents[joint])
    axes: Floats = forward(rig, rig.channels.default[None], [above])[0, 0, :3, :3]
    return axes


def _across(axis: Floats, bone: Floats) -> Floats | None:
    """(3,) a unit axis perpendicular to a bone."""
    level = axis - (axis @ bone) * bone
    return _unit(level) if np.linalg.norm(level) > 1e-3 else None


def _unit(vector: Floats) -> Floats:
    size = np.linalg.norm(vector, axis=-1, keepdims=True)
    scaled: Floats = vector / np.where(size > 1e-12, size, 1.0)
    return scaled
