"""Puppet: a character at the end of a stick, one tick after another."""

from __future__ import annotations

import copy
from collections.abc import Collection
from dataclasses import replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.puppet.action_clip import ActionClip
from arcwright.tools.puppet.actions.action_player import ActionPlayer
from arcwright.tools.puppet.jump import GRAVITY, share_done
from arcwright.tools.puppet.limp import Pendulum
from arcwright.tools.puppet.locomotion.root_frame import in_world
from arcwright.tools.puppet.locomotion.walker import Ground, PoseOffset, Walker
from arcwright.tools.puppet.motion_stick import MotionStick, shortened
from arcwright.tools.puppet.objects.scene_objects import Frame
from arcwright.tools.puppet.objects.surroundings import Surroundings
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.state_machine import Signals, State, StateMachine, Thresholds
from arcwright.tools.puppet.stick_follower import StickFollower
from arcwright.tools.puppet.tick import Tick
from arcwright.tools.puppet.transition import Transition

FADE = 0.22  # s from one state's pose to the next one's
SQUAT = 0.55  # of the way to the lowest crouch, before a jump and after landing
TURNS = (State.LOCOMOTION, State.CROUCH)
ON_FEET = (*(State.LOCOMOTION, State.CROUCH, State.ANTICIPATION, State.LANDING, State.ACTION),)


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
    ) -> None:
        self.character, self._ground = character, ground
        self._walker = Walker(character.gaits)
        self._follower = StickFollower(place, heading, character.leg)
        self.machine = StateMachine()
        legs, size = character.gaits.legs, character.size
        self._actions = ActionPlayer(character.overlays, legs, size, gestures=gestures)
        self._limits = Thresholds().sized(character.size)
        self._around = around or Surroundings(None, None, "ahead")
        self._crouch = 0.0  # 0 standing to 1 as low as it can
        self._stick: MotionStick | None = None
        self._pendulum = Pendulum(0.6 * character.size)
        self._transition: Transition | None = None
        self._last: tuple[Floats, Floats] | None = None  # values and root of the last pose
        self._high = float(ground(place[0], place[2]))  # m, of the ground under it, smoothed
        self._start = np.zeros(3)  # of a jump or fall: place and height of its frame
        self._ahead = np.zeros(3)  # direction of a jump over the ground
        self._air = np.zeros(3)  # m, place and lift of the frame in the air
        self._fall = 0.0  # m/s downwards

    @property
    def state(self) -> State:
        """What it does."""
        return self.machine.state

    def fork(self) -> Puppet:
        """A puppet that stands where this one does."""
        other = copy.copy(self)
        other._walker, other._follower = self._walker.fork(), self._follower.fork()
        other._pendulum = copy.deepcopy(self._pendulum)
        other._transition = copy.copy(self._transition)
        other._actions = self._actions.fork()
        other._around = self._around.fork()
        return other

    def grip(self) -> Floats:
        """(3,) m, where a stick would hold it now."""
        root = in_world(
            np.concatenate([self.character.grip_place, self.character.root[3:]]),
            self._standing_place(),
            self._follower.heading,
        )
        return np.asarray(root[:3])

    def tick(self, device: Floats | None, seconds: float, pressed: Collection[str] = ()) -> Tick:
        """Go on by some seconds; the device (7,) that holds it, or None, and pressed buttons."""
        end = self._see(device, seconds, pressed)
        seen = self._signals(end)
        before = self.machine.state
        self.machine = self.machine.advance(seen, seconds, self._limits)
        if self.machine.state is not before:
            self._enter(before)
        self._move(end, seconds)
        values, root, locked = self._pose(seconds)
        if self.machine.state is not before and self._last is not None:
            self._begin_transition(before, (values, root))
        values = self._faded(values, root, seconds)
        values, event = self._around.step(values, self._frame(seconds), device, seconds)
        return Tick(values, self.machine.state, end, locked, self._around.placements, event)

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
        ground = self._ground(float(end[0]), float(end[2]))
        end = shortened(device, end, ground + self.character.lowest)
        self._follower.see(end, seconds)
        return end

    def _lift(self, end: Floats) -> float:
        """Of a stick's end above where the grip is when the puppet stands, m."""
        ground = self._ground(float(end[0]), float(end[2]))
        return float(end[1]) - ground - self.character.height

    def _signals(self, end: Floats | None) -> Signals:
        stick, air = self._follower.stick, self._air
        landed = air[1] <= self._ground(float(air[0]), float(air[2])) + 1e-6
        asked = self._around.allow(self._actions.wanted)
        seen = Signals(on_ground=bool(landed), action_over=self._over(), action=asked)
        if end is None or stick is None:
            self._crouch = 0.0
            return replace(seen, depth=float(self._start[1] - air[1]))
        over_ground = stick.velocity * [1, 0, 1]
        speed, lift = float(np.linalg.norm(over_ground)), self._lift(end)
        straight = float(self._ahead @ over_ground) / max(speed, 1e-9) if self._ahead.any() else 1.0
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
        clip = self._action()
        return clip is None or self.machine.seconds >= clip.seconds

    # States

    def _enter(self, before: State) -> None:
        """Prepare the state that has just begun."""
        state, place = self.machine.state, self._standing_place()
        if state is State.ACTION:
            self._actions.begin(walks=self._walker.walks)
        elif state is State.JUMP:
            self._start, velocity = place, self._follower.velocity * [1, 0, 1]
            speed = float(np.linalg.norm(velocity))
            self._ahead = velocity / speed if speed > self._limits.turning_speed else np.zeros(3)
            self._air = place.copy()
        elif state is State.HELD:
            self._ahead = np.zeros(3)
            if before in ON_FEET:
                self._air = place.copy()
        elif state is State.FALL:
            self._start, self._fall, self._ahead = self._air.copy(), 0.0, np.zeros(3)
        elif state in (State.LANDING, State.FALLEN):
            if before not in ON_FEET:
                self._follower.place = self._air * [1, 0, 1]
                self._walker = Walker(self.character.gaits)
        elif state is State.LOCOMOTION and before is State.GET_UP:
            self._walker = Walker(self.character.gaits)

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
            turns = state in TURNS and self._walker.walks and not self._actions.keeps_heading
            follower.follow(target, wanted, seconds, turns=turns)
        if state in (State.JUMP, State.HELD) and end is not None:
            ground = self._ground(float(end[0]), float(end[2]))
            lift = max(self._lift(end), 0.0)
            self._air = follower.place * [1, 0, 1] + [0, ground + lift, 0]
        elif state is State.FALL:
            self._fall += seconds * GRAVITY
            ground = self._ground(float(self._air[0]), float(self._air[2]))
            self._air = self._air - [0, seconds * self._fall, 0]
            self._air[1] = max(self._air[1], ground)
        here = self._ground(float(follower.place[0]), float(follower.place[2]))
        self._high += (here - self._high) * min(1.0, seconds / 0.12)

    @property
    def _stays(self) -> bool:
        """Whether what it does keeps it where it is."""
        return self.machine.state is State.ACTION and self._actions.stops

    def _standing_place(self) -> Floats:
        place = self._follower.place * [1, 0, 1]
        place[1] = self._high
        return np.asarray(place)

    def _grip_offset(self) -> Floats:
        """(3,) m over the ground, from the frame to the grip."""
        blended = self._walker.grip if self.machine.state in ON_FEET else None
        x, _, z = self.character.grip_place if blended is None else blended
        cosine, sine = np.cos(self._follower.heading), np.sin(self._follower.heading)
        return np.array([cosine * x + sine * z, 0.0, cosine * z - sine * x])

    # Poses

    def _pose(self, seconds: float) -> tuple[Floats, Floats, Bools]:
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
                self._ground,
                may_stand=self._transition is None,
                added=self._actions.offset(self.machine.seconds) if state is State.ACTION else None,
            )
            return step.values, self._root_of(step.values), step.locked
        if state in (State.FALLEN, State.GET_UP):
            values, root = self._action_pose()
            return values, in_world(root, self._standing_place(), heading), none
        values, root = self._air_pose()
        root = in_world(root, self._air, heading)
        if state is State.JUMP:
            return values, root, none
        stick = self._follower.stick
        velocity = np.zeros(3) if stick is None else stick.velocity
        self._pendulum.advance(velocity, seconds)
        held = self._air + self._grip_offset() + [0, self.character.grip_place[1], 0]
        return values, self._pendulum.hung(root, held), none

    def _added(self) -> PoseOffset | None:
        acts = self.machine.state is State.ACTION
        return self._actions.offset(self.machine.seconds) if acts else None

    def _walking_speed(self) -> float:
        if self.machine.state is State.ANTICIPATION or self._stays:
            return 0.0
        return self._follower.walking_speed

    def _height(self) -> float:
        """Of the grip above the ground, m, as the stick and the state want it."""
        character, machine = self.character, self.machine
        stick = self._follower.stick
        lift = 0.0 if stick is None else min(self._lift(stick.position), 0.0)
        height = max(character.height + lift, character.lowest)
        room = SQUAT * (height - character.lowest)
        if machine.state is State.ANTICIPATION:
            return height - room * min(machine.seconds / self._limits.anticipation, 1.0)
        if machine.state is State.LANDING:
            share = min(machine.seconds / self._limits.landing, 1.0)
            return height - room * float(np.sin(np.pi * min(share * 1.3, 1.0)) ** 2)
        return height

    def _air_pose(self) -> tuple[Floats, Floats]:
        """Values and root in the puppet's frame: the clip of a jump, else the idle pose.

        Of the clip's root only the rotation counts: the stick says where it is.
        """
        clip = self.character.actions.get("mid_jump")
        if clip is None or self.machine.state is not State.JUMP:
            return self.character.stand, self.character.root
        values, root = clip.at(self._jump_share())
        return values, np.concatenate([self.character.root[:3], root[3:]])

    def _jump_share(self) -> float:
        """How much of the jump is done, 0 to 1."""
        stick = self._follower.stick
        velocity = np.zeros(3) if stick is None else stick.velocity
        way = float(np.linalg.norm((self._air - self._start)[[0, 2]]))
        speed = float(np.hypot(velocity[0], velocity[2]))
        high = float(self._air[1] - self._start[1])
        return share_done((0.0, 0.0), (way, high), (speed, float(velocity[1])))

    def _action(self) -> ActionClip | None:
        """The clip by which it gets up."""
        return self.character.actions.get("get_up_back")

    def _action_pose(self) -> tuple[Floats, Floats]:
        clip = self._action()
        if clip is None:
            return self.character.stand, self.character.root
        lying = self.machine.state is State.FALLEN
        return clip.at(0.0 if lying else self.machine.seconds / max(clip.seconds, 1e-9))

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

    def _begin_transition(self, before: State, now: tuple[Floats, Floats]) -> None:
        if before in ON_FEET and self.machine.state in ON_FEET:
            return  # one walker goes on
        assert self._last is not None
        self._transition = Transition(self._last, now, self.character.angles, FADE)

    def _faded(self, values: Floats, root: Floats, seconds: float) -> Floats:
        """(C,) the pose with what is left of the transition."""
        if self._transition is not None:
            values, root = self._transition.applied(values, root)
            if not self._transition.advance(seconds):
                self._transition = None
        near = values if self._last is None else self._last[0]
        written = self.character.gaits.writer.written(values, root, near)
        self._last = written, root
        return written
