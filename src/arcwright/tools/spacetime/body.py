"""Body: where points are at many moments, and how turning and sliding joints moves them.

Unknowns are displacements as a `Layer` has them: a joint's turn is `R(base) exp(d)`. Turning
joint a by w, in its own axes A, moves a point below it by `(A w) x (point - origin of a)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.layout import ZERO, Layout, layout
from arcwright.kinematics.places import Places
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    matrix_from_euler,
    matrix_from_quaternion,
    quaternion_from_euler,
    quaternion_from_vector,
    quaternion_multiply,
)
from arcwright.kinematics.rotation_rate import euler_axes, right_jacobian
from arcwright.scene.rig import QUATERNION, Rig


@dataclass(frozen=True, eq=False)
class Freedom:
    """D unknowns at a moment: turns about axes of joints, then slides of channels."""

    joints: Ints  # (R,) joints that turn
    turns: Ints  # (K,) which of the 3 R numbers of all turns are free
    channels: Ints  # (A,) channels that slide

    @property
    def count(self) -> int:
        """D."""
        return len(self.turns) + len(self.channels)

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Turns (N, R, 3) and slides (N, A) of unknowns (N, D)."""
        turn = np.zeros((len(x), 3 * len(self.joints)))
        turn[:, self.turns] = x[:, : len(self.turns)]
        return turn.reshape(len(x), -1, 3), x[:, len(self.turns) :]


def freedom(rig: Rig, above: Ints | None = None) -> Freedom:
    """What may turn and slide: of the joints given and their ancestors, or of the whole rig."""
    plan = layout(rig, None if above is None else sorted(set(above.tolist())))
    turns_by = (plan.rotate != ZERO).sum(axis=1) + (plan.quaternion[:, 0] != ZERO)
    order = np.argsort(plan.joints)
    turning = [slot for slot in order.tolist() if turns_by[slot]]
    free: list[int] = []
    for row, slot in enumerate(turning):
        held = plan.rotate[slot] != ZERO
        alone = held.sum() == 1
        axes = plan.axes[slot][held].tolist() if alone else range(3)
        free += [3 * row + axis for axis in axes]
    slides = plan.translate[plan.translate != ZERO]
    joints = plan.joints[turning] if turning else np.zeros(0, np.int64)
    return Freedom(joints, np.array(free, np.int64), np.sort(slides))


class Moved(NamedTuple):
    """Where P points are at T moments, and how D unknowns move and turn them."""

    position: Floats  # (T, P, 3) m
    orientation: Floats  # (T, P, 3, 3)
    move: Floats  # (T, P, 3, D)
    turn: Floats | None  # (T, P, 3, D) angular velocity in the world


class Body:
    """Points on a rig whose joints have some freedom."""

    def __init__(self, rig: Rig, where: Places, free: Freedom) -> None:
        self.rig, self.where, self.free = rig, where, free
        self.plan: Layout = layout(rig, where.joints.tolist())
        self._chain: list[int] = self.plan.joints.tolist()
        slot = np.full(len(rig.names), -1)
        slot[self.plan.joints] = np.arange(len(self._chain))
        self._used = np.flatnonzero(slot[free.joints] >= 0)  # turns of which any point knows
        self._turning = slot[free.joints[self._used]]
        above = self.plan.ancestry[self.plan.wanted] > 0  # (P, A)
        self._turned = above[:, self._turning].astype(float)  # (P, U)
        columns = np.full(3 * len(free.joints), -1)
        columns[free.turns] = np.arange(len(free.turns))
        mine = columns.reshape(-1, 3)[self._used].ravel()
        self._from, self._to = np.flatnonzero(mine >= 0), mine[mine >= 0]
        sliding = slot[rig.channels.joint[free.channels]]
        self._slides = np.flatnonzero(sliding >= 0)
        self._sliding = sliding[self._slides]
        self._slid = above[:, self._sliding].astype(float)
        kinds = rig.channels.kind[free.channels[self._slides]]
        turned = self.plan.rest_turn[..., 0].transpose(2, 0, 1)[self._sliding]
        self._way = turned[np.arange(len(kinds)), :, kinds] if len(kinds) else np.zeros((0, 3))

    def positions(self, values: Floats) -> Floats:
        """(T, P, 3) where the points are."""
        return self._places(forward(self.rig, values, self._chain))

    def moved(
        self, start: Floats, values: Floats, turns: Floats, *, turning: bool = False
    ) -> Moved:
        """At values (T, C): those of the start, displaced by turns (T, R, 3) and any slides."""
        world = forward(self.rig, values, self._chain)
        position = self._places(world)
        rate = self._rate(start, turns)  # (T, U, 3, 3), a column for each number
        origin = world[:, self._turning][..., :3, 3]
        arm = (position[:, :, None] - origin[:, None]) * self._turned[..., None]
        own = self._turned_axes(world, values)
        if len(self.plan.stretching):
            spun = _stretched(rate, arm, world[:, self._turning, :3, :3], self._own(values))
        else:
            spun = _crossed(own @ rate, arm)
        move = self._spread(spun)
        if len(self._slides):
            way = self._ways(world)  # (T, S, 3)
            slid = way.swapaxes(1, 2)[:, None] * self._slid[:, None]
            move[..., len(self.free.turns) + self._slides] = slid
        turn = None
        if turning:
            axes = (own @ rate).transpose(0, 2, 1, 3)[:, None]
            turn = self._spread(axes * self._turned[:, None, :, None])
        return Moved(position, self._orientation(world, values), move, turn)

    def _spread(self, by_number: Floats) -> Floats:
        """(T, P, 3, D) of (T, P, 3, U, 3)."""
        flat = by_number.reshape(*by_number.shape[:3], -1)
        spread = np.zeros((*flat.shape[:3], self.free.count))
        spread[..., self._to] = flat[..., self._from]
        return spread

    def _places(self, world: Floats) -> Floats:
        held = world[:, self.plan.wanted]
        offsets = self.where.offsets[:, :, None]
        place: Floats = (held[..., :3, :3] @ offsets)[..., 0] + held[..., :3, 3]
        return place

    def _orientation(self, world: Floats, values: Floats) -> Floats:
        if len(self.plan.stretching):
            joints = self.where.joints.tolist()
            return matrix_from_quaternion(orientation(self.rig, values, joints))
        return world[:, self.plan.wanted, :3, :3]

    def _turned_axes(self, world: Floats, values: Floats) -> Floats:
        if len(self.plan.stretching):
            joints = self.plan.joints[self._turning].tolist()
            return matrix_from_quaternion(orientation(self.rig, values, joints))
        return world[:, self._turning, :3, :3]

    def _rate(self, start: Floats, turns: Floats) -> Floats:
        """(T, U, 3, 3) turning, in a joint's own axes, per number of its turn."""
        used = turns[:, self._used]
        rate = right_jacobian(used)
        for at, slot in self._halved:
            mode = self.rig.modes[int(self.plan.joints[slot])]
            left = _left(mode, self.plan.rotate[slot], start, used[:, at])
            rate[:, at] = left @ rate[:, at]
        return rate

    def _own(self, values: Floats) -> Floats:
        """(T, U, 3) how far turning joints are stretched themselves."""
        rows = self.plan.rows(values)[self.plan.stretch[self._turning]]  # (U, 3, T)
        own: Floats = rows.transpose(2, 0, 1) * self.plan.scale[self._turning]
        return own

    @cached_property
    def _halved(self) -> list[tuple[int, int]]:
        """Joints with two Euler channels, which cannot hold every turn."""
        held = (self.plan.rotate[self._turning] != ZERO).sum(axis=1)
        return [(at, int(self._turning[at])) for at in np.flatnonzero(held == 2).tolist()]

    def _ways(self, world: Floats) -> Floats:
        parents = self.plan.parents[self._sliding]
        above = world[:, parents, :3, :3].copy()
        above[:, parents < 0] = np.eye(3)
        ways: Floats = (above @ self._way[..., None])[..., 0]
        return ways


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


def _left(mode: str, channels: Ints, start: Floats, turns: Floats) -> Floats:
    """(T, 3, 3) what is left of turning where a joint has two angles and the third is dropped."""
    held = channels != ZERO
    angles = np.zeros((len(start), 3))
    angles[:, held] = start[:, channels[held]]
    turned = quaternion_multiply(quaternion_from_euler(angles, mode), quaternion_from_vector(turns))
    whole = euler_from_quaternion(turned, mode, near=angles)
    by_turning = np.linalg.pinv(local_axes(whole, mode))[:, held]
    left: Floats = local_axes(whole * held, mode)[..., held] @ by_turning
    return left


def local_axes(angles: Floats, mode: str) -> Floats:
    """(..., 3, 3) about which each Euler angle turns, in the axes of the turned joint."""
    assert mode != QUATERNION
    turned: Floats = matrix_from_euler(angles, mode).swapaxes(-1, -2) @ euler_axes(angles, mode)
    return turned
