"""Ground under a puppet: what is asked for its height; terrain from text and plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from arcwright.errors import BadValue
from arcwright.scene.terrain import Block, Terrain

Ground: TypeAlias = Callable[[float, float], float]
"""Height of the ground, m, at x and z."""


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
