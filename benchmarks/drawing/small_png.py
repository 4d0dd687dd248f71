"""Small PNG files: 256 colours chosen for the picture, for a quarter of the bytes."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints
from arcwright.picture import png

SHAKE = 3.0  # levels of 255


def write_small(image: AnyArray, path: str | Path) -> None:
    """Write an (H, W, 3) uint8 image; folders on the way are made."""
    index, colours = palette(image)
    height, width = index.shape
    rows = np.zeros((height, width + 1), np.uint8)
    rows[:, 1:] = index
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    body = zlib.compress(rows.tobytes(), 9)
    chunks = {b"IHDR": header, b"PLTE": colours.tobytes(), b"IDAT": body, b"IEND": b""}
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_bytes(png.pack(chunks))


def palette(image: AnyArray, count: int = 256) -> tuple[AnyArray, AnyArray]:
    """Indices (H, W) uint8 and colours (count, 3) uint8 of an (H, W, 3) uint8 image.

    Median cut: the box of colours with most spread is halved until there are `count` boxes.
    Rare colours weigh more than their share, so that small bright marks keep theirs.
    """
    code = image.reshape(-1, 3).astype(np.int64) @ np.array([65536, 256, 1])
    codes, counts = np.unique(code, return_counts=True)
    colours = np.stack([codes >> 16, (codes >> 8) & 255, codes & 255], axis=-1).astype(float)
    boxes = _boxes(colours, counts.astype(float) ** 0.6, min(count, len(codes)))
    means = np.array([np.average(colours[box], axis=0, weights=counts[box]) for box in boxes])
    # Sorted by lightness, so that neighbours in the picture have near indices.
    order = np.argsort(means @ np.array([0.3, 0.6, 0.1]))
    table = np.zeros((count, 3), np.uint8)
    table[: len(order)] = means[order].round()
    return _nearest(image, table[: len(order)].astype(np.float32)), table


def _nearest(image: AnyArray, table: AnyArray) -> AnyArray:
    """The nearest colour of each pixel, dithered so that gradients show no bands."""
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    noise = np.mod(52.9829189 * np.mod(0.06711056 * x + 0.00583715 * y, 1), 1) - 0.5
    flat = (image + SHAKE * noise[..., None]).reshape(-1, 3).astype(np.float32)
    lengths = (table * table).sum(axis=1)
    found = [
        np.argmin(lengths - 2 * part @ table.T, axis=1)
        for part in np.array_split(flat, max(len(flat) // 65536, 1))
    ]
    return np.concatenate(found).astype(np.uint8).reshape(image.shape[:2])


def _boxes(colours: Floats, weight: Floats, count: int) -> list[Ints]:
    boxes: list[Ints] = [np.arange(len(colours))]
    spread = [_spread(colours, weight)]
    while len(boxes) < count:
        widest = int(np.argmax([each.max() for each in spread]))
        box, axis = boxes.pop(widest), int(spread.pop(widest).argmax())
        box = box[np.argsort(colours[box, axis], kind="stable")]
        passed = np.cumsum(weight[box])
        cut = int(np.clip(np.searchsorted(passed, passed[-1] / 2), 1, len(box) - 1))
        for half in (box[:cut], box[cut:]):
            boxes.append(half)
            spread.append(_spread(colours[half], weight[half]))
    return boxes


def _spread(colours: Floats, weight: Floats) -> Floats:
    """(3,) weighted squares from the mean; -1 where there is nothing to cut."""
    if len(colours) < 2:
        return np.full(3, -1.0)
    away = colours - np.average(colours, axis=0, weights=weight)
    spread: Floats = weight @ (away * away)
    return spread
