"""Background: a backdrop, a lit floor with soft shadows, and a grid that fades with distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.kinematics.raster import rasterise
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import colour
from arcwright.picture.solid import Solid

SLABS = (0.0, 0.05, 0.16, 0.4, 0.8, 9.0)  # in body heights: higher parts throw softer shadows


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
        grain = np.hypot(*np.gradient(place)) + 1e-12  # metres a pixel
        for size, weight in ((step, 0.55), (step * 5, 1.0)):
            off = np.abs(place - np.round(place / size) * size) / grain
            line = np.clip(1.1 - off, 0, 1) * weight * np.clip(size / grain / 8 - 0.4, 0, 1)
            cover = np.maximum(cover, line)
    return cover


@dataclass(frozen=True, eq=False)
class FloorShadow:
    """How dark the floor is, on a map from above."""

    corner: Floats  # (2,) lowest x and z, m
    scale: float  # pixels per metre
    dark: AnyArray  # (H, W) 0 for full light, 1 for none

    def at(self, x: Floats, z: Floats) -> AnyArray:
        """The darkness at floor places, same shape as x."""
        column = (x - self.corner[0]) * self.scale - 0.5
        row = (z - self.corner[1]) * self.scale - 0.5
        height, width = self.dark.shape
        inside = (column > 0) & (row > 0) & (column < width - 1) & (row < height - 1)
        left = np.clip(np.floor(np.where(inside, column, 0)), 0, width - 2).astype(np.int64)
        top = np.clip(np.floor(np.where(inside, row, 0)), 0, height - 2).astype(np.int64)
        fx, fy = column - left, row - top
        upper = self.dark[top, left] * (1 - fx) + self.dark[top, left + 1] * fx
        lower = self.dark[top + 1, left] * (1 - fx) + self.dark[top + 1, left + 1] * fx
        return np.where(inside, upper * (1 - fy) + lower * fy, 0)


def floor_shadow(
    poses: Sequence[Solid],
    strength: Sequence[float],
    toward: Floats,
    floor: float,
    tall: float,
    resolution: int = 1400,
) -> FloorShadow:
    """The shadow of all poses on the floor, sharp where they touch it and softer with height.

    `resolution` is the longer side of the map in pixels, at most.
    """
    spots = [pose.positions[:, (0, 2)] for pose in poses if len(pose.positions)]
    slant = toward[[0, 2]] / max(toward[1], 0.2)
    every = np.concatenate([np.concatenate([s, s - slant * tall * 1.4]) for s in spots])
    low, high = every.min(0) - tall * 0.6, every.max(0) + tall * 0.6
    scale = float(min(0.16 * resolution / tall, resolution / (high - low).max()))
    width, height = (np.ceil((high - low) * scale) + 1).astype(int)
    light = np.ones((height, width))
    for index in range(len(SLABS) - 1):
        mask = np.zeros((height, width))
        near = np.zeros((height, width))
        for pose, power in zip(poses, strength, strict=True):
            cast = _slab(pose, index, floor, tall, slant, low, scale, mask.shape)
            np.maximum(mask, cast * power, out=mask)
            if index < 3:
                below = _slab(pose, index, floor, tall, slant * 0, low, scale, mask.shape)
                np.maximum(near, below * power, out=near)
        middle = (SLABS[index] + min(SLABS[index + 1], 1.1)) / 2 * tall
        light *= 1 - 0.62 * blurred(mask, (0.006 * tall + 0.11 * middle) * scale)
        light *= 1 - (0.55, 0.4, 0.25, 0, 0)[index] * blurred(
            near, (0.02 + 0.35 * middle / tall) * tall * scale
        )
    return FloorShadow(low, scale, 1 - light)


def _slab(
    pose: Solid,
    index: int,
    floor: float,
    tall: float,
    slant: Floats,
    low: Floats,
    scale: float,
    shape: tuple[int, int],
) -> AnyArray:
    high = np.maximum(pose.positions[:, 1] - floor, 0)
    middle = high[pose.triangles].mean(1) / tall
    mine = pose.triangles[(middle >= SLABS[index]) & (middle < SLABS[index + 1])]
    flat = (pose.positions[:, (0, 2)] - high[:, None] * slant - low) * scale
    corners = np.concatenate([flat, np.ones((len(flat), 1))], axis=1)
    mask = np.zeros(shape)
    mask.reshape(-1)[rasterise(corners[mine], shape[1], shape[0]).pixel] = 1
    return mask


def blurred(image: AnyArray, radius: float) -> AnyArray:
    """An image softened by `radius` pixels: three box blurs, close to a bell curve."""
    half = round(radius)
    if half < 1:
        return image
    for axis in (0, 1):
        for _ in range(3):
            image = _boxed(image, half, axis)
    return image


def _boxed(image: AnyArray, half: int, axis: int) -> AnyArray:
    pad = [(0, 0), (0, 0)]
    pad[axis] = (half + 1, half)
    total = np.cumsum(np.pad(image, pad), axis=axis)
    size = 2 * half + 1
    upper = np.take(total, np.arange(size, total.shape[axis]), axis=axis)
    lower = np.take(total, np.arange(total.shape[axis] - size), axis=axis)
    mean: AnyArray = (upper - lower) / size
    return mean
