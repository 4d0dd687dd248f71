"""Strip: several pictures on one sheet, each with a caption."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from arcwright.arrays import AnyArray
from arcwright.errors import BadValue
from arcwright.picture import png
from arcwright.picture.canvas import SUPERSAMPLING, colour, composite, from_srgb, to_srgb
from arcwright.picture.lines import text

GAP = 14  # pixels between panels
CAPTION = 46  # pixels under a panel, for its caption
TITLE = 72  # pixels above all panels, where there is a title


def strip(
    panels: Sequence[tuple[AnyArray, str]],
    path: str | Path | None = None,
    *,
    columns: int | None = None,
    title: str = "",
    dark: bool = True,
) -> AnyArray:
    """Pictures (H, W, 3) uint8 of one size, with captions, side by side on one sheet.

    A new row starts after `columns` pictures. Written as PNG where a path is given.
    """
    height, width = _size(panels)
    across = len(panels) if columns is None else min(columns, len(panels))
    if across < 1:
        raise BadValue("columns", "1 or more", columns)
    down = -(-len(panels) // across)
    top = GAP + (TITLE if title else 0)
    ground = colour("#14161b" if dark else "#e4e8ee")
    size = top + down * (height + CAPTION + GAP), GAP + across * (width + GAP)
    sheet = np.broadcast_to((to_srgb(ground) * 255).round().astype(np.uint8), (*size, 3)).copy()
    for index, (image, caption) in enumerate(panels):
        y = top + index // across * (height + CAPTION + GAP)
        x = GAP + index % across * (width + GAP)
        sheet[y : y + height, x : x + width] = image
        _write(sheet, caption, (x + width / 2, y + height + 29), 12.0, dark)
    _write(sheet, title, (size[1] / 2, GAP + 46), 20.0, dark)
    if path is not None:
        png.write(sheet, path)
    return sheet


def _size(panels: Sequence[tuple[AnyArray, str]]) -> tuple[int, int]:
    if not panels:
        raise BadValue("panels", "at least one picture", "none")
    shape = panels[0][0].shape
    for image, caption in panels:
        if image.shape != shape or image.ndim != 3 or image.dtype != np.uint8:
            got = f"{image.dtype} {image.shape} for {caption!r}"
            raise BadValue("panels", f"uint8 pictures of one shape {shape}", got)
    return shape[0], shape[1]


def _write(
    sheet: AnyArray, content: str, place: tuple[float, float], size: float, dark: bool
) -> None:
    """Write a centred line on the sheet; only the rows it covers are tone mapped again."""
    first = max(int(place[1] - size * 1.5), 0)
    rows = sheet[first : int(place[1] + size)]
    ink = colour("#e6eaf0" if dark else "#252d3a")
    canvas = rows.shape[1] * SUPERSAMPLING, rows.shape[0] * SUPERSAMPLING
    spot = place[0] * SUPERSAMPLING, (place[1] - first) * SUPERSAMPLING
    letters = text(content, spot, size * SUPERSAMPLING, ink, canvas, weight=0.08)
    written = composite([letters], from_srgb(rows / 255))
    rows[:] = (to_srgb(written) * 255).round().astype(np.uint8)
