"""Deviation of joint positions from a target motion, in metres."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.compiled import library as compiled
from arcwright.curves.spline_part import Rows
from arcwright.kinematics.columns import columns
from arcwright.kinematics.forward import forward
from arcwright.kinematics.jacobian import plain_jacobian
from arcwright.kinematics.layout import Chain, layout
from arcwright.kinematics.places import Places
from arcwright.scene.rig import Kind, Rig

SURFACE_OFFSET = 0.03  # of the body's size, about a limb's radius; makes rotations count
UNITLESS_SCALE = 0.25  # of the body's size per unit of channels that move no joint


@dataclass(frozen=True, eq=False)
class Deviation:
    """Target positions of joints, and of points a little off each joint, at sample times."""

    rig: Rig
    values: Floats  # (T, C) of the target
    world: Floats  # (T, J, 3, 4) of the target
    surface_offset: float  # m, from each joint along its own axes
    surface: Floats  # (J,) the same in the joint's own units, which scale may make any length
    size: float  # m
    strict: Floats | None = None  # (T, J) weight of each joint's deviation, if any

    @classmethod
    def of(cls, rig: Rig, values: Floats) -> Deviation:
        """From channel values (T, C)."""
        world = forward(rig, values)[..., :3, :].copy()
        position = world[..., 3]
        size = float(np.ptp(position, axis=1).max()) if len(rig.names) > 1 else 1.0
        offset, scale = SURFACE_OFFSET * (size or 1.0), _scale(world)
        return cls(rig, values, world, offset, offset / scale, size or 1.0)

    def at(self, moments: Ints) -> Deviation:
        """The same at a subset of the samples."""
        strict = None if self.strict is None else self.strict[moments]
        values, world = self.values[moments], self.world[moments]
        return replace(self, values=values, world=world, strict=strict)

    def largest(self, values: Floats, start: int = 0) -> Floats:
        """(T,) m, the largest weighted deviation of joints and points off them, from `start` on."""
        largest = self.of_joints(values, start)
        if (self.rig.channels.kind > Kind.SCALE_Z).any():
            largest = np.maximum(largest, self._unseen(values, start).max(axis=1))
        return largest

    def joints(self, values: Floats) -> Floats:
        """(T, J) m, of each joint alone."""
        off = forward(self.rig, values)[..., :3, 3] - self.world[..., 3]
        return np.asarray(np.linalg.norm(off, axis=-1))

    def of_joints(self, values: Floats, start: int = 0) -> Floats:
        """(T,) m, as `largest`, whatever other channels do."""
        if compiled.library is None:
            return self.plain_of_joints(values, start)
        part = slice(start, start + len(values))
        weight = None if self.strict is None else self.strict[part]
        chain = layout(self.rig, None).chain
        return _compiled_deviation(chain, values, self.world[part], weight, self.surface)

    def plain_of_joints(self, values: Floats, start: int = 0) -> Floats:
        """As `of_joints`, with NumPy alone."""
        part = slice(start, start + len(values))
        off = forward(self.rig, values)[..., :3, :] - self.world[part]
        position = off[..., 3]
        square = np.einsum("tjri,tjri->tji", off, off)  # of three axes and the position
        along = np.einsum("tjri,tjr->tji", off[..., :3], position)
        surface = self.surface[:, None]
        around = surface * (surface * square[..., :3] + 2 * along)
        farther = np.maximum(around.max(axis=-1), 0)
        by_joint = np.sqrt(square[..., 3] + farther)  # (T, J)
        return np.asarray(
            (by_joint if self.strict is None else by_joint * self.strict[part]).max(1)
        )

    def rows(self, values: Floats, start: int, channels: Ints, least: float) -> Rows:
        """The weighted deviations above `least` m from `start` on, by channels (M,), sorted.

        Of each joint and moment only that of the point that is farthest off.
        """
        given = values, start, channels, least
        found = self.plain_rows(*given) if compiled.library is None else self._rows(*given)
        if not (self.rig.channels.kind > Kind.SCALE_Z).any():
            return found
        both = zip(found, self._unseen_rows(*given), strict=True)
        return Rows(*(np.concatenate(pair) for pair in both))

    def _rows(self, values: Floats, start: int, channels: Ints, least: float) -> Rows:
        assert compiled.library is not None
        part, plan = slice(start, start + len(values)), layout(self.rig, None)
        world, values = (np.require(a, np.float64, ("C", "A")) for a in (self.world[part], values))
        weight = None if self.strict is None else np.require(self.strict[part], requirements="C")
        most, chosen = world.shape[0] * world.shape[1], columns(plan, channels)
        moment, away = np.empty(most, np.int64), np.empty((most, 3))
        move = np.empty((most, 3, len(chosen.channels)))
        count = compiled.library.arcwright_deviation_rows(
            plan.chain.address,
            len(values),
            values.ctypes.data,
            world.ctypes.data,
            None if weight is None else weight.ctypes.data,
            self.surface.ctypes.data,
            chosen.slots.address,
            len(chosen.channels),
            least,
            moment.ctypes.data,
            away.ctypes.data,
            move.ctypes.data,
        )
        if count < 0:
            raise MemoryError
        wide = np.zeros((count, 3, len(channels)))
        wide[:, :, np.searchsorted(channels, chosen.channels)] = move[:count]
        return Rows(moment[:count], away[:count], wide)

    def plain_rows(self, values: Floats, start: int, channels: Ints, least: float) -> Rows:
        """As `rows`, with NumPy alone and without channels that move no joint."""
        part = slice(start, start + len(values))
        strict = 1.0 if self.strict is None else self.strict[part, :, None, None]
        off = (forward(self.rig, values)[..., :3, :] - self.world[part]) * strict
        axes = np.pad(off[..., :3], [(0, 0)] * 3 + [(0, 1)])
        points = off[..., 3:] + self.surface[:, None, None] * axes
        square = np.einsum("tjri,tjri->tji", points, points)
        side = np.where((square[..., :3] > square[..., 3:]).any(axis=2), square.argmax(axis=2), 3)
        worst = np.take_along_axis(square, side[..., None], axis=2)[..., 0]
        moment, joint = np.nonzero(worst > least * least)
        side = side[moment, joint]
        where = np.arange(len(self.rig.names) * 4)
        places = Places(where // 4, np.eye(4, 3)[where % 4] * self.surface[where // 4, None])
        found = plain_jacobian(self.rig, values, places, channels)
        wide = np.zeros((len(moment), 3, len(channels)))
        move = found.linear[moment, 4 * joint + side]
        wide[:, :, np.searchsorted(channels, found.channels)] = move
        if self.strict is not None:
            wide *= self.strict[part][moment, joint][:, None, None]
        return Rows(moment, points[moment, joint, :, side], wide)

    def _unseen_rows(self, values: Floats, start: int, channels: Ints, least: float) -> Rows:
        """The same of channels that move no joint."""
        own = np.flatnonzero(self.rig.channels.kind[channels] > Kind.SCALE_Z)
        scale = UNITLESS_SCALE * self.size
        target = self.values[start : start + len(values)]
        apart = scale * (values - target)[:, channels[own]]
        moment, which = np.nonzero(abs(apart) > least)
        away = np.zeros((len(moment), 3))
        away[:, 0] = apart[moment, which]
        move = np.zeros((len(moment), 3, len(channels)))
        move[np.arange(len(moment)), 0, own[which]] = scale
        return Rows(moment, away, move)

    def _unseen(self, values: Floats, start: int) -> Floats:
        """(T, M) m, of channels that move no joint."""
        own = np.flatnonzero(self.rig.channels.kind > Kind.SCALE_Z)
        apart = abs(values[:, own] - self.values[start : start + len(values), own])
        return UNITLESS_SCALE * self.size * apart


def _scale(world: Floats) -> Floats:
    """(J,) the largest length of a joint's own axes in the world."""
    length = np.linalg.norm(world[..., :3], axis=2).max(axis=(0, 2), initial=0.0)
    return np.where(length > 0, length, 1.0)


def _compiled_deviation(
    chain: Chain, values: Floats, world: Floats, weight: Floats | None, surface: Floats
) -> Floats:
    """(T,) the largest deviation from world (T, J, 3, 4) of any joint and of points off it."""
    assert compiled.library is not None
    values, world = (np.require(each, np.float64, ("C", "A")) for each in (values, world))
    if weight is not None:
        weight = np.require(weight, np.float64, ("C", "A"))
    largest = np.empty(len(values))
    if compiled.library.arcwright_deviation(
        chain.address,
        len(values),
        values.ctypes.data,
        world.ctypes.data,
        None if weight is None else weight.ctypes.data,
        surface.ctypes.data,
        largest.ctypes.data,
    ):
        raise MemoryError
    return largest
