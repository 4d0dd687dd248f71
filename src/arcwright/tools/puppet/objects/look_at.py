"""Look at: the head turns towards a place, smoothly and within limits."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.places import Places
from arcwright.scene.rig import Kind, Rig
from arcwright.tools.puppet.limb_ik import LimbTargets, solve_limbs

YAW = np.radians(70.0)  # most to each side
PITCH = np.radians(40.0)  # most up and down
SEES = np.radians(110.0)  # a place farther to the side is not looked at
STIFFNESS = 9.0  # rad/s, of the critically damped spring towards the place
AHEAD = 0.3  # m before the head, where the look is measured


class LookAt:
    """A head and where it looks."""

    def __init__(self, rig: Rig, head: int, channels: Ints, ahead: Floats) -> None:
        self._rig, self._channels = rig, channels
        self._head = Places(np.array([head]), (AHEAD * ahead)[None])
        self._joint = head
        self.angles = np.zeros(2)  # rad of yaw and pitch by which it looks aside
        self._rates = np.zeros(2)

    def fork(self) -> LookAt:
        """A head that looks where this one does."""
        other = LookAt.__new__(LookAt)
        other.__dict__.update(self.__dict__)
        return other

    def applied(
        self, values: Floats, place: Floats | None, heading: float, seconds: float
    ) -> Floats:
        """(C,) the pose with its head turned towards a place (3,) m, or back."""
        world = forward(self._rig, values[None], [self._joint])[0, 0]
        eyes = world[:3, 3]
        own = world[:3, :3] @ self._head.offsets[0] / AHEAD
        yaw, pitch = _angles(own, heading)
        wanted = np.zeros(2)
        if place is not None:
            aside, up = _angles(place - eyes, heading)
            if abs(aside) < SEES:
                wanted = np.array([np.clip(aside, -YAW, YAW), np.clip(up, -PITCH, PITCH)])
                wanted -= [yaw, pitch]
        pull = STIFFNESS**2 * (wanted - self.angles) - 2 * STIFFNESS * self._rates
        self._rates = self._rates + seconds * pull
        self.angles = self.angles + seconds * self._rates
        if np.abs(self.angles).max() < 1e-4:
            return values
        towards = _direction(yaw + self.angles[0], pitch + self.angles[1], heading)
        target = LimbTargets.of(self._head, (eyes + AHEAD * towards)[None])
        return solve_limbs(self._rig, self._channels, values, target, values)[0]


def look_at(rig: Rig, stand: Floats) -> LookAt | None:
    """The head of a rig, found by name, and its neck; None without one."""
    named = [index for index, name in enumerate(rig.names) if "head" in name.lower()]
    if not named:
        return None
    head = named[0]
    neck = [head]
    above = int(rig.parents[head])
    if above >= 0 and "neck" in rig.names[above].lower():
        neck.append(above)
    table = rig.channels
    rotates = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
    channels = np.flatnonzero(rotates & np.isin(table.joint, neck))
    world = forward(rig, stand[None], [head])[0, 0, :3, :3]
    ahead = np.linalg.solve(world, np.array([0.0, 0.0, 1.0]))
    return LookAt(rig, head, channels, ahead / np.linalg.norm(ahead)) if len(channels) else None


def _angles(direction: Floats, heading: float) -> tuple[float, float]:
    """Yaw from a heading, and pitch, rad."""
    over_ground = float(np.hypot(direction[0], direction[2]))
    yaw = float(np.arctan2(direction[0], direction[2])) - heading
    return (yaw + np.pi) % (2 * np.pi) - np.pi, float(np.arctan2(direction[1], over_ground))


def _direction(yaw: float, pitch: float, heading: float) -> Floats:
    around = yaw + heading
    return np.array([np.cos(pitch) * np.sin(around), np.sin(pitch), np.cos(pitch) * np.cos(around)])
