"""The middle line of a branching shape: from one tip to another along its thickest parts.

Least squares over pixels (3.1) puts a curve between a body and its legs, or a trunk and its
branch. Here the shape's thickness decides: a tree of cheapest ways from its thickest place,
where a step costs the more the nearer the edge is, and of all ways from tip to tip the one that
covers most of the shape.
"""

from __future__ import annotations

import heapq

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.tools.flow.components import connected
from arcwright.tools.flow.distance_field import distances
from arcwright.tools.flow.hermite import basis, fitted, lengths, resampled

_CELLS = 60  # of the longer side of the shape
_WHOLE = 0.8  # of all pixels that are in the part of the shape the line goes through
_SHARP = 2.5  # power of the thickness in the cost of a step
_KNOTS = 8
_END = 10  # cells, at each end of a line
_STEPS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx]
_SMOOTH = 3e-6


def medial_path(pixels: Floats, samples: int) -> Floats | None:
    """The line (S, 2) through the middle of pixels (N, 2); None where they do not hang together."""
    every, low, cell = _cells(pixels)
    inside = _largest_part(every)
    if inside.sum() < _WHOLE * every.sum():
        return None
    way = _longest_way(distances(~inside), inside)
    if len(way) < 4:
        return None
    reach = distances(~inside)[way[:, 0], way[:, 1]]
    line = _to_edges(way[:, ::-1].astype(float), reach, inside)
    line = (line - 2 + 0.5) * cell + low
    even = resampled(line, 8 * _KNOTS)
    parameter = np.linspace(0, 1, len(even))
    smooth = basis(np.linspace(0, 1, samples), _KNOTS) @ fitted(even, parameter, _KNOTS, _SMOOTH)
    return resampled(smooth, samples)


def in_the_middle(pixels: Floats, line: Floats) -> float:
    """How much of a shape is around a line: its thickness there, integrated, px^2."""
    inside, low, cell = _cells(pixels)
    thick = cell * distances(~inside)
    even = resampled(line, 4 * _CELLS)
    index = np.floor((even - low) / cell).astype(int) + 2
    index = np.clip(index, 0, np.array(inside.shape[::-1]) - 1)
    return float(thick[index[:, 1], index[:, 0]].mean() * lengths(line)[-1])


def _cells(pixels: Floats) -> tuple[Bools, Floats, float]:
    """Pixels (N, 2) as coarse cells (H, W) with a margin, the place of cell 2, and its size."""
    low, high = pixels.min(0), pixels.max(0)
    cell = max(float((high - low).max()) / _CELLS, 1.0)
    index = np.floor((pixels - low) / cell).astype(int) + 2
    shape = index.max(0) + 3
    inside = np.zeros((shape[1], shape[0]), np.bool_)
    inside[index[:, 1], index[:, 0]] = True
    return inside, low, cell


def _to_edges(line: Floats, reach: Floats, inside: Bools) -> Floats:
    """The line (N, 2) x and y in cells, led straight on at both ends to the edge of the shape.

    Its ends, which turn to a corner, are cut off by as much as the shape reaches beside them.
    """
    first = min(round(float(reach[:_END].max())), len(line) // 4)
    last = min(round(float(reach[-_END:].max())), len(line) // 4)
    line = line[first : len(line) - last]
    ends = []
    for way in (line, line[::-1]):
        back = way[-min(len(way), _END)]
        step = (way[-1] - back) / max(float(np.linalg.norm(way[-1] - back)), 1e-9)
        at, more = way[-1] + step, []
        while inside[round(at[1]), round(at[0])] and len(more) < _CELLS:
            more.append(at)
            at = at + step
        ends.append(np.array(more).reshape(-1, 2))
    return np.concatenate([ends[1][::-1], line, ends[0]])


def _largest_part(inside: Bools) -> Bools:
    cells = np.argwhere(inside)
    number = np.full(inside.shape, -1)
    number[inside] = np.arange(len(cells))
    pairs = []
    for dy, dx in ((0, 1), (1, 0), (1, 1), (1, -1)):
        other = number[cells[:, 0] + dy, cells[:, 1] + dx]
        here = other >= 0
        pairs.append(np.stack([np.flatnonzero(here), other[here]], axis=1))
    label = connected(len(cells), np.concatenate(pairs))
    found = np.zeros(inside.shape, np.bool_)
    found[tuple(cells[label == np.bincount(label).argmax()].T)] = True
    return found


def _longest_way(thick: Floats, inside: Bools) -> Ints:
    """Cells (N, 2) of the way from tip to tip that covers most."""
    order, before = _cheapest_ways(thick, inside)
    covered: dict[tuple[int, int], float] = {}
    for each in order:
        covered[each] = covered.get(before[each], 0.0) + float(thick[each])
    tip = max(order, key=lambda each: covered[each])
    trunk = _back(tip, before)
    on_trunk = set(trunk)
    shared: dict[tuple[int, int], float] = {}
    for each in order:
        own = each in on_trunk or before[each] == each
        shared[each] = covered[each] if own else shared[before[each]]
    beside = _beside(np.array(trunk), thick)
    ends = [trunk[-1], *(each for each in order if not beside[each])]
    other = max(ends, key=lambda each: covered[each] - 2 * shared[each])
    branch = [each for each in _back(other, before) if each not in on_trunk]
    fork = before[branch[-1]] if branch else trunk[-1]
    return np.array([*trunk[: trunk.index(fork) + 1], *branch[::-1]])


def _beside(way: Ints, thick: Floats) -> Bools:
    """(H, W) cells that a way covers: within its thickness."""
    y, x = np.indices(thick.shape)
    covered = np.zeros(thick.shape, np.bool_)
    for row, column in way.tolist():
        reach = 1.2 * thick[row, column] + 1
        covered |= (y - row) ** 2 + (x - column) ** 2 < reach**2
    return covered


def _cheapest_ways(
    thick: Floats, inside: Bools
) -> tuple[list[tuple[int, int]], dict[tuple[int, int], tuple[int, int]]]:
    """Cells in the order in which they are reached from the thickest one, and the one before."""
    cost = np.where(inside, (np.maximum(thick, 0.5) / max(thick.max(), 1.0)) ** -_SHARP, np.inf)
    price: list[list[float]] = cost.tolist()
    start = divmod(int(np.where(inside, thick, -1).argmax()), inside.shape[1])
    best, before = {start: 0.0}, {start: start}
    order, waiting = [], [(0.0, start)]
    while waiting:
        so_far, at = heapq.heappop(waiting)
        if so_far > best[at]:
            continue
        order.append(at)
        for dy, dx in _STEPS:
            there = at[0] + dy, at[1] + dx
            step = (1.0 if dy == 0 or dx == 0 else 1.414) * price[there[0]][there[1]]
            if so_far + step < best.get(there, np.inf):
                best[there], before[there] = so_far + step, at
                heapq.heappush(waiting, (so_far + step, there))
    return order, before


def _back(
    at: tuple[int, int], before: dict[tuple[int, int], tuple[int, int]]
) -> list[tuple[int, int]]:
    """The way from a cell to the start."""
    found = [at]
    while before[at] != at:
        at = before[at]
        found.append(at)
    return found
