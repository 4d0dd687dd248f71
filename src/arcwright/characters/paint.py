"""Paint: a mesh cut along the borders of its colours, so that they are crisp."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.characters.sdf_primitive import SdfPrimitive, in_chunks, material_regions

NEAR = 0.12  # of an edge: a border this close to a vertex runs through it


def painted(
    primitives: Sequence[SdfPrimitive], vertex: Floats, faces: Ints
) -> tuple[Floats, Ints, Ints, tuple[str, ...]]:
    """The mesh cut along the borders of its coats; a material for every face.

    `vertex` (V, 3 + N) has the position first; whatever follows is carried along.
    """
    layers = material_regions(primitives)
    names = tuple(dict.fromkeys(name for name, _ in layers))
    material = np.zeros(len(faces), np.int64)
    for name, inside in layers[1:]:
        level = in_chunks(inside, vertex[:, :3])
        vertex, level, faces, material = _cut(vertex, level, faces, material)
        material[level[faces].sum(axis=1) < 0] = names.index(name)
    return vertex, faces, material, names


def _cut(
    vertex: Floats, level: Floats, faces: Ints, material: Ints
) -> tuple[Floats, Floats, Ints, Ints]:
    """Triangles split where `level` changes sign."""
    edges = np.unique(np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1), axis=0)
    vertex, level = _snapped(vertex, level, edges)
    a, b = level[edges].T
    cut = a * b < 0
    share = (a[cut] / (a[cut] - b[cut]))[:, None]
    new = vertex[edges[cut, 0]] * (1 - share) + vertex[edges[cut, 1]] * share
    number = {(one, other): len(vertex) + at for at, (one, other) in enumerate(edges[cut].tolist())}
    level = np.concatenate([level, np.zeros(len(new))])
    kept, of = _split(level, faces, material, number)
    return np.concatenate([vertex, new]), level, kept, of


def _snapped(vertex: Floats, level: Floats, edges: Ints) -> tuple[Floats, Floats]:
    """Vertices very near the border are moved onto it, for a cut there would leave slivers."""
    vertex, level = vertex.copy(), level.copy()
    for one, other in (edges.T, edges.T[::-1]):
        a, b = level[one], level[other]
        share = np.where(a * b < 0, a / np.where(a == b, 1, a - b), 1)
        near = share < NEAR
        vertex[one[near]] += share[near, None] * (vertex[other] - vertex[one])[near]
        level[one[near]] = 0
    return vertex, level


def _split(
    level: Floats, faces: Ints, material: Ints, number: dict[tuple[int, int], int]
) -> tuple[Ints, Ints]:
    """Faces that lie across the border as two or three; `number` names the new corners."""
    signs = np.sign(level)[faces]
    crossing = (signs.min(axis=1) < 0) & (signs.max(axis=1) > 0)
    kept, of = faces[~crossing].tolist(), material[~crossing].tolist()
    for face, colour in zip(faces[crossing].tolist(), material[crossing].tolist(), strict=True):
        ring = _ring(face, number)
        for side in (-1, 1):
            loop = [corner for corner in ring if level[corner] * side >= 0]
            fan = [[loop[0], *pair] for pair in pairwise(loop[1:])]
            kept += fan
            of += [colour] * len(fan)
    return np.array(kept, np.int64), np.array(of, np.int64)


def _ring(face: list[int], number: dict[tuple[int, int], int]) -> list[int]:
    """The corners of a face with the new ones between them."""
    ring: list[int] = []
    for corner, following in zip(face, face[1:] + face[:1], strict=True):
        middle = number.get((min(corner, following), max(corner, following)))
        ring += [corner] if middle is None else [corner, middle]
    return ring
