"""Body: where points are at many moments, and how turning joints and adding to channels moves them.

Unknowns are displacements as a `Layer` has them: a joint that can turn in every way turns by
`R(base) exp(d)`, a root by `exp(d) R(base)`; slides, and the angles of joints that have only one or
two, are added to.
Turning joint a by w, in its own axes A, moves a point below it by `(A w) x (point - origin of a)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward, orientation
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.layout import ZERO, Layout, layout
from arcwright.kinematics.places import Places
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.kinematics.rotation_rate import left_jacobian, right_jacobian
from arcwright.scene.rig import Rig

NO_CHANNELS: Ints = np.zeros(0, np.int64)


@dataclass(frozen=True, eq=False)
class Freedom:
    """D unknowns at a moment: three for each joint that turns, then one for each channel."""

    joints: Ints  # (R,) joints that turn in every way
    channels: Ints  # (E,) slides, and angles of joints that have one or two

    @property
    def turns(self) -> int:
        """How many unknowns are turns: 3 R."""
        return 3 * len(self.joints)

    @property
    def count(self) -> int:
        """D."""
        return self.turns + len(self.channels)

    def parts(self, x: Floats) -> tuple[Floats, Floats]:
        """Turns (N, R, 3) and what is added (N, E), of unknowns (N, D)."""
        return x[:, : self.turns].reshape(len(x), -1, 3), x[:, self.turns :]


def freedom(
    rig: Rig,
    above: Ints | None = None,
    values: Floats | None = None,
    *,
    captured: bool = False,
    rigid: Ints = NO_CHANNELS,
) -> Freedom:
    """What may change: of the joints given and their ancestors, or of the whole rig.

    Channels that keep bones `rigid` stay as they are; where a motion of values (T, C) was
    captured, so do joints that never turn.
    """
    plan = layout(rig, None if above is None else sorted(set(above.tolist())))
    held = (plan.rotate != ZERO).sum(axis=1)
    whole = (held == 3) | (plan.quaternion[:, 0] != ZERO)
    angles, slides = plan.rotate[~whole], plan.translate
    turning = whole
    if values is not None:
        moved = np.append(np.ptp(values, axis=0), [0.0, 0.0])  # ONE and ZERO stand for none
        turned = moved[np.concatenate([plan.rotate, plan.quaternion], axis=1)].max(axis=1) > 0
        if captured and turned.any():
            turning = whole & turned
    added = np.concatenate([slides[slides != ZERO], angles[angles != ZERO]])
    return Freedom(np.sort(plan.joints[turning]), np.setdiff1d(added, rigid))


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
