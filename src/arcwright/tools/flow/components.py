"""Connected components of meshes, and which of them belong together."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats, Ints

_WELD = 1e-5  # of a mesh's size; vertices this near are one
OVERLAP = 0.25  # share of the smaller box that two components of one object have in common
_FLAT = 0.2  # height over horizontal extent of ground
_WIDE = 0.25  # horizontal area of the box of ground over that of all
_MOST = 400  # components that are compared with each other


def welded(positions: Floats) -> Ints:
    """For each vertex (V,) the first one at the same place."""
    size = max(float(np.ptp(positions, axis=0).max(initial=0.0)), 1e-9) if len(positions) else 1.0
    cells = np.round(positions / (_WELD * size)).astype(np.int64)
    _, first, back = np.unique(cells, axis=0, return_index=True, return_inverse=True)
    found: Ints = first[back.reshape(-1)]
    return found


def connected(count: int, edges: Ints) -> Ints:
    """The component (V,) of each of `count` vertices that edges (E, 2) connect, from 0 on."""
    label = np.arange(count)
    while len(edges):
        low = np.minimum(label[edges[:, 0]], label[edges[:, 1]])
        before = label.copy()
        np.minimum.at(label, label[edges[:, 0]], low)
        np.minimum.at(label, label[edges[:, 1]], low)
        while not np.array_equal(label, label[label]):
            label = label[label]
        if np.array_equal(before, label):
            break
    return np.unique(label, return_inverse=True)[1].reshape(-1)


def components(positions: Floats, triangles: Ints) -> Ints:
    """The connected component (V,) of each vertex; vertices at one place are connected."""
    place = welded(positions)
    edges = [np.stack([np.arange(len(positions)), place], axis=1)]
    edges += [triangles[:, [0, 1]], triangles[:, [1, 2]]]
    return connected(len(positions), np.concatenate(edges))


def boxes_of(positions: Floats, label: Ints) -> tuple[Floats, Floats]:
    """Lowest and highest corners (C, 3) of the components' boxes."""
    count = int(label.max(initial=-1)) + 1
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    np.minimum.at(low, label, positions)
    np.maximum.at(high, label, positions)
    return low, high


def grounds(low: Floats, high: Floats) -> Bools:
    """Which boxes (C,) are ground: flat, and as wide as half of everything."""
    extent = high - low
    across = extent[:, [0, 2]].max(1)
    whole = float((high.max(0) - low.min(0))[[0, 2]].max())
    found: Bools = (extent[:, 1] < _FLAT * across) & (across > _WIDE * whole)
    return found


def merged(low: Floats, high: Floats, apart: Bools) -> Ints:
    """Objects (C,) of components: boxes that overlap by much are one; those `apart` stay alone."""
    count = len(low)
    if count > _MOST:
        return _merged_by_size(low, high, apart)
    return connected(count, _overlapping(low, high, low, high, apart, apart))


def touching(low: Floats, high: Floats) -> Ints:
    """Objects (C,) of the components of one thing: boxes that touch are one."""
    slack = 0.02 * float((high.max(0) - low.min(0)).max())
    if len(low) > 10 * _MOST:
        return np.zeros(len(low), np.int64)
    order = np.argsort(low[:, 0])
    pairs = []
    for place, index in enumerate(order.tolist()):
        last = np.searchsorted(low[order, 0], high[index, 0] + slack, side="right")
        others = order[place + 1 : last]
        near = (low[others] <= high[index] + slack) & (low[index] <= high[others] + slack)
        found = others[near.all(1)]
        pairs.append(np.stack([np.full(len(found), index), found], axis=1))
    return connected(len(low), np.concatenate(pairs))


def _merged_by_size(low: Floats, high: Floats, apart: Bools) -> Ints:
    """The same for very many: small ones join a large one, or stay alone."""
    size = np.where(apart, 0.0, (high - low).max(1))
    large = np.argsort(-size)[:_MOST]
    pairs = _overlapping(low, high, low[large], high[large], apart, apart[large])
    pairs[:, 1] = large[pairs[:, 1]]
    return connected(len(low), pairs)


def _overlapping(
    low: Floats, high: Floats, others_low: Floats, others_high: Floats, apart: Bools, alone: Bools
) -> Ints:
    thick = np.maximum(high - low, 0.02 * (high - low).max(1, keepdims=True) + 1e-9)
    others = others_high - others_low
    others = np.maximum(others, 0.02 * others.max(1, keepdims=True) + 1e-9)
    common = np.minimum(high[:, None], others_high) - np.maximum(low[:, None], others_low)
    slack = np.minimum(thick[:, None], others) * 0.1
    share = np.clip((common + slack) / np.minimum(thick[:, None], others), 0, 1).prod(-1)
    pairs: Ints = np.argwhere((share > OVERLAP) & ~apart[:, None] & ~alone)
    return pairs
