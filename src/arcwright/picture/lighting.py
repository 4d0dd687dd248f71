"""Lighting: key, fill and rim lights, ambient light of sky and ground, shadows, a highlight."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import AnyArray, Floats
from arcwright.kinematics.raster import VisibleTriangles, clip_near, rasterise
from arcwright.picture.camera import Camera
from arcwright.picture.canvas import Fragments
from arcwright.picture.solid import Solid, dot, unit

_TAPS = np.array(
    [(-0.3, -0.9), (0.8, -0.5), (-0.9, 0.1), (0.1, 0.0), (0.4, 0.85), (-0.45, 0.6), (0.95, 0.35)]
)


@dataclass(frozen=True, eq=False)
class Lamp:
    """A far light."""

    toward: Floats  # (3,) unit, from the scene to the lamp
    colour: Floats  # (3,) linear light
    highlight: float  # strength of its mirror glint


@dataclass(frozen=True, eq=False)
class Lights:
    """What lights a picture; the first lamp is the key light, which throws shadows."""

    lamps: tuple[Lamp, ...]
    sky: Floats  # (3,) linear light from above
    ground: Floats  # (3,) linear light from below


def studio_lights(camera: Camera, dark: bool) -> Lights:
    """Three lamps placed around the view, and the glow of the room."""
    right, _, forward = camera.axes
    flat = unit(np.array([forward[0], 0.0, forward[2]]) + 1e-9)
    up = np.array([0.0, 1.0, 0.0])
    key = unit(-0.62 * right - 0.72 * flat + 0.95 * up)
    fill = unit(0.95 * right - 0.55 * flat + 0.15 * up)
    rim = unit(0.55 * right + 0.9 * flat + 0.55 * up)
    kicker = unit(-0.8 * right + 0.9 * flat + 0.25 * up)
    power = (0.98, 0.22, 0.85, 0.3) if dark else (0.9, 0.2, 0.4, 0.2)
    glint = (0.5, 0.15, 0.5, 0.3) if dark else (0.4, 0.1, 0.2, 0.1)
    tints = ((1.0, 0.94, 0.86), (0.64, 0.76, 1.0), (0.74, 0.85, 1.0), (1.0, 0.88, 0.76))
    aims = (key, fill, rim, kicker)
    each = zip(aims, tints, power, glint, strict=True)
    lamps = tuple(Lamp(aim, np.array(tint) * p, g) for aim, tint, p, g in each)
    if dark:
        return Lights(lamps, np.array([0.25, 0.28, 0.34]), np.array([0.14, 0.125, 0.11]))
    return Lights(lamps, np.array([0.42, 0.45, 0.5]), np.array([0.3, 0.28, 0.26]))


def shade_solid(
    solid: Solid,
    camera: Camera,
    lights: Lights,
    shade: Shade | None = None,
    openness: Floats | None = None,
    alpha: float = 1.0,
) -> Fragments:
    """The visible fragments of a solid, shaded; `camera` counts samples, not pixels.

    `shade` keeps the key light off, `openness` (V,) dims the glow of the room in corners.
    """
    view = camera.view(solid.positions)
    pieces, source = clip_near(view[solid.triangles], camera.near)
    found = rasterise(camera.screen(pieces), camera.width, camera.height)
    triangle = source[found.triangle]
    weight = _weights(view[solid.triangles[triangle]], found, camera)
    corner = solid.triangles[triangle]
    place = _mix(solid.positions, corner, weight)
    normal = unit(_mix(solid.normals, corner, weight))
    toward_eye = unit(camera.eye - place)
    facing = dot(normal, toward_eye)
    normal = np.where(facing[:, None] < 0, -normal, normal)
    albedo = _mix(solid.colours, corner, weight) * _texels(solid, triangle, corner, weight)
    shadow = np.ones(len(place)) if shade is None else shade.lit(place, normal)
    free = np.ones(len(solid.positions)) if openness is None else openness
    room = _mix(free[:, None], corner, weight)[:, 0]
    light = reflected_light(normal, toward_eye, albedo, lights, shadow, room)
    return Fragments(found.pixel, found.nearness, light, np.full(len(place), alpha))


def reflected_light(
    normal: Floats, toward_eye: Floats, albedo: Floats, lights: Lights, key: Floats, room: Floats
) -> Floats:
    """Linear light (N, 3) leaving surfaces towards the eye.

    `key` is how much of the key light arrives, `room` how much of all else, both 0 to 1.
    """
    lift = normal[:, 1:2] * 0.5 + 0.5
    total = albedo * (lights.ground + (lights.sky - lights.ground) * lift) * room[:, None]
    edge = np.clip(1 - dot(normal, toward_eye), 0, 1)
    edge_squared = edge * edge
    sheen, rim = 0.4 + 0.6 * edge_squared, 0.3 * edge_squared * edge
    for index, lamp in enumerate(lights.lamps):
        facing = normal @ lamp.toward
        # Wrap lighting keeps the terminator soft, as on skin and clay.
        soft = np.clip((facing + 0.12) / 1.12, 0, 1) * (key if index == 0 else room)
        half = unit(lamp.toward + toward_eye)
        glint = _power_38(np.clip(dot(normal, half), 0, 1)) * (0.22 * sheen)
        # Any surface shines at a glancing angle: this edge parts dark bodies from a dark room.
        glint = (glint + rim) * (lamp.highlight * soft)
        total = total + lamp.colour * (albedo * soft[:, None] + glint[:, None])
    glow: Floats = total + lights.sky * (edge_squared * edge_squared * 0.3 * room)[:, None]
    return glow


def _power_38(values: Floats) -> Floats:
    """The sharpness of highlights; multiplied out, many times faster than a general power."""
    second = values * values
    fourth = second * second
    sixteenth = (fourth * fourth) ** 2
    power: Floats = sixteenth * sixteenth * fourth * second
    return power


def _weights(corners: Floats, found: VisibleTriangles, camera: Camera) -> Floats:
    """Shares of the three corners at each fragment, right in perspective, (N, 3)."""
    y, x = np.divmod(found.pixel, camera.width)
    ray = camera.rays(x + 0.5, y + 0.5)
    share = np.stack(
        [dot(ray, np.cross(corners[:, (i + 1) % 3], corners[:, (i + 2) % 3])) for i in range(3)],
        axis=-1,
    )
    share *= np.sign(dot(share, np.ones(3)))[:, None]
    share = np.maximum(share, 0)
    total = dot(share, np.ones(3))[:, None]
    return np.where(total > 0, share / np.where(total > 0, total, 1), 1 / 3)


def _mix(values: Floats, corner: AnyArray, weight: Floats) -> Floats:
    a, b, c = (values[corner[:, i]] * weight[:, i : i + 1] for i in range(3))
    mixed: Floats = a + b + c
    return mixed


def _texels(solid: Solid, triangle: AnyArray, corner: AnyArray, weight: Floats) -> AnyArray:
    colour = np.ones((len(triangle), 3))
    if not solid.textures:
        return colour
    uv = _mix(solid.uv, corner, weight)
    which = solid.texture[triangle]
    for index, image in enumerate(solid.textures):
        mine = np.flatnonzero(which == index)
        height, width = image.shape[:2]
        x = np.mod(uv[mine, 0], 1) * width - 0.5
        y = np.mod(uv[mine, 1], 1) * height - 0.5
        colour[mine] = bilinear(image, x, y)
    return colour


def bilinear(image: AnyArray, x: Floats, y: Floats) -> AnyArray:
    """An image (H, W, ...) at pixel places (centres at whole numbers), wrapping around."""
    left, top = np.floor(x), np.floor(y)
    fx, fy = x - left, y - top
    if image.ndim == 3:
        fx, fy = fx[:, None], fy[:, None]
    x0, y0 = left.astype(np.int64) % image.shape[1], top.astype(np.int64) % image.shape[0]
    x1, y1 = (x0 + 1) % image.shape[1], (y0 + 1) % image.shape[0]
    upper = image[y0, x0] * (1 - fx) + image[y0, x1] * fx
    lower = image[y1, x0] * (1 - fx) + image[y1, x1] * fx
    mixed: AnyArray = upper * (1 - fy) + lower * fy
    return mixed


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
        facing = solid.normals @ toward
        lit = np.flatnonzero(facing > 0)
        shade = shade_of(solid, toward, resolution)
        arrives = shade.lit(solid.positions[lit], solid.normals[lit], 1.2)
        total[lit] += facing[lit] * arrives
        weight[lit] += facing[lit]
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
