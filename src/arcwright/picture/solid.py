"""Solid: triangles ready for shading, spheres and surfaces of revolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints


@dataclass(frozen=True, eq=False)
class Solid:
    """A triangle mesh in the world, coloured at its corners."""

    positions: Floats  # (V, 3) m
    normals: Floats  # (V, 3)
    colours: Floats  # (V, 3) linear light
    triangles: Ints  # (F, 3)
    uv: Floats  # (V, 2); read only where a triangle has a texture
    texture: Ints  # (F,) index into textures, -1 for none
    textures: tuple[AnyArray, ...] = ()  # each (H, W, 3) linear light

    @classmethod
    def plain(cls, positions: Floats, normals: Floats, colour: Floats, triangles: Ints) -> Solid:
        """A solid of one colour (3,), or one for each vertex (V, 3)."""
        count = len(positions)
        colours = np.broadcast_to(colour, (count, 3))
        nothing = np.full(len(triangles), -1)
        return cls(positions, normals, colours, triangles, np.zeros((count, 2)), nothing)


def joined(solids: Sequence[Solid]) -> Solid:
    """Many solids as one."""
    if not solids:
        none = np.zeros((0, 3))
        return Solid.plain(none, none, np.zeros(3), np.zeros((0, 3), np.int64))
    vertex = np.cumsum([0, *(len(each.positions) for each in solids)])
    picture = np.cumsum([0, *(len(each.textures) for each in solids)])
    texture = [
        np.where(e.texture >= 0, e.texture + n, -1) for e, n in zip(solids, picture, strict=False)
    ]
    return Solid(
        np.concatenate([each.positions for each in solids]),
        np.concatenate([each.normals for each in solids]),
        np.concatenate([each.colours for each in solids]),
        np.concatenate([e.triangles + n for e, n in zip(solids, vertex, strict=False)]),
        np.concatenate([each.uv for each in solids]),
        np.concatenate(texture),
        tuple(image for each in solids for image in each.textures),
    )


def unit(vectors: Floats) -> Floats:
    """Vectors (..., 3) at length 1; those of no length stay as they are."""
    length = np.sqrt((vectors * vectors).sum(-1, keepdims=True))
    return vectors / np.where(length > 1e-20, length, 1)


def surface_of_revolution(
    start: Floats, end: Floats, profile: Floats, colour: Floats, sides: int = 20
) -> Solid:
    """A body of revolution from start to end; `profile` is (R, 2): way along 0..1, radius in m."""
    along = end - start
    length = max(float(np.linalg.norm(along)), 1e-9)
    axis = along / length if length > 1e-9 else np.array([0.0, 1.0, 0.0])
    side = np.cross(axis, (1.0, 0, 0) if abs(axis[0]) < 0.8 else (0, 1.0, 0))
    side /= np.linalg.norm(side)
    angle = np.arange(sides) / sides * 2 * np.pi
    around = np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * np.cross(axis, side)
    way, radius = profile[:, 0] * length, profile[:, 1]
    positions = start + way[:, None, None] * axis + radius[:, None, None] * around
    tangent = np.stack([np.gradient(way), np.gradient(radius)], axis=-1)
    normals = tangent[:, :1, None] * around - tangent[:, 1:, None] * axis
    rings, spots = np.arange(len(profile) - 1)[:, None], np.arange(sides)
    a, b = rings * sides + spots, rings * sides + (spots + 1) % sides
    quads = np.stack([a, a + sides, b, b, a + sides, b + sides], axis=-1)
    flat = positions.reshape(-1, 3), unit(normals).reshape(-1, 3)
    return Solid.plain(*flat, colour, quads.reshape(-1, 3))


def ball(centre: Floats, radius: float, colour: Floats, sides: int = 20) -> Solid:
    """A sphere."""
    angle = np.linspace(0, np.pi, sides // 2 + 1)
    profile = np.stack([(1 - np.cos(angle)) / 2, radius * np.sin(angle)], axis=-1)
    half = np.array([0.0, radius, 0.0])
    solid = surface_of_revolution(centre - half, centre + half, profile, colour, sides)
    return Solid.plain(solid.positions, unit(solid.positions - centre), colour, solid.triangles)
