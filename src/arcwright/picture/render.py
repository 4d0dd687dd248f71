"""Render figures, trails and text in front of the background."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import SUPERSAMPLING, Fragments, colour, composite, tone_map
from arcwright.picture.floor import backdrop, floor_shadow, room
from arcwright.picture.lighting import Lights, openness, shade_of, shade_solid, studio_lights
from arcwright.picture.lines import text
from arcwright.picture.solid import Solid
from arcwright.picture.trails import Trail, draw

TRAIL_WEIGHT = 2.1  # half the width of a trail, in units of line weight


@dataclass(frozen=True, eq=False)
class PlacedSolid:
    """A solid with opacity and label."""

    solid: Solid
    alpha: float = 1.0
    label: str = ""  # written under it


@dataclass(frozen=True, eq=False)
class TextLine:
    """A line of text; pixels from the left and top, or from the far sides where negative."""

    content: str
    x: float
    y: float
    size: float  # height of capitals, pixels
    align: float = 0.0
    strong: bool = False


def render_image(
    camera: Camera,
    standing: Sequence[PlacedSolid],
    trails: Sequence[Trail],
    now: float,
    floor: float,
    tall: float,
    *,
    dark: bool = True,
    lines: Sequence[TextLine] = (),
    overlay: Callable[[Camera, float], list[Fragments]] | None = None,
    through: float = 0.3,
) -> AnyArray:
    """The finished picture, (H, W, 3) uint8.

    `overlay` draws more, given the fine camera and how many of its samples make a unit of line
    weight. `through` is how clearly trails are seen where bodies hide them.
    """
    lights = studio_lights(camera, dark)
    placed = [each for each in standing if len(each.solid.triangles)]
    fine = camera.finer(SUPERSAMPLING)
    layers = [_lit(each, fine, lights) for each in placed]
    unit = text_scale(camera.height) * SUPERSAMPLING
    for trail in trails:
        layers += draw(trail, fine, now, TRAIL_WEIGHT * unit, through)
    layers += overlay(fine, unit) if overlay else []
    layers += _labels(placed, fine, unit, dark)
    layers += [_text(line, fine, dark) for line in lines]
    return tone_map(composite(layers, _room(camera, placed, lights, floor, tall, dark)))


def _lit(each: PlacedSolid, fine: Camera, lights: Lights) -> Fragments:
    solid = each.solid
    detail = int(np.clip(0.3 * fine.height, 128, 640))
    shade = shade_of(solid, lights.lamps[0].toward, detail)
    return shade_solid(solid, fine, lights, shade, openness(solid), each.alpha)


def _room(
    camera: Camera,
    placed: Sequence[PlacedSolid],
    lights: Lights,
    floor: float,
    tall: float,
    dark: bool,
) -> AnyArray:
    solids = [each.solid for each in placed]
    toward = lights.lamps[0].toward
    shadow = None
    every = np.zeros((1, 3))
    if solids:
        powers = [each.alpha for each in placed]
        detail = int(np.clip(1.5 * camera.height, 300, 1400))
        shadow = floor_shadow(solids, powers, toward, floor, tall, detail)
        every = np.concatenate([solid.positions for solid in solids])
    low, high = every.min(0), every.max(0)
    reach = max(float(np.hypot(*(high - low)[[0, 2]])) / 2, 0.8 * tall)
    return backdrop(camera, room(dark), floor, (low + high) / 2, reach, tall, shadow)


def _labels(
    placed: Sequence[PlacedSolid], fine: Camera, unit: float, dark: bool
) -> list[Fragments]:
    ink, paper = (
        colour(code) for code in (("#dbe1ea", "#20242b"), ("#3c4553", "#f1f3f6"))[not dark]
    )
    drawn = []
    for each in placed:
        place = each.solid.positions
        low = place[place[:, 1] < place[:, 1].min() + 0.12 * np.ptp(place[:, 1]) + 1e-9]
        screen = fine.project(low)
        if each.label and np.isfinite(screen).any():
            x = float(fine.project((place.min(0) + place.max(0)) / 2)[0])
            y = np.nanmax(screen[:, 1]) + 30 * unit
            strength = 0.75 + 0.25 * each.alpha
            size = fine.width, fine.height
            halo = text(each.label, (x, y), 11 * unit, paper, size, alpha=0.3, weight=0.24)
            drawn += [halo, text(each.label, (x, y), 11 * unit, ink, size, alpha=strength)]
    return drawn


def _text(line: TextLine, fine: Camera, dark: bool) -> Fragments:
    codes = ("#f2f5f9", "#98a2b3") if dark else ("#1f2733", "#667085")
    x = (line.x if line.x >= 0 else line.x + fine.width / SUPERSAMPLING) * SUPERSAMPLING
    y = (line.y if line.y >= 0 else line.y + fine.height / SUPERSAMPLING) * SUPERSAMPLING
    ink = colour(codes[0] if line.strong else codes[1])
    size = fine.width, fine.height
    weight = 0.085 if line.strong else 0.07
    return text(
        line.content, (x, y), line.size * SUPERSAMPLING, ink, size, align=line.align, weight=weight
    )


def text_scale(height: int) -> float:
    """Pixels a unit of text and line weight: small pictures keep theirs readable."""
    return float(np.sqrt(height / 900))


def points_to_frame(standing: Sequence[PlacedSolid], trails: Sequence[Trail]) -> Floats:
    """Points (P, 3) that a camera should hold."""
    spots = [_trimmed(each.solid.positions) for each in standing]
    spots += [trail.place for trail in trails]
    return np.concatenate(spots) if spots else np.zeros((1, 3))


def _trimmed(positions: Floats) -> Floats:
    """At most a few thousand of the points, the outermost among them."""
    step = max(len(positions) // 3000, 1)
    if len(positions) == 0:
        return positions
    ends = np.concatenate([positions.argmin(0), positions.argmax(0)])
    return np.concatenate([positions[::step], positions[ends]])
