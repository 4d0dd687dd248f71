"""World rays through the pixels of a camera."""

from __future__ import annotations

import math

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import quaternion_rotate
from arcwright.scene.camera import Camera


def camera_rays(camera: Camera, pixels: Floats) -> Floats:
    """(N, 3) unit directions from the camera through pixels (N, 2)."""
    scale = math.tan(camera.field_of_view / 2) / (camera.height / 2)
    across = (pixels[:, 0] - camera.width / 2) * scale
    up = (camera.height / 2 - pixels[:, 1]) * scale
    local = np.stack([across, up, np.full(len(pixels), -1.0)], axis=-1)
    local /= np.linalg.norm(local, axis=-1, keepdims=True)
    return quaternion_rotate(camera.orientation, local)
