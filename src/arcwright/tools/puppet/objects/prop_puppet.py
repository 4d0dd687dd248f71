"""Prop puppet: a prop at the end of a stick: the device moves it, and it is set down or falls."""

from __future__ import annotations

import copy
from collections.abc import Collection

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_normalise,
    slerp,
)
from arcwright.tools.puppet.motion_stick import MotionStick, shortened
from arcwright.tools.puppet.objects.loose_motion import loose_step
from arcwright.tools.puppet.objects.movable import Movable, channel_values, extent
from arcwright.tools.puppet.state_machine import State
from arcwright.tools.puppet.terrain import Ground
from arcwright.tools.puppet.tick import Tick

UP = np.array([0.0, 1.0, 0.0])
SMOOTHING = 0.035  # s, of the velocity at which it is released
UPRIGHT = 0.12  # s in which it stands upright once it is on the ground
TOUCHES = 0.01  # m above the ground


class PropPuppet:
    """A prop that is held by a stick, falls or lies."""

    def __init__(self, movable: Movable, ground: Ground) -> None:
        self._movable, self._ground = movable, ground
        self._placed, self._velocity = movable.start, np.zeros(3)
        self._stick: MotionStick | None = None
        self._turned = np.array([1.0, 0.0, 0.0, 0.0])  # against the device
        self._values = movable.values
        self.state = State.LOCOMOTION

    def fork(self) -> PropPuppet:
        """A prop that is where this one is."""
        return copy.copy(self)

    def tick(self, device: Floats | None, seconds: float, _pressed: Collection[str] = ()) -> Tick:
        """Go on by some seconds; the device (7,) that holds it, or None."""
        end = self._led(device, seconds) if device is not None else None
        if device is None:
            self._stick = None
            self._placed, self._velocity = loose_step(
                self._movable, self._placed, self._velocity, (), self._ground, seconds
            )
        high = self._above_ground() > TOUCHES
        if not high and not self._movable.round and device is None:
            self._stand_up(seconds)
        self.state = State.LOCOMOTION if not high else State.HELD if end is not None else State.FALL
        self._values = channel_values(self._movable, self._placed, self._values)
        return Tick(self._values, self.state, end, np.zeros(0, bool))

    def _led(self, device: Floats, seconds: float) -> Floats:
        """Follow the stick; where its end is."""
        placed = self._placed
        if self._stick is None:
            self._stick = MotionStick.grabbed(device, placed.position)
            turn = quaternion_multiply(quaternion_conjugate(device[3:]), placed.rotation)
            self._turned = np.asarray(turn)
        end = self._stick.end(device)
        turned = placed.moved(
            placed.position, np.asarray(quaternion_multiply(device[3:], self._turned))
        )
        ground = self._ground(float(end[0]), float(end[2]))
        end = shortened(device, end, ground + extent(self._movable, turned, UP))
        rate = (end - placed.position) / seconds
        share = 1.0 - np.exp(-seconds / SMOOTHING)
        self._velocity = self._velocity + share * (rate - self._velocity)
        self._placed = turned.moved(end)
        return end

    def _above_ground(self) -> float:
        x, y, z = self._placed.position.tolist()
        return float(y - extent(self._movable, self._placed, UP) - self._ground(x, z))

    def _stand_up(self, seconds: float) -> None:
        """Lose the tilt that it was set down with."""
        start, now = self._movable.start.rotation, self._placed.rotation
        since = quaternion_multiply(now, quaternion_conjugate(start))
        upright = np.array([since[0], 0.0, since[2], 0.0])
        if np.linalg.norm(upright) < 1e-6:
            return
        wanted = quaternion_multiply(quaternion_normalise(upright), start)
        if now @ wanted < 0:
            wanted = -wanted
        turned = np.asarray(slerp(now, wanted, min(seconds / UPRIGHT, 1.0)))
        stands = self._placed.moved(self._placed.position.copy(), turned)
        x, _, z = stands.position.tolist()
        stands.position[1] = self._ground(x, z) + extent(self._movable, stands, UP)
        self._placed = stands
