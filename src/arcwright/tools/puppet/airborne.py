"""Airborne: where a puppet is while it jumps, hangs on its stick, falls or lies, and its pose.

With physics it is a ragdoll from when it hangs or falls until it gets up; without, its body is
stiff: it hangs as a pendulum and falls upright.
"""

from __future__ import annotations

import copy

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.tools.puppet.get_up import GetUp, Pose, get_up
from arcwright.tools.puppet.jump import GRAVITY, share_done
from arcwright.tools.puppet.limp import Pendulum
from arcwright.tools.puppet.locomotion.root_frame import in_world, standing_frame
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.ragdoll.ragdoll import Ragdoll
from arcwright.tools.puppet.ragdoll.ragdoll_model import RagdollModel
from arcwright.tools.puppet.terrain import Ground

MOST_TILT = 0.7  # rad, of a body that lands on its feet
JUMPS = 0.28  # s, of the shortest jump: its clip is never played faster
STIFF_FADE = 0.22  # s from lying to getting up, without physics


class Airborne:
    """The frame of a puppet that is not on its feet."""

    def __init__(
        self, character: PuppetCharacter, ground: Ground, physics: RagdollModel | None = None
    ) -> None:
        self._character, self._ground, self._physics = character, ground, physics
        self.ragdoll: Ragdoll | None = None
        self._pendulum = Pendulum(0.6 * character.size)
        self._start = np.zeros(3)  # m, place of the frame where a jump or fall began
        self._fall = 0.0  # m/s downwards
        self.place = np.zeros(3)  # m, of the frame
        self.jump_share = 0.0  # how much of a jump is done: it never goes back
        self.ahead = np.zeros(3)  # direction of a jump over the ground; 0 on the spot

    def fork(self) -> Airborne:
        """The same moment once more."""
        other = copy.copy(self)
        other._pendulum = copy.deepcopy(self._pendulum)
        other.ragdoll = None if self.ragdoll is None else self.ragdoll.fork()
        return other

    @property
    def depth(self) -> float:
        """How far it has fallen, m."""
        if self.ragdoll is not None:
            return self.ragdoll.depth
        return float(self._start[1] - self.place[1])

    @property
    def landed(self) -> bool:
        """Whether it has come to the ground."""
        if self.ragdoll is not None:
            return self.ragdoll.touches_ground
        return bool(self.place[1] <= self._ground_below() + 1e-6)

    @property
    def upright(self) -> bool:
        """Whether it falls as it stands: one that is tilted or spins does not land on its feet."""
        return self.ragdoll is None or self.ragdoll.tilt < MOST_TILT

    @property
    def at_rest(self) -> bool:
        """Whether it lies still, ready to get up."""
        return self.ragdoll is None or self.ragdoll.ready

    def begin_jump(self, place: Floats, velocity: Floats, least_speed: float) -> None:
        """Jump from a place, along a velocity over the ground unless it is slower than this."""
        self._start, self.place, self.jump_share = place, place.copy(), 0.0
        speed = float(np.linalg.norm(velocity))
        self.ahead = velocity / speed if speed > least_speed else np.zeros(3)

    def begin_held(
        self, place: Floats | None, before: Pose | None, now: Pose | None, seconds: float
    ) -> None:
        """Hang on the stick; from a place on the ground, or from where it is in the air.

        A ragdoll goes on from the pose of the last tick and its velocities since that before it.
        """
        self.ahead = np.zeros(3)
        if place is not None:
            self.place = place.copy()
        self._begin_ragdoll(before, now, seconds)

    def begin_fall(self, before: Pose | None, now: Pose | None, seconds: float) -> None:
        """Fall from where it is."""
        self._start, self._fall, self.ahead = self.place.copy(), 0.0, np.zeros(3)
        self._begin_ragdoll(before, now, seconds)

    def _begin_ragdoll(self, before: Pose | None, now: Pose | None, seconds: float) -> None:
        if self._physics is not None and self.ragdoll is None and before and now:
            self.ragdoll = Ragdoll(self._physics, before, now, seconds)

    def fall(self, seconds: float) -> None:
        """Fall, down to the ground at most; a ragdoll does that on its own."""
        self._fall += seconds * GRAVITY
        ground = self._ground_below()
        self.place = self.place - [0, seconds * self._fall, 0]
        self.place[1] = max(self.place[1], ground)

    def jump_pose(self, heading: float, velocity: Floats, seconds: float) -> tuple[Floats, Floats]:
        """Values and root in the world after some seconds, by the clip of a jump.

        `velocity` (3,) is that of the stick.
        Of the clip's root only the rotation counts: the stick says where it is.
        """
        clip = self._character.actions.get("mid_jump")
        values, root = self._character.stand, self._character.root
        if clip is not None:
            ahead = min(self._share_now(velocity) - self.jump_share, seconds / JUMPS)
            self.jump_share += max(ahead, 0.0)
            values, turned = clip.at(self.jump_share)
            root = np.concatenate([root[:3], turned[3:]])
        return values, in_world(root, self.place, heading)

    def limp_pose(
        self,
        end: Floats | None,
        velocity: Floats,
        heading: float,
        grip_offset: Floats,
        seconds: float,
    ) -> tuple[Floats, Floats]:
        """Values and root in the world after some seconds on a stick, or falling.

        `end` (3,) is that of the stick, `velocity` (3,) its smoothed one.
        """
        if self.ragdoll is not None:
            return self.ragdoll.advance(end)
        root = in_world(self._character.root, self.place, heading)
        self._pendulum.advance(velocity, seconds)
        held = self.place + grip_offset + [0, self._character.grip_place[1], 0]
        return self._character.stand, self._pendulum.hung(root, held)

    def lying_pose(self, place: Floats, heading: float) -> tuple[Floats, Floats]:
        """Values and root in the world on the ground; a stiff body lies as its clip begins."""
        if self.ragdoll is not None:
            if self.ragdoll.rests:
                clip = self.get_up(heading).clip
                self.ragdoll.gather(self._character.stand if clip is None else clip.values[0])
            return self.ragdoll.advance(None)
        clip = self._character.actions.get("get_up_back")
        values, root = (
            (self._character.stand, self._character.root) if clip is None else clip.at(0.0)
        )
        return values, in_world(root, place, heading)

    def standing_frame(self, heading: float) -> tuple[Floats, float]:
        """Place (3,) on the level 0 and heading of the frame when it lands on its feet."""
        if self.ragdoll is not None:
            return standing_frame(self.ragdoll.root, self._character.root)
        return self.place * [1, 0, 1], heading

    def get_up(self, heading: float) -> GetUp:
        """How it gets up from where it lies."""
        if self.ragdoll is not None and self._physics is not None:
            joints, grip = self._physics.joints, self.ragdoll.grip
            return get_up(self._character, self.ragdoll.pose, grip, joints, self._ground)
        clip = self._character.actions.get("get_up_back")
        seconds = 0.0 if clip is None else clip.seconds
        return GetUp(clip, seconds, STIFF_FADE, self.place * [1, 0, 1], heading)

    def sunk(self, values: Floats) -> float:
        """How far, m, the deepest joint of a pose (C,) is below the ground; 0 without physics."""
        if self._physics is None:
            return 0.0
        feet = self._character.gaits.legs.toes.joints.tolist()
        joints = [*self._physics.joints, *feet]
        places = forward(self._character.rig, values[None], joints)[0, :, :3, 3]
        return max(0.0, *(self._ground(x, z) - float(y) for x, y, z in places.tolist()))

    def _share_now(self, velocity: Floats) -> float:
        """How much of the jump is done, 0 to 1, as place and velocity (3,) say."""
        way = float(np.linalg.norm((self.place - self._start)[[0, 2]]))
        speed = float(np.hypot(velocity[0], velocity[2]))
        high = float(self.place[1] - self._start[1])
        return share_done((0.0, 0.0), (way, high), (speed, float(velocity[1])))

    def _ground_below(self) -> float:
        return self._ground(float(self.place[0]), float(self.place[2]))
