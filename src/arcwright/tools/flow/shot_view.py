"""The view of a shot: where points of the world are in its picture, and back."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.camera_rays import camera_rays
from arcwright.kinematics.rotation import quaternion_rotate
from arcwright.scene.camera import Camera

NEAREST = 1e-3  # m; what is nearer to the camera is not in the picture


@dataclass(frozen=True, eq=False)
class ShotView:
    """A camera with what projecting needs."""

    camera: Camera

    @cached_property
    def axes(self) -> Floats:
        """(3, 3) rows are right, down and forward in the world."""
        local = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
        return quaternion_rotate(self.camera.orientation, local)

    @property
    def focal(self) -> float:
        """Pixels per unit of tangent."""
        return self.camera.height / 2 / math.tan(self.camera.field_of_view / 2)

    @property
    def middle(self) -> Floats:
        """(2,) px."""
        return np.array([self.camera.width, self.camera.height]) / 2

    def view(self, positions: Floats) -> Floats:
        """World positions (..., 3) as right, down and forward of the camera, m."""
        return (positions - self.camera.position) @ self.axes.T

    def project(self, positions: Floats) -> Floats:
        """World positions (V, 3) in the picture, (V, 2) px; nan behind the camera."""
        local = self.view(positions)
        ahead = np.where(local[:, 2] > NEAREST, local[:, 2], np.nan)
        return self.middle + self.focal * local[:, :2] / ahead[:, None]

    def distance(self, positions: Floats) -> Floats:
        """Distances from the camera (V,), m."""
        found: Floats = np.sqrt(((positions - self.camera.position) ** 2).sum(-1))
        return found

    def depth(self, positions: Floats) -> Floats:
        """Distances along the view direction (V,), m."""
        found: Floats = (positions - self.camera.position) @ self.axes[2]
        return found

    def at_distance(self, pixels: Floats, distance: Floats) -> Floats:
        """World positions (V, 3) seen at pixels (V, 2), at distances along their rays."""
        return self.camera.position + camera_rays(self.camera, pixels) * distance[:, None]

    def at_depth(self, pixels: Floats, depth: Floats) -> Floats:
        """World positions (V, 3) seen at pixels (V, 2), at depths along the view direction."""
        rays = camera_rays(self.camera, pixels)
        found: Floats = self.camera.position + rays * (depth / (rays @ self.axes[2]))[:, None]
        return found


def in_shot(points: Floats, camera: Camera, shot: Camera) -> Floats | None:
    """Pixels of a camera as pixels of the shot; None where they show different views."""
    one, other = camera, shot
    same_place = np.allclose(one.position, other.position, atol=1e-6)
    turned = abs(float(one.orientation @ other.orientation))
    if not same_place or turned < 1 - 1e-9:
        return None
    lens = math.tan(one.field_of_view / 2) / math.tan(other.field_of_view / 2)
    scale = lens * other.height / one.height
    middle = np.array([one.width, one.height]) / 2
    return (points - middle) * scale + np.array([other.width, other.height]) / 2
