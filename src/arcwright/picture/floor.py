"""Background: a backdrop, a lit floor, and a grid that fades with distance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import colour
from arcwright.picture.shadow import FloorShadow


@dataclass(frozen=True, eq=False)
class Room:
    """The colours of the surroundings, linear light."""

    top: AnyArray  # (3,) backdrop, upper edge
    glow: AnyArray  # (3,) backdrop, behind the figures
    floor: AnyArray  # (3,) floor under the figures
    far: AnyArray  # (3,) floor far away
    line: AnyArray  # (3,) grid
    shadow: AnyArray  # (3,) what is left of the floor's colour in full shadow


def room(dark: bool) -> Room:
    """The dark or the light room."""
    if dark:
        left, codes = (0.10, 0.10, 0.13), ("#14161b", "#2b303a", "#3d434e", "#1a1d23", "#6b7484")
    else:
        left, codes = (0.30, 0.33, 0.40), ("#d9dee6", "#f1f3f6", "#f7f8fa", "#dde1e8", "#a3adbd")
    top, glow, floor, far, line = (colour(code) for code in codes)
    return Room(top, glow, floor, far, line, np.array(left))


def backdrop(
    camera: Camera,
    look: Room,
    floor: float,
    focus: Floats,
    span: float,
    tall: float,
    shadow: FloorShadow | None,
) -> AnyArray:
    """The picture without figures, (H, W, 3) linear light.

    `focus` is the place on the floor the figures stand around, `span` how far they reach.
    """
    y, x = np.mgrid[: camera.height, : camera.width] + 0.5
    wall = _wall(x / camera.width, y / camera.height, look)
    ray = camera.rays(x, y) @ camera.axes
    down = camera.eye[1] - floor
    falls = ray[..., 1] * np.sign(down) < -1e-6
    far = np.where(falls, -down / np.where(falls, ray[..., 1], 1), np.inf)
    far = np.minimum(far, 1e6 * max(span, 1))
    spot_x, spot_z = camera.eye[0] + far * ray[..., 0], camera.eye[2] + far * ray[..., 2]
    away = np.hypot(spot_x - focus[0], spot_z - focus[2]) / span
    pool = np.exp(-((away / 1.5) ** 2))[..., None]
    ground = look.far + (look.floor - look.far) * pool
    strength = np.exp(-((away / 1.9) ** 2)) * falls
    lines = _grid(spot_x, spot_z, grid_step(tall)) * strength * 0.5
    ground = ground + (look.line - ground) * lines[..., None]
    if shadow is not None:
        dark = shadow.at(spot_x, spot_z)[..., None]
        ground = ground * (1 - dark * (1 - look.shadow))
    fade = np.exp(-((away / 3.2) ** 2)) * falls
    seen: AnyArray = wall + (ground - wall) * fade[..., None]
    return seen


def grid_step(tall: float) -> float:
    """Metres between grid lines: 1, 2 or 5 times a power of ten, near a third of the height."""
    want = max(tall, 1e-6) / 3
    power = 10.0 ** np.floor(np.log10(want))
    return float(power * min((1, 2, 5, 10), key=lambda n: abs(np.log(n * power / want))))


def _wall(x: Floats, y: Floats, look: Room) -> AnyArray:
    shine = np.exp(-(((x - 0.5) / 0.55) ** 2) - ((y - 0.55) / 0.5) ** 2)[..., None]
    wall: AnyArray = look.top + (look.glow - look.top) * shine
    return wall


def _grid(x: Floats, z: Floats, step: float) -> AnyArray:
    cover = np.zeros_like(x)
    for place in (x, z):
        for size, weight in ((step, 0.55), (step * 5, 1.0)):
            grain = np.hypot(*np.gradient(place)) + 1e-12  # metres a pixel
            off = np.abs(place - np.round(place / size) * size) / grain
            line = np.clip(1.1 - off, 0, 1) * weight * np.clip(size / grain / 8 - 0.4, 0, 1)
            cover = np.maximum(cover, line)
    return cover
