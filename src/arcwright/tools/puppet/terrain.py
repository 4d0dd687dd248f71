"""Terrain: the height of the ground under a puppet: level, or with boxes and slopes on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from arcwright.errors import BadValue

Ground: TypeAlias = Callable[[float, float], float]
"""Height of the ground, m, at x and z."""


@dataclass(frozen=True)
class Block:
    """A box or ramp that stands on the ground: its top goes from one height to another along z."""

    x: tuple[float, float]  # m
    z: tuple[float, float]  # m
    heights: tuple[float, float]  # m, at the lower and at the higher z

    def __post_init__(self) -> None:
        numbers = (*self.x, *self.z, *self.heights)
        rising = self.x[0] < self.x[1] and self.z[0] < self.z[1]
        if not (np.isfinite(numbers).all() and rising):
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

    def __call__(self, x: float, z: float) -> float:
        """The height of the ground, m."""
        return max([self.level, *(block.height(x, z) for block in self.blocks)])


def terrain_of(text: str) -> Terrain:
    """Square boxes on level ground: "x z width height; …", m."""
    made = []
    for each in filter(None, (part.strip() for part in text.split(";"))):
        try:
            x, z, width, height = (float(number) for number in each.split())
        except ValueError as error:
            raise BadValue("blocks", "x, z, width and height of each", each) from error
        half = width / 2
        made.append(Block((x - half, x + half), (z - half, z + half), (height, height)))
    return Terrain(tuple(made))


def read_terrain(value: Mapping[str, Any]) -> Terrain:
    """Terrain from plain values: {"level": 0, "blocks": [{"x": [a, b], "z": [a, b], …}]}."""
    if not isinstance(value, Mapping):
        raise BadValue("terrain", "an object with blocks", value)
    blocks = value.get("blocks", ())
    if not isinstance(blocks, Sequence):
        raise BadValue("terrain.blocks", "a list", blocks)
    made = []
    for each in blocks:
        try:
            x, z = ((float(a), float(b)) for a, b in (each["x"], each["z"]))
            first, last = (float(height) for height in each["heights"])
        except (TypeError, ValueError, KeyError, IndexError) as error:
            expected = "x, z and heights, two numbers each"
            raise BadValue("terrain block", expected, each) from error
        made.append(Block(x, z, (first, last)))
    level, snow = (float(value.get(name, 0.0)) for name in ("level", "snow"))
    return Terrain(tuple(made), level, snow)
