"""The grid embedding of an object: triangles over its picture that carry vertices and curves."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.tools.flow.components import connected

CELL = 15.0  # px
_SMALLEST = 4.0  # px
_ACROSS = 12  # cells along a small object
MOST_VERTICES = 700  # of a grid; above, its cells grow


@dataclass(frozen=True, eq=False)
class Grid:
    """Right-angled triangles over all cells that an object touches."""

    low: Floats  # (2,) px, corner of the first cell
    cell: float  # px
    vertices: Floats  # (G, 2) px, at rest
    triangles: Ints  # (T, 3) those of cells first, then bridges between separate parts
    first: Ints  # (H, W) first triangle of each cell, -1 where there is none

    @cached_property
    def _middles(self) -> Floats:
        """(T, 2) px, of the triangles of cells."""
        count = int(2 * (self.first >= 0).sum())
        found: Floats = self.vertices[self.triangles[:count]].mean(1)
        return found

    def locate(self, points: Floats) -> tuple[Ints, Floats]:
        """For points (P, 2): the grid vertices (P, 3) around each and their weights (P, 3).

        A point outside all cells belongs to the nearest triangle, beyond its sides.
        """
        at = (points - self.low) / self.cell
        column = np.clip(np.floor(at[:, 0]).astype(int), 0, self.first.shape[1] - 1)
        row = np.clip(np.floor(at[:, 1]).astype(int), 0, self.first.shape[0] - 1)
        triangle = self.first[row, column]
        local = at - np.stack([column, row], axis=1)
        triangle = triangle + (local.sum(1) > 1)
        within = ((local >= -1e-9) & (local <= 1 + 1e-9)).all(1)
        lost = np.flatnonzero((self.first[row, column] < 0) | ~within)
        for start in range(0, len(lost), 4096):
            part = lost[start : start + 4096]
            away = ((points[part, None] - self._middles) ** 2).sum(-1)
            triangle[part] = away.argmin(1)
        corners = self.triangles[triangle]
        return corners, _barycentric(points, self.vertices[corners])

    def from_covered(self, points: Floats) -> Floats:
        """(P,) how far points are from the middle of the nearest triangle, px."""
        found = np.empty(len(points))
        for start in range(0, len(points), 4096):
            away = ((points[start : start + 4096, None] - self._middles) ** 2).sum(-1)
            found[start : start + 4096] = np.sqrt(away.min(1))
        return found


def grid_over(pixels: Floats, extra: Floats) -> Grid:
    """A grid over pixels and further points, (N, 2) each: vertices of the object, its curves."""
    points = np.concatenate([pixels, extra])
    low, high = points.min(0) - 0.5, points.max(0) + 0.5
    extent = float((high - low).max())
    cell = float(np.clip(extent / _ACROSS, _SMALLEST, CELL))
    while True:
        occupied = _occupied(points, low, high, cell)
        if _vertex_count(occupied) <= MOST_VERTICES:
            break
        cell *= 1.1 * max(1.0, np.sqrt(_vertex_count(occupied) / MOST_VERTICES) * 0.9)
    return _grid(low, cell, occupied)


def _occupied(points: Floats, low: Floats, high: Floats, cell: float) -> Bools:
    shape = np.floor((high - low) / cell).astype(int) + 1
    index = np.clip(np.floor((points - low) / cell).astype(int), 0, shape - 1)
    occupied = np.zeros((shape[1], shape[0]), np.bool_)
    occupied[index[:, 1], index[:, 0]] = True
    return occupied


def _corners(occupied: Bools) -> Bools:
    used = np.zeros((occupied.shape[0] + 1, occupied.shape[1] + 1), np.bool_)
    for y in (0, 1):
        for x in (0, 1):
            used[y : y + occupied.shape[0], x : x + occupied.shape[1]] |= occupied
    return used


def _vertex_count(occupied: Bools) -> int:
    return int(_corners(occupied).sum())


def _grid(low: Floats, cell: float, occupied: Bools) -> Grid:
    used = _corners(occupied)
    number = np.cumsum(used).reshape(used.shape) - 1
    rows, columns = np.nonzero(used)
    vertices = low + cell * np.stack([columns, rows], axis=1)
    y, x = np.nonzero(occupied)
    a, b, c, d = number[y, x], number[y, x + 1], number[y + 1, x + 1], number[y + 1, x]
    triangles = np.stack([np.stack([a, b, d], 1), np.stack([c, d, b], 1)], 1).reshape(-1, 3)
    first = np.full(occupied.shape, -1)
    first[y, x] = 2 * np.arange(len(y))
    bridges = _bridges(vertices, triangles)
    return Grid(low, cell, vertices, np.concatenate([triangles, bridges]), first)


def _bridges(vertices: Floats, triangles: Ints) -> Ints:
    """Triangles that join the separate parts of a grid, each to the nearest other one."""
    found: list[list[int]] = []
    while True:
        links = np.array(found, np.int64).reshape(-1, 3)
        every = np.concatenate([triangles, links])
        edges = np.concatenate([every[:, [0, 1]], every[:, [1, 2]]])
        label = connected(len(vertices), edges)
        if label.max(initial=0) == 0:
            return links
        own, others = np.flatnonzero(label == 0), np.flatnonzero(label > 0)
        away = ((vertices[own, None] - vertices[others]) ** 2).sum(-1)
        near = np.unravel_index(away.argmin(), away.shape)
        a, b = int(own[near[0]]), int(others[near[1]])
        found += [[a, _beside(triangles, a), b], [b, _beside(triangles, b), a]]


def _beside(triangles: Ints, vertex: int) -> int:
    """Another vertex of a triangle at a vertex."""
    at = triangles[(triangles == vertex).any(1)][0]
    return int(at[at != vertex][0])


def _barycentric(points: Floats, corners: Floats) -> Floats:
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    u, v, w = b - a, c - a, points - a
    whole = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    second = (w[:, 0] * v[:, 1] - w[:, 1] * v[:, 0]) / whole
    third = (u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]) / whole
    return np.stack([1 - second - third, second, third], axis=1)
