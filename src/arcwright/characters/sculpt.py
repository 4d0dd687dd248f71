"""Sculpt: a mesh from SDF primitives by surface nets, with materials and skin weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.characters.mesh import Mesh
from arcwright.characters.paint import painted
from arcwright.characters.sdf_primitive import SdfPrimitive, bounds, distance_field, gradient
from arcwright.characters.skin_weights import skin_weights, strongest_joints
from arcwright.scene.rig import Rig

Field = Callable[[Floats], Floats]
Simplify = Callable[[Floats, Ints, int], tuple[Floats, Ints]]
CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
REACH = 1 << 20  # cells along one axis that a packed cell number has room for


def sculpt(
    primitives: Sequence[SdfPrimitive],
    rig: Rig,
    *,
    cell: float,  # m, size of the finest grid cells
    faces: int = 0,  # about how many triangles to keep; 0 keeps all
    simplify: Simplify | None = None,
    holders: Sequence[SdfPrimitive] = (),  # primitives for skin weights; `primitives` by default
) -> Mesh:
    """A mesh of the primitives: closed, with normals, skin weights and sharp material borders."""
    distance = distance_field(primitives)
    position, triangles = surface_nets(distance, *bounds(primitives), cell)
    if faces and simplify is not None and len(triangles) > faces:
        position = onto_surface(distance, position, cell, steps=1)
        position, triangles = simplify(position, triangles, faces)
    position = onto_surface(distance, position, cell)
    hold = skin_weights(holders or primitives, rig, position, triangles)
    vertex = np.concatenate([position, hold], axis=1)
    vertex, triangles, material, materials = painted(primitives, vertex, triangles)
    position, (joints, weights) = vertex[:, :3], strongest_joints(vertex[:, 3:])
    position = onto_surface(distance, position, cell, steps=1)
    normal = gradient(distance, position)
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12)
    return Mesh(position, normal, triangles, material, joints, weights, materials, rig.names)


def surface_nets(distance: Field, low: Floats, high: Floats, cell: float) -> tuple[Floats, Ints]:
    """One vertex in each grid cell that the surface crosses, a quad around each crossed edge."""
    low = low - 2 * cell
    cells = _narrow_band(distance, low, high + 2 * cell, cell)
    keys = _key(cells)
    order = np.argsort(keys)
    cells, keys = cells[order], keys[order]
    corner_keys, where = np.unique(_key(cells[:, None] + CORNERS), return_inverse=True)
    value = distance(low + _cell(corner_keys) * cell)[where.reshape(-1, 8)]  # (N, 8)
    crossed = (value.min(axis=1) < 0) & (value.max(axis=1) >= 0)
    cells, keys, value = cells[crossed], keys[crossed], value[crossed]
    vertex = low + (cells + _middle_of_crossings(value)) * cell
    return vertex, _quads(cells, keys, value)


def _narrow_band(distance: Field, low: Floats, high: Floats, cell: float) -> Ints:
    """Cells (N, 3) near the surface, found by halving coarse ones that may hold it."""
    levels = 5
    size = cell * 2**levels
    grid = np.ceil((high - low) / size).astype(np.int64)
    cells = np.stack(np.meshgrid(*(np.arange(n) for n in grid), indexing="ij"), -1).reshape(-1, 3)
    for level in range(levels, -1, -1):
        size = cell * 2**level
        # 1.2: a blended field may rise a little faster than the true distance
        near = np.abs(distance(low + (cells + 0.5) * size)) < 1.2 * size + (1.2 * cell)
        cells = cells[near]
        if level:
            cells = (cells[:, None] * 2 + CORNERS).reshape(-1, 3)
    return cells


def _key(cells: Ints) -> Ints:
    return np.asarray((cells[..., 0] * REACH + cells[..., 1]) * REACH + cells[..., 2])


def _cell(keys: Ints) -> Ints:
    return np.stack([keys // REACH // REACH, keys // REACH % REACH, keys % REACH], axis=-1)


def _middle_of_crossings(value: Floats) -> Floats:
    """The mean place (N, 3), in cells, where the twelve edges of each cell are crossed."""
    total, count = np.zeros((len(value), 3)), np.zeros((len(value), 1))
    for a in range(8):
        for bit in (1, 2, 4):
            b = a | bit
            if a == b:
                continue
            cut = (value[:, a] < 0) != (value[:, b] < 0)
            fall = np.where(cut, value[:, a] - value[:, b], 1.0)
            share = (value[:, a] / fall)[:, None]
            place = CORNERS[a] + share * (CORNERS[b] - CORNERS[a])
            total += np.where(cut[:, None], place, 0)
            count += cut[:, None]
    return np.asarray(total / count)


def _quads(cells: Ints, keys: Ints, value: Floats) -> Ints:
    """Triangles (F, 3) around every crossed edge that starts at a cell's lowest corner."""
    triangles = []
    for axis, bit in enumerate((4, 2, 1)):
        inside, outside = value[:, 0] < 0, value[:, bit] < 0
        for starts, flip in ((inside & ~outside, False), (~inside & outside, True)):
            u, v = np.eye(3, dtype=np.int64)[[(axis + 1) % 3, (axis + 2) % 3]]
            at = cells[starts]
            ring = np.stack([at - u - v, at - v, at, at - u], axis=1)  # counter-clockwise
            quad = np.searchsorted(keys, _key(ring))
            quad = quad[:, ::-1] if flip else quad
            triangles += [quad[:, [0, 1, 2]], quad[:, [0, 2, 3]]]
    return np.concatenate(triangles)


def onto_surface(distance: Field, position: Floats, cell: float, steps: int = 3) -> Floats:
    """Vertices moved along the field's slope until it is 0; never by more than a cell a step."""
    for _ in range(steps):
        steep = gradient(distance, position)
        square = np.maximum((steep**2).sum(axis=1, keepdims=True), 0.1)
        move = distance(position)[:, None] * steep / square
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-12)
        position = position - move * np.minimum(1, cell / length)
    return position
