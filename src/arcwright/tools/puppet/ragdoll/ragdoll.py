"""Ragdoll: a limp body that hangs on a stick, falls, and comes to rest, one tick after another."""

from __future__ import annotations

import copy

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_normalise,
)
from arcwright.tools.puppet.fade import left_of_fade
from arcwright.tools.puppet.ragdoll.ragdoll_model import RagdollModel

FASTEST = 25.0  # rad/s of a hinge
FASTEST_ROOT = 15.0  # m/s of the root, times the square root of the body's size
FASTEST_SPIN = 15.0  # rad/s of the root
TAKEN = 0.3  # s in which the grip comes to the end of the stick; more from far away
GATHERS = 2.5  # times the weight at a hinge: how strongly a lying body takes the pose of its clip
GATHERED = 0.6  # s in which it does
CALM = 0.12  # m/s, times the root of the size: a body whose mass is slower on average is calm
CALM_SECONDS = 0.15  # of that, after which it rests


class Ragdoll:
    """The state of one simulation."""

    def __init__(
        self,
        model: RagdollModel,
        before: tuple[Floats, Floats],
        now: tuple[Floats, Floats],
        seconds: float,
    ) -> None:
        """Begin at a pose, values and root, with the velocities since the one before."""
        self._model = model
        engine = model.engine
        self._data = engine.MjData(model.model)
        self._data.qpos[:] = model.positions(*now)
        self.first = self.pose
        velocity = np.zeros(model.model.nv)
        earlier = model.positions(*before)
        engine.mj_differentiatePos(model.model, velocity, seconds, earlier, self._data.qpos)
        self._data.qvel[:] = velocity
        self._limit_speed()
        engine.mj_forward(model.model, self._data)
        self._end: Floats | None = None  # (3,) m, of the stick
        self._off = np.zeros(3)  # m, from there to the grip when the stick took it
        self._held, self._taken = 0.0, TAKEN  # s
        self._highest = float(self._data.qpos[1])
        self._towards: Floats | None = None  # (H,) rad, the pose that a lying body takes
        self._from = np.zeros(0)  # (H,) rad, and from where
        self._gathered = 0.0  # s
        self._calm = 0.0  # s
        self._places = np.array(self._data.xipos)  # (B, 3) m, centres of the segments

    def fork(self) -> Ragdoll:
        """The same moment once more."""
        other = copy.copy(self)
        other._data = copy.copy(self._data)
        return other

    @property
    def root(self) -> Floats:
        """(7,) in the world: position, m, and rotation, wxyz."""
        return np.array(self._data.qpos[:7])

    @property
    def pose(self) -> tuple[Floats, Floats]:
        """Values (C,) and root (7,) in the world."""
        return self._model.pose(np.array(self._data.qpos))

    @property
    def grip(self) -> Floats:
        """(3,) m, where a stick would hold it."""
        return np.array(self._data.site("grip").xpos)

    @property
    def depth(self) -> float:
        """How far its root is below where it was highest since its release, m."""
        return float(self._highest - self._data.qpos[1])

    @property
    def tilt(self) -> float:
        """How far its root leans from standing, rad."""
        own = self._model.character.root[3:]
        turn = quaternion_multiply(self._data.qpos[3:7], quaternion_conjugate(own))
        upright = 1.0 - 2.0 * float(turn[1] ** 2 + turn[3] ** 2)
        return float(np.arccos(np.clip(upright, -1.0, 1.0)))

    @property
    def touches_ground(self) -> bool:
        """Whether it touches something that does not move."""
        bodies = self._model.model.geom_bodyid[self._data.contact.geom]
        return bool((bodies == 0).any())

    @property
    def rests(self) -> bool:
        """Whether it has hardly moved for a while."""
        return self._calm >= CALM_SECONDS

    def gather(self, values: Floats) -> None:
        """From now on take a pose (C,), as well as it goes on the ground."""
        if self._towards is None:
            self._from = np.array(self._data.qpos[self._model.address])
        self._towards = self._model.hinges.angles(values)

    @property
    def ready(self) -> bool:
        """Whether it lies still in the pose that it should take."""
        return self._gathered > GATHERED and self.rests

    def advance(self, end: Floats | None) -> tuple[Floats, Floats]:
        """Values and root in the world after one tick; `end` (3,) of the stick that holds it."""
        if end is None:
            self._end = None
            self._highest = max(self._highest, float(self._data.qpos[1]))
        elif self._end is None:
            self._end, self._off, self._held = end, self.grip - end, 0.0
            away = float(np.linalg.norm(self._off)) / self._model.character.size
            self._taken = TAKEN * (1.0 + away)
            self._data.mocap_quat[0] = self._upright()
            self._towards, self._gathered = None, 0.0
            self._data.qfrc_applied[:] = 0.0
        self._data.eq_active[:] = end is not None
        self._pull_together()
        for step in range(self._model.steps):
            if end is not None and self._end is not None:
                share = (step + 1) / self._model.steps
                self._held += self._model.model.opt.timestep
                left = left_of_fade(self._held / self._taken)
                self._data.mocap_pos[0] = self._end + share * (end - self._end) + left * self._off
            self._model.engine.mj_step(self._model.model, self._data)
            self._limit_speed()
        self._end = end
        self._calm = self._calm + self._model.seconds if self._moves_little() else 0.0
        return self.pose

    def _moves_little(self) -> bool:
        """Whether its mass has hardly moved since the last tick, whatever a hand does."""
        before, self._places = self._places, np.array(self._data.xipos)
        moved, mass = np.linalg.norm(self._places - before, axis=1), self._model.model.body_mass
        speed = float(moved @ mass / mass.sum()) / self._model.seconds
        return bool(speed < CALM * self._model.character.size**0.5)

    def _pull_together(self) -> None:
        if self._towards is None:
            return
        model = self._model
        self._gathered += model.seconds
        left = left_of_fade(self._gathered / GATHERED)
        wanted = self._towards + left * (self._from - self._towards)
        away = wanted - self._data.qpos[model.address]
        self._data.qfrc_applied[model.speed] = GATHERS * model.weight * np.clip(away, -1.0, 1.0)

    def _upright(self) -> Floats:
        """(4,) wxyz, what the stick holds as it stands, with the heading that it has now."""
        own, stand = self._data.xquat[self._model.gripped], self._model.grip_rotation
        turn = quaternion_multiply(own, quaternion_conjugate(stand))
        heading = quaternion_normalise(turn * [1.0, 0.0, 1.0, 0.0])
        return quaternion_multiply(heading, stand)

    def _limit_speed(self) -> None:
        """Keep speeds within what bodies do."""
        speed = self._data.qvel
        speed[6:] = np.clip(speed[6:], -FASTEST, FASTEST)
        most = FASTEST_ROOT * max(self._model.character.size, 1.0) ** 0.5
        speed[:3] = np.clip(speed[:3], -most, most)
        speed[3:6] = np.clip(speed[3:6], -FASTEST_SPIN, FASTEST_SPIN)
