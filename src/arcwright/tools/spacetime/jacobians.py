"""Jacobians: derivatives of points and limited joint angles with respect to the unknowns.

A joint with three rotational degrees of freedom rotates by `R(base) exp(d)`, a root by
`exp(d) R(base)`; translations, and angles of joints that have one or two, are added to.
Rotating joint a by w, in its own axes A, moves a point below it by `(A w) x (point - origin of a)`.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.layout import ZERO, Layout, layout
from arcwright.kinematics.places import Places
from arcwright.kinematics.rotation import matrix_from_euler, matrix_from_quaternion
from arcwright.kinematics.rotation_rate import euler_axes, left_jacobian, right_jacobian
from arcwright.scene.rig import EULER_MODES, Kind, Rig
from arcwright.tools.spacetime.displacement import Unknowns

LIMIT_MARGIN = 2e-3  # rad or m: rows begin this far inside, so that what they yield stays inside


class PointJacobian(NamedTuple):
    """Positions and orientations of P points at T times, and their derivatives by D unknowns."""

    position: Floats  # (T, P, 3) m
    orientation: Floats  # (T, P, 3, 3)
    linear: Floats  # (T, P, 3, D)
    angular: Floats  # (T, P, 3, D) in world axes
    origin: Floats  # (T, A, 3) m, of the joints above the points


class PointKinematics:
    """Points on a rig, as functions of the unknowns."""

    def __init__(self, rig: Rig, points: Places, unknowns: Unknowns) -> None:
        self.rig, self.points, self.unknowns = rig, points, unknowns
        self.plan: Layout = layout(rig, points.joints.tolist())
        slot = np.full(len(rig.names), -1)
        slot[self.plan.joints] = np.arange(len(self.plan.joints))
        self._used = np.flatnonzero(slot[unknowns.joints] >= 0)  # rotations above some point
        self._rotating = slot[unknowns.joints[self._used]]
        above = self.plan.ancestry[self.plan.wanted] > 0  # (P, A)
        self._rotated = above[:, self._rotating].astype(float)  # (P, U)
        self._roots = np.flatnonzero(self.plan.parents[self._rotating] < 0)  # of the U

    def evaluate(self, values: Floats, x: Floats) -> PointJacobian:
        """At values (T, C), which are the original ones displaced by unknowns (T, D)."""
        world = forward(self.rig, values, self.plan.joints.tolist())
        by_channel = point_jacobian(self.rig, values, self.points, self.unknowns.channels.tolist())
        rotations, _ = self.unknowns.split(x)
        own = self._axes(world, values)
        rate = right_jacobian(rotations[:, self._used])  # (T, U, 3, 3), a column for each number
        rate[:, self._roots] = self._root_rate(own, rotations[:, self._used])
        arm = by_channel.position[:, :, None] - world[:, self._rotating][..., :3, 3][:, None]
        arm *= self._rotated[..., None]
        axes = own @ rate
        if len(self.plan.stretching):
            linear = _scaled_cross(rate, arm, world[:, self._rotating, :3, :3], self._scale(values))
        else:
            linear = _cross(axes, arm)
        angular = axes.transpose(0, 2, 1, 3)[:, None] * self._rotated[:, None, :, None]
        added = self.unknowns.rotation_count + np.searchsorted(
            self.unknowns.channels, by_channel.channels
        )
        shape = (*by_channel.position.shape, self.unknowns.count)
        position, orientation = by_channel.position, by_channel.orientation
        origin = world[..., :3, 3]
        found = PointJacobian(position, orientation, np.zeros(shape), np.zeros(shape), origin)
        for whole, by_rotation, by_addition in (
            (found.linear, linear, by_channel.linear),
            (found.angular, angular, by_channel.angular),
        ):
            whole[..., self._columns] = by_rotation.reshape(*shape[:3], len(self._columns))
            whole[..., added] = by_addition
        return found

    def poses(self, values: Floats) -> PointJacobian:
        """Positions and orientations at values (T, C), without derivatives."""
        found = point_jacobian(self.rig, values, self.points, [])
        none = np.zeros((*found.position.shape, 0))
        return PointJacobian(found.position, found.orientation, none, none, none)

    def chain(self, point: int) -> list[tuple[int, list[int]]]:
        """The joints that rotate a point, from the root on, and the unknowns of each."""
        above = self.plan.ancestry[self.plan.wanted[point]] > 0
        return [(slot, columns) for slot, columns in self._rotations if above[slot]]

    @cached_property
    def _rotations(self) -> list[tuple[int, list[int]]]:
        """Rotating joints among those of the plan, and the unknowns of each."""
        found: dict[int, list[int]] = {}
        for used, slot in zip(self._used.tolist(), self._rotating.tolist(), strict=True):
            found[slot] = [3 * used, 3 * used + 1, 3 * used + 2]
        table, slots = self.rig.channels, self.plan.joints.tolist()
        for index, channel in enumerate(self.unknowns.channels.tolist()):
            joint = int(table.joint[channel])
            if Kind.ROTATE_X <= table.kind[channel] <= Kind.ROTATE_Z and joint in slots:
                own = found.setdefault(slots.index(joint), [])
                own.append(self.unknowns.rotation_count + index)
        return sorted(found.items())

    @cached_property
    def _columns(self) -> Ints:
        return (3 * self._used[:, None] + np.arange(3)).ravel()

    def _axes(self, world: Floats, values: Floats) -> Floats:
        if len(self.plan.stretching):
            joints = self.plan.joints[self._rotating].tolist()
            return matrix_from_quaternion(orientation(self.rig, values, joints))
        return world[:, self._rotating, :3, :3]

    def _root_rate(self, own: Floats, rotations: Floats) -> Floats:
        """(T, .., 3, 3) angular velocity of roots in their own axes per unit of world rotation."""
        rest = matrix_from_quaternion(self.plan.rest[self._rotating[self._roots]])
        by_world = rest @ left_jacobian(rotations[:, self._roots])
        rate: Floats = own[:, self._roots].swapaxes(-1, -2) @ by_world
        return rate

    def _scale(self, values: Floats) -> Floats:
        """(T, U, 3) scale of the rotating joints themselves."""
        rows = self.plan.rows(values)[self.plan.stretch[self._rotating]]  # (U, 3, T)
        own: Floats = rows.transpose(2, 0, 1) * self.plan.scale[self._rotating]
        return own


def _cross(axes: Floats, arm: Floats) -> Floats:
    """(T, P, 3, U, 3) velocity of points at arms (T, P, U, 3) about the columns of axes."""
    axis = np.ascontiguousarray(axes.transpose(2, 1, 3, 0))[:, None]  # (3, 1, U, 3, T)
    away = np.ascontiguousarray(arm.transpose(3, 1, 2, 0))[:, :, :, None]  # (3, P, U, 1, T)
    velocity = np.empty((3, away.shape[1], *axis.shape[2:]))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(axis[j], away[k], out=velocity[i])
        velocity[i] -= axis[k] * away[j]
    return velocity.transpose(4, 1, 0, 2, 3)


def _scaled_cross(rate: Floats, arm: Floats, world: Floats, own: Floats) -> Floats:
    """`_cross` where joints are scaled: inside the rotating frame, before its own scale."""
    frame = world / np.where(own == 0, 1.0, own)[..., None, :]
    inside = (np.linalg.pinv(frame)[:, None] @ arm[..., None])[..., 0]
    velocity: Floats = np.einsum("tuij,tpjuk->tpiuk", frame, _cross(rate, inside))
    return velocity


class LimitViolations(NamedTuple):
    """L violated joint limits, in the order of time: a channel at a sample."""

    sample: Ints  # (L,)
    columns: Ints  # (L, 3) unknowns that change the channel; D for none
    slope: Floats  # (L, 3) change of the channel per unit of them
    residual: Floats  # (L,) rad or m, back to the limit


class JointLimits:
    """The limited channels of a rig that the unknowns change, at T samples.

    Where the original motion is beyond a limit, it may stay there.
    """

    def __init__(self, rig: Rig, unknowns: Unknowns, start: Floats) -> None:
        table, plan = rig.channels, layout(rig)
        limited = np.isfinite(table.low) | np.isfinite(table.high)
        self._unknowns = unknowns
        self._added = np.flatnonzero(limited[unknowns.channels])
        self._added_bounds = _bounds(rig, unknowns.channels[self._added], start)
        self._added_start = start[:, unknowns.channels[self._added]]
        self._rotations: list[int] = []  # which of the unknowns' joints have limits
        for row, joint in enumerate(unknowns.joints.tolist()):
            channels = plan.rotate[plan.wanted[joint]]
            if rig.modes[joint] in EULER_MODES and limited[channels].any():
                self._rotations.append(row)
        self.joints: Ints = unknowns.joints[self._rotations]  # (G,) whose angles are needed
        self.channels: Ints = plan.rotate[plan.wanted[self.joints]].reshape(-1, 3)  # (G, 3)
        low, high = _bounds(rig, self.channels.ravel(), start)
        shape = (len(start), -1, 3)
        self._angle_bounds = low.reshape(shape), high.reshape(shape)
        self._is_root = np.array([rig.parents[joint] < 0 for joint in self.joints.tolist()], bool)
        self._modes = [rig.modes[joint] for joint in self.joints.tolist()]
        assert ZERO not in self.channels

    def violations(self, angles: Floats, x: Floats) -> LimitViolations:
        """Limits that unknowns (T, D) violate, with the angles (T, G, 3) of `joints`."""
        columns = self._unknowns.rotation_count + self._added
        added = _over(self._added_start + x[:, columns], *self._added_bounds)
        rotated = _over(angles, *self._angle_bounds)
        sample, at = np.nonzero(added)
        found = [self._added_rows(sample, at, added[sample, at])] if len(sample) else []
        sample, at, letter = np.nonzero(rotated)
        if len(sample):
            found.append(self._angle_rows(sample, at, letter, angles, x, rotated))
        if not found:
            none = np.zeros((0, 3))
            index = none.astype(np.int64)
            return LimitViolations(index[:, 0], index, none, none[:, 0])
        joined = [np.concatenate(part) for part in zip(*found, strict=True)]
        order = np.argsort(joined[0], kind="stable")
        return LimitViolations(*(part[order] for part in joined))

    def _added_rows(self, sample: Ints, at: Ints, residual: Floats) -> LimitViolations:
        columns = np.full((len(sample), 3), self._unknowns.count)
        columns[:, 0] = self._unknowns.rotation_count + self._added[at]
        slope = np.tile([1.0, 0, 0], (len(sample), 1))
        return LimitViolations(sample, columns, slope, residual)

    def _angle_rows(
        self, sample: Ints, at: Ints, letter: Ints, angles: Floats, x: Floats, over: Floats
    ) -> LimitViolations:
        rows = np.array(self._rotations)[at]
        columns = 3 * rows[:, None] + np.arange(3)
        own = angles[sample, at]
        rate = right_jacobian(x[sample[:, None], columns])
        roots = np.flatnonzero(self._is_root[at])
        slope = np.empty((len(sample), 3))
        modes = np.array(self._modes)[at]
        for mode in set(modes.tolist()):
            these = np.flatnonzero(modes == mode)
            angle_rate = np.linalg.pinv(local_axes(own[these], mode), rcond=1e-2)  # (L, 3, 3)
            rooted = np.intersect1d(these, roots)
            by_world = left_jacobian(x[sample[rooted, None], columns[rooted]])
            rate[rooted] = matrix_from_euler(own[rooted], mode).swapaxes(-1, -2) @ by_world
            spin = angle_rate[np.arange(len(these)), letter[these]][:, None]
            slope[these] = (spin @ rate[these])[:, 0]
        return LimitViolations(sample, columns, slope, over[sample, at, letter])


def _bounds(rig: Rig, channels: Ints, start: Floats) -> tuple[Floats, Floats]:
    """(T, ...) lower and upper bounds; channels that start beyond a limit may stay there."""
    low, high = rig.channels.low[channels], rig.channels.high[channels]
    margin = np.minimum(LIMIT_MARGIN, 0.25 * (high - low))
    was = start[:, channels]
    return np.minimum(low + margin, was), np.maximum(high - margin, was)


def _over(values: Floats, low: Floats, high: Floats) -> Floats:
    """How far back to the bounds; 0 within."""
    back: Floats = np.minimum(high - values, 0) + np.maximum(low - values, 0)
    return back


def local_axes(angles: Floats, mode: str) -> Floats:
    """(..., 3, 3) axes of the Euler angles, in the axes of the rotated joint."""
    axes: Floats = matrix_from_euler(angles, mode).swapaxes(-1, -2) @ euler_axes(angles, mode)
    return axes
