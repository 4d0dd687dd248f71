"""Terrain: the ground of a scene: level, or with boxes and slopes on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue


@dataclass(frozen=True)
class Block:
    """A box or ramp that stands on the ground: its top goes from one height to another along z."""

    x: tuple[float, float]  # m
    z: tuple[float, float]  # m
    heights: tuple[float, float]  # m, at the lower and at the higher z

    def __post_init__(self) -> None:
        numbers = (*self.x, *self.z, *self.heights)
        pairs = len(self.x) == len(self.z) == len(self.heights) == 2
        rising = pairs and self.x[0] < self.x[1] and self.z[0] < self.z[1]
        if not (rising and np.isfinite(numbers).all()):
            raise BadValue("terrain block", "finite x, z from low to high, and heights", numbers)

    def height(self, x: float, z: float) -> float:
        """Of its top, m; minus infinity beside it."""
        if not (self.x[0] <= x <= self.x[1] and self.z[0] <= z <= self.z[1]):
            return -np.inf
        share = (z - self.z[0]) / (self.z[1] - self.z[0])
        return (1 - share) * self.heights[0] + share * self.heights[1]


@dataclass(frozen=True)
class Terrain:
    """Blocks on level ground."""

    blocks: tuple[Block, ...] = ()
    level: float = 0.0  # m
    snow: float = 0.0  # m³ that a ball gathers for each metre that it is rolled

    def __post_init__(self) -> None:
        object.__setattr__(self, "blocks", tuple(self.blocks))
        if not (np.isfinite(self.level) and np.isfinite(self.snow) and self.snow >= 0):
            given = self.level, self.snow
            raise BadValue("terrain", "a finite level, and snow of 0 or more", given)

    def __call__(self, x: float, z: float) -> float:
        """The height of the ground, m."""
        return max([self.level, *(block.height(x, z) for block in self.blocks)])

    def heights(self, x: Floats, z: Floats) -> Floats:
        """The height, m, at many places (...)."""
        found = np.full(x.shape, self.level)
        for block in self.blocks:
            inside = (x >= block.x[0]) & (x <= block.x[1]) & (z >= block.z[0]) & (z <= block.z[1])
            share = (z - block.z[0]) / (block.z[1] - block.z[0])
            top = (1 - share) * block.heights[0] + share * block.heights[1]
            found = np.where(inside, np.maximum(found, top), found)
        return found


LEVEL = Terrain()
