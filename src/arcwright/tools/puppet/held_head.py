"""Held head: a second device holds the head by a stick, while the first one leads the body."""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.forward import forward
from arcwright.kinematics.places import Places
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    quaternion_conjugate,
    quaternion_from_matrix,
    quaternion_multiply,
)
from arcwright.scene.rig import Kind, Rig
from arcwright.tools.puppet.fade import left_of_fade
from arcwright.tools.puppet.limb_ik import LimbTargets, solve_limbs
from arcwright.tools.puppet.motion_stick import MotionStick

REACH = 0.2  # body sizes that the head is pulled away at most from where the body has it
RADIAN = 0.04  # m of error that a radian of the head counts as
LEAVES = 0.25  # s in which a released head goes back


class HeldHead:
    """A head, the spine that bends with it, and the stick that holds it."""

    def __init__(self, rig: Rig, head: int, channels: Ints, reach: float) -> None:
        self._rig, self._head, self._channels, self._reach = rig, head, channels, reach
        self._stick: MotionStick | None = None
        self._turn = np.array([1.0, 0, 0, 0])  # of the head, seen from the device
        self._bent = np.zeros(len(channels))  # what the stick adds to the pose
        self._released = 1.0  # how much of the way back is done
        self.end: Floats | None = None  # (3,) m, of the stick

    def applied(self, values: Floats, device: Floats | None, seconds: float) -> Floats:
        """(C,) the pose with its head where the stick of a device (7,) has it, or going back."""
        shown = values.copy()
        if device is None:
            self._stick = self.end = None
            self._released = min(self._released + seconds / LEAVES, 1.0)
            shown[self._channels] += left_of_fade(self._released) * self._bent
            return shown
        if self._stick is None:
            self._bent = left_of_fade(self._released) * self._bent
        shown[self._channels] += self._bent
        if self._stick is None:
            self._grab(device, shown)
        assert self._stick is not None
        self._released, self.end = 0.0, self._stick.end(device)
        solved, _ = solve_limbs(
            self._rig, self._channels, shown, self._targets(values, device), values
        )
        self._bent = solved[self._channels] - values[self._channels]
        return solved

    def _grab(self, device: Floats, shown: Floats) -> None:
        world = forward(self._rig, shown[None], [self._head])[0, 0]
        self._stick = MotionStick.grabbed(device, world[:3, 3])
        turned = quaternion_from_matrix(world[:3, :3])
        self._turn = quaternion_multiply(quaternion_conjugate(device[3:]), turned)

    def _targets(self, values: Floats, device: Floats) -> LimbTargets:
        assert self._stick is not None
        own = forward(self._rig, values[None], [self._head])[0, 0, :3, 3]
        away = self._stick.end(device) - own
        away *= min(1.0, self._reach / max(float(np.linalg.norm(away)), 1e-9))
        turned = matrix_from_quaternion(quaternion_multiply(device[3:], self._turn))
        head = np.array([self._head])
        ends, position = Places(head, np.zeros((1, 3))), (own + away)[None]
        return LimbTargets(ends, position, head, turned[None], np.array([RADIAN]))


def held_head(rig: Rig, root: int, size: float) -> HeldHead | None:
    """The head of a rig, found by name, with the joints between it and the root; None without."""
    named = [index for index, name in enumerate(rig.names) if "head" in name.lower()]
    if not named:
        return None
    spine, above = [named[0]], int(rig.parents[named[0]])
    while above not in (-1, root):
        spine.append(above)
        above = int(rig.parents[above])
    table = rig.channels
    rotates = (table.kind >= Kind.ROTATE_X) & (table.kind <= Kind.QUATERNION_Z)
    channels = np.flatnonzero(rotates & np.isin(table.joint, spine))
    return HeldHead(rig, named[0], channels, REACH * size) if len(channels) else None
