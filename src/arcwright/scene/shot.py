"""Shot: a camera that is saved in the scene."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from arcwright.errors import BadValue
from arcwright.scene.camera import Camera


@dataclass(frozen=True, eq=False)
class Shot:
    """A named view of the scene at a moment."""

    name: str
    camera: Camera
    time: float = 0.0  # s, of the takes

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", float(self.time))
        if not self.name:
            raise BadValue("Shot.name", "a name", self.name)
        if not isfinite(self.time):
            raise BadValue(f"Shot.time of {self.name!r}", "seconds", self.time)
