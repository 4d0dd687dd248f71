"""Stage: figures, trails and words put into the room and photographed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import SUPER, Fragments, colour, develop, lay
from arcwright.picture.floor import backdrop, room
from arcwright.picture.letters import text
from arcwright.picture.marks import Mark, draw_mark
from arcwright.picture.shade import Lights, render, studio_lights
from arcwright.picture.shadow import floor_shadow, openness, shade_of
from arcwright.picture.solid import Solid
from arcwright.picture.trails import Trail, draw, draw_striped


@dataclass(frozen=True, eq=False)
class Standing:
    """A solid on the stage."""

    solid: Solid
    alpha: float = 1.0
    label: str = ""  # written under it


@dataclass(frozen=True, eq=False)
class Word:
    """A line of text; pixels from the left and top, or from the far sides where negative."""

    content: str
    x: float
    y: float
    size: float  # height of capitals, pixels
    align: float = 0.0
    strong: bool = False


def photograph(
    camera: Camera,
    standing: Sequence[Standing],
    trails: Sequence[Trail],
    now: float,
    floor: float,
    tall: float,
    *,
    dark: bool = True,
    words: Sequence[Word] = (),
    before: Sequence[Trail] = (),
    marks: Sequence[Mark] = (),
    through: float = 0.3,
) -> AnyArray:
    """The finished picture, (H, W, 3) uint8; `before` are trails as they were, in grey stripes.

    `through` is how clearly trails are seen where bodies hide them.
    """
    lights = studio_lights(camera, dark)
    there = [each for each in standing if len(each.solid.triangles)]
    fine = camera.finer(SUPER)
    layers = [_lit(each, fine, lights) for each in there]
    unit = text_scale(camera.height) * SUPER
    for trail in before:
        layers += draw_striped(trail, fine, 2.1 * unit, through)
    for trail in trails:
        layers += draw(trail, fine, now, 2.1 * unit, through)
    for mark in marks:
        layers += draw_mark(mark, fine, unit)
    layers += _labels(there, fine, unit, dark)
    layers += [_word(word, fine, dark) for word in words]
    return develop(lay(layers, _room(camera, there, lights, floor, tall, dark)))


def _lit(each: Standing, fine: Camera, lights: Lights) -> Fragments:
    solid = each.solid
    detail = int(np.clip(0.3 * fine.height, 128, 640))
    shade = shade_of(solid, lights.lamps[0].toward, detail)
    return render(solid, fine, lights, shade, openness(solid), each.alpha)


def _room(
    camera: Camera, there: Sequence[Standing], lights: Lights, floor: float, tall: float, dark: bool
) -> AnyArray:
    solids = [each.solid for each in there]
    toward = lights.lamps[0].toward
    shadow = None
    every = np.zeros((1, 3))
    if solids:
        powers = [each.alpha for each in there]
        detail = int(np.clip(1.5 * camera.height, 300, 1400))
        shadow = floor_shadow(solids, powers, toward, floor, tall, detail)
        every = np.concatenate([solid.positions for solid in solids])
    low, high = every.min(0), every.max(0)
    reach = max(float(np.hypot(*(high - low)[[0, 2]])) / 2, 0.8 * tall)
    return backdrop(camera, room(dark), floor, (low + high) / 2, reach, tall, shadow)


def _labels(there: Sequence[Standing], fine: Camera, unit: float, dark: bool) -> list[Fragments]:
    ink, paper = (
        colour(code) for code in (("#dbe1ea", "#20242b"), ("#3c4553", "#f1f3f6"))[not dark]
    )
    drawn = []
    for each in there:
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


def _word(word: Word, fine: Camera, dark: bool) -> Fragments:
    codes = ("#f2f5f9", "#98a2b3") if dark else ("#1f2733", "#667085")
    x = (word.x if word.x >= 0 else word.x + fine.width / SUPER) * SUPER
    y = (word.y if word.y >= 0 else word.y + fine.height / SUPER) * SUPER
    ink = colour(codes[0] if word.strong else codes[1])
    size = fine.width, fine.height
    weight = 0.085 if word.strong else 0.07
    return text(word.content, (x, y), word.size * SUPER, ink, size, align=word.align, weight=weight)


def text_scale(height: int) -> float:
    """Pixels a unit of text and line weight: small pictures keep theirs readable."""
    return float(np.sqrt(height / 900))


def room_for(standing: Sequence[Standing], trails: Sequence[Trail]) -> Floats:
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
