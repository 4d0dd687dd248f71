"""Triangulate polygons: fans for convex ones, ear clipping for others."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints

_EARS = 200  # corners; ear clipping is quadratic, larger polygons become fans


def triangulate(corners: Ints, counts: Ints, places: Floats) -> Ints:
    """(F, 3) corners of triangles; `counts` corners belong to each polygon in turn.

    `places` (N, 3) is where each corner is.
    """
    first = np.concatenate([[0], np.cumsum(counts)[:-1]])
    parts: list[Ints] = []
    order: list[Ints] = []
    for count in np.unique(counts):
        faces = np.flatnonzero(counts == count)
        polygons = corners[first[faces][:, None] + np.arange(count)]  # (faces, count)
        reflex = _reflex(places[polygons]) if 3 < count <= _EARS else np.zeros((0, 4), bool)
        if count == 4:  # a fan from the reflex corner is valid
            rolled = (reflex[:, 1] | reflex[:, 3])[:, None]
            polygons = np.where(rolled, np.roll(polygons, -1, axis=1), polygons)
        fans = np.stack(
            [np.repeat(polygons[:, :1], count - 2, 1), polygons[:, 1:-1], polygons[:, 2:]], axis=-1
        )
        for bent in np.flatnonzero(reflex.any(axis=1)) if count > 4 else ():
            fans[bent] = polygons[bent][_ears(places[polygons[bent]])]
        parts.append(fans.reshape(-1, 3))
        order.append(np.repeat(faces, count - 2))
    if not parts:
        return np.zeros((0, 3), np.int64)
    return np.concatenate(parts)[np.argsort(np.concatenate(order), kind="stable")]


def _normals(places: Floats) -> Floats:
    """Newell's normals of polygons (F, N, 3), of twice the area."""
    following = np.roll(places, -1, axis=1)
    normals: Floats = np.cross(places, following).sum(axis=1)
    return normals


def _reflex(places: Floats) -> Bools:
    """(F, N) which corners are reflex."""
    with np.errstate(all="ignore"):
        edge = np.roll(places, -1, axis=1) - places
        cross = np.cross(np.roll(edge, 1, axis=1), edge)
        bends = (cross * _normals(places)[:, None]).sum(axis=-1)
        reflex: Bools = bends < -1e-9 * abs(bends).max(axis=1, keepdims=True)
    return reflex


def _ears(places: Floats) -> Ints:
    """(N - 2, 3) corners of one polygon (N, 3), by ear clipping in its plane."""
    normal = _normals(places[None])[0]
    drop = int(np.argmax(abs(normal)))
    flat = np.delete(places, drop, axis=1)
    if (normal[drop] < 0) != (drop == 1):
        flat = flat[:, ::-1]
    left = list(range(len(places)))
    triangles = []
    while len(left) > 3:
        at = next((i for i in range(len(left)) if _is_ear(flat, left, i)), 0)
        triangles.append([left[at - 1], left[at], left[(at + 1) % len(left)]])
        del left[at]
    return np.array([*triangles, left])


def _is_ear(flat: Floats, left: list[int], at: int) -> bool:
    before, here, after = left[at - 1], left[at], left[(at + 1) % len(left)]
    a, b, c = flat[before], flat[here], flat[after]
    if _side(a, b, c) <= 0:
        return False
    others = flat[[each for each in left if each not in (before, here, after)]]
    inside = (_side(a, b, others) >= 0) & (_side(b, c, others) >= 0) & (_side(c, a, others) >= 0)
    return not inside.any()


def _side(a: Floats, b: Floats, c: Floats) -> Floats:
    """Above 0 where c lies to the left of the line from a to b."""
    side: Floats = (b[0] - a[0]) * (c[..., 1] - a[1]) - (b[1] - a[1]) * (c[..., 0] - a[0])
    return side
