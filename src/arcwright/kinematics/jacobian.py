"""Jacobians: how points move and turn when channel values change.

For a channel of joint a, with `parent` the world matrix above it and u the point relative to a
in its parent's frame, a turn about w moves the point by `parent (w x u)`. Without scale in the
chain that is `(parent w) x (point - origin of a)`, which needs no u and is what is used then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.columns import Group, columns
from arcwright.kinematics.forward import chain_in_place, locals_into, rows_of
from arcwright.kinematics.layout import Layout, layout
from arcwright.kinematics.places import Places, Where, places
from arcwright.scene.rig import Rig


class PointJacobian(NamedTuple):
    """Where P points are at T times, and how M channels move and turn them."""

    channels: Ints  # (M,) the channels that move any of the points, rising
    position: Floats  # (T, P, 3) m
    orientation: Floats  # (T, P, 3, 3) rotation down the chain, whatever the scale
    move: Floats  # (T, P, 3, M) m per unit of the channel
    turn: Floats  # (T, P, 3, M) world angular velocity, rad per unit of the channel


def point_jacobian(
    rig: Rig,
    values: Floats,
    points: Places | Sequence[Where],
    channels: Iterable[int] | None = None,
) -> PointJacobian:
    """Positions and orientations of points at values (T, C), and their exact derivatives.

    Quaternion channels are differentiated as raw numbers that are normalised afterwards.
    Columns are those channels (of `channels`, if given) that move any of the points.
    """
    where = places(rig, points)
    plan = layout(rig, where.joints.tolist())
    chosen = columns(plan, channels)
    pose = _pose(plan, where, rows_of(rig, plan, values))
    shape = (3, len(where), len(chosen.channels), pose.rows.shape[1])
    move, turn = np.zeros(shape), np.zeros(shape)
    _slide(pose, chosen.translate, move)
    if len(chosen.euler.joint):
        _rotate(pose, chosen.euler, _euler_axes(pose, chosen.euler), move, turn)
    if len(chosen.quaternion.joint):
        _rotate(pose, chosen.quaternion, _quaternion_axes(pose, chosen.quaternion), move, turn)
    _stretch(pose, chosen.stretch, move)
    return PointJacobian(
        chosen.channels,
        pose.position.transpose(2, 1, 0),
        pose.turned[:, :3, plan.wanted].transpose(3, 2, 0, 1),
        move.transpose(3, 1, 0, 2),
        turn.transpose(3, 1, 0, 2),
    )


class _Pose(NamedTuple):
    """The chains above some points; joints as in the layout, then one that stands for no parent."""

    plan: Layout
    where: Places
    rows: Floats  # (C + 2, T)
    local: Floats  # (3, 4, A, T) parent_from_joint
    bare: Floats  # (3, 4, A, T) the same without scale
    world: Floats  # (3, 4, A + 1, T) world_from_joint
    turned: Floats  # (3, 4, A + 1, T) the same without scale; `world` itself if there is none
    position: Floats  # (3, P, T)

    @property
    def rigid(self) -> bool:
        return self.turned is self.world

    def parents(self, joints: Ints) -> Ints:
        return self.plan.parents[joints]


def _pose(plan: Layout, where: Places, rows: Floats) -> _Pose:
    local = bare = _locals(plan, rows)
    world = turned = _rooted(plan, local)
    if len(plan.stretching):
        bare = _locals(plan, rows, scaled=False)
        turned = _rooted(plan, bare)
    carrier = world[:, :, plan.wanted]
    position = _apply(carrier[:, :3], where.offsets.T[..., None]) + carrier[:, 3]
    return _Pose(plan, where, rows, local, bare, world, turned, position)


def _locals(plan: Layout, rows: Floats, *, scaled: bool = True) -> Floats:
    local = np.empty((3, 4, len(plan.joints), rows.shape[1]))
    locals_into(plan, rows, local, scaled=scaled)
    return local


def _rooted(plan: Layout, local: Floats) -> Floats:
    world = np.zeros((3, 4, len(plan.joints) + 1, local.shape[3]))
    world[range(3), range(3), -1] = 1.0
    world[:, :, :-1] = local
    chain_in_place(plan, world)
    return world


def _slide(pose: _Pose, group: Group, move: Floats) -> None:
    if not len(group.joint):
        return
    rest = pose.plan.rest_turn[:, group.axis, group.joint]  # (3, G, 1)
    along = _apply(pose.world[:, :3, pose.parents(group.joint)], rest)
    move[:, group.point, group.column] = along[:, group.member]


def _rotate(pose: _Pose, group: Group, axes: Floats, move: Floats, turn: Floats) -> None:
    """Axes (3, G, T) are in the parents' frames."""
    world = _apply(pose.turned[:, :3, pose.parents(group.joint)], axes)[:, group.member]
    turn[:, group.point, group.column] = world
    joint = group.joint[group.member]
    if pose.rigid:
        arm = pose.position[:, group.point] - pose.world[:, 3, joint]
        moved = _cross(world, arm)
    else:
        arm = _reach(pose)[1][:, group.point, joint]
        moved = _cross(axes[:, group.member], arm)
        moved = _apply(pose.world[:, :3, pose.parents(joint)], moved)
    move[:, group.point, group.column] = moved


def _stretch(pose: _Pose, group: Group, move: Floats) -> None:
    if not len(group.joint):
        return
    rest = pose.plan.scale[group.joint, group.axis][:, None]
    bare = rest * pose.bare[:, group.axis, group.joint]  # (3, G, T)
    along = _apply(pose.world[:, :3, pose.parents(group.joint)], bare)[:, group.member]
    inside = _reach(pose)[0]
    place = inside[group.axis[group.member], group.point, group.joint[group.member]]
    move[:, group.point, group.column] = along * place


def _reach(pose: _Pose) -> tuple[Floats, Floats]:
    """(3, P, A, T) twice: points in the frame of each joint above them, and relative to that
    joint but in the axes of its parent. Walks up, so that no scale is ever divided by."""
    count, times = len(pose.where), pose.rows.shape[1]
    inside = np.zeros((3, count, len(pose.plan.joints), times))
    arms = np.zeros_like(inside)
    point, joint = np.arange(count), pose.plan.wanted
    here = np.repeat(pose.where.offsets.T[..., None], times, axis=2)
    while len(point):
        arm = _apply(pose.local[:, :3, joint], here)
        inside[:, point, joint], arms[:, point, joint] = here, arm
        above = pose.parents(joint) >= 0
        here = (arm + pose.local[:, 3, joint])[:, above]
        point, joint = point[above], pose.parents(joint)[above]
    return inside, arms


def _euler_axes(pose: _Pose, group: Group) -> Floats:
    """(3, G, T) axis of each Euler channel in the parent's frame."""
    plan, joint = pose.plan, group.joint
    a, b = pose.rows[plan.rotate[joint, 0]], pose.rows[plan.rotate[joint, 1]]
    parity = plan.parity[joint][:, None]
    ca, cb, sa, sb = np.cos(a), np.cos(b), parity * np.sin(a), parity * np.sin(b)
    none, one = np.zeros_like(a), np.ones_like(a)
    letters = np.array([[one, none, none], [none, ca, sa], [sb, -sa * cb, ca * cb]])
    axes = np.empty((3, *a.shape))
    each = np.arange(len(joint))
    axes[plan.axes[joint].T, each] = letters[group.axis, :, each].transpose(1, 0, 2)
    return _apply(plan.rest_turn[:, :, joint], axes)


def _quaternion_axes(pose: _Pose, group: Group) -> Floats:
    """(3, G, T) angular velocity in the parent's frame per unit rate of each raw component."""
    q = pose.rows[pose.plan.quaternion[group.joint].T]  # (4, G, T)
    size = (q * q).sum(axis=0)
    w, x, y, z = q * np.divide(2.0, size, out=np.zeros_like(size), where=size > 0)
    by = np.array([[-x, -y, -z], [w, z, -y], [-z, w, x], [y, -x, w]])  # (4, 3, G, T)
    axes = by[group.axis, :, np.arange(len(group.joint))].transpose(1, 0, 2)
    return _apply(pose.plan.rest_turn[:, :, group.joint], axes)


def _apply(matrices: Floats, vectors: Floats) -> Floats:
    """(3, 3, ...) times (3, ...)."""
    applied: Floats = matrices[:, 0] * vectors[0]
    applied += matrices[:, 1] * vectors[1]
    applied += matrices[:, 2] * vectors[2]
    return applied


def _cross(a: Floats, b: Floats) -> Floats:
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(a[j], b[k], out=out[i])
        out[i] -= a[k] * b[j]
    return out
