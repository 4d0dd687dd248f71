"""Deviation of joint positions from a target motion, in metres."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.compiled import library as compiled
from arcwright.kinematics.forward import forward
from arcwright.kinematics.layout import Chain, layout
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
    size: float  # m
    strict: Floats | None = None  # (T, J) weight of each joint's deviation, if any

    @classmethod
    def of(cls, rig: Rig, values: Floats) -> Deviation:
        """From channel values (T, C)."""
        world = forward(rig, values)[..., :3, :].copy()
        position = world[..., 3]
        size = float(np.ptp(position, axis=1).max()) if len(rig.names) > 1 else 1.0
        return cls(rig, values, world, SURFACE_OFFSET * (size or 1.0), size or 1.0)

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
        return _compiled_deviation(chain, values, self.world[part], weight, self.surface_offset)

    def plain_of_joints(self, values: Floats, start: int = 0) -> Floats:
        """As `of_joints`, with NumPy alone."""
        part = slice(start, start + len(values))
        off = forward(self.rig, values)[..., :3, :] - self.world[part]
        position = off[..., 3]
        square = np.einsum("tjri,tjri->tji", off, off)  # of three axes and the position
        along = np.einsum("tjri,tjr->tji", off[..., :3], position)
        around = self.surface_offset * (self.surface_offset * square[..., :3] + 2 * along)
        farther = np.maximum(around.max(axis=-1), 0)
        by_joint = np.sqrt(square[..., 3] + farther)  # (T, J)
        return np.asarray(
            (by_joint if self.strict is None else by_joint * self.strict[part]).max(1)
        )

    def _unseen(self, values: Floats, start: int) -> Floats:
        """(T, M) m, of channels that move no joint."""
        own = np.flatnonzero(self.rig.channels.kind > Kind.SCALE_Z)
        apart = abs(values[:, own] - self.values[start : start + len(values), own])
        return UNITLESS_SCALE * self.size * apart


def _compiled_deviation(
    chain: Chain, values: Floats, world: Floats, weight: Floats | None, surface_offset: float
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
        surface_offset,
        largest.ctypes.data,
    ):
        raise MemoryError
    return largest
