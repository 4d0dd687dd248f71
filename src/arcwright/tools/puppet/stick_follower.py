"""Stick follower: the frame of a puppet goes after the end of its stick, without lag at speed."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats

STIFFNESS = 14.0  # rad/s, of the critically damped spring from frame to stick
SMOOTHING = 0.035  # s, of the stick's velocity
TURN_GAIN = 7.0  # 1/s
TURN_MOST = 7.0  # rad/s
TURN_SMOOTHING = 0.05  # s, in which a turn begins and ends
TURNS_FROM = 0.2  # of the leg's length a second: slower movement does not turn the puppet
AVERAGED = 0.2  # s over which a shaking stick goes nowhere
DRIFTS = 1.4  # times the averaged speed: as fast as feet step
STRONGEST = 60.0  # m/s²
BESIDE = 0.25  # of the leg's length: a puppet keeps its middle so far from a wall


@dataclass(frozen=True, eq=False)
class StickMotion:
    """The end of a stick now."""

    position: Floats  # (3,) m
    velocity: Floats  # (3,) m/s, smoothed


class StickFollower:
    """Place, speed and heading of a puppet's frame on the ground."""

    def __init__(self, place: Floats, heading: float, leg: float) -> None:
        self.place = np.array([place[0], 0.0, place[2]])
        self.velocity = np.zeros(3)
        self.drift = np.zeros(3)  # m/s of the stick, averaged: shaking goes nowhere
        self.heading, self._leg = heading, leg
        self.turning = 0.0  # rad/s
        self.stick: StickMotion | None = None

    def fork(self) -> StickFollower:
        """A follower that stands where this one does."""
        other = copy.copy(self)
        other.place, other.velocity = self.place.copy(), self.velocity.copy()
        return other

    @property
    def speed(self) -> float:
        """m/s over the ground."""
        return float(np.hypot(self.velocity[0], self.velocity[2]))

    @property
    def stick_velocity(self) -> Floats:
        """(3,) m/s, smoothed; 0 without a stick."""
        return np.zeros(3) if self.stick is None else self.stick.velocity

    @property
    def walking_speed(self) -> float:
        """m/s at which feet should step: as fast as it goes, but not for a stick that shakes."""
        return min(self.speed, DRIFTS * float(np.linalg.norm(self.drift)))

    def see(self, end: Floats, seconds: float) -> StickMotion:
        """Take note of where the end of the stick is now."""
        before = self.stick
        if before is None:
            self.stick = StickMotion(end, np.zeros(3))
        else:
            rate = (end - before.position) / seconds
            share = 1.0 - np.exp(-seconds / SMOOTHING)
            self.stick = StickMotion(end, before.velocity + share * (rate - before.velocity))
        return self.stick

    def release(self) -> None:
        """Forget the stick."""
        self.stick = None

    def follow(
        self,
        target: Floats,
        wanted: Floats,
        seconds: float,
        *,
        turns: bool = True,
        may_enter: Callable[[float, float], bool] = lambda _x, _z: True,
    ) -> None:
        """Go after a target (3,) that moves with a velocity (3,), over the ground.

        What may not be entered is slid along.
        """
        away, slower = target - self.place, wanted - self.velocity
        force = STIFFNESS**2 * away + 2 * STIFFNESS * slower
        force[1] = 0.0
        size = float(np.linalg.norm(force))
        if size > STRONGEST:
            force *= STRONGEST / size
        self.velocity = self.velocity + seconds * force
        self._go(seconds, may_enter)
        # Of the stick, not of the frame, which goes back when a crouch brings the grip forward.
        self.drift = self.drift + (wanted - self.drift) * min(seconds / AVERAGED, 1.0)
        self._turn(self._wanted_turn() if turns else 0.0, seconds)

    def _go(self, seconds: float, may_enter: Callable[[float, float], bool]) -> None:
        """Along x and z in turn, each unless something is in the way."""
        for axis in (0, 2):
            moved = self.place.copy()
            moved[axis] += seconds * self.velocity[axis]
            ahead = moved.copy()
            ahead[axis] += np.copysign(BESIDE * self._leg, self.velocity[axis])
            if may_enter(float(ahead[0]), float(ahead[2])):
                self.place = moved
            else:
                self.velocity = self.velocity * (np.arange(3) != axis)

    def _wanted_turn(self) -> float:
        """rad/s, towards where it goes, once it does for a while."""
        if self.walking_speed < TURNS_FROM * self._leg:
            return 0.0
        towards = float(np.arctan2(self.drift[0], self.drift[2]))
        away = (towards - self.heading + np.pi) % (2 * np.pi) - np.pi
        return float(np.clip(TURN_GAIN * away, -TURN_MOST, TURN_MOST))

    def _turn(self, wanted: float, seconds: float) -> None:
        """Turn at a wanted rate; what is far from the axis would snap if that jumped."""
        self.turning += (wanted - self.turning) * (1.0 - np.exp(-seconds / TURN_SMOOTHING))
        self.heading += seconds * self.turning
