"""Performed items: what follows a device, and how device samples become its values.

A point has a position, an orientation and a scale in the world; channels have a value each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, Protocol

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    quaternion_multiply,
    unwrap_quaternion,
)
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.tools.cycle.extraction.model import PerformedSamples
from arcwright.tools.cycle.options import CycleOptions
from arcwright.tools.cycle.recording.carrier import Carrier
from arcwright.tools.cycle.recording.device_motion import DeviceMotion
from arcwright.tools.cycle.recording.item_start import item_start
from arcwright.tools.cycle.recording.own_channels import (
    orient_joint,
    place_joint,
    scale_channels,
    translation_channels,
)
from arcwright.tools.cycle.recording.take_loop import TakeLoop, moving_channels
from arcwright.tools.shared.joint_rotation import rotation_channels

REACH = 0.25  # of the body's size: the movement of a device that stands for an axis from 0 to 1
ROTATES = np.radians(5.0)  # a device that turns further than this turns the joint, too
POSITION, ORIENTATION, SCALE = slice(0, 3), slice(3, 7), 7  # columns of a performed point
_QUATERNION = np.array([[3, 4, 5, 6]])
_PARTS = {
    "position": ("position",),
    "orientation": ("orientation",),
    "position and orientation": ("position", "orientation"),
    "scale": ("scale",),
}


@dataclass(frozen=True, eq=False)
class ItemSamples:
    """A performance as values of the item, and which parts of it were performed."""

    samples: PerformedSamples
    parts: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ItemPoses:
    """Poses in which the item is where it should be, or as near as it can be."""

    values: Floats  # (T, C)
    remaining: Floats  # (T,) m from where it should be


class InTurn(NamedTuple):
    """Frames that follow each other."""

    cycle: int  # frames of one
    closed: bool  # whether the last frame is followed by the first


class PerformedItem(Protocol):
    """What is performed."""

    take: Take
    label: str
    solves: bool  # whether a pose solver moves it: then poses are dear
    start: Floats | None  # (V,) values at the first sample; None: as they are in the take then

    def mapped(self, device: DeviceMotion, options: CycleOptions, /) -> ItemSamples:
        """The samples of a device as values of the item."""
        ...

    def poses(
        self,
        columns: Floats,
        parts: tuple[str, ...],
        take: Take,
        times: Floats,
        in_turn: InTurn | None = None,
        /,
    ) -> ItemPoses:
        """Poses of a take in which the item has values (T, V) at times (T,).

        Frames in turn make one smooth motion, else each stands for itself.
        """
        ...

    def pose(self, columns: Floats, parts: tuple[str, ...], time: float, /) -> Floats:
        """(C,) the pose of its own take at a time, with values (V,): while acting."""
        ...

    def now(self, times: Floats, /) -> Floats:
        """(T, V) values of the item in its own take."""
        ...

    def channels(self, parts: tuple[str, ...], /) -> Ints:
        """The channels that follow the device, where they are known before it moves."""
        ...

    def repeats_alone(self, parts: tuple[str, ...], /) -> bool:
        """Whether its channels depend on nothing else that moves in the take."""
        ...

    def path(self, columns: Floats, /) -> Floats | None:
        """(N, 3) m, where it goes; None for what has no place."""
        ...

    def refusal(self, parts: tuple[str, ...], /) -> str:
        """Why these parts cannot be performed; empty where they can."""
        ...


class PerformedPoint:
    """A point of a joint that moves by its own channels: of a prop, a root, a single joint."""

    solves = False
    start: Floats | None = None

    def __init__(self, loop: TakeLoop, point: Point, size: float) -> None:
        self.joint = loop.take.rig.joint(point.joint)
        if loop.root is not None and len(translation_channels(loop.take.rig, self.joint)):
            loop = replace(loop, root=None)  # it is performed itself
        self.take, self._loop, self._point = loop.take, loop, point
        self.label, self._reach = point.joint, REACH * size
        self._carrier = Carrier(loop)

    def mapped(self, device: DeviceMotion, options: CycleOptions) -> ItemSamples:
        """Where the point goes if it follows the device from where it is at the first sample."""
        at = self._loop.wrapped(device.time[:1])
        start = item_start(self, self._loop, device)[None]
        place = self._carrier.carried(start[:, POSITION], at) + options.gain * self._moved(device)
        columns = np.empty((len(device), 8))
        columns[:, POSITION] = self._carrier.at_start(place, at)
        turned = np.tile([1.0, 0.0, 0.0, 0.0], (len(device), 1))
        turned = turned if device.turned is None else device.turned
        oriented = quaternion_multiply(turned, self._carrier.turned(start[:, ORIENTATION], at)[0])
        columns[:, ORIENTATION] = unwrap_quaternion(self._carrier.turned_back(oriented, at))
        columns[:, SCALE] = start[0, SCALE] * self._factor(device, options.gain)
        movable = self.solves or len(translation_channels(self.take.rig, self.joint)) > 0
        parts = _parts(options, device, movable)
        features = {
            "position": columns[:, POSITION],
            "orientation": self._reach * _axes_of(turned),
            "scale": self._reach * np.log(columns[:, SCALE:]),
        }
        chosen = np.concatenate([features[part] for part in parts], axis=1)
        return ItemSamples(PerformedSamples(device.time, columns, chosen, _QUATERNION), parts)

    def _moved(self, device: DeviceMotion) -> Floats:
        """(N, 3) m; the first axes stand for x, y and z of a device that is not tracked."""
        if device.moved is not None:
            return device.moved
        moved = np.zeros((len(device), 3))
        axes = device.moving_axes[:, :3]
        moved[:, : axes.shape[1]] = self._reach * (axes - axes[:1])
        return moved

    def _factor(self, device: DeviceMotion, gain: float) -> Floats:
        """(N,) from the distance of two devices, else an axis, else the height of one."""
        if device.spread is not None:
            return np.asarray(device.spread**gain)
        axes = device.moving_axes
        if axes.shape[1]:
            return np.asarray(np.exp2(np.clip(gain * axes[:, 0], -8.0, 8.0)))
        height = self._moved(device)[:, 1] / self._reach
        return np.asarray(np.exp2(np.clip(gain * height, -8.0, 8.0)))

    def poses(
        self,
        columns: Floats,
        parts: tuple[str, ...],
        take: Take,
        times: Floats,
        _in_turn: InTurn | None = None,
    ) -> ItemPoses:
        """The take with the joint's own channels changed."""
        rig, values = take.rig, values_at(take, times)
        if "scale" in parts:
            own = scale_channels(rig, self.joint)
            rest = rig.channels.default[own]
            values[:, own] = rest / max(float(np.mean(rest)), 1e-9) * columns[:, SCALE:]
        if "orientation" in parts:
            oriented = self._carrier.turned(columns[:, ORIENTATION], times)
            values = orient_joint(rig, self.joint, values, oriented)
        if "position" in parts:
            place = self._carrier.carried(columns[:, POSITION], times)
            values = place_joint(rig, self.joint, values, place, self._point.offset)
        return ItemPoses(values, np.zeros(len(times)))

    def now(self, times: Floats) -> Floats:
        """(T, V) where the point is in the take, in place, and how its joint is scaled."""
        there = trail(self.take, self._point, times)
        own = scale_channels(self.take.rig, self.joint)
        scale = (
            values_at(self.take, times)[:, own].mean(axis=1) if len(own) else np.ones(len(times))
        )
        place = self._carrier.at_start(there.position, times)
        turned = self._carrier.turned_back(there.orientation, times)
        return np.concatenate([place, turned, scale[:, None]], axis=1)

    def channels(self, parts: tuple[str, ...]) -> Ints:
        """Translation, rotation or scale of the joint."""
        rig, joint = self.take.rig, self.joint
        own = {
            "position": translation_channels(rig, joint),
            "orientation": rotation_channels(rig, joint),
            "scale": scale_channels(rig, joint),
        }
        return np.sort(np.concatenate([own[part] for part in parts]))

    def pose(self, columns: Floats, parts: tuple[str, ...], time: float) -> Floats:
        """(C,) the pose of the take at a time, with values (V,)."""
        values: Floats = self.poses(columns[None], parts, self.take, np.array([time])).values[0]
        return values

    def repeats_alone(self, parts: tuple[str, ...]) -> bool:
        """Where no joint above it moves, nor the joint itself under a point off it."""
        rig = self.take.rig
        above = [j for j in range(len(rig.names)) if rig.is_below(self.joint, j)]
        return self._still_besides(self.channels(parts), above)

    def _still_besides(self, channels: Ints, joints: Sequence[int] | None = None) -> bool:
        """Whether of these joints, or all, only these channels move."""
        moving = moving_channels(self.take)
        moving[channels] = False
        if joints is not None:
            moving &= np.isin(self.take.rig.channels.joint, joints)
        return not (moving.any() or self._carrier.moves)

    def path(self, columns: Floats) -> Floats | None:
        """Where the point goes, in place."""
        path: Floats = columns[:, POSITION]
        return path

    def refusal(self, parts: tuple[str, ...]) -> str:
        """Of a joint without channels for it."""
        rig, name = self.take.rig, self._point.joint
        if "scale" in parts and not len(scale_channels(rig, self.joint)):
            return f"{name} cannot be scaled: its rig has no scale channels there"
        if "position" in parts and not len(translation_channels(rig, self.joint)):
            return (
                f"{name} cannot be moved on its parent: let the body follow it (Drive: body), or "
                "perform its orientation with a device that rotates"
            )
        if "orientation" in parts and not len(rotation_channels(rig, self.joint)):
            return f"{name} cannot be rotated: its rig has no rotation channels there"
        return ""


def _parts(options: CycleOptions, device: DeviceMotion, movable: bool) -> tuple[str, ...]:
    """What is performed; auto adds the orientation where the device rotates."""
    if options.perform != "auto" or device.largest_turn <= ROTATES:
        return _PARTS.get(options.perform, ("position",))
    return ("position", "orientation") if movable else ("orientation",)


def _axes_of(turned: Floats) -> Floats:
    """(N, 6) the first two axes of rotations: unlike angles they never jump."""
    axes: Floats = matrix_from_quaternion(turned)[..., :2].reshape(len(turned), 6)
    return axes
