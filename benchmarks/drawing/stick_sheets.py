"""Sheets of stick figures: small orthographic views side by side, over a grid of the world."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.picture.canvas import SUPERSAMPLING, Fragments, colour, composite, to_srgb
from arcwright.picture.lines import flat_line, text

GROUND = "#14161b"
FINE = 12  # points of a line between two corners, so that it ends at the border of its view


@dataclass(frozen=True, eq=False)
class View:
    """A window of a sheet that looks at part of the world, without perspective."""

    left: float  # pixels
    top: float  # pixels
    size: tuple[int, int]  # pixels
    centre: Floats  # (3,) m, in the middle of the window
    across: Floats  # (3,) direction to the right
    scale: float  # pixels per metre

    def flat(self, places: Floats) -> Floats:
        """Places (P, 3) on the sheet (P, 2), pixels."""
        middle = self.left + self.size[0] / 2, self.top + self.size[1] / 2
        away = places - self.centre
        right = middle[0] + away @ self.across * self.scale
        return np.stack([right, middle[1] - away[:, 1] * self.scale], axis=-1)

    def holds(self, flat: Floats) -> AnyArray:
        """Which points of the sheet lie in this window."""
        away = flat - (self.left, self.top)
        return np.asarray(((away >= 1) & (away <= np.array(self.size) - 1)).all(axis=-1))


@dataclass(eq=False)
class Sheet:
    """A picture that lines and words are added to; drawn at the end."""

    width: int  # pixels
    height: int  # pixels
    lines: list[Floats] = field(default_factory=list)
    words: list[Fragments] = field(default_factory=list)

    def polyline(self, view: View, places: Floats, tint: str, thick: float, near: float) -> None:
        """A line through places (P, 3) m, cut off at the window's border; nan is a gap."""
        fine = np.linspace(0, len(places) - 1, FINE * max(len(places) - 1, 1) + 1)
        corners = view.flat(places)
        steps = np.arange(len(places))
        flat = np.stack([np.interp(fine, steps, corners[:, axis]) for axis in (0, 1)], axis=-1)
        flat[~view.holds(flat)] = np.nan
        self._add(flat, tint, thick, near)

    def dot(self, view: View, place: Floats, tint: str, thick: float) -> None:
        """A round dot at a place (3,) m."""
        flat = view.flat(place[None])
        if view.holds(flat)[0]:
            self._add(np.concatenate([flat, flat + 0.01]), tint, thick, 9.0)

    def grid(self, view: View, spacing: float, tint: str) -> None:
        """Lines of the world, `spacing` m apart, and the window's border."""
        half = np.array(view.size) / 2 / view.scale
        middle = np.array([view.centre @ view.across, view.centre[1]])
        for axis in (0, 1):
            first, last = middle[axis] - half[axis], middle[axis] + half[axis]
            for step in range(int(np.ceil(first / spacing)), int(last // spacing) + 1):
                away = np.empty((2, 2))
                away[:, axis] = step * spacing - middle[axis]
                away[:, 1 - axis] = (-half[1 - axis], half[1 - axis])
                ends = view.centre + away[:, :1] * view.across + away[:, 1:] * (0.0, 1.0, 0.0)
                self.polyline(view, ends, tint, 0.4, 0.5)

    def write(self, words: str, place: tuple[float, float], size: float, tint: str) -> None:
        """A line of text from its lower left corner, `size` pixels high."""
        spot = place[0] * SUPERSAMPLING, place[1] * SUPERSAMPLING
        canvas = self.width * SUPERSAMPLING, self.height * SUPERSAMPLING
        self.words.append(text(words, spot, size * SUPERSAMPLING, colour(tint), canvas, align=0.0))

    def drawn(self) -> AnyArray:
        """(H, W, 3) uint8."""
        size = self.width * SUPERSAMPLING, self.height * SUPERSAMPLING
        backdrop = np.broadcast_to(colour(GROUND), (self.height, self.width, 3))
        layers = [flat_line(np.concatenate(self.lines), *size), *self.words]
        light = composite(layers, np.array(backdrop, np.float32))
        return np.asarray((to_srgb(light) * 255).round().clip(0, 255).astype(np.uint8))

    def _add(self, flat: Floats, tint: str, thick: float, near: float) -> None:
        table = np.full((len(flat) + 1, 8), np.nan)
        table[:-1, :2] = flat * SUPERSAMPLING
        table[:-1, 2:] = (near, thick * SUPERSAMPLING / 2, *colour(tint), 1.0)
        table[np.isnan(table[:, 0])] = np.nan
        self.lines.append(table)
