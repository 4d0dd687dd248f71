"""Marks: symbols at pins, footplants, dragged points and their targets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import Fragments, colour
from arcwright.picture.lines import flat_line

TOP = 2e3  # nearness of marks: they lie on everything
SIGNS: dict[str, tuple[str, tuple[tuple[float, float], ...]]] = {
    "pin": ("#ff5252", ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))),
    "contact": ("#43d17c", ((-1.15, 0.9), (1.15, 0.9), (0, -1.1), (-1.15, 0.9))),
    "hand": ("#ffffff", tuple((np.cos(a), np.sin(a)) for a in np.linspace(0, 2 * np.pi, 33))),
    "wanted": ("#ffc23d", ((-1, -1), (1, 1), (np.nan, np.nan), (-1, 1), (1, -1))),
}
"""Colour and outline of each: a red square, a green triangle, a white ring, an amber cross."""


@dataclass(frozen=True, eq=False)
class Mark:
    """A sign at a place in the world."""

    sign: str  # one of SIGNS
    place: Floats  # (3,) m
    toward: Floats | None = None  # (3,) m, where a dashed line leads


def draw_mark(mark: Mark, camera: Camera, unit: float) -> list[Fragments]:
    """The fragments of a mark on a fine camera; `unit` is samples a unit of line weight."""
    code, outline = SIGNS[mark.sign]
    tint = colour(code)
    x, y, near = camera.project(mark.place)
    if not np.isfinite(near):
        return []
    shape = np.array(outline) * 7.0 * unit + (x, y)
    drawn = []
    if mark.toward is not None:
        ends = np.stack([mark.place, mark.toward])
        drawn.append(_dashes(ends, camera, unit, tint))
    for wide, light in ((3.0, 0.02), (1.5, 1.0)):
        table = np.empty((len(shape), 8))
        table[:, :2] = shape
        table[:, 2] = TOP * (1 + light)
        table[:, 3] = wide * unit
        table[:, 4:7] = tint * light
        table[:, 7] = 0.6 if light < 1 else 1.0
        table[np.isnan(shape[:, 0])] = np.nan
        drawn.append(flat_line(table, camera.width, camera.height))
    return drawn


def _dashes(places: Floats, camera: Camera, unit: float, tint: Floats) -> Fragments:
    ends = camera.project(places)[:, :2]
    count = max(int(np.hypot(*(ends[1] - ends[0])) / (6 * unit)), 1)
    share = np.arange(count + 1)[:, None] / count
    table = np.empty((count + 1, 8))
    table[:, :2] = ends[0] + share * (ends[1] - ends[0])
    table[:, 2:4] = TOP, 1.1 * unit
    table[:, 4:7] = tint
    table[:, 7] = 0.9
    rows = [table[i : i + 2] for i in range(0, count, 2)]
    gap = np.full((1, 8), np.nan)
    return flat_line(
        np.concatenate([np.concatenate([row, gap]) for row in rows]), camera.width, camera.height
    )
