"""Footing: the ground under a puppet, and what it can stand on: a wall is no ground for it."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.puppet.terrain import Ground

STEP_UP = 0.45  # of the leg's length: higher ground is a wall
SMOOTHING = 0.12  # s in which a body is as high as its feet


class Footing:
    """Where a puppet stands, in height."""

    def __init__(self, ground: Ground, place: Floats, leg: float) -> None:
        self._ground, self._step = ground, STEP_UP * leg
        self.high = 0.0  # m, of the ground under it, smoothed
        self.in_air: float | None = None  # m, height of its frame while it is in the air
        self.stand(place)

    def stand(self, place: Floats) -> None:
        """Be on the ground at a place (3,)."""
        self.high = self._ground(float(place[0]), float(place[2]))

    def follow(self, feet: float | None, place: Floats, seconds: float) -> None:
        """Be as high as the ground under its feet, m, or else at a place (3,), soon."""
        here = self.at(place) if feet is None else feet
        self.high += (here - self.high) * min(1.0, seconds / SMOOTHING)

    def __call__(self, x: float, z: float) -> float:
        """Height, m, of the ground; where a wall is, that under the puppet."""
        return self._ground(x, z) if self.may_enter(x, z) else self._own

    def at(self, place: Floats) -> float:
        """Height, m, of the ground at a place (3,)."""
        return self(float(place[0]), float(place[2]))

    def may_enter(self, x: float, z: float) -> bool:
        """Whether the ground there is not too high to step on."""
        return self._ground(x, z) <= self._own + self._step

    @property
    def _own(self) -> float:
        return self.high if self.in_air is None else self.in_air

    def below(self, place: Floats) -> Floats:
        """(3,) m, of a place on the ground."""
        return np.array([place[0], self.high, place[2]])
