"""Jacobians: derivatives of point positions and orientations by channel values.

For a channel of joint a, with `parent` the world matrix above it and u the point relative to a
in its parent's frame, a rotation about w moves the point by `parent (w x u)`. Where no joint is
scaled unevenly that is `(turned w) x (point - origin of a)`, with `turned` the rotation of
`parent`; this needs no u and is what is used then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.compiled import library as compiled
from arcwright.compiled.library import address
from arcwright.kinematics.columns import Group, Slots, columns
from arcwright.kinematics.forward import (
    chained,
    checked,
    local_matrices,
    product,
    rows_of,
    stretches,
)
from arcwright.kinematics.layout import Chain, Layout, layout
from arcwright.kinematics.places import Places, Where, places
from arcwright.kinematics.rotation import sine_and_cosine
from arcwright.scene.rig import Rig

_FLOAT = np.dtype(np.float64)


class PointJacobian(NamedTuple):
    """Positions and orientations of P points at T times, and their derivatives by M channels."""

    channels: Ints  # (M,) the channels that move any of the points, increasing
    position: Floats  # (T, P, 3) m
    orientation: Floats  # (T, P, 3, 3) rotation down the chain, whatever the scale
    linear: Floats  # (T, P, 3, M) world velocity, m per unit of the channel
    angular: Floats  # (T, P, 3, M) world angular velocity, rad per unit of the channel


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
    if compiled.library is None:
        return plain_jacobian(rig, values, points, channels)
    where = places(rig, points)
    plan = layout(rig, where.joints.tolist())
    found = columns(plan, channels)
    answer = _compiled_jacobian(
        plan.chain, checked(rig, values), where.offsets, found.slots, len(found.channels)
    )
    return PointJacobian(found.channels, *answer)


def _compiled_jacobian(
    chain: Chain, values: Floats, offsets: Floats, slots: Slots, columns: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Position, orientation, linear and angular of `PointJacobian` at values (T, C)."""
    assert compiled.library is not None
    times, points = len(values), chain.points
    given = values.size, offsets.size
    sizes = (3 * times * points, 9 * times * points, 3 * times * points * columns)
    # one block for all: asking for memory and for its address costs more than copying values
    block = np.empty(sum(given) + sizes[0] + sizes[1] + 2 * sizes[2])
    np.ndarray(values.shape, _FLOAT, block)[:] = values
    np.ndarray((points, 3), _FLOAT, block, 8 * given[0])[:] = offsets
    start = address(block)
    out = 8 * sum(given)
    short = compiled.library.arcwright_jacobian(
        chain.address, times, start, start + 8 * given[0], slots.address, columns, start + out
    )
    if short:
        raise MemoryError
    turned = out + 8 * sizes[0]
    moved = turned + 8 * sizes[1]
    shape = (times, points, 3, columns)
    return (
        np.ndarray((times, points, 3), _FLOAT, block, out),
        np.ndarray((times, points, 3, 3), _FLOAT, block, turned),
        np.ndarray(shape, _FLOAT, block, moved),
        np.ndarray(shape, _FLOAT, block, moved + 8 * sizes[2]),
    )


def plain_jacobian(
    rig: Rig,
    values: Floats,
    points: Places | Sequence[Where],
    channels: Iterable[int] | None = None,
) -> PointJacobian:
    """As `point_jacobian`, with NumPy alone."""
    where = places(rig, points)
    plan = layout(rig, where.joints.tolist())
    chosen = columns(plan, channels)
    pose = _pose(plan, where, rows_of(rig, plan, values))
    count = len(chosen.channels)
    # one column more takes what belongs to no channel, and is left out at the end
    linear, angular = np.zeros((2, 3, len(where), count + 1, pose.rows.shape[1]))
    if len(chosen.translate.joint):
        _slide(pose, chosen.translate, linear)
    if len(chosen.euler.joint):
        _rotate(pose, chosen.euler, _euler_axes, linear, angular)
    if len(chosen.quaternion.joint):
        _rotate(pose, chosen.quaternion, _quaternion_axes, linear, angular)
    if len(chosen.stretch.joint):
        _stretch(pose, chosen.stretch, linear)
    return PointJacobian(
        chosen.channels,
        pose.position.transpose(2, 1, 0),
        pose.turned[:, :3, plan.wanted].transpose(3, 2, 0, 1),
        linear[:, :, :count].transpose(3, 1, 0, 2),
        angular[:, :, :count].transpose(3, 1, 0, 2),
    )


@dataclass(frozen=True, eq=False)
class _Pose:
    """The chains above some points; joints as in the layout, then one that stands for no parent."""

    plan: Layout
    where: Places
    rows: Floats  # (C + 2, T)
    local: Floats  # (3, 4, A + 1, T) parent_from_joint
    bare: Floats  # (3, 4, A + 1, T) the same without scale
    world: Floats  # (3, 4, A + 1, T) world_from_joint
    turned: Floats  # (3, 4, A + 1, T) the same without scale
    position: Floats  # (3, P, T)
    even: bool  # whether every joint is scaled alike along its three axes

    @cached_property
    def reach(self) -> tuple[Floats, Floats]:
        """(3, P, A, T) twice: points in the frame of each joint above them, and relative to
        that joint in the axes of its parent. Walks up, so no scale is ever divided by."""
        count, times = len(self.where), self.rows.shape[1]
        inside = np.zeros((3, count, len(self.plan.joints), times))
        arms = np.zeros_like(inside)
        point, joint = np.arange(count), self.plan.wanted
        here = np.repeat(self.where.offsets.T[..., None], times, axis=2)
        while len(point):
            arm = product(self.local.take(joint, axis=2), here[:, None])[:, 0]
            inside[:, point, joint], arms[:, point, joint] = here, arm
            above = self.plan.parents[joint] >= 0
            here = (arm + self.local[:, 3, joint])[:, above]
            point, joint = point[above], self.plan.parents[joint][above]
        return inside, arms


def _pose(plan: Layout, where: Places, rows: Floats) -> _Pose:
    bare = local = _with_root(local_matrices(plan, rows, scaled=False))
    turned = world = chained(plan, bare.copy())
    even = True
    if len(plan.stretching) and ((stretch := stretches(plan, rows)) != 1).any():
        local = bare.copy()
        local[:, :3, plan.stretching] *= stretch
        world = chained(plan, local.copy())
        even = bool((stretch == stretch[0]).all())
    carrier = world.take(plan.wanted, axis=2)
    position = product(carrier, where.offsets.T[:, None, :, None])[:, 0] + carrier[:, 3]
    return _Pose(plan, where, rows, local, bare, world, turned, position, even)


def _with_root(local: Floats) -> Floats:
    rooted = np.empty((*local.shape[:2], local.shape[2] + 1, local.shape[3]))
    rooted[:, :, :-1] = local
    rooted[:, :, -1] = np.eye(3, 4)[..., None]
    return rooted


def _slide(pose: _Pose, group: Group, linear: Floats) -> None:
    along = _before(pose, group.joint, pose.world)
    linear[:, group.point, group.column] = along[:, :, group.member]


_Axes: TypeAlias = Callable[[_Pose, Ints, Floats, Floats], Floats]


def _rotate(pose: _Pose, group: Group, axes: _Axes, linear: Floats, angular: Floats) -> None:
    joint = group.joint[group.member]
    before = _before(pose, group.joint, pose.turned)
    world = axes(pose, group.joint, before, pose.turned)[:, :, group.member]  # (3, n, K, T)
    angular[:, group.point, group.column] = world
    if pose.even:
        arm = pose.position[:, group.point] - pose.world[:, 3, joint]
        linear[:, group.point, group.column] = _cross(world, arm[:, None])
        return
    rest = pose.plan.rest_rotation[:, :, group.joint]
    inner = axes(pose, group.joint, rest, pose.bare)[:, :, group.member]
    arm = pose.reach[1][:, group.point, joint]
    parent = pose.world[:, :, pose.plan.parents[joint]]
    linear[:, group.point, group.column] = product(parent, _cross(inner, arm[:, None]))


def _stretch(pose: _Pose, group: Group, linear: Floats) -> None:
    rest = pose.plan.scale[group.joint].T[..., None]  # (3, G, 1)
    parent = pose.world[:, :, pose.plan.parents[group.joint]]
    along = product(parent, rest * pose.bare[:, :3, group.joint])[:, :, group.member]
    inside = pose.reach[0][:, group.point, group.joint[group.member]]
    linear[:, group.point, group.column] = along * inside


def _before(pose: _Pose, joints: Ints, matrices: Floats) -> Floats:
    """(3, 3, joints, T) world axes of each joint's own transform: parent, then rest."""
    parent = matrices[:, :3].take(pose.plan.parents[joints], axis=2)
    return (
        product(parent, pose.plan.rest_rotation[:, :, joints]) if len(pose.plan.rested) else parent
    )


def _euler_axes(pose: _Pose, joints: Ints, before: Floats, after: Floats) -> Floats:
    """(3, 3, joints, T) about which each Euler angle rotates, given the frames around it."""
    plan, each = pose.plan, np.arange(len(joints))
    sine, cosine = sine_and_cosine(pose.rows[plan.rotate[joints, 0]])
    i, j, k = plan.axes[joints].T
    axes = np.empty((3, 3, *sine.shape))
    axes[:, 0] = before[:, i, each]
    axes[:, 1] = cosine * before[:, j, each]
    axes[:, 1] += plan.parity[joints] * sine * before[:, k, each]
    axes[:, 2] = after[:, k, joints]
    return axes


def _quaternion_axes(pose: _Pose, joints: Ints, before: Floats, _: Floats) -> Floats:
    """(3, 4, joints, T) angular velocity per unit rate of each raw component."""
    q = pose.rows[pose.plan.quaternion[joints].T]
    size = (q * q).sum(axis=0)
    w, x, y, z = q * np.divide(2.0, size, out=np.zeros_like(size), where=size > 0)
    return product(before, np.array([[-x, w, -z, y], [-y, z, w, -x], [-z, -y, x, w]]))


def _cross(a: Floats, b: Floats) -> Floats:
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(a[j], b[k], out=out[i])
        out[i] -= a[k] * b[j]
    return out
