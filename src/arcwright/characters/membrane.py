"""Membrane: thin skin spanned between bones as closed sheets, and the thin bones as tubes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.characters.mesh import Mesh
from arcwright.characters.skeleton import other_side
from arcwright.characters.skin_weights import strongest_joints

SIDES = 8  # of a tube
ROUNDS = 1500  # of relaxation of the weights; grids are about 20 cells wide


@dataclass(frozen=True, eq=False)
class Patch:
    """A grid of places; `held` says on which rows and columns a bone carries the skin.

    Keys of `held` are edges: "first" and "last" rows, "left" and "right" columns; values are
    weights (N, J) along the edge. Edges that are not named hang free.
    """

    position: Floats  # (U, V, 3) m, rest pose
    held: Mapping[str, Floats]
    colour: str
    thickness: float  # m


def sheet(patch: Patch, joints: tuple[str, ...]) -> Mesh:
    """The patch as a closed shell: two sides and a rim."""
    rows, columns = patch.position.shape[:2]
    across = grid_normals(patch.position).reshape(-1, 3)
    middle = patch.position.reshape(-1, 3)
    own, shares = strongest_joints(_harmonic(patch, len(joints)).reshape(rows * columns, -1))
    faces = _shell_faces(rows, columns)
    half = patch.thickness / 2
    return Mesh(
        position=np.concatenate([middle + half * across, middle - half * across]),
        normal=np.concatenate([across, -across]),
        faces=faces,
        material=np.zeros(len(faces), np.int64),
        joints=np.concatenate([own, own]),
        weights=np.concatenate([shares, shares]),
        materials=(patch.colour,),
        owners=joints,
    )


def tube(
    line: Floats, radius: Floats, weights: Floats, joints: tuple[str, ...], colour: str
) -> Mesh:
    """A closed tube about places (N, 3) with radii (N,) and weights (N, J); its ends are points."""
    along = np.gradient(line, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    side = np.cross(along, [0.0, 1.0, 0.0])
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    angle = np.linspace(0, 2 * np.pi, SIDES, endpoint=False)[None, :, None]
    out = np.cos(angle) * side[:, None] + np.sin(angle) * np.cross(side, along)[:, None]
    rings = (line[:, None] + radius[:, None, None] * out).reshape(-1, 3)
    count = len(rings)
    faces = _tube_faces(len(line))
    own, shares = strongest_joints(np.concatenate([np.repeat(weights, SIDES, 0), weights[[0, -1]]]))
    return Mesh(
        position=np.concatenate([rings, line[[0, -1]]]),
        normal=np.concatenate([out.reshape(count, 3), -along[:1], along[-1:]]),
        faces=faces,
        material=np.zeros(len(faces), np.int64),
        joints=own,
        weights=shares,
        materials=(colour,),
        owners=joints,
    )


def mirrored(mesh: Mesh) -> Mesh:
    """The mesh of the other side, carried by the joints of that side."""
    flip = np.array([-1.0, 1.0, 1.0])
    return replace(
        mesh,
        position=mesh.position * flip,
        normal=mesh.normal * flip,
        faces=mesh.faces[:, ::-1],
        owners=tuple(other_side(name) for name in mesh.owners),
    )


def grid_normals(position: Floats) -> Floats:
    """(U, V, 3) unit normals of a grid, right-handed to its rows and columns."""
    along, aside = np.gradient(position, axis=0), np.gradient(position, axis=1)
    normal = np.cross(along, aside)
    return np.asarray(normal / np.maximum(np.linalg.norm(normal, axis=2, keepdims=True), 1e-12))


def _harmonic(patch: Patch, count: int) -> Floats:
    """(U, V, J) weights, sum 1: each the mean of its neighbours, except on held edges."""
    rows, columns = patch.position.shape[:2]
    flat = np.arange(rows * columns).reshape(rows, columns)
    edges = {"first": flat[0], "last": flat[-1], "left": flat[:, 0], "right": flat[:, -1]}
    weights = np.full((rows, columns, count), 1 / count)
    for _ in range(ROUNDS):
        for name, values in patch.held.items():
            weights.reshape(-1, count)[edges[name]] = values
        around = np.pad(weights, ((1, 1), (1, 1), (0, 0)), mode="edge")
        weights = (around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]) / 4
    for name, values in patch.held.items():
        weights.reshape(-1, count)[edges[name]] = values
    return np.asarray(weights)


def _shell_faces(rows: int, columns: int) -> Ints:
    """Triangles of the upper side, of the lower side turned about, and of the rim."""
    at = np.arange(rows * columns).reshape(rows, columns)
    a, b, c, d = (each.ravel() for each in (at[:-1, :-1], at[1:, :-1], at[1:, 1:], at[:-1, 1:]))
    upper = np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    loop = np.concatenate([at[0, :-1], at[:-1, -1], at[-1, :0:-1], at[:0:-1, 0]])
    following = np.roll(loop, -1)
    below, next_below = loop + at.size, following + at.size
    rim = np.concatenate(
        [np.stack([loop, following, next_below], 1), np.stack([loop, next_below, below], 1)]
    )
    return np.concatenate([upper, upper[:, ::-1] + at.size, rim])


def _tube_faces(rings: int) -> Ints:
    """Triangles between the rings, and two fans to the end points, which follow the rings."""
    at = np.arange(rings * SIDES).reshape(rings, SIDES)
    following = np.roll(at, -1, axis=1)
    a, b, c, d = (e.ravel() for e in (at[:-1], following[:-1], following[1:], at[1:]))
    first, last = (np.full(SIDES, rings * SIDES + end) for end in (0, 1))
    return np.concatenate(
        [
            np.stack([a, c, b], 1),
            np.stack([a, d, c], 1),
            np.stack([first, at[0], following[0]], 1),
            np.stack([last, following[-1], at[-1]], 1),
        ]
    )
