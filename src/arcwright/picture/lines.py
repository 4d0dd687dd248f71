"""Lines, balls and text drawn with exact coverage, so that they stay crisp at any angle."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.kinematics.raster import spread
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import Fragments

BATCH = 300_000  # samples tried at once, a bound on memory
PIECE = 24.0  # longest straight piece drawn at once, samples
# Strokes separated by spaces; each is points "column row" on a grid: row 0 is the top of capitals,
# 2 the top of small letters, 6 the line, 8 below it. Corners are rounded; a point twice is sharp.
STROKES = {
    "0": "204046060020", "1": "02202026", "2": "0100404304060646", "3": "0100404323 2343460605",
    "4": "30040444 3036", "5": "400000020242460605", "6": "4140000646421204", "7": "00404016",
    "8": "230300404323 230306464323", "9": "0506464000043442", "A": "06202046 1434",
    "B": "0006 00404303 03434606", "C": "414000064645", "D": "0006 00404606",
    "E": "4000 0006 0646 0333", "F": "4000 0006 0333", "G": "4140000646434323",
    "H": "0006 4046 0343", "I": "0006", "J": "40460604", "K": "0006 4004 1346", "L": "00060646",
    "M": "0600002424404046", "N": "060000464640", "O": "204046060020", "P": "0006 00404303",
    "Q": "204046060020 2547", "R": "0006 00404303 2346", "S": "4140000343460605",
    "T": "0040 2026", "U": "00064640", "V": "00262640", "W": "0016162222363640", "X": "0046 4006",
    "Y": "0023 4023 2326", "Z": "004040060646", "a": "434202064645 4246",
    "b": "0006 030242460605", "c": "434202064645", "d": "4046 434202064645",
    "e": "0444444202064645", "f": "301016 0232", "g": "424808 434202064645", "h": "0006 03024246",
    "i": "0206 0000", "j": "121808 1010", "k": "0006 3204 1436", "l": "000616",
    "m": "0206 03022226 23224246", "n": "0206 03024246", "o": "224246060222",
    "p": "0208 030242460605", "q": "4248 434202064645", "r": "0206 040232",
    "s": "4342020444460605", "t": "101636 0232", "u": "02064644 4246", "v": "02262642",
    "w": "0216162323363642", "x": "0246 4206", "y": "0226 4218", "z": "024242060646", ".": "0606",
    ",": "1608", ":": "0303 0606", "-": "0434", "_": "0747", "/": "4006", "+": "0444 2226",
    "=": "0343 0545", "(": "20110718", ")": "00111708", "'": "0002", "!": "0004 0606",
    "?": "0100404324 2626", "%": "1000021210 4006 3424263634",
    "|": "0008", "[": "100000080818", "]": "001010181808", "#": "1017 3037 0242 0545",
    ";": "0303 1608", "*": "2125 0224 4224", "<": "320435", ">": "023405",
    "·": "0404", " ": "",
}  # fmt: skip
GAP = 1.9  # grid units between letters
SPACE = 2.2  # grid units


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


def text_width(content: str, size: float) -> float:
    """How wide a text of cap height `size` is, in the same unit."""
    return max(sum(_advance(letter) for letter in content) - GAP, 0) * size / 6


def text(
    content: str,
    place: tuple[float, float],
    size: float,
    colour: Floats,
    canvas: tuple[int, int],
    *,
    align: float = 0.5,
    alpha: float = 1.0,
    weight: float = 0.075,
) -> Fragments:
    """Draw a line of text; all lengths in samples.

    `place` is x and the base line y, `align` is 0 for left, 0.5 for middle, 1 for right;
    `size` is the height of capitals and `weight` the half thickness of strokes as a share of it.
    """
    grid = size / 6
    x = place[0] - text_width(content, size) * align
    rows = [np.zeros((0, 8))]
    for letter in content:
        for stroke in _strokes(letter):
            row = np.full((len(stroke) + 1, 8), np.nan)
            row[:-1, 0] = x + stroke[:, 0] * grid
            row[:-1, 1] = place[1] + (stroke[:, 1] - 6) * grid
            row[:-1, 2:] = (1e6, size * weight, *colour, alpha)
            rows.append(row)
        x += _advance(letter) * grid
    return flat_line(np.concatenate(rows), *canvas)


def _advance(letter: str) -> float:
    if letter == " ":
        return SPACE
    shape = STROKES.get(letter, STROKES["?"]).replace(" ", "")
    return max(int(column) for column in shape[::2]) + GAP


def _strokes(letter: str) -> list[Floats]:
    strokes = STROKES.get(letter, STROKES["?"]).split()
    return [_rounded(np.array([*stroke], float).reshape(-1, 2)) for stroke in strokes]


def _rounded(points: Floats) -> Floats:
    """Corners cut three times over; the ends stay where they are."""
    for _ in range(3):
        if len(points) < 3:
            break
        a, b = points[:-1], points[1:]
        cut = np.stack([a * 0.75 + b * 0.25, a * 0.25 + b * 0.75], axis=1).reshape(-1, 2)
        points = np.concatenate([points[:1], cut, points[-1:]])
    return points
