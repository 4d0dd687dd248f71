"""Camera: a perspective view, and automatic framing of a scene."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue

LENS = np.radians(24.0)  # vertical field of view: a long lens flatters figures

MARGIN = np.array([0.05, 0.1, 0.05, 0.1])


@dataclass(frozen=True, eq=False)
class Camera:
    """Where the picture is taken from. View space is right, down, forward in metres."""

    eye: Floats  # (3,) m
    axes: Floats  # (3, 3) rows are right, down and forward in the world
    focal: float  # pixels
    width: int  # pixels
    height: int  # pixels
    near: float = 1e-3  # m; what is nearer than this is cut off

    def view(self, points: Floats) -> Floats:
        """World points (..., 3) in view space."""
        return (points - self.eye) @ self.axes.T

    def screen(self, view: Floats) -> Floats:
        """View-space points (..., 3) as pixel x, pixel y and nearness 1/depth."""
        nearness = 1 / view[..., 2]
        x = self.width / 2 + self.focal * view[..., 0] * nearness
        y = self.height / 2 + self.focal * view[..., 1] * nearness
        return np.stack([x, y, nearness], axis=-1)

    def project(self, points: Floats) -> Floats:
        """World points (..., 3) on the screen; those behind the camera are nan."""
        view = self.view(points)
        in_front = np.where(view[..., 2] > self.near, view[..., 2], np.nan)
        return self.screen(np.concatenate([view[..., :2], in_front[..., None]], axis=-1))

    def rays(self, x: Floats, y: Floats) -> Floats:
        """View-space directions (..., 3), forward part 1, through pixel coordinates."""
        across = (x - self.width / 2) / self.focal
        down = (y - self.height / 2) / self.focal
        return np.stack([across, down, np.ones_like(across)], axis=-1)

    def finer(self, times: int) -> Camera:
        """The same view with `times` as many pixels each way."""
        width, height = self.width * times, self.height * times
        return replace(self, focal=self.focal * times, width=width, height=height)


def looking(direction: Floats) -> Floats:
    """The axes of a camera that looks along `direction` with a level horizon."""
    length = float(np.linalg.norm(direction))
    if not 0 < length < np.inf:
        raise BadValue("view", "a direction", direction)
    forward = np.asarray(direction, float) / length
    right = np.cross(forward, (0.0, 1.0, 0.0))
    if np.linalg.norm(right) < 1e-6:
        right = np.array([1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(forward, right), forward])


def framed(
    points: Floats, direction: Floats, size: tuple[int, int], margin: Floats = MARGIN
) -> Camera:
    """A camera along `direction` that holds all points (P, 3) with room around them.

    `margin` is the free share of the picture at left, top, right, bottom.
    """
    width, height = size
    axes = looking(direction)
    focal = height / 2 / np.tan(LENS / 2)
    local = (points - points.mean(0)) @ axes.T
    span = max(float(np.ptp(local, axis=0).max()), 1e-6)
    # Each side of the picture is a plane through the eye: move as close as all four allow.
    low = (0.5 - margin[:2]) * size / focal
    high = (0.5 - margin[2:]) * size / focal
    least = (local[:, :2] + low * local[:, 2:]).min(0)
    most = (local[:, :2] - high * local[:, 2:]).max(0)
    ahead = min(float(((least - most) / (low + high)).min()), local[:, 2].min() - 0.05 * span)
    aside = ((least - low * ahead) + (most + high * ahead)) / 2
    eye = points.mean(0) + np.append(aside, ahead) @ axes
    return Camera(eye, axes, float(focal), width, height, near=0.01 * span)
