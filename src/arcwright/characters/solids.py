"""Hard surfaces: boxes, turned shapes, tubes and plates for machines, with crisp edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arcwright.arrays import Floats, Ints

CREASE = np.deg2rad(40)  # edges sharper than this show as edges


@dataclass(frozen=True, eq=False)
class Solid:
    """A closed surface: corners and triangles, counter-clockwise seen from outside."""

    position: Floats  # (V, 3) m
    triangles: Ints  # (F, 3)

    def moved(self, at: ArrayLike = (0, 0, 0), matrix: ArrayLike | None = None) -> Solid:
        """Turned by a (3, 3) matrix, if given, and then shifted."""
        rotated = self.position if matrix is None else self.position @ np.asarray(matrix).T
        return Solid(rotated + np.asarray(at, float), self.triangles)

    def rotated(self, x: float = 0, y: float = 0, z: float = 0) -> Solid:
        """Turned about the axes by degrees: X first, then Y, then Z."""
        return self.moved(matrix=_spin(2, z) @ _spin(1, y) @ _spin(0, x))

    def scaled(self, x: float, y: float, z: float) -> Solid:
        """Stretched along the axes; one negative number mirrors."""
        flip = x * y * z < 0
        triangles = self.triangles[:, ::-1] if flip else self.triangles
        return Solid(self.position * [x, y, z], triangles)

    def tapered(self, top: float) -> Solid:
        """Narrowed along +Y: X and Z shrink to `top` times at the upper end."""
        y = self.position[:, 1]
        share = (y - y.min()) / max(float(np.ptp(y)), 1e-9)
        factor = 1 + (top - 1) * share
        return Solid(self.position * np.stack([factor, np.ones_like(y), factor], 1), self.triangles)


def _spin(axis: int, degrees: float) -> Floats:
    cos, sin = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
    matrix = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    matrix[i, i] = matrix[j, j] = cos
    matrix[j, i], matrix[i, j] = sin, -sin
    return matrix


def joined(*solids: Solid) -> Solid:
    """Several solids as one."""
    starts = np.cumsum([0, *(len(solid.position) for solid in solids)])
    return Solid(
        np.concatenate([solid.position for solid in solids]),
        np.concatenate([s.triangles + n for s, n in zip(solids, starts, strict=False)]),
    )


def lathe(profile: Sequence[tuple[float, float]], sides: int = 24) -> Solid:
    """Turned about +Y: (radius, height) from the bottom up; radius 0 closes an end."""
    radius, height = np.array(profile, float).T
    angle = np.arange(sides) * (2 * np.pi / sides)
    around = np.stack([np.sin(angle), np.zeros(sides), np.cos(angle)], axis=1)
    position = radius[:, None, None] * around + height[:, None, None] * np.array([0, 1, 0])
    return Solid(position.reshape(-1, 3), _grid(len(profile), sides))


def _grid(rows: int, sides: int, wrap: bool = False) -> Ints:
    """Triangles between neighbouring rows of `sides` corners, each row closed on itself."""
    row = np.arange(rows if wrap else rows - 1)[:, None]
    side = np.arange(sides)[None]
    a, b = row * sides + side, row * sides + (side + 1) % sides
    c, d = (row + 1) % rows * sides + side, (row + 1) % rows * sides + (side + 1) % sides
    return np.stack([a, b, d, a, d, c], axis=-1).reshape(-1, 3)


def rounded(radius: float, height: float, edge: float, steps: int = 2) -> list[tuple[float, float]]:
    """The profile of a disc or drum with rounded edges, standing on y = 0."""
    rotation = np.linspace(0, np.pi / 2, steps + 1)
    low = [(radius - edge + edge * np.sin(t), edge - edge * np.cos(t)) for t in rotation]
    high = [(r, height - y) for r, y in reversed(low)]
    return [(0.0, 0.0), *low, *high, (0.0, height)]


def drum(radius: float, height: float, edge: float, sides: int = 24) -> Solid:
    """An upright cylinder with rounded edges, centred on the origin."""
    return lathe(rounded(radius, height, edge), sides).moved((0, -height / 2, 0))


def ball(x: float, y: float, z: float, sides: int = 24, rows: int = 13) -> Solid:
    """An ellipsoid with these radii about the origin."""
    rotation = np.linspace(-np.pi / 2, np.pi / 2, rows)
    profile = [(max(float(np.cos(t)), 0.0), float(np.sin(t))) for t in rotation]
    return lathe(profile, sides).scaled(x, y, z)


def box(x: float, y: float, z: float, edge: float, steps: int = 1) -> Solid:
    """A box of these full sizes about the origin with rounded edges."""
    half = np.array([x, y, z]) / 2
    lines = [_marks(size - edge, edge, steps) for size in half]
    faces = []
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1.0, 1.0):
            u, v = np.meshgrid(lines[i], lines[j], indexing="ij")
            cube = np.zeros((*u.shape, 3))
            cube[..., axis], cube[..., i], cube[..., j] = side * half[axis], u, v
            triangles = _sheet(*u.shape)
            position = _rounded_off(cube.reshape(-1, 3), half - edge, edge)
            faces.append(Solid(position, triangles if side > 0 else triangles[:, ::-1]))
    return joined(*faces)


def _marks(inner: float, edge: float, steps: int) -> Floats:
    """Grid lines over one side: close together where the edge is round."""
    slope = np.tan(np.linspace(0, np.pi / 4, steps + 1)) * edge
    outer = inner + slope
    return np.concatenate([-outer[::-1], outer])


def _sheet(rows: int, columns: int) -> Ints:
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = (row * columns + column).ravel()
    b, c, d = a + columns, a + columns + 1, a + 1
    return np.concatenate([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])


def _rounded_off(position: Floats, inner: Floats, edge: float) -> Floats:
    """Corners of a cube pulled in to `edge` from the inner box."""
    core = np.clip(position, -inner, inner)
    away = position - core
    return np.asarray(core + away * (edge / np.linalg.norm(away, axis=1, keepdims=True)))


def rod(
    start: ArrayLike, end: ArrayLike, thick: float, thin: float | None = None, sides: int = 16
) -> Solid:
    """A tube with round ends from one place to another, tapering if `thin` is given."""
    first, last = np.asarray(start, float), np.asarray(end, float)
    way = last - first
    length = float(np.linalg.norm(way))
    thin = thick if thin is None else thin
    rotation = np.linspace(0, np.pi / 2, 4)
    low = [(thick * np.sin(t), -thick * 0.6 * np.cos(t)) for t in rotation]
    high = [(thin * np.cos(t), length + thin * 0.6 * np.sin(t)) for t in rotation]
    return lathe([*low, *high], sides).moved(first, _frame(way / max(length, 1e-9)))


def _frame(up: Floats) -> Floats:
    """A rotation that takes +Y to `up`."""
    aside = np.array([1.0, 0, 0]) if abs(up[0]) < 0.9 else np.array([0, 0, 1.0])
    front = np.cross(aside, up)
    front /= np.linalg.norm(front)
    return np.stack([np.cross(up, front), up, front], axis=1)


def tube(path: ArrayLike, radius: ArrayLike, sides: int = 16) -> Solid:
    """A bent tube with flat ends: its middle line (N, 3) and a radius, or one per point."""
    line = np.asarray(path, float)
    thick = np.broadcast_to(np.asarray(radius, float), (len(line),))
    along = np.gradient(line, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    frame = _frame(along[0])
    angle = np.arange(sides) * (2 * np.pi / sides)
    around = np.stack([np.sin(angle), np.zeros(sides), np.cos(angle)], axis=1)
    rows = []
    for at, way, size in zip(line, along, thick, strict=True):
        frame = _turned_to(frame, way)
        rows += [at, at + size * around @ frame.T]
    corners = np.concatenate([rows[0][None], *rows[1::2], rows[-2][None]])
    side = np.arange(sides)
    first = np.stack([np.zeros(sides, np.int64), 1 + (side + 1) % sides, 1 + side], axis=1)
    last = np.full(sides, len(corners) - 1)
    start = 1 + (len(line) - 1) * sides
    end = np.stack([last, start + side, start + (side + 1) % sides], axis=1)
    return Solid(corners, np.concatenate([first, _grid(len(line), sides) + 1, end]))


def _turned_to(frame: Floats, up: Floats) -> Floats:
    """The frame turned by the smallest rotation that takes its +Y to `up`."""
    front = frame[:, 2] - up * (up @ frame[:, 2])
    front /= np.linalg.norm(front)
    return np.stack([np.cross(up, front), up, front], axis=1)


def ring(radius: float, thick: float, sides: int = 36, around: int = 10) -> Solid:
    """A torus about +Y."""
    rotation = np.arange(around) * (-2 * np.pi / around)
    profile = [(radius + thick * np.cos(t), -thick * np.sin(t)) for t in rotation]
    solid = lathe(profile, sides)
    return Solid(solid.position, _grid(around, sides, wrap=True))


def plate(outline: ArrayLike, thick: float, edge: float) -> Solid:
    """A convex plate in the YZ plane: (N, 2) of z, y, counter-clockwise with z to the right."""
    flat = np.asarray(outline, float)
    middle = flat.mean(axis=0)
    length = np.linalg.norm(flat - middle, axis=1, keepdims=True)
    shrunk = middle + (flat - middle) * (1 - edge / length)
    layers = [(-thick / 2, shrunk), (edge - thick / 2, flat), (thick / 2 - edge, flat)]
    layers.append((thick / 2, shrunk))
    rows = [np.column_stack([np.full(len(flat), x), at[:, 1], at[:, 0]]) for x, at in layers]
    ends = [np.array([[x, middle[1], middle[0]]]) for x in (-thick / 2, thick / 2)]
    count = len(flat)
    side = np.arange(count)
    after = (side + 1) % count
    low = np.stack([np.full(count, 4 * count), after, side], 1)
    high = np.stack([np.full(count, 4 * count + 1), 3 * count + side, 3 * count + after], 1)
    triangles = np.concatenate([_grid(4, count), low, high])
    return Solid(np.concatenate([*rows, *ends]), triangles[:, ::-1])


def shaded(solid: Solid) -> tuple[Floats, Floats, Ints]:
    """Corners (V, 3), normals (V, 3) and triangles (F, 3), split where an edge is sharp.

    A normal is the mean of the faces round a corner weighted by area, so large flats stay flat.
    """
    position, triangles = _welded(solid)
    area = np.cross(
        position[triangles[:, 1]] - position[triangles[:, 0]],
        position[triangles[:, 2]] - position[triangles[:, 0]],
    )
    size = np.linalg.norm(area, axis=1)
    keep = size > 1e-12
    triangles, area, face = triangles[keep], area[keep], area[keep] / size[keep, None]
    corner = triangles.ravel()  # (3F,) corner c belongs to face c // 3
    normal = np.zeros((len(corner), 3))
    for mine, other in _meetings(corner):
        close = (face[mine // 3] * face[other // 3]).sum(axis=1) > np.cos(CREASE)
        np.add.at(normal, mine[close], area[other[close] // 3])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    rows = np.column_stack([corner, np.round(normal, 3)])
    _, first, index = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    return position[corner[first]], normal[first], index.reshape(-1, 3).astype(np.int64)


def _welded(solid: Solid) -> tuple[Floats, Ints]:
    grid = np.round(solid.position * 1e5).astype(np.int64)
    _, first, index = np.unique(grid, axis=0, return_index=True, return_inverse=True)
    return solid.position[first], index.reshape(-1)[solid.triangles]


def _meetings(corner: Ints) -> list[tuple[Ints, Ints]]:
    """Pairs of face corners at the same place, in a few rounds by distance in sorted order."""
    order = np.argsort(corner, kind="stable")
    held = corner[order]
    pairs = [(order, order)]
    for step in range(1, len(held)):
        together = held[step:] == held[:-step]
        if not together.any():
            break
        a, b = order[step:][together], order[:-step][together]
        pairs += [(a, b), (b, a)]
    return pairs


def beam(
    start: ArrayLike, end: ArrayLike, wide: float, deep: float, edge: float, top: float = 1.0
) -> Solid:
    """A rounded box from one place to another: `wide` along X, tapering to `top` times."""
    first, last = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(last - first))
    upright = box(wide, length, deep, edge).tapered(top)
    return upright.moved((first + last) / 2, _frame((last - first) / length))
