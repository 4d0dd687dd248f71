"""Deviation: how far the joints of a rig are from where they should be, in metres."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.scene.rig import Kind, Rig

FLESH = 0.03  # of the body's size, about the radius of a limb: where a rotation is seen
UNSEEN = 0.25  # of the body's size: what 1 counts in channels that move no joint, such as weights


@dataclass(frozen=True, eq=False)
class Deviation:
    """Where the joints of a rig should be at some moments, and points a little off each joint."""

    rig: Rig
    values: Floats  # (T, C) as they should be
    world: Floats  # (T, J, 3, 4) as it should be
    flesh: float  # m, from each joint along its own axes
    size: float  # m
    strict: Floats | None = None  # (T, J) by how much each joint's deviation counts more, if any

    @classmethod
    def of(cls, rig: Rig, values: Floats) -> Deviation:
        """From channel values (T, C)."""
        world = forward(rig, values)[..., :3, :].copy()
        place = world[..., 3]
        size = float(np.ptp(place, axis=1).max()) if len(rig.names) > 1 else 1.0
        return cls(rig, values, world, FLESH * (size or 1.0), size or 1.0)

    def at(self, moments: Ints) -> Deviation:
        """The same for some of the moments."""
        strict = None if self.strict is None else self.strict[moments]
        values, world = self.values[moments], self.world[moments]
        return replace(self, values=values, world=world, strict=strict)

    def largest(self, values: Floats, start: int = 0) -> Floats:
        """(T,) m, of any joint and any point off it, counted strictly, from moment `start` on."""
        by_joint = self.by_joint(values, start)
        if self.strict is not None:
            by_joint *= self.strict[start : start + len(values)]
        largest: Floats = by_joint.max(axis=1)
        if (self.rig.channels.kind > Kind.SCALE_Z).any():
            largest = np.maximum(largest, self._unseen(values, start).max(axis=1))
        return largest

    def joints(self, values: Floats) -> Floats:
        """(T, J) m, of each joint alone."""
        off = forward(self.rig, values)[..., :3, 3] - self.world[..., 3]
        return np.asarray(np.linalg.norm(off, axis=-1))

    def by_joint(self, values: Floats, start: int = 0) -> Floats:
        """(T, J) m, of each joint and the points off it."""
        off = forward(self.rig, values)[..., :3, :] - self.world[start : start + len(values)]
        place = off[..., 3]
        square = np.einsum("tjri,tjri->tji", off, off)  # of three axes and the place
        along = np.einsum("tjri,tjr->tji", off[..., :3], place)
        around = self.flesh * (self.flesh * square[..., :3] + 2 * along)
        farther = np.maximum(around.max(axis=-1), 0)
        return np.asarray(np.sqrt(square[..., 3] + farther))

    def _unseen(self, values: Floats, start: int) -> Floats:
        """(T, M) m, of channels that move no joint."""
        own = np.flatnonzero(self.rig.channels.kind > Kind.SCALE_Z)
        apart = abs(values[:, own] - self.values[start : start + len(values), own])
        return UNSEEN * self.size * apart
