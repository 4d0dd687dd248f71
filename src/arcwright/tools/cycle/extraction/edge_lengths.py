"""Restore the lengths of edges after averaging: a mean of cloth or hair is a little short.

Position-based projection: each sweep moves the ends of every edge towards its length. Edges that
share no vertex are moved at once, those of all frames together, so a smooth loop stays smooth.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue

SWEEPS = 12


def restore_lengths(
    points: Floats,
    edges: Ints,
    lengths: Floats,
    *,
    pinned: Bools | None = None,
    sweeps: int = SWEEPS,
) -> Floats:
    """Points (M, V, 3) of a loop, moved until edges (E, 2) have lengths (E,) or (M, E), nearly.

    `pinned` (V,) points stay where they are.
    """
    if edges.ndim != 2 or edges.shape[1] != 2 or len(edges) != np.shape(lengths)[-1]:
        raise BadValue("edges", "pairs of points and as many lengths", edges.shape)
    moved = np.array(points, float)
    share = np.ones(points.shape[1]) if pinned is None else np.where(pinned, 0.0, 1.0)
    groups = edge_groups(edges)
    wanted = np.broadcast_to(lengths, (len(points), len(edges)))
    for _ in range(sweeps):
        for group in groups:
            one, other = edges[group].T
            total = share[one] + share[other]
            apart = moved[:, other] - moved[:, one]
            length = np.linalg.norm(apart, axis=-1)
            much = (1 - wanted[:, group] / np.maximum(length, 1e-12)) / np.maximum(total, 1e-12)
            step = apart * much[..., None]
            moved[:, one] += share[one][:, None] * step
            moved[:, other] -= share[other][:, None] * step
    return moved


def edge_groups(edges: Ints) -> list[Ints]:
    """Edges in groups of which no two share a point, by first fit."""
    taken: list[set[int]] = []
    groups: list[list[int]] = []
    for index, (one, other) in enumerate(edges.tolist()):
        fits = (k for k, points in enumerate(taken) if not {one, other} & points)
        first = next(fits, len(groups))
        if first == len(groups):
            taken.append(set())
            groups.append([])
        taken[first] |= {one, other}
        groups[first].append(index)
    return [np.array(group) for group in groups]


def edge_stretch(points: Floats, edges: Ints, lengths: Floats) -> Floats:
    """(M, E) how much longer than its length each edge is in each frame; below 0 shorter."""
    apart = points[:, edges[:, 1]] - points[:, edges[:, 0]]
    stretch: Floats = np.linalg.norm(apart, axis=-1) / lengths - 1
    return stretch
