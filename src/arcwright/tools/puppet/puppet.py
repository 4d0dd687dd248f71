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
from arcwright.tools.puppet.terrain import Ground
from arcwright.tools.puppet.tick import Tick
from arcwright.tools.puppet.transition import Pose, Transition

FADE = 0.22  # s from one state's pose to the next one's
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
        self._around = around or Surroundings(None, None, "ahead")
        self._crouch = 0.0  # 0 standing to 1 as low as it can
        self._stick: MotionStick | None = None
        self._air = Airborne(character, ground, physics)
        self._transition: Transition | None = None
        self._last: Pose | None = None  # values and root of the last pose
        self._shown: Floats | None = None  # values of the last tick
        self._before: Pose | None = None  # and of the one before it
        self._get_up: GetUp | None = None
        self._begins = False  # in a pose that is not its own
        self._footing = Footing(ground, place, character.leg)

    def begin_in(self, values: Floats, velocity: Floats, before: Floats) -> None:
        """Begin in a pose (C,) of its own rig, that of a tick `before` it, with a velocity (3,)."""
        was, played = self.character.own.played_values(np.stack([before, values]))
        self._before, self._last = (was, self._root_of(was)), (played, self._root_of(played))
        self._shown, self._begins = values, True
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
        other._transition = copy.copy(self._transition)
        other._actions = self._actions.fork()
        other._around = self._around.fork()
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
        if self._begins or (self.machine.state is not before and self._last is not None):
            self._begin_transition(before, (values, root), seconds)
        values = self._faded(values, root, seconds)
        values, event = self._around.step(values, self._frame(seconds), device, seconds)
        near = values if self._shown is None else self._shown
        self._shown = self.character.own.own_values(values, near)
        return Tick(self._shown, self.machine.state, end, locked, self._around.placements, event)

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
        asked = self._around.allow(self._actions.wanted)
        seen = Signals(
            on_ground=air.landed, at_rest=air.at_rest, action_over=self._over(), action=asked
        )
        if end is None or stick is None:
            self._crouch = 0.0
            return replace(seen, depth=air.depth, upright=air.upright)
        over_ground = stick.velocity * [1, 0, 1]
        speed, lift = float(np.linalg.norm(over_ground)), self._lift(end)
        straight = float(air.ahead @ over_ground) / max(speed, 1e-9) if air.ahead.any() else 1.0
        room = self.character.height - self.character.lowest
        self._crouch = min(max(-lift / room, 0.0), 1.0) if room > 0 else 0.0
        return replace(
            seen,
            held=True,
            lift=lift,
            rise=float(stick.velocity[1]),
            speed=speed,
            straight=straight,
            crouch=self._crouch,
            undecided=self._actions.undecided,
        )

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
            self._air.begin_held(from_place, self._before, self._last, seconds)
        elif state is State.FALL:
            self._air.begin_fall(self._before, self._last, seconds)
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
        self._follower.place, self._follower.heading = place, heading
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
                may_stand=self._transition is None,
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

    def _begin_transition(self, before: State, now: Pose, tick: float) -> None:
        ragdoll, seconds = self._air.ragdoll, FADE
        if before in ON_FEET and self.machine.state in ON_FEET and not self._begins:
            return  # one walker goes on
        was, lead = self._before, 0.0 if self._begins else tick
        self._begins = False
        if ragdoll is not None:
            if before in LIMP:
                return  # one ragdoll goes on
            now, was = ragdoll.first, None  # only what it does not simulate fades
        elif self.machine.state is State.GET_UP and self._get_up is not None:
            seconds = self._get_up.fade
        assert self._last is not None
        self._transition = Transition(
            self._last, now, self.character.angles, seconds, before=was, tick=tick, lead=lead
        )

    def _faded(self, values: Floats, root: Floats, seconds: float) -> Floats:
        """(C,) the pose with what is left of the transition."""
        if self._transition is not None:
            self._transition.passed += seconds
            values, root = self._transition.applied(values, root)
            root[1] += self._sunk(self.character.gaits.writer.written(values, root))
            if self._transition.over:
                self._transition = None
        near = values if self._last is None else self._last[0]
        written = self.character.gaits.writer.written(values, root, near)
        self._before, self._last = self._last, (written, root)
        return written

    def _sunk(self, values: Floats) -> float:
        """How far, m, a pose (C,) on its way to the next one is below the ground."""
        if self.machine.state in ON_FEET:
            return self._walker.sunk(values, self._footing)
        return self._air.sunk(values) if self.machine.state is State.GET_UP else 0.0
