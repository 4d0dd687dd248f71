"""Palettes: pictures in 256 colours chosen for them, for a quarter of the bytes."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import AnyArray, Floats, Ints

SHAKE = 3.0  # levels of 255


def palette(pixels: AnyArray, count: int = 256) -> AnyArray:
    """Colours (count, 3) uint8 for pixels (..., 3) uint8, from dark to light.

    Median cut: the box of colours with most spread is halved until there are `count` boxes.
    Rare colours weigh more than their share, so that small bright marks keep theirs.
    """
    code = pixels.reshape(-1, 3).astype(np.int64) @ np.array([65536, 256, 1])
    codes, counts = np.unique(code, return_counts=True)
    colours = np.stack([codes >> 16, (codes >> 8) & 255, codes & 255], axis=-1).astype(float)
    boxes = _boxes(colours, counts.astype(float) ** 0.6, min(count, len(codes)))
    means = np.array([np.average(colours[box], axis=0, weights=counts[box]) for box in boxes])
    # Sorted by lightness, so that neighbours in the picture have near indices.
    order = np.argsort(means @ np.array([0.3, 0.6, 0.1]))
    found: AnyArray = means[order].round().astype(np.uint8)
    return found


def indexed(image: AnyArray, colours: AnyArray) -> AnyArray:
    """Indices (H, W) uint8 of the nearest colours (P, 3), dithered so that no bands show."""
    table = colours.astype(np.float32)
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
