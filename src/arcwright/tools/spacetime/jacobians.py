"""Body: where points are at many moments, and how turning joints and adding to channels moves them.

Unknowns are displacements as a `Layer` has them: a joint that can turn in every way turns by
`R(base) exp(d)`, a root by `exp(d) R(base)`; slides, and the angles of joints that have only one or
two, are added to.
Turning joint a by w, in its own axes A, moves a point below it by `(A w) x (point - origin of a)`.
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
from arcwright.scene.rig import EULER_MODES, Rig
from arcwright.tools.spacetime.displacement import Freedom

MARGIN = 2e-3  # rad or m: rows begin this far inside, so that what they give way stays inside too


class Moved(NamedTuple):
    """Where P points are at T moments, and how D unknowns move and turn them."""

    position: Floats  # (T, P, 3) m
    orientation: Floats  # (T, P, 3, 3)
    move: Floats  # (T, P, 3, D)
    turn: Floats  # (T, P, 3, D) angular velocity in the world


class Body:
    """Points on a rig whose joints have some freedom."""

    def __init__(self, rig: Rig, where: Places, free: Freedom) -> None:
        self.rig, self.where, self.free = rig, where, free
        self.plan: Layout = layout(rig, where.joints.tolist())
        slot = np.full(len(rig.names), -1)
        slot[self.plan.joints] = np.arange(len(self.plan.joints))
        self._used = np.flatnonzero(slot[free.joints] >= 0)  # turns of which any point knows
        self._turning = slot[free.joints[self._used]]
        above = self.plan.ancestry[self.plan.wanted] > 0  # (P, A)
        self._turned = above[:, self._turning].astype(float)  # (P, U)
        self._roots = np.flatnonzero(self.plan.parents[self._turning] < 0)  # of the U

    def moved(self, values: Floats, x: Floats) -> Moved:
        """At values (T, C), which are those of the start displaced by unknowns (T, D)."""
        world = forward(self.rig, values, self.plan.joints.tolist())
        found = point_jacobian(self.rig, values, self.where, self.free.channels.tolist())
        turns, _ = self.free.parts(x)
        own = self._axes(world, values)
        rate = right_jacobian(turns[:, self._used])  # (T, U, 3, 3), a column for each number
        rate[:, self._roots] = self._root_rate(own, turns[:, self._used])
        arm = found.position[:, :, None] - world[:, self._turning][..., :3, 3][:, None]
        arm *= self._turned[..., None]
        axes = own @ rate
        if len(self.plan.stretching):
            spun = _stretched(rate, arm, world[:, self._turning, :3, :3], self._own(values))
        else:
            spun = _crossed(axes, arm)
        turned = axes.transpose(0, 2, 1, 3)[:, None] * self._turned[:, None, :, None]
        added = self.free.turns + np.searchsorted(self.free.channels, found.channels)
        shape = (*found.position.shape, self.free.count)
        move, turn = np.zeros(shape), np.zeros(shape)
        for whole, by_turn, by_add in ((move, spun, found.move), (turn, turned, found.turn)):
            whole[..., self._columns] = by_turn.reshape(*shape[:3], len(self._columns))
            whole[..., added] = by_add
        return Moved(found.position, found.orientation, move, turn)

    @cached_property
    def _columns(self) -> Ints:
        return (3 * self._used[:, None] + np.arange(3)).ravel()

    def _axes(self, world: Floats, values: Floats) -> Floats:
        if len(self.plan.stretching):
            joints = self.plan.joints[self._turning].tolist()
            return matrix_from_quaternion(orientation(self.rig, values, joints))
        return world[:, self._turning, :3, :3]

    def _root_rate(self, own: Floats, turns: Floats) -> Floats:
        """(T, .., 3, 3) how fast roots turn in their own axes, if they turn in the world."""
        rest = matrix_from_quaternion(self.plan.rest[self._turning[self._roots]])
        by_world = rest @ left_jacobian(turns[:, self._roots])
        rate: Floats = own[:, self._roots].swapaxes(-1, -2) @ by_world
        return rate

    def _own(self, values: Floats) -> Floats:
        """(T, U, 3) how far turning joints are stretched themselves."""
        rows = self.plan.rows(values)[self.plan.stretch[self._turning]]  # (U, 3, T)
        own: Floats = rows.transpose(2, 0, 1) * self.plan.scale[self._turning]
        return own


def _crossed(axes: Floats, arm: Floats) -> Floats:
    """(T, P, 3, U, 3) how points at arms (T, P, U, 3) move with the columns of axes."""
    turn = np.ascontiguousarray(axes.transpose(2, 1, 3, 0))[:, None]  # (3, 1, U, 3, T)
    away = np.ascontiguousarray(arm.transpose(3, 1, 2, 0))[:, :, :, None]  # (3, P, U, 1, T)
    spun = np.empty((3, away.shape[1], *turn.shape[2:]))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(turn[j], away[k], out=spun[i])
        spun[i] -= turn[k] * away[j]
    return spun.transpose(4, 1, 0, 2, 3)


def _stretched(rate: Floats, arm: Floats, world: Floats, own: Floats) -> Floats:
    """`_crossed` where joints are scaled: inside the frame that turns, before its own scale."""
    frame = world / np.where(own == 0, 1.0, own)[..., None, :]
    inside = (np.linalg.pinv(frame)[:, None] @ arm[..., None])[..., 0]
    spun: Floats = np.einsum("tuij,tpjuk->tpiuk", frame, _crossed(rate, inside))
    return spun


class Broken(NamedTuple):
    """L limits that are exceeded, in the order of time: a channel at a moment."""

    time: Ints  # (L,)
    columns: Ints  # (L, 3) unknowns that change the channel; D for none
    slope: Floats  # (L, 3) change of the channel per unit of them
    miss: Floats  # (L,) rad or m, back to the limit


class Limits:
    """The limited channels of a rig that a freedom can change, at T moments.

    Where the motion is beyond a limit from the beginning, it may stay there.
    """

    def __init__(self, rig: Rig, free: Freedom, start: Floats) -> None:
        table, plan = rig.channels, layout(rig)
        limited = np.isfinite(table.low) | np.isfinite(table.high)
        self._free = free
        self._added = np.flatnonzero(limited[free.channels])
        self._add_bounds = _bounds(rig, free.channels[self._added], start)
        self._add_start = start[:, free.channels[self._added]]
        self._turns: list[int] = []  # which of the freedom's joints are watched
        for row, joint in enumerate(free.joints.tolist()):
            channels = plan.rotate[plan.wanted[joint]]
            if rig.modes[joint] in EULER_MODES and limited[channels].any():
                self._turns.append(row)
        self.joints: Ints = free.joints[self._turns]  # (G,) whose angles are needed
        self.channels: Ints = plan.rotate[plan.wanted[self.joints]].reshape(-1, 3)  # (G, 3)
        low, high = _bounds(rig, self.channels.ravel(), start)
        shape = (len(start), -1, 3)
        self._turn_bounds = low.reshape(shape), high.reshape(shape)
        self._rooted = np.array([rig.parents[joint] < 0 for joint in self.joints.tolist()], bool)
        self._modes = [rig.modes[joint] for joint in self.joints.tolist()]
        assert ZERO not in self.channels

    def broken(self, angles: Floats, x: Floats) -> Broken:
        """Those that unknowns (T, D) break, with the angles (T, G, 3) of `joints`."""
        added = _over(self._add_start + x[:, self._free.turns + self._added], *self._add_bounds)
        turned = _over(angles, *self._turn_bounds)
        time, at = np.nonzero(added)
        found = [self._added_rows(time, at, added[time, at])] if len(time) else []
        time, at, letter = np.nonzero(turned)
        if len(time):
            found.append(self._turned_rows(time, at, letter, angles, x, turned))
        if not found:
            none = np.zeros((0, 3))
            return Broken(none[:, 0].astype(np.int64), none.astype(np.int64), none, none[:, 0])
        joined = [np.concatenate(part) for part in zip(*found, strict=True)]
        order = np.argsort(joined[0], kind="stable")
        return Broken(*(part[order] for part in joined))

    def _added_rows(self, time: Ints, at: Ints, miss: Floats) -> Broken:
        columns = np.full((len(time), 3), self._free.count)
        columns[:, 0] = self._free.turns + self._added[at]
        return Broken(time, columns, np.tile([1.0, 0, 0], (len(time), 1)), miss)

    def _turned_rows(
        self, time: Ints, at: Ints, letter: Ints, angles: Floats, x: Floats, over: Floats
    ) -> Broken:
        rows = np.array(self._turns)[at]
        columns = 3 * rows[:, None] + np.arange(3)
        own = angles[time, at]
        rate = right_jacobian(x[time[:, None], columns])
        roots = np.flatnonzero(self._rooted[at])
        slope = np.empty((len(time), 3))
        modes = np.array(self._modes)[at]
        for mode in set(modes.tolist()):
            these = np.flatnonzero(modes == mode)
            by_turning = np.linalg.pinv(local_axes(own[these], mode), rcond=1e-2)  # (L, 3, 3)
            turned = np.intersect1d(these, roots)
            by_world = left_jacobian(x[time[turned, None], columns[turned]])
            rate[turned] = matrix_from_euler(own[turned], mode).swapaxes(-1, -2) @ by_world
            spin = by_turning[np.arange(len(these)), letter[these]][:, None]
            slope[these] = (spin @ rate[these])[:, 0]
        return Broken(time, columns, slope, over[time, at, letter])


def _bounds(rig: Rig, channels: Ints, start: Floats) -> tuple[Floats, Floats]:
    """(T, ...) between which channels stay; where they begin beyond, they may stay."""
    low, high = rig.channels.low[channels], rig.channels.high[channels]
    margin = np.minimum(MARGIN, 0.25 * (high - low))
    was = start[:, channels]
    return np.minimum(low + margin, was), np.maximum(high - margin, was)


def _over(values: Floats, low: Floats, high: Floats) -> Floats:
    """How far back to the limits; 0 within."""
    back: Floats = np.minimum(high - values, 0) + np.maximum(low - values, 0)
    return back


def local_axes(angles: Floats, mode: str) -> Floats:
    """(..., 3, 3) about which each Euler angle turns, in the axes of the turned joint."""
    turned: Floats = matrix_from_euler(angles, mode).swapaxes(-1, -2) @ euler_axes(angles, mode)
    return turned
