"""Wheels: which joints of a rig roll and steer, where they are, and how their channels say it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_matrix,
    quaternion_from_vector,
    quaternion_multiply,
)
from arcwright.scene.rig import QUATERNION, Kind, Rig
from arcwright.tools.puppet.puppet_character import PuppetCharacter

AXIS = 0.99  # cosine to an axis, from which a channel turns about it or moves along it
SHARPEST = 0.62  # rad by which a wheel in the middle of the front axle would steer at most
HANGS = 0.3  # of its radius by which a wheel goes down at most when the car is lifted


@dataclass(frozen=True, eq=False)
class Wheel:
    """A wheel of a car that stands, in the axes of the car's frame: +z ahead, +y up."""

    place: Floats  # (3,) m, of its middle
    radius: float  # m
    front: bool
    still: Floats  # (C,) the pose of the rig in which it stands
    roll: Ints  # its channel of rolling, or the four of its quaternion
    steer: Ints  # its channel of steering, or none
    signs: tuple[float, float]  # of those channels against rotations about +x and +y
    axes: Floats  # (4,) of a quaternion: those in which its channels turn it
    drop: Ints  # its channel of height, or none
    droop: float  # m, of that channel when it hangs

    def write(self, values: Floats, rolled: float, steered: float, hangs: float) -> None:
        """Put angles, rad, and how far it hangs, 0 to 1, into channels (C,)."""
        values[self.drop] = self.still[self.drop] + hangs * self.droop
        if len(self.roll) == 1:
            values[self.roll] = self.still[self.roll] + self.signs[0] * rolled
            values[self.steer] = self.still[self.steer] + self.signs[1] * steered
            return
        steer = quaternion_from_vector(np.array([0.0, steered, 0.0]))
        turn = quaternion_multiply(steer, quaternion_from_vector(np.array([rolled, 0.0, 0.0])))
        own = quaternion_multiply(quaternion_conjugate(self.axes), turn)
        whole = quaternion_multiply(quaternion_multiply(own, self.axes), self.still[self.roll])
        values[self.roll] = whole if whole @ values[self.roll] >= 0 else -whole

    def read(self, values: Floats) -> tuple[float, float]:
        """How far it has rolled and steers in a pose (C,), rad; quaternions begin at 0."""
        if len(self.roll) != 1:
            return 0.0, 0.0
        off = values - self.still
        steered = self.signs[1] * float(off[self.steer].sum())
        return self.signs[0] * float(off[self.roll[0]]), steered


@dataclass(frozen=True, eq=False)
class Chassis:
    """What does not change of a car."""

    wheels: tuple[Wheel, ...]
    rear: float  # m, of the rear axle along z of the car's frame
    wheelbase: float  # m
    lead: float  # m from the rear axle ahead to where the stick holds it

    @property
    def sharpest(self) -> float:
        """1/m, the curvature of its tightest turn, at the middle of the rear axle."""
        return float(np.tan(SHARPEST)) / self.wheelbase


def chassis_of(character: PuppetCharacter) -> Chassis | None:
    """The car that a character is: its wheels are found by name; None where it has none.

    Three wheels or more must roll about the car's x, and those of the front axle steer about y.
    """
    rig = character.rig
    pose = character.gaits.writer.written(character.own.rest, character.root)
    joints = [at for at, name in enumerate(rig.names) if _is_wheel(name)]
    if len(joints) < 3:
        return None
    world = forward(rig, pose[None])[0, joints]
    middle = float(world[:, 2, 3].min() + world[:, 2, 3].max()) / 2
    found = [_wheel(rig, pose, *pair, middle) for pair in zip(joints, world, strict=True)]
    wheels = tuple(wheel for wheel in found if wheel is not None)
    front = [float(wheel.place[2]) for wheel in wheels if wheel.front]
    rear = [float(wheel.place[2]) for wheel in wheels if not wheel.front]
    if len(wheels) < len(joints) or not front or not rear:
        return None
    axle, wheelbase = float(np.mean(rear)), float(np.mean(front) - np.mean(rear))
    lead = max(float(character.grip_place[2]) - axle, 0.25 * wheelbase)
    return Chassis(wheels, axle, wheelbase, lead)


def _is_wheel(name: str) -> bool:
    low = name.lower()
    return "wheel" in low and "steer" not in low


def _wheel(rig: Rig, pose: Floats, joint: int, world: Floats, middle: float) -> Wheel | None:
    """A joint (4, 4) of a standing car as a wheel; None where it cannot roll or steer."""
    axes, place = world[:3, :3] / np.linalg.norm(world[:3, :3], axis=0), world[:3, 3]
    front, radius = bool(place[2] > middle), float(place[1])
    none, turned = np.zeros(0, np.int64), np.array([1.0, 0.0, 0.0, 0.0])
    signs, steer = (1.0, 1.0), none
    if rig.modes[joint] == QUATERNION:
        roll = _channels(rig, joint, Kind.QUATERNION_W, 4)
        if len(roll) == 4:
            still = quaternion_conjugate(pose[roll])
            turned = np.asarray(quaternion_multiply(quaternion_from_matrix(axes), still))
    else:
        across, upright = (int(np.argmax(np.abs(axes[row]))) for row in (0, 1))
        order, signs = rig.modes[joint], (float(axes[0, across]), float(axes[1, upright]))
        roll = _channels(rig, joint, Kind(Kind.ROTATE_X + across))
        steer = _channels(rig, joint, Kind(Kind.ROTATE_X + upright)) if front else none
        inside = order.index("XYZ"[upright]) < order.index("XYZ"[across])
        if min(abs(signs[0]), abs(signs[1])) < AXIS or (front and not (inside and len(steer))):
            return None
    if not len(roll) or radius <= 0:
        return None
    drop, droop = _drop(rig, joint, axes, HANGS * radius)
    return Wheel(place, radius, front, pose, roll, steer, signs, turned, drop, droop)


def _channels(rig: Rig, joint: int, first: Kind, count: int = 1) -> Ints:
    kind, own = rig.channels.kind, rig.channels.joint == joint
    return np.flatnonzero(own & (kind >= first) & (kind < first + count))


def _drop(rig: Rig, joint: int, axes: Floats, most: float) -> tuple[Ints, float]:
    """The channel that moves a joint up, and how far, m, it hangs within its limits."""
    upright = int(np.argmax(np.abs(axes[1])))
    found = _channels(rig, joint, Kind(Kind.TRANSLATE_X + upright))
    if abs(axes[1, upright]) < AXIS or not len(found):
        return np.zeros(0, np.int64), 0.0
    low, high = float(rig.channels.low[found[0]]), float(rig.channels.high[found[0]])
    return found, max(-most, low) if axes[1, upright] > 0 else min(most, high)
