"""Airborne: where a puppet is while it jumps, hangs on its stick or falls, and its pose there."""

from __future__ import annotations

import copy

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.puppet.jump import GRAVITY, share_done
from arcwright.tools.puppet.limp import Pendulum
from arcwright.tools.puppet.locomotion.root_frame import in_world
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.terrain import Ground


class Airborne:
    """The frame of a puppet that is not on its feet."""

    def __init__(self, character: PuppetCharacter, ground: Ground) -> None:
        self._character, self._ground = character, ground
        self._pendulum = Pendulum(0.6 * character.size)
        self._start = np.zeros(3)  # m, place of the frame where a jump or fall began
        self._fall = 0.0  # m/s downwards
        self.place = np.zeros(3)  # m, of the frame
        self.ahead = np.zeros(3)  # direction of a jump over the ground; 0 on the spot

    def fork(self) -> Airborne:
        """The same moment once more."""
        other = copy.copy(self)
        other._pendulum = copy.deepcopy(self._pendulum)
        return other

    @property
    def depth(self) -> float:
        """How far it has fallen, m."""
        return float(self._start[1] - self.place[1])

    @property
    def landed(self) -> bool:
        """Whether its frame is on the ground."""
        return bool(self.place[1] <= self._ground_below() + 1e-6)

    def begin_jump(self, place: Floats, velocity: Floats, least_speed: float) -> None:
        """Jump from a place, along a velocity over the ground unless it is slower than this."""
        self._start, self.place = place, place.copy()
        speed = float(np.linalg.norm(velocity))
        self.ahead = velocity / speed if speed > least_speed else np.zeros(3)

    def begin_held(self, place: Floats | None) -> None:
        """Hang on the stick; from a place on the ground, or from where it is in the air."""
        self.ahead = np.zeros(3)
        if place is not None:
            self.place = place.copy()

    def begin_fall(self) -> None:
        """Fall from where it is."""
        self._start, self._fall, self.ahead = self.place.copy(), 0.0, np.zeros(3)

    def fall(self, seconds: float) -> None:
        """Fall, down to the ground at most."""
        self._fall += seconds * GRAVITY
        ground = self._ground_below()
        self.place = self.place - [0, seconds * self._fall, 0]
        self.place[1] = max(self.place[1], ground)

    def jump_pose(self, heading: float, velocity: Floats) -> tuple[Floats, Floats]:
        """Values and root in the world, by the clip of a jump, with the stick's velocity (3,).

        Of the clip's root only the rotation counts: the stick says where it is.
        """
        clip = self._character.actions.get("mid_jump")
        values, root = self._character.stand, self._character.root
        if clip is not None:
            values, turned = clip.at(self._jump_share(velocity))
            root = np.concatenate([root[:3], turned[3:]])
        return values, in_world(root, self.place, heading)

    def hanging_pose(
        self, heading: float, velocity: Floats, grip_offset: Floats, seconds: float
    ) -> tuple[Floats, Floats]:
        """Values and root in the world after some seconds on a stick with a velocity (3,)."""
        root = in_world(self._character.root, self.place, heading)
        self._pendulum.advance(velocity, seconds)
        held = self.place + grip_offset + [0, self._character.grip_place[1], 0]
        return self._character.stand, self._pendulum.hung(root, held)

    def _jump_share(self, velocity: Floats) -> float:
        """How much of the jump is done, 0 to 1."""
        way = float(np.linalg.norm((self.place - self._start)[[0, 2]]))
        speed = float(np.hypot(velocity[0], velocity[2]))
        high = float(self.place[1] - self._start[1])
        return share_done((0.0, 0.0), (way, high), (speed, float(velocity[1])))

    def _ground_below(self) -> float:
        return self._ground(float(self.place[0]), float(self.place[2]))
