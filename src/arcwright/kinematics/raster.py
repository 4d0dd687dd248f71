"""Rasterise triangles: a z-buffer over spans, all triangles at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.errors import BadValue

BATCH = 3_000_000  # pixels touched at once, a bound on memory
MOST_LAYERS = 100  # surfaces behind each other, all over the picture; real scenes have ten
_ID = np.uint64(0xFFFFFFFF)


@dataclass(frozen=True, eq=False)
class VisibleTriangles:
    """The nearest triangle of every pixel that has one."""

    pixel: Ints  # (N,) y * width + x, rising
    triangle: Ints  # (N,)
    nearness: AnyArray  # (N,) float32, larger is nearer


def rasterise(corners: Floats, width: int, height: int) -> VisibleTriangles:
    """Rasterise triangles (F, 3, 3) whose corners are pixel x, pixel y and nearness.

    Nearness is above 0 and runs straight across the picture (1/depth in perspective).
    Pixel centres lie at half numbers. Where two triangles are equally near, the first wins.
    """
    buffer = np.zeros(width * height, np.uint64)
    table = np.ascontiguousarray(corners.transpose(1, 2, 0))  # corner, (x, y, nearness), triangle
    top, rows = _rows(table, width, height)
    kept = np.flatnonzero(rows)
    table, top, rows = table[:, :, kept], top[kept], rows[kept]
    left, right = _extent(np.clip(table[:, 0], 0, width))
    cost = np.cumsum(rows * (right - left + 2))
    if len(kept) and cost[-1] > MOST_LAYERS * max(width * height, 250_000):
        layers = f"{cost[-1] / (width * height):.0f} times"
        raise BadValue("scene", f"what fills the picture at most {MOST_LAYERS} times over", layers)
    start = 0
    while start < len(kept):
        spent = cost[start - 1] if start else 0.0
        stop = max(int(np.searchsorted(cost, spent + BATCH)), start + 1)
        part = slice(start, stop)
        _draw(buffer, table[:, :, part], kept[part], top[part], rows[part], width)
        start = stop
    pixel = np.flatnonzero(buffer)
    key = buffer[pixel]
    nearness = (key >> np.uint64(32)).astype(np.uint32).view(np.float32)
    return VisibleTriangles(pixel, (_ID - (key & _ID)).astype(np.int64), nearness)


def clip_near(view: Floats, near: float) -> tuple[Floats, Ints]:
    """Cut triangles (F, 3, 3) in view space at depth `near`.

    Gives the pieces in front (G, 3, 3) and the triangle each came from (G,).
    """
    front = view[:, :, 2] > near
    count = front.sum(1)
    whole = np.flatnonzero(count == 3)
    pieces, source = [view[whole]], [whole]
    for inside in (1, 2):
        cut = np.flatnonzero(count == inside)
        # Rotate the corners so that the one on the other side comes first.
        odd = np.argmax(front[cut] == (inside == 1), axis=1)
        turn = (odd[:, None] + np.arange(3)) % 3
        a, b, c = np.moveaxis(np.take_along_axis(view[cut], turn[:, :, None], axis=1), 1, 0)
        ab, ac = _cross_at(a, b, near), _cross_at(a, c, near)
        if inside == 1:
            pieces.append(np.stack([a, ab, ac], axis=1))
            source.append(cut)
        else:
            pieces += [np.stack([ab, b, c], axis=1), np.stack([ab, c, ac], axis=1)]
            source += [cut, cut]
    return np.concatenate(pieces), np.concatenate(source)


def _cross_at(a: Floats, b: Floats, near: float) -> Floats:
    share = (near - a[:, 2:]) / (b[:, 2:] - a[:, 2:])
    return a + share * (b - a)


def _rows(table: Floats, width: int, height: int) -> tuple[Ints, Ints]:
    """The first row and the number of rows each triangle has pixel centres in."""
    (left, right), (low, high) = _extent(table[:, 0]), _extent(table[:, 1])
    with np.errstate(invalid="ignore", over="ignore"):
        drawn = np.isfinite(table.sum((0, 1)))
        drawn &= (right > 0) & (left < width)
    low, high = np.where(drawn, low, 0), np.where(drawn, high, 0)
    top = np.clip(np.ceil(low - 0.5), 0, height).astype(np.int64)
    return top, np.clip(np.ceil(high - 0.5), 0, height).astype(np.int64) - top


def _extent(corners: Floats) -> tuple[Floats, Floats]:
    """Least and largest of three corners (3, F), faster than along so short an axis."""
    a, b, c = corners
    return np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)


def _draw(buffer: AnyArray, table: Floats, names: Ints, top: Ints, rows: Ints, width: int) -> None:
    a, b, c = _top_down(*table)
    owner, y = spread(top, rows)
    centre = y + 0.5
    long = _edge_x(a, c, owner, centre)
    upper = centre < b[1, owner]
    short = np.where(upper, _edge_x(a, b, owner, centre), _edge_x(b, c, owner, centre))
    left = np.clip(np.ceil(np.minimum(long, short) - 0.5), 0, width).astype(np.int64)
    right = np.clip(np.ceil(np.maximum(long, short) - 0.5), 0, width).astype(np.int64)
    row, x = spread(left, right - left)
    triangle = owner[row]
    across, down = _slopes(a, b, c)
    near = a[2, triangle] + across[triangle] * (x + 0.5 - a[0, triangle])
    near += down[triangle] * (centre[row] - a[1, triangle])
    farthest, nearest = _extent(table[:, 2])
    near = np.clip(near, farthest[triangle], nearest[triangle])
    bits = np.maximum(near, 1e-30).astype(np.float32).view(np.uint32).astype(np.uint64)
    key = (bits << np.uint64(32)) | (_ID - names[triangle].astype(np.uint64))
    np.maximum.at(buffer, y[row] * width + x, key)


def _top_down(a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats, Floats]:
    """Corners, each (3, F), in the order of their y."""
    a, b = np.where(b[1] < a[1], b, a), np.where(b[1] < a[1], a, b)
    b, c = np.where(c[1] < b[1], c, b), np.where(c[1] < b[1], b, c)
    return np.where(b[1] < a[1], b, a), np.where(b[1] < a[1], a, b), c


def spread(start: Ints, count: Ints) -> tuple[Ints, Ints]:
    """Every integer of the runs [start, start + count): the run it is in, and its value."""
    count = np.maximum(count, 0)
    run = np.repeat(np.arange(len(count)), count)
    return run, np.arange(len(run)) - np.repeat(np.cumsum(count) - count, count) + start[run]


def _edge_x(a: Floats, b: Floats, owner: Ints, y: AnyArray) -> Floats:
    rise = b[1] - a[1]
    slope = (b[0] - a[0]) / np.where(rise > 0, rise, 1)
    x: Floats = a[0, owner] + (y - a[1, owner]) * slope[owner]
    return x


def _slopes(a: Floats, b: Floats, c: Floats) -> tuple[Floats, Floats]:
    """How nearness changes with pixel x and y, each (F,); 0 for triangles without area."""
    u, v = b - a, c - a
    area = u[0] * v[1] - u[1] * v[0]
    scale = np.divide(1.0, area, out=np.zeros_like(area), where=np.abs(area) > 1e-12)
    return (u[2] * v[1] - v[2] * u[1]) * scale, (v[2] * u[0] - u[2] * v[0]) * scale
