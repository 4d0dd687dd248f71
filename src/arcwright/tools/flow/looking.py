"""A camera from where it is and what it looks at."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import quaternion_from_matrix
from arcwright.scene.camera import Camera


def look_at(
    eye: Floats,
    target: Floats,
    *,
    up: Floats | tuple[float, float, float] = (0.0, 1.0, 0.0),
    fov: float = 0.7,
    size: tuple[float, float] = (1280, 720),
) -> Camera:
    """A camera at `eye` that looks at `target`; `fov` is the vertical field of view, rad."""
    eye, target = np.asarray(eye, float), np.asarray(target, float)
    forward = target - eye
    length = float(np.linalg.norm(forward))
    if not 0 < length < np.inf:
        raise BadValue("camera", "an eye apart from its target", eye.tolist())
    forward = forward / length
    right = np.cross(forward, np.asarray(up, float))
    if not float(np.linalg.norm(right)) > 1e-9:
        right = np.cross(forward, (0.0, 0.0, -1.0))
    right /= np.linalg.norm(right)
    turned = np.stack([right, np.cross(right, forward), -forward], axis=1)
    return Camera(eye, quaternion_from_matrix(turned), fov, *size)
