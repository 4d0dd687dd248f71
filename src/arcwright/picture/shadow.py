"""Shadows: shadow maps of the key light, ambient occlusion, and soft shadows on the floor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.picture.raster import rasterise
from arcwright.picture.solid import Solid

_TAPS = np.array(
    [(-0.3, -0.9), (0.8, -0.5), (-0.9, 0.1), (0.1, 0.0), (0.4, 0.85), (-0.45, 0.6), (0.95, 0.35)]
)


@dataclass(frozen=True, eq=False)
class Shade:
    """A depth map seen from a far lamp."""

    axes: Floats  # (3, 3) rows: across, along, toward the lamp
    corner: Floats  # (3,) lowest lamp-space place of the map, m
    scale: float  # pixels per metre
    depth: AnyArray  # (H, W) highest lamp-space place along `toward`, m above the corner; 0 is none

    def lit(self, place: Floats, normal: Floats, soft: float = 2.6) -> Floats:
        """How much of the lamp arrives at places (N, 3), 0 to 1; `soft` is the blur in pixels."""
        local = (place + normal * (2.5 / self.scale)) @ self.axes.T - self.corner
        x, y = local[:, 0] * self.scale, local[:, 1] * self.scale
        height, width = self.depth.shape
        arrives = np.zeros(len(place))
        # Each point rotates the tap pattern differently, so that edges blur instead of step.
        turn = np.arange(len(place)) * 2.399963
        cos, sin = np.cos(turn) * soft, np.sin(turn) * soft
        for dx, dy in _TAPS:
            column = np.clip((x + dx * cos - dy * sin).astype(np.int64), 0, width - 1)
            row = np.clip((y + dx * sin + dy * cos).astype(np.int64), 0, height - 1)
            arrives += self.depth[row, column] <= local[:, 2] + 1.5 / self.scale
        return arrives / len(_TAPS)


def shade_of(solid: Solid, toward: Floats, resolution: int = 512) -> Shade:
    """The depth map of a solid from a lamp in direction `toward`."""
    axes = _lamp_axes(toward)
    local = solid.positions @ axes.T
    low, high = local.min(0), local.max(0)
    scale = (resolution - 8) / max(float((high - low)[:2].max()), 1e-9)
    low = low - 4 / scale
    width, height = (np.ceil((high - low)[:2] * scale) + 4).astype(int)
    corners = (local - low) * (scale, scale, 1.0)
    found = rasterise(corners[solid.triangles], int(width), int(height))
    depth = np.zeros(width * height, np.float32)
    depth[found.pixel] = found.nearness
    return Shade(axes, low, scale, depth.reshape(height, width))


def openness(solid: Solid, resolution: int = 140) -> Floats:
    """How much of the room each vertex sees, (V,) 0 to 1: shadows of many lamps, averaged."""
    total, weight = np.zeros(len(solid.positions)), np.zeros(len(solid.positions))
    for toward in _around(18):
        facing = np.clip(solid.normals @ toward, 0, 1)
        arrives = shade_of(solid, toward, resolution).lit(solid.positions, solid.normals, 1.2)
        total += facing * arrives
        weight += facing
    return np.where(weight > 0, total / np.maximum(weight, 1e-9), 1.0)


def _around(count: int) -> Floats:
    """Directions spread evenly over the sphere, (N, 3)."""
    turn = np.arange(count) * np.pi * (3 - 5**0.5)
    y = 1 - (np.arange(count) + 0.5) / count * 2
    ring = np.sqrt(1 - y * y)
    return np.stack([ring * np.cos(turn), y, ring * np.sin(turn)], axis=-1)


def _lamp_axes(toward: Floats) -> Floats:
    across = np.cross((0.0, 1.0, 0.0) if abs(toward[1]) < 0.95 else (1.0, 0.0, 0.0), toward)
    across /= np.linalg.norm(across)
    return np.stack([across, np.cross(toward, across), toward])


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


SLABS = (0.0, 0.05, 0.16, 0.4, 0.8, 9.0)  # in body heights: higher parts throw softer shadows


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
