"""Exact distances to a set of cells, and the outline of a field at level 0."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Bools, Floats


def distances(inside: Bools) -> Floats:
    """(H, W) distance from each cell to the nearest one that is `inside`, in cells."""
    height, width = inside.shape
    rows = np.arange(height)[:, None]
    above = np.maximum.accumulate(np.where(inside, rows, -4 * height), axis=0)
    below = np.minimum.accumulate(np.where(inside, rows, 5 * height)[::-1], axis=0)[::-1]
    along = np.minimum(rows - above, below - rows).astype(np.float32) ** 2
    apart = (np.arange(width)[:, None] - np.arange(width)).astype(np.float32) ** 2
    squared = np.empty((height, width), np.float32)
    step = max(1, 2_000_000 // (width * width))
    for start in range(0, height, step):
        part = along[start : start + step]
        squared[start : start + step] = (part[:, None, :] + apart).min(2)
    return np.sqrt(squared).astype(float)


def outlines(field: Floats) -> list[Floats]:
    """Closed lines (N, 2) of x, y on which the field is 0, around where it is above; largest first.

    Cell centres are at whole numbers. The border of the field must be below 0.
    """
    above = field > 0
    crossings = _crossings(field, above)
    lines = []
    while crossings:
        start, at = next(iter(crossings.items()))
        line, key = [], start
        while key in crossings:
            (x, y), key = crossings.pop(key)
            line.append((x, y))
        del at
        lines.append(np.array(line))
    return sorted((each for each in lines if len(each) > 2), key=lambda each: -area(each))


_Key = tuple[int, int, int]


def _crossings(field: Floats, above: Bools) -> dict[_Key, tuple[tuple[float, float], _Key]]:
    """For each edge of the grid by which the outline enters a square: where, and the next edge.

    Edges are keyed by (axis, row, column); around a square they are top, right, bottom, left.
    """
    found: dict[_Key, tuple[tuple[float, float], _Key]] = {}
    code = above[:-1, :-1] * 1 + above[:-1, 1:] * 2 + above[1:, 1:] * 4 + above[1:, :-1] * 8
    for y, x in np.argwhere((code > 0) & (code < 15)).tolist():
        edges = (0, y, x), (1, y, x + 1), (0, y + 1, x), (1, y, x)
        for enter, leave in _WAYS[int(code[y, x])]:
            found[edges[enter]] = (_at(field, edges[enter]), edges[leave])
    return found


# which edge an outline with the inside on its right enters and leaves each kind of square by
_WAYS: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((3, 0),), 2: ((0, 1),), 3: ((3, 1),), 4: ((1, 2),), 5: ((3, 0), (1, 2)), 6: ((0, 2),),
    7: ((3, 2),), 8: ((2, 3),), 9: ((2, 0),), 10: ((0, 1), (2, 3)), 11: ((2, 1),), 12: ((1, 3),),
    13: ((1, 0),), 14: ((0, 3),),
}  # fmt: skip


def _at(field: Floats, edge: _Key) -> tuple[float, float]:
    axis, y, x = edge
    start = float(field[y, x])
    end = float(field[y + 1, x] if axis else field[y, x + 1])
    share = start / (start - end) if start != end else 0.5
    return (x, y + share) if axis else (x + share, y)


def area(line: Floats) -> float:
    """The area inside a closed line, by the shoelace formula (3.2)."""
    x, y = line[:, 0], line[:, 1]
    return abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2


def inside_line(points: Floats, line: Floats) -> Bools:
    """Which points (P, 2) a closed line (N, 2) goes round: an upward ray crosses it an odd number
    of times. Of each segment the lower end counts and the upper one does not.
    """
    x, y = points[:, :1], points[:, 1:]
    after = np.roll(line, -1, axis=0)
    x0, y0, x1, y1 = line[:, 0], line[:, 1], after[:, 0], after[:, 1]
    spans = (x0 <= x) != (x1 <= x)
    width = np.where(x1 == x0, 1.0, x1 - x0)
    crosses = spans & (y0 + (x - x0) / width * (y1 - y0) > y)
    odd: Bools = crosses.sum(1) % 2 == 1
    return odd
