"""How objects bent in the picture look from elsewhere: their stretch in space."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.tools.flow.model import Bent, moved_vertices
from arcwright.tools.flow.prepared_shot import PreparedShot

_MOST_TRIANGLES = 4000  # of an object that are looked at


def stretch_in_space(positions: Floats, moved: Floats, triangles: Ints) -> Floats:
    """(F,) ratios of the singular values of each triangle's map in space."""
    before = _edges(positions, triangles)
    after = _edges(positions + moved, triangles)
    first, second = _gram(before), _gram(after)
    area = first[:, 0] * first[:, 2] - first[:, 1] ** 2
    kept = area > 1e-18 * np.maximum(first[:, 0], first[:, 2]) ** 2
    first, second, area = first[kept], second[kept], area[kept]
    # eigenvalues of first^-1 second are squared singular values
    trace = first[:, 2] * second[:, 0] - 2 * first[:, 1] * second[:, 1] + first[:, 0] * second[:, 2]
    trace = trace / area
    product = np.maximum(second[:, 0] * second[:, 2] - second[:, 1] ** 2, 0) / area
    root = np.sqrt(np.maximum(trace**2 / 4 - product, 0))
    low = np.maximum(trace / 2 - root, 1e-12)
    ratio: Floats = np.sqrt((trace / 2 + root) / low)
    return ratio


def worst_shear(prepared: PreparedShot, bent: Bent) -> tuple[str, float] | None:
    """The object that is stretched most in space, and the 95th percentile of its ratios."""
    found = shears(prepared, moved_vertices(prepared, bent))
    return max(found.items(), key=lambda each: each[1]) if found else None


def shears(prepared: PreparedShot, by: Mapping[int, Floats]) -> Mapping[str, float]:
    """The 95th percentile of the ratios of each object whose vertices (V, 3) m are moved."""
    found = {}
    for index, moved in by.items():
        item = prepared.objects[index]
        step = max(len(item.triangles) // _MOST_TRIANGLES, 1)
        if len(item.triangles):
            ratios = stretch_in_space(item.positions, moved, item.triangles[::step])
            if len(ratios):
                found[item.name] = float(np.percentile(ratios, 95))
    return found


def _edges(positions: Floats, triangles: Ints) -> tuple[Floats, Floats]:
    a, b, c = (positions[triangles[:, k]] for k in range(3))
    return b - a, c - a


def _gram(edges: tuple[Floats, Floats]) -> Floats:
    u, v = edges
    return np.stack([(u * u).sum(1), (u * v).sum(1), (v * v).sum(1)], axis=1)
