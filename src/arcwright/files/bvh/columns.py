"""Columns of a BVH file: an OFFSET per joint and columns of positions and angles.

    BVH:  parent_from_joint = T(OFFSET or position) R(angles)
    ours: parent_from_joint = T(offset) R(rest) T(translate) R(rotate) S(scale)

so position = offset + R(rest) translate and angles are those of rest * rotate, both exact. A scale
that is uniform and constant is applied to the lengths of the joints below it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    quaternion_from_euler,
    quaternion_multiply,
    quaternion_normalise,
    quaternion_rotate,
    unwrap_euler,
)
from arcwright.scene.rig import QUATERNION, Kind, Rig

FROM_QUATERNION = "ZXY"  # the order that quaternion joints are written in
_IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


@dataclass
class JointColumns:
    """One joint of the file, lengths in metres, angles in radians."""

    offset: Floats  # (3,)
    columns: dict[str, Floats] = field(default_factory=dict)  # "Xposition" -> (T,), in file order


class RigColumns:
    """The joints of a rig with their columns over T frames, and notes on losses."""

    def __init__(self, rig: Rig, values: Floats) -> None:
        self.notes: list[str] = []
        self._rig = rig
        self._values = values
        self._rows: list[dict[Kind, int]] = [{} for _ in rig.names]
        for row, (joint, kind) in enumerate(
            zip(rig.channels.joint, rig.channels.kind, strict=True)
        ):
            self._rows[joint][Kind(kind)] = row
        size = self._sizes()
        self._folded = [self._is_folded(joint) for joint in range(len(rig.names))]
        self._starts: Floats = rig.offset + quaternion_rotate(rig.rest, self._defaults())  # (J, 3)
        self.joints = [self._joint(joint, size) for joint in range(len(rig.names))]
        self._fold_rotations()
        self._note_losses()

    def _is_folded(self, joint: int) -> bool:
        """Whether rest and channel values must be combined, so that channels are not columns."""
        still = abs(abs(self._rig.rest[joint, 0]) - 1) < 1e-12
        rotations = any(kind.group == "quaternion" for kind in self._rows[joint])
        return rotations or not still

    def _sizes(self) -> Floats:
        """(J,) scale of each joint's parent space, where BVH can represent it."""
        size = np.ones(len(self._rig.names) + 1)  # the last is the world
        lossy = []
        for joint, parent in enumerate(self._rig.parents):
            scale = self._rig.scale[joint].copy()
            moving = False
            for kind, row in self._rows[joint].items():
                if kind.group == "scale":
                    scale[kind - Kind.SCALE_X] *= self._values[0, row]
                    moving |= bool((self._values[:, row] != self._values[0, row]).any())
            size[joint] = size[parent]
            if moving or np.ptp(scale) > 1e-9 * abs(scale).max():
                lossy.append(self._rig.names[joint])
            else:
                size[joint] *= scale[0]
        if lossy:
            self.notes.append(f"non-uniform or animated scale is left out: {_listed(lossy)}")
        return size

    def _joint(self, joint: int, size: Floats) -> JointColumns:
        rig, rows = self._rig, self._rows[joint]
        length = size[rig.parents[joint]]
        written = JointColumns(length * self._starts[joint])
        if self._folded[joint]:
            self._fold_positions(joint, length, written)
            return written
        for kind in self._in_order(joint):
            column = self._values[:, rows[kind]]
            if kind.group == "translate":
                column = length * (rig.offset[joint, kind] + column)
            written.columns[_word(kind)] = column
        return written

    def _defaults(self) -> Floats:
        """(J, 3) default translation of each joint."""
        table = self._rig.channels
        moves = np.flatnonzero(table.kind <= Kind.TRANSLATE_Z)
        default = np.zeros((len(self._rig.names), 3))
        default[table.joint[moves], table.kind[moves]] = table.default[moves]
        return default

    def _in_order(self, joint: int) -> list[Kind]:
        """The channels that BVH supports, in the rig's order; angles in the joint's Euler order."""
        kinds = [kind for kind in self._rows[joint] if kind.group in ("translate", "rotate")]
        rotations = [Kind[f"ROTATE_{axis}"] for axis in self._rig.modes[joint] if axis in "XYZ"]
        rotations = [kind for kind in rotations if kind in kinds]
        return [rotations.pop(0) if kind.group == "rotate" else kind for kind in kinds]

    def _fold_positions(self, joint: int, length: float, written: JointColumns) -> None:
        rows, rig = self._rows[joint], self._rig
        if not any(kind.group == "translate" for kind in rows):
            return
        move = np.zeros((len(self._values), 3))
        for axis in range(3):
            if Kind(axis) in rows:
                move[:, axis] = self._values[:, rows[Kind(axis)]]
        if (rig.rest[joint] != _IDENTITY).any():
            move = quaternion_rotate(rig.rest[joint], move)
        place = length * (rig.offset[joint] + move)
        for axis in range(3):
            written.columns[_word(Kind(axis))] = place[:, axis]

    def _fold_rotations(self) -> None:
        """Compute angles of joints with combined rotations, by Euler order."""
        orders: dict[str, list[int]] = {}
        for joint, mode in enumerate(self._rig.modes):
            if self._folded[joint]:
                orders.setdefault(FROM_QUATERNION if mode == QUATERNION else mode, []).append(joint)
        for order, joints in orders.items():
            own = np.stack([self._rotation(joint) for joint in joints], axis=1)  # (T, joints, 4)
            rotation = quaternion_multiply(self._rig.rest[joints], own)
            angles = unwrap_euler(euler_from_quaternion(rotation, order))
            for at, joint in enumerate(joints):
                for column, axis in enumerate(order):
                    name = _word(Kind[f"ROTATE_{axis}"])
                    self.joints[joint].columns[name] = angles[:, at, column]

    def _rotation(self, joint: int) -> Floats:
        """Rotation of a joint relative to its rest orientation over time, (T, 4)."""
        rows, mode = self._rows[joint], self._rig.modes[joint]
        rotation = np.tile(_IDENTITY, (len(self._values), 1))
        if mode == QUATERNION and Kind.QUATERNION_W in rows:
            four = [rows[Kind(Kind.QUATERNION_W + part)] for part in range(4)]
            rotation = quaternion_normalise(self._values[:, four])
        elif mode != QUATERNION:
            angles = np.zeros((len(self._values), 3))
            for column, axis in enumerate(mode):
                kind = Kind[f"ROTATE_{axis}"]
                if kind in rows:
                    angles[:, column] = self._values[:, rows[kind]]
            rotation = quaternion_from_euler(angles, mode)
        return rotation

    def _note_losses(self) -> None:
        names, modes = self._rig.names, self._rig.modes
        converted = [
            name
            for name, mode, folded in zip(names, modes, self._folded, strict=True)
            if folded and mode == QUATERNION
        ]
        if converted:
            written = f"written as {FROM_QUATERNION} angles"
            self.notes.append(f"quaternions {written}: {_listed(converted)}")
        lost = np.flatnonzero(self._rig.channels.kind >= Kind.WEIGHT)
        if len(lost):
            labels = [self._rig.channel_names[channel] for channel in lost]
            self.notes.append(f"channels left out: {_listed(labels)}")


def _word(kind: Kind) -> str:
    return kind.name[-1] + ("position" if kind.group == "translate" else "rotation")


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - 5} more" if len(names) > 5 else ""
    return ", ".join(names[:5]) + more
