"""Plots: curves and marks over axes with numbers, as pixels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.picture.canvas import SUPERSAMPLING, Fragments, colour, composite, to_srgb
from arcwright.picture.lines import flat_line, text

GROUND, INK, FAINT = "#14161b", "#c9d2da", "#3a424c"
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 30, 30  # pixels around the axes
TICKS = 4  # of an axis, about


@dataclass(frozen=True, eq=False)
class Curve:
    """A line through points, or rings at points."""

    x: Floats  # (P,)
    y: Floats  # (P,)
    tint: str = "#5b9bff"
    rings: bool = False


def plot(
    curves: Sequence[Curve], title: str, size: tuple[int, int] = (900, 240), x_label: str = ""
) -> AnyArray:
    """(H, W, 3) uint8; the axes hold all points."""
    fine = size[0] * SUPERSAMPLING, size[1] * SUPERSAMPLING
    x = np.concatenate([each.x for each in curves])
    y = np.concatenate([each.y for each in curves])
    wide, high = _range(x, 0.0), _range(y, 0.06)
    layers = [*_axes(wide, high, size, fine), _words(title, (LEFT, 19), 11.0, fine, 0.0)]
    layers.append(_words(x_label, (size[0] - RIGHT, 19), 9.0, fine, 1.0))
    for each in curves:
        places = _places(each.x, each.y, wide, high, size)
        if each.rings:
            layers += [_line(ring, each.tint, 1.1, 3e3, fine) for ring in _rings(places)]
        else:
            layers.append(_line(places, each.tint, 0.9, 2e3, fine))
    ground = np.broadcast_to(colour(GROUND), (size[1], size[0], 3))
    light = composite(layers, np.array(ground, np.float32))
    return np.asarray((to_srgb(light) * 255).round().clip(0, 255).astype(np.uint8))


def _axes(
    wide: Floats, high: Floats, size: tuple[int, int], fine: tuple[int, int]
) -> list[Fragments]:
    layers = []
    for value in _ticks(wide):
        ends = _places(np.full(2, value), high, wide, high, size)
        layers.append(_line(ends, FAINT, 0.4, 1e3, fine))
        layers.append(_words(f"{value:g}", (ends[0, 0], size[1] - 10), 8.0, fine, 0.5))
    for value in _ticks(high):
        ends = _places(wide, np.full(2, value), wide, high, size)
        layers.append(_line(ends, FAINT, 0.4, 1e3, fine))
        layers.append(_words(f"{value:g}", (LEFT - 6, ends[0, 1] + 4), 8.0, fine, 1.0))
    return layers


def _range(values: Floats, margin: float) -> Floats:
    low, high = float(values.min()), float(values.max())
    more = margin * (high - low) or (0.0 if high > low else 0.5)
    return np.array([low - more, high + more])


def _ticks(ends: Floats) -> list[float]:
    """Round numbers within a range."""
    rough = (ends[1] - ends[0]) / TICKS
    power = 10.0 ** np.floor(np.log10(rough))
    step = power * min((1, 2, 5, 10), key=lambda each: abs(each * power - rough))
    first, last = np.ceil(ends[0] / step - 1e-9), np.floor(ends[1] / step + 1e-9)
    return [round(float(each * step), 10) + 0.0 for each in np.arange(first, last + 1)]


def _places(x: Floats, y: Floats, wide: Floats, high: Floats, size: tuple[int, int]) -> Floats:
    """(P, 2) pixels."""
    across = LEFT + (x - wide[0]) / (wide[1] - wide[0]) * (size[0] - LEFT - RIGHT)
    down = size[1] - BOTTOM - (y - high[0]) / (high[1] - high[0]) * (size[1] - TOP - BOTTOM)
    return np.stack([across, down], axis=1)


def _rings(places: Floats) -> list[Floats]:
    around = np.linspace(0, 2 * np.pi, 17)
    ring = 4.5 * np.stack([np.cos(around), np.sin(around)], axis=1)
    return [place + ring for place in places]


def _line(
    places: Floats, tint: str, radius: float, near: float, fine: tuple[int, int]
) -> Fragments:
    table = np.empty((len(places), 8))
    table[:, :2] = places * SUPERSAMPLING
    table[:, 2:4] = near, radius * SUPERSAMPLING
    table[:, 4:7], table[:, 7] = colour(tint), 1.0
    return flat_line(table, *fine)


def _words(
    words: str, place: tuple[float, float], high: float, fine: tuple[int, int], align: float
) -> Fragments:
    spot = place[0] * SUPERSAMPLING, place[1] * SUPERSAMPLING
    return text(words, spot, high * SUPERSAMPLING, colour(INK), fine, align=align)
