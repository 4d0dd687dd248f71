"""Lines and balls drawn with exact coverage, so that they stay crisp at any angle."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import Fragments
from arcwright.picture.raster import spread

BATCH = 300_000  # samples tried at once, a bound on memory
PIECE = 24.0  # longest straight piece drawn at once, samples


def line(
    camera: Camera,
    points: Floats,
    radius: float | Floats,
    colours: Floats,
    alpha: float | Floats = 1.0,
    *,
    round_shade: bool = True,
) -> Fragments:
    """A polyline through world points (P, 3), `radius` samples thick, coloured at its points.

    Pieces behind the camera are left out. With `round_shade` it is lit like a thin tube.
    """
    screen = camera.project(points)
    count = len(points)
    wide = np.broadcast_to(np.asarray(radius, float), (count,))
    fill = np.broadcast_to(np.asarray(alpha, float), (count,))
    tint = np.broadcast_to(colours, (count, 3))
    table = np.concatenate([screen, wide[:, None], tint, fill[:, None]], axis=1)
    return flat_line(table, camera.width, camera.height, round_shade=round_shade)


def flat_line(table: Floats, width: int, height: int, *, round_shade: bool = False) -> Fragments:
    """A polyline on the screen; rows are x, y, nearness, radius, red, green, blue, alpha."""
    start, stop = _pieces(table, width, height)
    found = [_covered(start[part], stop[part], width, height) for part in _batches(start, stop)]
    sample, cover, value, gap = (np.concatenate(each) for each in zip(*found, strict=True))
    keep = _foremost(sample, cover, value[:, 2])
    tint = value[keep, 4:7]
    if round_shade:
        tint = tint * _tube(gap[keep], value[keep, 3])[:, None]
    return Fragments(sample[keep], value[keep, 2], tint, cover[keep] * value[keep, 7])


def _batches(start: Floats, stop: Floats) -> list[slice]:
    """Pieces in groups whose boxes have about `BATCH` samples."""
    reach = np.maximum(start[:, 3], stop[:, 3])[:, None]
    cost = np.cumsum((np.abs(stop - start)[:, :2] + 2 * reach + 4).prod(axis=1))
    count = int(cost[-1] // BATCH) + 1 if len(cost) else 1
    ends = np.searchsorted(cost, BATCH * np.arange(1, count)).tolist()
    return [slice(a, b) for a, b in zip([0, *ends], [*ends, len(cost)], strict=True)]


def _covered(a: Floats, b: Floats, width: int, height: int) -> tuple[Ints, Floats, Floats, Floats]:
    """Samples that pieces from `a` to `b` cover: place, cover, row of the table, way off (2,)."""
    owner, x, y = _cells(a, b, width, height)
    a, b = a[owner], b[owner]
    along = b[:, :2] - a[:, :2]
    reach = np.maximum((along * along).sum(-1), 1e-12)
    off = np.stack([x + 0.5, y + 0.5], axis=-1) - a[:, :2]
    way = np.clip((off * along).sum(-1) / reach, 0, 1)
    value = a + (b - a) * way[:, None]
    gap = off - along * way[:, None]
    apart = np.sqrt((gap * gap).sum(-1))
    radius = value[:, 3]
    # Thinner than a sample: keep the line that wide and let it fade instead.
    cover = np.clip(np.maximum(radius, 0.5) + 0.5 - apart, 0, 1) * np.minimum(radius / 0.5, 1)
    keep = np.flatnonzero(cover > 1 / 512)
    keep = keep[_foremost(y[keep] * width + x[keep], cover[keep], value[keep, 2])]
    return y[keep] * width + x[keep], cover[keep], value[keep], gap[keep]


def ball(
    camera: Camera, centre: Floats, radius: float, colour: Floats, alpha: float = 1.0
) -> Fragments:
    """A small lit sphere at a world place, `radius` samples wide."""
    x, y, near = camera.project(centre)
    low_x, low_y = np.floor(x - radius - 1), np.floor(y - radius - 1)
    if not np.isfinite(x) or abs(x) > 1e6 or abs(y) > 1e6:
        return nothing()
    side = np.arange(int(2 * radius + 4))
    row, column = np.meshgrid(low_y + side, low_x + side, indexing="ij")
    dx, dy = (column + 0.5 - x) / radius, (row + 0.5 - y) / radius
    apart = np.hypot(dx, dy)
    cover = np.clip((1 - apart) * radius + 0.5, 0, 1)
    inside = (column >= 0) & (row >= 0) & (column < camera.width) & (row < camera.height)
    keep = (cover > 0) & inside
    bulge = np.sqrt(np.clip(1 - apart**2, 0, 1))
    facing = np.clip(-0.45 * dx - 0.6 * dy + 0.66 * bulge, 0, 1)
    light = (0.42 + 0.62 * facing)[..., None] * colour + (facing**24 * 0.55)[..., None]
    light = light * np.clip((1 - apart) * radius / 1.5 + 0.25, 0.25, 1)[..., None]
    sample = (row * camera.width + column)[keep].astype(np.int64)
    return Fragments(sample, np.full(len(sample), near), light[keep], cover[keep] * alpha)


def nothing() -> Fragments:
    """No fragments."""
    return Fragments(np.zeros(0, np.int64), np.zeros(0), np.zeros((0, 3)), np.zeros(0))


def _tube(gap: Floats, radius: Floats) -> Floats:
    side = gap / np.maximum(radius, 0.5)[:, None]
    bulge = np.sqrt(np.clip(1 - (side * side).sum(-1), 0, 1))
    lit: Floats = 0.62 + 0.45 * np.clip(0.8 * bulge - 0.35 * side[:, 0] - 0.5 * side[:, 1], 0, 1)
    return lit


def _pieces(table: Floats, width: int, height: int) -> tuple[Floats, Floats]:
    """The straight pieces on the screen, long ones cut up so that few empty cells are tried."""
    a, b = table[:-1], table[1:]
    good = np.isfinite(a).all(1) & np.isfinite(b).all(1)
    reach = np.maximum(a[:, 3], b[:, 3]) + 1
    with np.errstate(invalid="ignore"):
        low = np.minimum(a[:, :2], b[:, :2]) - reach[:, None]
        high = np.maximum(a[:, :2], b[:, :2]) + reach[:, None]
        good &= (high > 0).all(1) & (low < (width, height)).all(1)
        good &= (np.abs(a[:, :2]) < 1e5).all(1) & (np.abs(b[:, :2]) < 1e5).all(1)
    a, b = a[good], b[good]
    cuts = np.ceil(np.hypot(*(b - a)[:, :2].T) / PIECE).astype(np.int64)
    owner, step = spread(np.zeros_like(cuts), np.maximum(cuts, 1))
    share = (step / np.maximum(cuts, 1)[owner])[:, None]
    more = ((step + 1) / np.maximum(cuts, 1)[owner])[:, None]
    way = b[owner] - a[owner]
    return a[owner] + way * share, a[owner] + way * more


def _cells(start: Floats, stop: Floats, width: int, height: int) -> tuple[Ints, Ints, Ints]:
    """All samples in the boxes around pieces: the piece, x and y."""
    reach = np.maximum(start[:, 3], stop[:, 3]) + 1.5
    low = np.minimum(start[:, :2], stop[:, :2]) - reach[:, None]
    high = np.maximum(start[:, :2], stop[:, :2]) + reach[:, None]
    limit = (width, height)
    least = np.clip(np.floor(low), 0, limit).astype(np.int64)
    most = np.clip(np.ceil(high), 0, limit).astype(np.int64)
    piece, y = spread(least[:, 1], most[:, 1] - least[:, 1])
    row, x = spread(least[piece, 0], (most - least)[piece, 0])
    return piece[row], x, y[row]


def _foremost(sample: Ints, cover: AnyArray, near: AnyArray) -> Ints:
    """One fragment for each sample: the best covered, then the nearest."""
    order = np.lexsort((near, np.round(cover * 8), sample))
    last = np.append(sample[order][1:] != sample[order][:-1], True)
    return order[last] if len(order) else order
