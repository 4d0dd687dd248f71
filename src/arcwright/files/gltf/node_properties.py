"""Node properties: a glTF node's translation, rotation, scale or weights from rig channels.

A joint's rest pose is included in the values: glTF rotation = rest * rotate, and
translation = offset + R(rest) translate. Both are linear, so keys and slopes stay exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    quaternion_from_euler,
    quaternion_multiply,
)
from arcwright.scene.rig import QUATERNION, Kind, Rig
from arcwright.scene.scene import Actor

_XYZW = [1, 2, 3, 0]


@dataclass(frozen=True)
class NodeProperty:
    """One animated property: value = matrix @ channels + bias, Euler angles first made wxyz."""

    joint: int
    path: str
    channels: tuple[int, ...]  # -1 where there is no such channel
    default: Floats  # (N,) what stands where there is no channel or no curve
    matrix: Floats  # (W, N)
    bias: Floats  # (W,)
    euler: str = ""  # the order when the channels are angles

    def values(self, rows: Floats) -> Floats:
        """(T, W) glTF values from channel values (T, C)."""
        own = np.empty((len(rows), len(self.channels)))
        for place, channel in enumerate(self.channels):
            own[:, place] = rows[:, channel] if channel >= 0 else self.default[place]
        return self._unit(self.mapped(self._as_quaternions(own)))

    def mapped(self, own: Floats) -> Floats:
        """The linear part alone, for values (..., N)."""
        out: Floats = own @ self.matrix.T + self.bias
        return out

    def slopes(self, own: Floats) -> Floats:
        """The linear part for slopes (..., N), without the bias."""
        out: Floats = own @ self.matrix.T
        return out

    @property
    def rest_value(self) -> Floats:
        """(W,) the value of the node when not animated."""
        value: Floats = self._unit(self.mapped(self._as_quaternions(self.default[None])))[0]
        return value

    def _unit(self, value: Floats) -> Floats:
        if self.path != "rotation":
            return value
        size = np.linalg.norm(value, axis=-1, keepdims=True)
        return np.asarray(value / np.where(size > 0, size, 1.0))

    def _as_quaternions(self, own: Floats) -> Floats:
        return quaternion_from_euler(own, self.euler) if self.euler else own


def node_properties(actor: Actor) -> list[NodeProperty]:
    """All properties of an actor's nodes, also those without channels."""
    rig = actor.rig
    at = {
        (int(joint), Kind(kind), label): channel
        for channel, (joint, kind, label) in enumerate(
            zip(rig.channels.joint, rig.channels.kind, rig.channels.label, strict=True)
        )
    }
    moves = matrix_from_quaternion(rig.rest)  # (J, 3, 3)
    rotations = np.moveaxis(quaternion_multiply(rig.rest[:, None], np.eye(4)), 1, 2)  # (J, 4, 4)
    made = []
    for joint in range(len(rig.names)):
        made.append(_translation(rig, joint, at, moves[joint]))
        made.append(_rotation(rig, joint, at, rotations[joint]))
        made.append(_scale(rig, joint, at))
    return made + _weights(actor, at)


_At = dict[tuple[int, Kind, str], int]


def _channels(rig: Rig, joint: int, kinds: tuple[Kind, ...], at: _At) -> tuple[list[int], Floats]:
    found = [at.get((joint, kind, ""), -1) for kind in kinds]
    default = [
        rig.channels.default[c] if c >= 0 else k.rest for c, k in zip(found, kinds, strict=True)
    ]
    return found, np.array(default)


def _translation(rig: Rig, joint: int, at: _At, matrix: Floats) -> NodeProperty:
    kinds = (Kind.TRANSLATE_X, Kind.TRANSLATE_Y, Kind.TRANSLATE_Z)
    found, default = _channels(rig, joint, kinds, at)
    return NodeProperty(joint, "translation", tuple(found), default, matrix, rig.offset[joint])


def _rotation(rig: Rig, joint: int, at: _At, rotation: Floats) -> NodeProperty:
    mode = rig.modes[joint]
    matrix, bias = rotation[_XYZW], np.zeros(4)
    kinds: tuple[Kind, ...]
    if mode == QUATERNION:
        kinds = (Kind.QUATERNION_W, Kind.QUATERNION_X, Kind.QUATERNION_Y, Kind.QUATERNION_Z)
        found, default = _channels(rig, joint, kinds, at)
        return NodeProperty(joint, "rotation", tuple(found), default, matrix, bias)
    kinds = tuple(Kind[f"ROTATE_{axis}"] for axis in mode)
    found, default = _channels(rig, joint, kinds, at)
    return NodeProperty(joint, "rotation", tuple(found), default, matrix, bias, mode)


def _scale(rig: Rig, joint: int, at: _At) -> NodeProperty:
    found, default = _channels(rig, joint, (Kind.SCALE_X, Kind.SCALE_Y, Kind.SCALE_Z), at)
    return NodeProperty(
        joint, "scale", tuple(found), default, np.diag(rig.scale[joint]), np.zeros(3)
    )


def _weights(actor: Actor, at: _At) -> list[NodeProperty]:
    """One property per joint whose first morphing shape has channels named after its targets."""
    made: dict[int, NodeProperty] = {}
    for shape in actor.shapes:
        found = [at.get((shape.joint, Kind.WEIGHT, name), -1) for name in shape.morph_names]
        if shape.joint in made or not any(channel >= 0 for channel in found):
            continue
        own = shape.morph_weights or (0.0,) * len(found)
        held = actor.rig.channels.default
        default = [held[c] if c >= 0 else w for c, w in zip(found, own, strict=True)]
        many = len(found)
        made[shape.joint] = NodeProperty(
            shape.joint, "weights", tuple(found), np.array(default), np.eye(many), np.zeros(many)
        )
    return list(made.values())
