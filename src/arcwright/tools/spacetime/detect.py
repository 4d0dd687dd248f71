"""Detect: the footplants of a take, for people and programs."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from arcwright.kinematics.trail import trail
from arcwright.scene.scene import Scene
from arcwright.tools.hold import held_take
from arcwright.tools.spacetime.wishes import plants_of
from arcwright.tools.tool import Target


@dataclass(frozen=True)
class Plant:
    """A point that stands still for a while."""

    joint: str
    first: float  # frame
    last: float  # frame
    place: tuple[float, float, float]  # m, its mean
    slide: float  # m, how far it slides from there at most

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)


def found(scene: Scene, clip: str = "") -> list[Plant]:
    """The footplants of a clip of the first character."""
    _, take, _ = held_take(scene, Target(clip=clip))
    plants = []
    for contact in plants_of(take):
        times = np.linspace(contact.start, contact.end, 9)
        path = trail(take, contact.point, times).position
        x, y, z = path.mean(axis=0).tolist()
        slide = float(np.linalg.norm(path - [x, y, z], axis=1).max())
        first, last = (round(time * take.rate, 3) for time in (contact.start, contact.end))
        plants.append(Plant(contact.point.joint, first, last, (x, y, z), slide))
    return plants
