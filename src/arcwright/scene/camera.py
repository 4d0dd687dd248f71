"""Camera: a perspective view of a scene."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue


@dataclass(frozen=True, eq=False)
class Camera:
    """Looks along its -Z, with +Y up; the picture's origin is its upper left corner."""

    position: Floats  # (3,) m
    orientation: Floats  # (4,) wxyz
    field_of_view: float  # rad, vertical
    width: float  # px
    height: float  # px

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", frozen(self.position, "Camera.position", (3,)))
        orientation = frozen(self.orientation, "Camera.orientation", (4,))
        if abs(np.linalg.norm(orientation) - 1) > 1e-5:
            raise BadValue("Camera.orientation", "a unit quaternion wxyz", orientation)
        object.__setattr__(self, "orientation", orientation)
        if not 0 < self.field_of_view < math.pi:
            raise BadValue("Camera.field_of_view", "radians, 0 to pi", self.field_of_view)
        if not (0 < self.width < math.inf and 0 < self.height < math.inf):
            raise BadValue("Camera.width", "pixels above 0", (self.width, self.height))
