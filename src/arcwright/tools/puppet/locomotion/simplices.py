"""Simplices of a few points in N dimensions: where a point lies among them, or nearest to them."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue

FLAT = 1e-5  # of the extent: a simplex with a smaller volume has none
MOST_SUBSETS = 200_000  # of points that are tried as simplices


class Simplices:
    """A set of simplices over points (K, N); barycentric coordinates of any point in or near it."""

    def __init__(self, points: Floats, members: Ints) -> None:
        self.points, self.members = points, members  # (K, N), (S, N + 1)
        corners = np.concatenate([points[members], np.ones((*members.shape, 1))], axis=2)
        self._inverse = np.linalg.inv(corners)  # (S, N + 1, N + 1), rows of [p, 1] times this
        self._facets = _border(members)  # (B, N)

    def locate(self, point: Floats) -> tuple[Ints, Floats, bool]:
        """Points and their barycentric weights at a place; outside, those of the nearest place."""
        weights = np.append(point, 1.0) @ self._inverse  # (S, N + 1)
        best = int(np.argmax(weights.min(axis=1)))
        if weights[best].min() >= -1e-9:
            inside = np.maximum(weights[best], 0.0)
            return self.members[best], inside / inside.sum(), True
        members, share = self._nearest(point)
        return members, share, False

    def _nearest(self, point: Floats) -> tuple[Ints, Floats]:
        """The nearest place of the border, as points and weights."""
        if self._facets.shape[1] == 2:
            start, end = self.points[self._facets[:, 0]], self.points[self._facets[:, 1]]
            along = end - start
            share = ((point - start) * along).sum(axis=1) / (along * along).sum(axis=1)
            share = np.clip(share, 0.0, 1.0)
            away = start + share[:, None] * along - point
            best = int(np.argmin((away * away).sum(axis=1)))
            return self._facets[best], np.array([1 - share[best], share[best]])
        tried = [_nearest_on(self.points[facet], point) for facet in self._facets]
        best = int(np.argmin([distance for _, distance in tried]))
        return self._facets[best], tried[best][0]


def delaunay(points: Floats) -> Simplices:
    """The Delaunay simplices of a few points (K, N) that span all N dimensions.

    Tried out subset by subset: for the clips of a blend space, not for meshes.
    """
    count, dimensions = points.shape
    if comb(count, dimensions + 1) > MOST_SUBSETS:
        expected = f"few enough points for {MOST_SUBSETS} simplices"
        raise BadValue("blend space", expected, f"{count} points in {dimensions} dimensions")
    # Simplices are faces of the lower hull of points lifted to a paraboloid; points on one sphere,
    # such as corners of a box, are distinguished by heights that differ a little.
    apart = (np.arange(1, count + 1) ** 2 * 0.6180339887) % 1.0
    lifted = (points * points).sum(axis=1) + 1e-7 * apart
    members = [
        chosen
        for chosen in combinations(range(count), dimensions + 1)
        if _is_lower_face(points, lifted, list(chosen))
    ]
    if not members:
        raise BadValue("blend space", f"points that span {dimensions} dimensions", points.tolist())
    return Simplices(points, np.array(members, np.int64))


def grid_simplices(shape: tuple[int, ...]) -> Ints:
    """(S, N + 1) simplices of a grid's cells, as indices of its points (Kuhn's triangulation)."""
    strides = np.cumprod([1, *shape[:0:-1]])[::-1]
    found: list[list[int]] = []
    for cell in np.ndindex(*(size - 1 for size in shape)):
        corner = int(np.dot(cell, strides))
        for order in _permutations(len(shape)):
            path = corner + np.cumsum([0, *strides[list(order)]])
            found.append(path.tolist())
    return np.array(found, np.int64)


def full_simplices(points: Floats, members: Ints) -> Ints:
    """Those simplices that have a volume."""
    edges = points[members[:, 1:]] - points[members[:, :1]]
    extent = max(float(np.ptp(points, axis=0).max()), 1e-12)
    kept: Ints = members[np.abs(np.linalg.det(edges)) > FLAT * extent ** points.shape[1]]
    return kept


def _permutations(count: int) -> list[tuple[int, ...]]:
    if count == 0:
        return [()]
    return [
        (*rest[:at], count - 1, *rest[at:])
        for rest in _permutations(count - 1)
        for at in range(count)
    ]


def _is_lower_face(points: Floats, lifted: Floats, chosen: list[int]) -> bool:
    """Whether all other lifted points are above the plane through some."""
    corners = np.concatenate([points[chosen], np.ones((len(chosen), 1))], axis=1)
    if abs(np.linalg.det(corners)) < FLAT:
        return False
    plane = np.linalg.solve(corners, lifted[chosen])
    above = lifted - points @ plane[:-1] - plane[-1]
    return bool(np.delete(above, chosen).min(initial=1.0) > 0)


def _border(members: Ints) -> Ints:
    """(B, N) faces that belong to one simplex only."""
    seen: dict[tuple[int, ...], int] = {}
    for simplex in members.tolist():
        for left_out in range(len(simplex)):
            face = tuple(sorted(simplex[:left_out] + simplex[left_out + 1 :]))
            seen[face] = seen.get(face, 0) + 1
    return np.array([face for face, count in seen.items() if count == 1], np.int64)


def _nearest_on(corners: Floats, point: Floats) -> tuple[Floats, float]:
    """Barycentric weights of the place of one simplex that is nearest to a point, and distance."""
    edges = corners[1:] - corners[0]
    share = np.zeros(len(corners))
    if len(edges):
        share[1:] = np.linalg.lstsq(edges.T, point - corners[0], rcond=None)[0]
    share[0] = 1.0 - share[1:].sum()
    if share.min() >= 0:
        return share, float(np.linalg.norm(share @ corners - point))
    best: tuple[Floats, float] = (share, np.inf)
    for left_out in np.flatnonzero(share < 0).tolist():
        kept = np.delete(np.arange(len(corners)), left_out)
        part, distance = _nearest_on(corners[kept], point)
        if distance < best[1]:
            whole = np.zeros(len(corners))
            whole[kept] = part
            best = whole, distance
    return best
