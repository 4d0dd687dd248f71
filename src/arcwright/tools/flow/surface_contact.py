"""Where two surfaces touch: both are refined only where they are near each other."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints

_START = 6  # cells of the coarsest grid along the common box
_MOST = 150_000  # triangles of one surface at once
_AROUND = np.stack(np.meshgrid(*[[-1, 0, 1]] * 3, indexing="ij"), -1).reshape(-1, 3)
_SIDES = np.array([[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]])


def touching_points(
    first: Floats, second: Floats, low: Floats, high: Floats, near: float
) -> Floats:
    """Points (N, 3) of the first surface that are about `near` the second, inside a box.

    Surfaces are triangles (F, 3, 3); a point is one of no extent.
    """
    cell = max(float((high - low).max()) / _START, near)
    surfaces = [_in_box(each, low, high) for each in (first, second)]
    while True:
        surfaces = [_refined(each, cell, low, high) for each in surfaces]
        if not all(map(len, surfaces)):
            return np.zeros((0, 3))
        keys = [_cells(each.mean(1), low, cell) for each in surfaces]
        last = cell <= near
        steps = _SIDES if last else _AROUND
        one, other = keys
        close = [_beside(one, other, steps), _beside(other, one, steps)]
        surfaces = [each[kept] for each, kept in zip(surfaces, close, strict=True)]
        if last or not len(surfaces[0]):
            middles = surfaces[0].mean(1)
            inside = ((middles >= low) & (middles <= high)).all(1)
            _, once = np.unique(_keys(one[close[0]][inside]), return_index=True)
            found: Floats = middles[inside][once]
            return found
        cell = max(cell / 2, near)


def _in_box(corners: Floats, low: Floats, high: Floats) -> Floats:
    touching = (corners.min(1) <= high).all(1) & (corners.max(1) >= low).all(1)
    kept: Floats = corners[touching]
    return kept


def _refined(corners: Floats, size: float, low: Floats, high: Floats) -> Floats:
    """Triangles in the box, none longer than `size`."""
    done = []
    while len(corners):
        sides = corners - np.roll(corners, -1, axis=1)
        small = (sides**2).sum(-1).max(1) <= size**2
        small |= len(corners) > _MOST
        done.append(corners[small])
        corners = _in_box(_halved(corners[~small], sides[~small]), low, high)
    return np.concatenate(done) if done else corners


def _halved(corners: Floats, sides: Floats) -> Floats:
    """Each triangle as two, its longest side halved."""
    longest = (sides**2).sum(-1).argmax(1)
    order = (longest[:, None] + np.arange(3)) % 3
    a, b, c = np.moveaxis(np.take_along_axis(corners, order[:, :, None], axis=1), 1, 0)
    middle = (a + b) / 2
    return np.concatenate([np.stack([a, middle, c], 1), np.stack([middle, b, c], 1)])


def _cells(points: Floats, low: Floats, cell: float) -> Ints:
    found: Ints = np.floor((points - low) / cell).astype(np.int64) + 2
    return found


def _beside(mine: Ints, other: Ints, steps: Ints) -> Bools:
    """Which cells are next to one of the others."""
    known = np.unique(_keys(other))
    own, back = np.unique(_keys(mine), return_inverse=True)
    hit = np.zeros(len(own), np.bool_)
    for step in _keys(steps).tolist():
        keys = own + step
        place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        hit |= known[place] == keys
    found: Bools = hit[back.reshape(-1)]
    return found


def _keys(cells: Ints) -> Ints:
    keys: Ints = (cells[:, 0] * 8192 + cells[:, 1]) * 8192 + cells[:, 2]
    return keys
