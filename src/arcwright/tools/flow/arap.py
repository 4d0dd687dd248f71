"""As-rigid-as-possible deformation of triangle grids in the plane, with factors kept (3.12).

Positions are complex numbers: a rotation is a factor of size 1. The energy of a triangle is the
weighted squared difference between its edges and its rotated edges before. Fixed vertices are
eliminated; points on curves are met up to a compliance, through the inverse that was computed
once, so a stroke that moves needs no new factor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.tools.flow.grid import Grid

Complex = AnyArray
_ANCHOR = 1e-4  # how much each vertex stays, where nothing is fixed
_HELD = 1e-9  # the same beside fixed vertices
COMPLIANCE = 2e-3  # of points on curves


def complex_of(points: Floats) -> Complex:
    """Points (..., 2) as complex numbers."""
    return points[..., 0] + 1j * points[..., 1]


def points_of(numbers: Complex) -> Floats:
    """Complex numbers as points (..., 2)."""
    return np.stack([numbers.real, numbers.imag], axis=-1)


@dataclass(frozen=True, eq=False)
class PreparedGrid:
    """A grid with its Laplacian inverted."""

    grid: Grid
    fixed: Ints  # (C,) vertices that stay
    free: Ints  # (F,)
    weights: Floats  # (T, 3) of the sides opposite to each corner
    inverse: Floats  # (F, F)
    to_fixed: Floats  # (F, C) part of the Laplacian
    anchor: float

    @property
    def rest(self) -> Complex:
        """(G,) its vertices before any edit."""
        return complex_of(self.grid.vertices)


def prepare(grid: Grid, fixed: Ints) -> PreparedGrid:
    """Invert the Laplacian of a grid whose `fixed` vertices stay."""
    count = len(grid.vertices)
    weights = _side_weights(complex_of(grid.vertices), grid.triangles)
    laplacian = np.zeros((count, count))
    for corner in range(3):
        i, j = grid.triangles[:, (corner + 1) % 3], grid.triangles[:, (corner + 2) % 3]
        for row, column, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
            np.add.at(laplacian, (row, column), sign * weights[:, corner])
    fixed = np.unique(fixed)
    free = np.setdiff1d(np.arange(count), fixed)
    anchor = _HELD if len(fixed) else _ANCHOR
    own = laplacian[np.ix_(free, free)] + anchor * np.eye(len(free))
    inverse = np.asarray(np.linalg.inv(own), float)
    return PreparedGrid(grid, fixed, free, weights, inverse, laplacian[np.ix_(free, fixed)], anchor)


def _side_weights(rest: Complex, triangles: Ints) -> Floats:
    """Half the cotangent of the angle opposite to each side; at least a little."""
    corner = rest[triangles]
    found = np.empty(triangles.shape)
    for k in range(3):
        u, v = corner[:, (k + 1) % 3] - corner[:, k], corner[:, (k + 2) % 3] - corner[:, k]
        product = np.conj(u) * v
        found[:, k] = product.real / np.maximum(np.abs(product.imag), 1e-9) / 2
    return np.clip(found, 0.02, 5.0)


@dataclass(frozen=True, eq=False)
class PointTargets:
    """Points of a grid and where they should be."""

    corners: Ints  # (P, 3) grid vertices
    shares: Floats  # (P, 3)
    targets: Floats  # (P, 2) px

    @classmethod
    def joined(cls, parts: Sequence[PointTargets]) -> PointTargets:
        """All of several."""
        return cls(
            np.concatenate([each.corners for each in parts]),
            np.concatenate([each.shares for each in parts]),
            np.concatenate([each.targets for each in parts]),
        )

    def at(self, vertices: Complex) -> Complex:
        """(P,) where the points are."""
        found: Complex = (vertices[self.corners] * self.shares).sum(1)
        return found


class ArapProblem:
    """Grids with targets, deformed together: rotations of all triangles are found at once."""

    def __init__(
        self,
        grids: Sequence[PreparedGrid],
        targets: Sequence[PointTargets],
        before: Sequence[Complex],
    ) -> None:
        self.grids = grids
        self.start = np.cumsum([0, *(len(each.grid.vertices) for each in grids)])
        triangles = [each.grid.triangles + n for each, n in zip(grids, self.start, strict=False)]
        self.triangles = np.concatenate(triangles)
        self.before = np.concatenate(before)
        self.edges = self._corner_edges(np.concatenate([each.weights for each in grids]))
        pairs = zip(grids, targets, before, strict=True)
        self.solvers = [_Solver(*each) for each in pairs]

    def _corner_edges(self, weights: Floats) -> Complex:
        """(T, 3) d such that sum x_i conj(d_i) compares a triangle's edges with those before."""
        corner = self.before[self.triangles]
        edges = np.zeros(corner.shape, complex)
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            side = weights[:, k] * (corner[:, i] - corner[:, j])
            edges[:, i] += side
            edges[:, j] -= side
        return edges

    def solve(self, steps: int) -> list[Complex]:
        """The vertices of each grid after some steps of rotations, then positions."""
        now = self._positions(np.ones(len(self.triangles), complex))
        for _ in range(steps):
            turned = (now[self.triangles] * np.conj(self.edges)).sum(1)
            size = np.abs(turned)
            now = self._positions(np.where(size > 1e-12, turned / np.maximum(size, 1e-12), 1))
        return [now[a:b] for a, b in zip(self.start[:-1], self.start[1:], strict=True)]

    def _positions(self, rotations: Complex) -> Complex:
        pulls = (rotations[:, None] * self.edges).reshape(-1)
        index = self.triangles.reshape(-1)
        count = len(self.before)
        right = np.bincount(index, pulls.real, count) + 1j * np.bincount(index, pulls.imag, count)
        parts = [
            solver.solve(right[a:b])
            for solver, a, b in zip(self.solvers, self.start[:-1], self.start[1:], strict=True)
        ]
        return np.concatenate(parts)


class _Solver:
    """Positions of one grid for given rotations: one product with the inverse."""

    def __init__(self, prepared: PreparedGrid, targets: PointTargets, before: Complex) -> None:
        self.prepared, self.before = prepared, before
        free, fixed = prepared.free, prepared.fixed
        place = np.full(len(before), -1)
        place[free] = np.arange(len(free))
        corners = place[targets.corners]
        self.shares = np.where(corners >= 0, targets.shares, 0.0)
        self.corners = np.maximum(corners, 0)
        goal = complex_of(targets.targets)
        on_fixed = np.where(corners < 0, targets.shares, 0.0)
        self.goal = goal - (before[targets.corners] * on_fixed).sum(1)
        shift = (goal - targets.at(before)).mean() if not len(fixed) and len(goal) else 0.0
        held = _times(prepared.to_fixed, before[fixed])
        self.constant = prepared.anchor * (before[free] + shift) - held
        self.spread = self._at_points(prepared.inverse)  # (P, F): the inverse is symmetric
        own = self._at_points(np.ascontiguousarray(self.spread.T))
        stiff = own + COMPLIANCE * np.eye(len(own))
        self.answer = np.asarray(np.linalg.inv(stiff), float)

    def _at_points(self, rows: AnyArray) -> AnyArray:
        """Values (F, …) of free vertices at the points, (P, …)."""
        weights = self.shares.reshape(*self.shares.shape, *[1] * (rows.ndim - 1))
        found: AnyArray = weights[:, 0] * rows[self.corners[:, 0]]
        for k in (1, 2):
            found += weights[:, k] * rows[self.corners[:, k]]
        return found

    def solve(self, right: Complex) -> Complex:
        """The vertices that balance the pulls of all triangles."""
        prepared = self.prepared
        loose = _times(prepared.inverse, right[prepared.free] + self.constant)
        loose -= _times(self.spread.T, _times(self.answer, self._at_points(loose) - self.goal))
        found = self.before.copy()
        found[prepared.free] = loose
        return found


def _times(matrix: Floats, vector: Complex) -> Complex:
    """A real matrix times a complex vector, as one real product."""
    pair = np.stack([vector.real, vector.imag], axis=1)
    product = matrix @ pair
    found: Complex = product[:, 0] + 1j * product[:, 1]
    return found


def distortion(before: Complex, after: Complex, triangles: Ints) -> tuple[Floats, Floats]:
    """Singular values (T,) of each triangle's map, the larger and the smaller; below 0: flipped."""
    a, b, c = (before[triangles[:, k]] for k in range(3))
    u, v = b - a, c - a
    p, q = (
        after[triangles[:, 1]] - after[triangles[:, 0]],
        after[triangles[:, 2]] - after[triangles[:, 0]],
    )
    whole = u * np.conj(v) - v * np.conj(u)
    turned = np.abs((p * np.conj(v) - q * np.conj(u)) / whole)
    mirrored = np.abs((q * u - p * v) / whole)
    return turned + mirrored, turned - mirrored
