"""Car puppet: a character on wheels at the end of a stick; it drives there without slipping."""

from __future__ import annotations

import copy
from collections.abc import Collection

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import (
    quaternion_from_vector,
    quaternion_multiply,
    quaternion_rotate,
)
from arcwright.tools.puppet.driving.steering import Driving, Gear
from arcwright.tools.puppet.driving.wheels import Chassis
from arcwright.tools.puppet.footing import Footing
from arcwright.tools.puppet.jump import GRAVITY
from arcwright.tools.puppet.limp import Pendulum
from arcwright.tools.puppet.locomotion.root_frame import in_world
from arcwright.tools.puppet.motion_stick import MotionStick, shortened
from arcwright.tools.puppet.puppet_character import PuppetCharacter
from arcwright.tools.puppet.state_machine import State, Thresholds
from arcwright.tools.puppet.stick_follower import StickFollower
from arcwright.tools.puppet.terrain import Ground
from arcwright.tools.puppet.tick import Tick

SETTLES = 0.2  # s from touching the ground to standing on it
LIFTS = 0.05  # s in which a held car is as high as its stick
HANGS = 0.1  # s in which wheels hang or are pressed up again
SPINS = 0.8  # s after which wheels in the air have lost most of their spin


class CarPuppet:
    """A car that is driven by a stick, hangs on it or falls.

    Its frame is the middle of the rear axle: that moves along the heading only, on an arc in each
    tick, and every wheel rolls by exactly the length of its own arc.
    """

    def __init__(
        self,
        character: PuppetCharacter,
        chassis: Chassis,
        place: Floats,
        heading: float,
        ground: Ground,
    ) -> None:
        self._character, self._car = character, chassis
        self._limits = Thresholds().sized(character.size)
        self._heading = heading
        self._axle = place * [1, 0, 1] + chassis.rear * _ahead(heading)  # m, of the rear wheels
        self._driving = Driving()
        self._rolled = np.zeros(len(chassis.wheels))  # rad
        self._spin = np.zeros(len(chassis.wheels))  # rad/s
        self._high, self._fall = 0.0, 0.0  # m above the ground, and m/s downwards
        self._hangs, self._lifted, self._landed = 0.0, 0.0, 0.0  # 0 to 1, s, s
        self._pendulum = Pendulum(0.6 * character.size)
        self._follower = StickFollower(place, heading, chassis.wheelbase)
        self._stick: MotionStick | None = None
        self._rear = Footing(ground, self._axle, chassis.wheelbase)
        self._front = Footing(ground, self._front_axle(), chassis.wheelbase)
        self._values = character.gaits.writer.written(character.own.rest, character.root)
        self.state = State.LOCOMOTION

    def begin_in(self, values: Floats, velocity: Floats, _before: Floats) -> None:
        """Begin in a pose (C,) of the character's own rig, with a velocity (3,)."""
        played = self._character.own.played_values(values[None])[0]
        root, own = self._character.gaits.writer.read(played), self._character.root
        self._values = played
        self._high = max(float(root[1] - own[1]) - self._rear.high, 0.0)
        if self._high > self._limits.landed:
            self.state, self._hangs = State.FALL, 1.0
            self._follower.velocity = velocity * [1, 0, 1]
        read = [wheel.read(played) for wheel in self._car.wheels]
        self._rolled = np.array([rolled for rolled, _ in read])
        bends = [
            float(np.tan(steered)) / float(wheel.place[2] - self._car.rear)
            for wheel, (_, steered) in zip(self._car.wheels, read, strict=True)
            if wheel.front
        ]
        limit = self._car.sharpest
        curvature = float(np.clip(np.mean(bends), -limit, limit))
        self._driving = Driving(Gear.FORWARD, float(velocity @ _ahead(self._heading)), curvature)

    def fork(self) -> CarPuppet:
        """A car that is where this one is."""
        other = copy.copy(self)
        other._follower, other._pendulum = self._follower.fork(), copy.deepcopy(self._pendulum)
        other._rear, other._front = copy.copy(self._rear), copy.copy(self._front)
        return other

    def tick(self, device: Floats | None, seconds: float, _pressed: Collection[str] = ()) -> Tick:
        """Go on by some seconds; the device (7,) that holds it, or None."""
        end = self._see(device, seconds)
        before, self.state = self.state, self._next_state(end, seconds)
        if self.state is not before:
            self._enter()
        match self.state:
            case State.HELD if end is not None:
                self._hang(end, seconds)
            case State.FALL:
                self._fall_on(seconds)
            case State.LANDING:
                self._settle(seconds)
            case _:
                self._drive(end, seconds)
        in_air = self.state in (State.HELD, State.FALL)
        self._hangs += (float(in_air) - self._hangs) * min(seconds / HANGS, 1.0)
        self._rear.follow(None, self._axle, seconds)
        self._front.follow(None, self._front_axle(), seconds)
        self._values = self._pose()
        own = self._character.own.own_values(self._values, self._values)
        return Tick(own, self.state, end, np.zeros(0, bool))

    # The stick

    def _see(self, device: Floats | None, seconds: float) -> Floats | None:
        if device is None:
            self._stick = None
            self._follower.release()
            return None
        if self._stick is None:
            self._stick = MotionStick.grabbed(device, self._held())
        end = self._stick.end(device)
        end = shortened(device, end, self._ground() + self._character.height)
        self._follower.see(end, seconds)
        return end

    def _lift(self, end: Floats) -> float:
        return float(end[1]) - self._ground() - self._character.height

    def _next_state(self, end: Floats | None, seconds: float) -> State:
        high = end is not None and self._lift(end) > self._limits.lifted
        self._lifted = self._lifted + seconds if high else 0.0
        match self.state:
            case State.HELD if end is None:
                return State.FALL
            case State.HELD if not high:
                return State.LANDING
            case State.FALL if end is not None:
                return State.HELD
            case State.FALL if self._high <= 0:
                return State.LANDING
            case State.LANDING if self._landed >= SETTLES:
                return State.LOCOMOTION
            case State.LOCOMOTION | State.LANDING if self._lifted > self._limits.lifted_seconds:
                return State.HELD
        return self.state

    def _enter(self) -> None:
        """Prepare the state that has just begun."""
        self._landed = 0.0
        if self.state is State.HELD:
            speed = self._driving.speed * _ahead(self._heading)
            self._follower.place = self._grip()
            self._follower.velocity = speed if self._high <= 0 else self._follower.velocity
            self._driving = Driving()
        elif self.state is State.FALL:
            self._fall = 0.0

    # In the air

    def _hang(self, end: Floats, seconds: float) -> None:
        stick = self._follower.stick
        assert stick is not None
        self._follower.follow(end * [1, 0, 1], stick.velocity * [1, 0, 1], seconds, turns=False)
        self._axle = self._axle + self._follower.place - self._grip()
        self._high += (max(self._lift(end), 0.0) - self._high) * min(seconds / LIFTS, 1.0)
        self._pendulum.advance(stick.velocity, seconds)
        self._spin_on(seconds)

    def _fall_on(self, seconds: float) -> None:
        self._fall += seconds * GRAVITY
        self._axle = self._axle + seconds * self._follower.velocity
        self._high = max(self._high - seconds * self._fall, 0.0)
        self._pendulum.advance(self._follower.velocity, seconds)
        self._spin_on(seconds)

    def _spin_on(self, seconds: float) -> None:
        self._spin = self._spin * np.exp(-seconds / SPINS)
        self._rolled = self._rolled + seconds * self._spin

    def _settle(self, seconds: float) -> None:
        """Stand on all wheels, exactly from the end of it on."""
        left = max(SETTLES - self._landed, seconds)
        self._landed += seconds
        share = 1.0 - min(seconds / left, 1.0)
        self._high *= share
        self._pendulum.angles = self._pendulum.angles * share
        self._pendulum.rates = np.zeros(2)
        if self._landed >= SETTLES:
            self._high, self._hangs = 0.0, 0.0
            self._pendulum.angles = np.zeros(2)
        self._spin = np.zeros(len(self._rolled))

    # On the ground

    def _drive(self, end: Floats | None, seconds: float) -> None:
        """Roll along an arc of the rear axle."""
        stick = self._follower.stick
        if end is None or stick is None:
            self._driving = self._driving.coast(seconds, self._car)
        else:
            axes = np.array([_ahead(self._heading), _aside(self._heading)])
            was = end - seconds * stick.velocity  # at the last tick, as the car is now
            away, wanted = axes @ ((was - self._grip()) * [1, 0, 1]), axes @ stick.velocity
            self._driving = self._driving.advance(away, wanted, seconds, self._car)
        way, curvature = seconds * self._driving.speed, self._driving.curvature
        if not self._may_go(way):
            self._driving = Driving(self._driving.gear, 0.0, curvature)
            way = 0.0
        turned = curvature * way
        chord = way * float(np.sinc(turned / (2 * np.pi)))
        self._axle = self._axle + chord * _ahead(self._heading + turned / 2)
        self._heading += turned
        rolled = np.array(
            [way * self._arc(wheel.place) / wheel.radius for wheel in self._car.wheels]
        )
        self._rolled, self._spin = self._rolled + rolled, rolled / seconds

    def _arc(self, place: Floats) -> float:
        """Way of a wheel for each metre of the rear axle's middle."""
        along, across = self._velocity_at(place)
        return float(np.hypot(along, across))

    def _velocity_at(self, place: Floats) -> tuple[float, float]:
        """Of a place of the car along and across it, where the rear axle's is 1."""
        bend = self._driving.curvature
        return 1.0 - bend * float(place[0]), bend * float(place[2] - self._car.rear)

    def _may_go(self, way: float) -> bool:
        """Whether no wall is ahead of the axle that leads."""
        leads, axle = (self._front, self._front_axle()) if way > 0 else (self._rear, self._axle)
        reach = way + np.copysign(self._car.wheels[0].radius, way)
        x, _, z = (axle + reach * _ahead(self._heading)).tolist()
        return leads.may_enter(x, z)

    # Places and poses

    def _front_axle(self) -> Floats:
        return np.asarray(self._axle + self._car.wheelbase * _ahead(self._heading))

    def _grip(self) -> Floats:
        """(3,) m over the ground, of the place that follows the stick."""
        return np.asarray(self._axle + self._car.lead * _ahead(self._heading))

    def _held(self) -> Floats:
        """(3,) m, where a stick holds it."""
        x, _, z = self._grip().tolist()
        return np.array([x, self._ground() + self._high + self._character.height, z])

    def _ground(self) -> float:
        """m, of the ground under the grip, between both axles."""
        share = self._car.lead / self._car.wheelbase
        return (1 - share) * self._rear.high + share * self._front.high

    def _pose(self) -> Floats:
        """(C,) channels."""
        rise = (self._front.high - self._rear.high) / self._car.wheelbase
        tilt = quaternion_from_vector(np.array([-np.arctan(rise), 0.0, 0.0]))
        own = self._character.root - [0, 0, self._car.rear, 0, 0, 0, 0]
        tilted = np.concatenate(
            [quaternion_rotate(tilt, own[:3]), quaternion_multiply(tilt, own[3:])]
        )
        up = np.array([0.0, self._rear.high + self._high, 0.0])
        root = in_world(tilted, self._axle + up, self._heading)
        root = self._pendulum.hung(root, self._held())
        values = self._character.gaits.writer.written(self._values, root, self._values)
        for wheel, rolled in zip(self._car.wheels, self._rolled.tolist(), strict=True):
            along, across = self._velocity_at(wheel.place)
            steered = float(np.arctan2(across, along)) if wheel.front else 0.0
            wheel.write(values, rolled, steered, self._hangs)
        return values


def _ahead(heading: float) -> Floats:
    return np.array([np.sin(heading), 0.0, np.cos(heading)])


def _aside(heading: float) -> Floats:
    return np.array([np.cos(heading), 0.0, -np.sin(heading)])
