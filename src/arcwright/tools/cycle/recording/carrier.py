"""Carriers: what a performed point moves along with, the travel of a loop or a part of the body."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.rotation import matrix_from_quaternion, quaternion_multiply
from arcwright.kinematics.trail import trail
from arcwright.scene.scene import Actor
from arcwright.tools.cycle.recording.take_loop import TakeLoop

_BACK = np.array([1.0, -1.0, -1.0, -1.0])


class Carrier:
    """Places of a point as at the start of the take, and as they are carried along."""

    def __init__(self, loop: TakeLoop, joint: int | None = None) -> None:
        self._loop, self._joint = loop, joint

    @property
    def moves(self) -> bool:
        """Whether it does."""
        return self._joint is not None or self._loop.travels

    def carried(self, places: Floats, times: Floats) -> Floats:
        """(T, 3) m, where places (T, 3) of the take's start are at times of the take."""
        if self._joint is None:
            return places + self._loop.travelled(times)
        turned, first, now = self._path(times)
        return rotated(turned, places - first) + now

    def at_start(self, places: Floats, times: Floats) -> Floats:
        """(T, 3) m, where places (T, 3) at times of the take, or at one, would be at its start."""
        if self._joint is None:
            return places - self._loop.travelled(times)
        turned, first, now = self._path(times)
        return rotated(turned * _BACK, places - now) + first

    def turned(self, orientations: Floats, times: Floats) -> Floats:
        """(T, 4) orientations of the take's start as they are at times of the take."""
        if self._joint is None:
            return orientations
        return quaternion_multiply(self._path(times)[0], orientations)

    def turned_back(self, orientations: Floats, times: Floats) -> Floats:
        """(T, 4) orientations at times of the take as they would be at its start."""
        if self._joint is None:
            return orientations
        return quaternion_multiply(self._path(times)[0] * _BACK, orientations)

    def _path(self, times: Floats) -> tuple[Floats, Floats, Floats]:
        """Rotation since the start (T, 4), place at the start (3,), place now (T, 3)."""
        assert self._joint is not None
        take, joint = self._loop.take, self._joint
        first, there = trail(take, joint, np.zeros(1)), trail(take, joint, times)
        turned = quaternion_multiply(there.orientation, first.orientation * _BACK)
        return turned, first.position[0], there.position


def rotated(turned: Floats, vectors: Floats) -> Floats:
    """Vectors (T, 3) rotated by quaternions (T, 4)."""
    return np.asarray((matrix_from_quaternion(turned) @ vectors[..., None])[..., 0])


def limb_parent(actor: Actor, loop: TakeLoop, joint: int) -> int | None:
    """The joint of the body from which the limb of a joint branches off; None above the root."""
    rig, about = actor.rig, analyse(actor, loop.take)
    own = joint
    while own != about.root and int(rig.parents[own]) >= 0:
        parent = int(rig.parents[own])
        beside = [each for each in np.flatnonzero(rig.parents == parent) if about.body[each]]
        if len(beside) > 1:
            return parent if about.body[parent] else None
        own = parent
    return None
