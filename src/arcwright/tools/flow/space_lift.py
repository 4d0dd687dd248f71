"""Lift of a bent picture into space: as rigid as possible there, for a camera that moves.

At kept distances an object that leans in the picture is sheared in space. Here a lattice of
cubes around it follows the picture across the view and finds depths by itself, so that cubes
keep their shape. Its vertices, in the camera's axes, minimise the as-rigid-as-possible energy of
their edges; across the view they are drawn to where the picture has them, along it by nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.flow.components import connected
from arcwright.tools.flow.model import Bent, moved_vertices
from arcwright.tools.flow.prepared_shot import PreparedShot

MOST_VERTICES = 900  # of a lattice
_ACROSS = 16  # cubes along the object, where so many vertices are allowed
_PICTURE = 3.0  # weight of the place in the picture, beside edges of weight 1
_DEPTH = 1e-3  # weight of the depth that it had
_HELD = 1e4  # weight of contacts
_STEPS = 30
_WHOLLY = 0.9  # of a vertex's weight on grid vertices that contacts hold


@dataclass(frozen=True, eq=False)
class Lattice:
    """Corners of the cubes around an object, in the camera's axes."""

    vertices: Floats  # (G, 3) m
    edges: Ints  # (E, 2)
    corners: Ints  # (V, 8) of the cube around each vertex of the object
    shares: Floats  # (V, 8)


def lattice_around(positions: Floats) -> Lattice:
    """Cubes around vertices (V, 3) m of an object, all connected."""
    low, high = positions.min(0), positions.max(0)
    size = float((high - low).max()) / _ACROSS
    while True:
        cube = np.floor((positions - low) / size).astype(np.int64)
        cubes, place = np.unique(cube, axis=0, return_inverse=True)
        keys, corner = _corners(cubes)
        if len(keys) <= MOST_VERTICES:
            break
        size *= 1.15
    place = place.reshape(-1)
    local = (positions - low) / size - cube
    offsets = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    shares = np.where(offsets, local[:, None], 1 - local[:, None]).prod(-1)
    vertices = low + size * keys
    edges = _edges(corner)
    edges = np.concatenate([edges, _bridges(vertices, edges)])
    return Lattice(vertices, edges, corner[place], shares)


def _corners(cubes: Ints) -> tuple[Ints, Ints]:
    """Corners (G, 3) of cubes (N, 3) as whole numbers, and which 8 belong to each cube."""
    offsets = np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
    every = (cubes[:, None] + offsets).reshape(-1, 3)
    keys, back = np.unique(every, axis=0, return_inverse=True)
    return keys, back.reshape(-1, 8)


def _edges(corner: Ints) -> Ints:
    """All pairs of corners of a cube, each once: sides and diagonals, which keep its angles."""
    pairs = [(a, b) for a in range(8) for b in range(a + 1, 8)]
    every = np.concatenate([corner[:, pair] for pair in pairs])
    found: Ints = np.unique(np.sort(every, axis=1), axis=0)
    return found


def _bridges(vertices: Floats, edges: Ints) -> Ints:
    """Edges that join separate parts, each to the nearest other one."""
    found: list[tuple[int, int]] = []
    while True:
        links = np.array(found, np.int64).reshape(-1, 2)
        label = connected(len(vertices), np.concatenate([edges, links]))
        if label.max(initial=0) == 0:
            return links
        own, others = np.flatnonzero(label == 0), np.flatnonzero(label > 0)
        away = ((vertices[own, None] - vertices[others]) ** 2).sum(-1)
        near = np.argsort(away, axis=None)[:4]
        pairs = zip(*np.unravel_index(near, away.shape), strict=True)
        found += [(int(own[a]), int(others[b])) for a, b in pairs]


def lifted(positions: Floats, across: Floats, held: Ints) -> Floats:
    """Vertices (V, 3) m in the camera's axes after a bend, as rigid as possible in space.

    `positions` are right, down and forward of the camera; `across` (V, 2) are the tangents of the
    picture, x and y over depth, at which vertices should be seen. `held` vertices stay.
    """
    lattice = lattice_around(positions)
    rest = lattice.vertices
    weight = _at_vertices(lattice, np.full(len(positions), _PICTURE))
    pull = weight / max(float(weight.max()), 1e-9) * _PICTURE
    stiff = _laplacian(len(rest), lattice.edges)
    fixed = np.zeros(len(rest))
    np.add.at(fixed, lattice.corners[held].reshape(-1), _HELD * lattice.shares[held].reshape(-1))
    inverse = np.linalg.inv(stiff + np.diag(pull + fixed))
    deep = np.linalg.inv(stiff + np.diag(np.full(len(rest), _DEPTH) + fixed))
    now = rest.copy()
    wanted = _spread(lattice, positions, across)
    for _ in range(_STEPS):
        right = _rotated_edges(rest, now, lattice.edges)
        goal = wanted * now[:, 2:]
        goal = np.where(weight[:, None] > 1e-9, goal, now[:, :2])
        flat = inverse @ (right[:, :2] + pull[:, None] * goal + fixed[:, None] * rest[:, :2])
        depth = deep @ (right[:, 2] + (_DEPTH + fixed) * rest[:, 2])
        now = np.column_stack([flat, depth])
    moved = (now - rest)[lattice.corners]
    found: Floats = positions + (moved * lattice.shares[..., None]).sum(1)
    return found


def lifted_vertices(prepared: PreparedShot, bent: Bent) -> dict[int, Floats]:
    """How far the vertices of each bent object move when it is bent in space, (V, 3) m."""
    view = prepared.view
    found = {}
    for index, flat in moved_vertices(prepared, bent).items():
        item = prepared.objects[index]
        local, aim = view.view(item.positions), view.view(item.positions + flat)
        now = lifted(local, aim[:, :2] / aim[:, 2:], _held(prepared, index))
        found[index] = (now - local) @ view.axes
    return found


def _held(prepared: PreparedShot, index: int) -> Ints:
    """The vertices of an object that contacts hold."""
    grid = prepared.grids[index]
    fixed = np.zeros(len(grid.grid.vertices))
    fixed[grid.fixed] = 1.0
    corners, shares = prepared.vertex_places[index]
    return np.flatnonzero((fixed[corners] * shares).sum(1) > _WHOLLY)


def _at_vertices(lattice: Lattice, values: Floats) -> Floats:
    """Values (V,) of the object's vertices summed at those of the lattice, (G,)."""
    whole = (values[:, None] * lattice.shares).reshape(-1)
    return np.bincount(lattice.corners.reshape(-1), whole, len(lattice.vertices))


def _spread(lattice: Lattice, positions: Floats, across: Floats) -> Floats:
    """(G, 2) where the lattice is seen: its own tangents, moved as the vertices around it are."""
    own = lattice.vertices[:, :2] / lattice.vertices[:, 2:]
    shift = across - positions[:, :2] / positions[:, 2:]
    moved = np.stack([_at_vertices(lattice, shift[:, k]) for k in range(2)], axis=1)
    share = _at_vertices(lattice, np.ones(len(across)))
    found: Floats = own + moved / np.maximum(share, 1e-9)[:, None]
    return found


def _laplacian(count: int, edges: Ints) -> Floats:
    found = np.zeros((count, count))
    a, b = edges[:, 0], edges[:, 1]
    for row, column, sign in ((a, a, 1), (b, b, 1), (a, b, -1), (b, a, -1)):
        np.add.at(found, (row, column), sign)
    return found


def _rotated_edges(rest: Floats, now: Floats, edges: Ints) -> Floats:
    """(G, 3) sums of rest edges turned by the mean of the rotations at both their ends."""
    before = rest[edges[:, 0]] - rest[edges[:, 1]]
    after = now[edges[:, 0]] - now[edges[:, 1]]
    outer = after[:, :, None] * before[:, None, :]
    total = np.zeros((len(rest), 3, 3))
    np.add.at(total, edges[:, 0], outer)
    np.add.at(total, edges[:, 1], outer)
    u, _, v = np.linalg.svd(total)
    u[:, :, 2] *= np.sign(np.linalg.det(u @ v))[:, None]
    turn = u @ v
    mean = (turn[edges[:, 0]] + turn[edges[:, 1]]) / 2
    pulled = (mean @ before[..., None])[..., 0]
    found = np.zeros(rest.shape)
    np.add.at(found, edges[:, 0], pulled)
    np.subtract.at(found, edges[:, 1], pulled)
    return found
