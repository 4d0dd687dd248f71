"""Puppet: a character at the end of a stick, one tick after another."""

from __future__ import annotations

import copy
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.puppet.actions.action_player import ActionPlayer
from arcwright.tools.puppet.airborne import Airborne
from arcwright.tools.puppet.footing import Footing
from arcwright.tools.puppet.get_up import GetUp
from arcwright.tools.puppet.locomotion.root_frame import in_world
from arcwright.tools.puppet.locomotion.walker import Walker
from arcwright.tools.puppet.motion_stick import MotionStick, shortened
from arcwright.tools.puppet.objects.scene_objects import Frame
from arcwright.tools.puppet.objects.surroundings import Surroundings
from arcwright.tools.puppet.pose_fades import FADE, PoseFades
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.ragdoll.ragdoll_model import RagdollModel
from arcwright.tools.puppet.state_machine import (
    IN_AIR,
    LEADS,
    LIMP,
    ON_FEET,
    Signals,
    State,
    StateMachine,
    Thresholds,
)
from arcwright.tools.puppet.stick_follower import StickFollower
from arcwright.tools.puppet.stick_signals import held_signals
from arcwright.tools.puppet.terrain import Ground
from arcwright.tools.puppet.tick import Tick
from arcwright.tools.puppet.transition import Pose

SQUAT = 0.55  # of the way to the lowest crouch, before a jump and after landing


class Puppet:
    """A character and everything that changes while it is played."""

    def __init__(
        self,
        character: PuppetCharacter,
        place: Floats,
        heading: float,
        ground: Ground,
        *,
        gestures: bool = True,
        around: Surroundings | None = None,
        physics: RagdollModel | None = None,
    ) -> None:
        self.character = character
        self._walker = Walker(character.gaits)
        self._follower = StickFollower(place, heading, character.leg)
        self.machine = StateMachine()
        legs, size = character.gaits.legs, character.size
        self._actions = ActionPlayer(character.overlays, legs, size, gestures=gestures)
        self._limits = Thresholds().sized(character.size)
        self.around = around or Surroundings(None, None, "ahead")
        self._crouch = 0.0  # 0 standing to 1 as low as it can
        self._stick: MotionStick | None = None
        self._air = Airborne(character, ground, physics)
        self._fades = PoseFades(character)
        self._shown: Floats | None = None  # (C,) of the last tick
        self._get_up: GetUp | None = None
        self._footing = Footing(ground, place, character.leg)

    def begin_in(self, values: Floats, velocity: Floats, before: Floats) -> None:
        """Begin in a pose (C,) of its own rig, that of a tick `before` it, with a velocity (3,)."""
        self._fades.begin_in(values, before)
        self._shown = values
        self._follower.velocity = velocity * [1, 0, 1]

    @property
    def state(self) -> State:
        """What it does."""
        return self.machine.state

    @property
    def blend_point(self) -> Floats | None:
        """(2,) speed and height of the blend space, while it is on its feet."""
        return self._walker.blend_point if self.machine.state in ON_FEET else None

    def fork(self) -> Puppet:
        """A puppet that stands where this one does."""
        other = copy.copy(self)
        other._walker, other._follower = self._walker.fork(), self._follower.fork()
        other._air = self._air.fork()
        other._fades = self._fades.fork()
        other._actions = self._actions.fork()
        other.around = self.around.fork()
        other._footing = copy.copy(self._footing)
        return other

    def grip(self) -> Floats:
        """(3,) m, where a stick would hold it now."""
        ragdoll = self._air.ragdoll
        if ragdoll is not None:
            grip = ragdoll.grip
            if self.machine.state is State.FALLEN:  # as if it stood there already
                grip[1] = self._footing.at(grip) + self.character.height
            return grip
        offset = self.character.grip_offset(self._follower.heading)
        height = self.character.grip_place[1]
        return np.asarray(self._standing_place() + offset + [0, height, 0])

    def tick(self, device: Floats | None, seconds: float, pressed: Collection[str] = ()) -> Tick:
        """Go on by some seconds; the device (7,) that holds it, or None, and pressed buttons."""
        end = self._see(device, seconds, pressed)
        before = self.machine.state
        self.machine = self.machine.advance(self._signals(end), seconds, self._limits)
        if self.machine.state is not before:
            self._enter(before, seconds)
        self._move(end, seconds)
        values, root, locked = self._pose(end, seconds)
        values = self._faded((values, root), before, seconds)
        values, event = self.around.step(values, self._frame(seconds), device, seconds)
        near = values if self._shown is None else self._shown
        self._shown = self.character.own.own_values(values, near)
        return Tick(self._shown, self.machine.state, end, locked, self.around.placements, event)

    # The stick

    def _see(
        self, device: Floats | None, seconds: float, pressed: Collection[str]
    ) -> Floats | None:
        if device is None:
            self._actions.see(None, self._follower.heading, seconds, pressed)
            if self._stick is not None:
                self._stick = None
                self._follower.release()
            return None
        if self._stick is None:
            self._stick = MotionStick.grabbed(device, self.grip())
        end = self._stick.end(device)
        self._actions.see(end, self._follower.heading, seconds, pressed)
        end = shortened(device, end, self._footing.at(end) + self.character.lowest)
        self._follower.see(end, seconds)
        return end

    def _lift(self, end: Floats) -> float:
        """Of a stick's end above where the grip is when the puppet stands, m."""
        return float(end[1]) - self._footing.at(end) - self.character.height

    def _signals(self, end: Floats | None) -> Signals:
        stick, air = self._follower.stick, self._air
        asked = self.around.allow(self._actions.wanted)
        seen = Signals(
            on_ground=air.landed, at_rest=air.at_rest, action_over=self._over(), action=asked
        )
        if end is None or stick is None:
            self._crouch = 0.0
            return replace(seen, depth=air.depth, upright=air.upright)
        lift, undecided = self._lift(end), self._actions.undecided
        room = self.character.height - self.character.lowest
        self._crouch = min(max(-lift / room, 0.0), 1.0) if room > 0 else 0.0
        way, low = air.ahead, self._crouch
        return held_signals(seen, stick.velocity, lift, way, low, undecided=undecided)

    def _over(self) -> bool:
        """Whether the clip of the state has ended."""
        if self.machine.state is State.ACTION:
            return self._actions.over(self.machine.seconds)
        return self._get_up is None or self.machine.seconds >= self._get_up.seconds

    # States

    def _enter(self, before: State, seconds: float) -> None:
        """Prepare the state that has just begun."""
        state, place = self.machine.state, self._standing_place()
        if state is State.ACTION:
            self._actions.begin(walks=self._walker.walks)
        elif state is State.JUMP:
            velocity = self._follower.velocity * [1, 0, 1]
            self._air.begin_jump(place, velocity, self._limits.turning_speed)
        elif state is State.HELD:
            from_place = place if before in ON_FEET else None
            self._air.begin_held(from_place, *self._fades.last_poses, seconds)
        elif state is State.FALL:
            self._air.begin_fall(*self._fades.last_poses, seconds)
        elif state is State.LANDING and before not in ON_FEET:
            self._stand_at(*self._air.standing_frame(self._follower.heading))
        elif state is State.FALLEN:
            self._follower.place = self._air.place * [1, 0, 1]
        elif state is State.GET_UP:
            self._get_up = self._air.get_up(self._follower.heading)
            self._stand_at(self._get_up.place, self._get_up.heading)
        elif state is State.LOCOMOTION and before is State.GET_UP:
            self._walker = Walker(self.character.gaits)

    def _stand_at(self, place: Floats, heading: float) -> None:
        """Be on the ground again."""
        self._follower.place, self._follower.heading, self._follower.turning = place, heading, 0.0
        self._footing.in_air = None
        self._footing.stand(place)
        self._walker = Walker(self.character.gaits)
        self._air.ragdoll = None

    def _move(self, end: Floats | None, seconds: float) -> None:
        """Move the frame: over the ground, or through the air."""
        follower, state = self._follower, self.machine.state
        if state in (State.FALLEN, State.GET_UP):
            follower.velocity = np.zeros(3)
        elif end is None or follower.stick is None or self._stays:
            follower.follow(follower.place, np.zeros(3), seconds)
        else:
            offset = self._grip_offset()
            target, wanted = (end - offset) * [1, 0, 1], follower.stick.velocity * [1, 0, 1]
            turns = state in LEADS and self._walker.walks and not self._actions.keeps_heading
            follower.follow(target, wanted, seconds, turns=turns, may_enter=self._footing.may_enter)
        if state in (State.JUMP, State.HELD) and end is not None:
            lift = max(self._lift(end), 0.0)
            self._air.place = follower.place * [1, 0, 1] + [0, self._footing.at(end) + lift, 0]
        elif state is State.FALL:
            self._air.fall(seconds)
        feet = self._walker.ground if state in ON_FEET else None
        self._footing.in_air = float(self._air.place[1]) if state in IN_AIR else None
        self._footing.follow(feet, follower.place, seconds)

    @property
    def _stays(self) -> bool:
        """Whether what it does keeps it where it is."""
        return self.machine.state is State.ACTION and self._actions.stops

    def _standing_place(self) -> Floats:
        return self._footing.below(self._follower.place)

    def _grip_offset(self) -> Floats:
        """(3,) m over the ground, from the frame to the grip."""
        blended = self._walker.grip if self.machine.state in ON_FEET else None
        return self.character.grip_offset(self._follower.heading, blended)

    # Poses

    def _pose(self, end: Floats | None, seconds: float) -> tuple[Floats, Floats, Bools]:
        """Values and root in the world, and which feet stand."""
        state, heading = self.machine.state, self._follower.heading
        none = np.zeros(len(self.character.gaits.legs.length), bool)
        if state in ON_FEET:
            step = self._walker.step(
                seconds,
                self._standing_place(),
                heading,
                self._walking_speed(),
                self._height(),
                self._footing,
                may_stand=not self._fades.fading,
                added=self._actions.offset(self.machine.seconds) if state is State.ACTION else None,
            )
            return step.values, self._root_of(step.values), step.locked
        if state is State.GET_UP:
            assert self._get_up is not None
            values, root = self._get_up.pose(self.machine.seconds, self.character)
            return values, in_world(root, self._standing_place(), heading), none
        if state is State.FALLEN:
            return *self._air.lying_pose(self._standing_place(), heading), none
        velocity = self._follower.stick_velocity
        if state is State.JUMP:
            return *self._air.jump_pose(heading, velocity, seconds), none
        return *self._air.limp_pose(end, velocity, heading, self._grip_offset(), seconds), none

    def _walking_speed(self) -> float:
        if self.machine.state is State.ANTICIPATION or self._stays:
            return 0.0
        return self._follower.walking_speed

    def _height(self) -> float:
        """Of the grip above the ground, m, as the stick and the state want it."""
        character, stick = self.character, self._follower.stick
        lift = 0.0 if stick is None else min(self._lift(stick.position), 0.0)
        height = max(character.height + lift, character.lowest)
        squat = SQUAT * self.machine.squat(self._limits)
        return height - squat * (height - character.lowest)

    def _root_of(self, values: Floats) -> Floats:
        return self.character.gaits.writer.read(values)

    def _frame(self, seconds: float) -> Frame:
        """Where it is and what it does, for what is around it."""
        state, now, actions = self.machine.state, self.machine.seconds, self._actions
        grip = self._walker.grip
        leans = 0.0 if grip is None else float(grip[2] - self.character.grip_place[2])
        return Frame(
            self._standing_place(),
            self._follower.heading,
            self._follower.drift,
            self._crouch,
            leans,
            on_feet=state in ON_FEET,
            action=actions.name if state is State.ACTION else "",
            strikes=state is State.ACTION and actions.strikes(now - seconds, now),
        )

    # Transitions

    def _faded(self, pose: Pose, before: State, seconds: float) -> Floats:
        """(C,) a pose with what is left of the transition from the state before it."""
        state, ragdoll = self.machine.state, self._air.ragdoll
        walks_on = before in ON_FEET and state in ON_FEET  # one walker
        hangs_on = before in LIMP and ragdoll is not None  # one ragdoll
        if self._fades.begins or (state is not before and not walks_on and not hangs_on):
            lasts = FADE
            if ragdoll is None and state is State.GET_UP and self._get_up is not None:
                lasts = self._get_up.fade
            after = pose if ragdoll is None else ragdoll.first  # what it does not simulate fades
            self._fades.begin(after, seconds, lasts, keep_velocity=ragdoll is None)
        if state in ON_FEET and not self._fades.fading:
            return self._fades.kept(pose[0])  # a walker writes its own root
        return self._fades.applied(pose, seconds, self._raised)

    def _raised(self, values: Floats) -> Floats:
        """(C,) a pose on its way to the next one, out of the ground."""
        if self.machine.state in ON_FEET:
            return self._walker.above_ground(values, self._footing)
        if self.machine.state is not State.GET_UP:
            return values
        place = self._root_of(values)[:3]
        place[1] += self._air.sunk(values)
        return self.character.gaits.writer.moved(values, place)
