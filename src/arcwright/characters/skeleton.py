"""Skeleton: a rig written as a table, one row per joint.

Positions are those of the rest pose. A row's `frame` rotates the joint's axes (degrees, as `rest`
of the rig); without one they are those of the parent, and for a root those of the world. All
angles are 0 in the rest pose, so a limit reads as "from the rest pose, so far either way".
An axis that is not listed has no channel: a hinge lists one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_euler,
    quaternion_multiply,
    quaternion_rotate,
)
from arcwright.scene.rig import ChannelTable, Kind, Rig

Range = tuple[float, float]
Vector = tuple[float, float, float]


def vector(place: Floats) -> Vector:
    """A position as a tuple for tables."""
    x, y, z = place.tolist()
    return (x, y, z)


@dataclass(frozen=True)
class Joint:
    """One row of a skeleton's table."""

    name: str
    parent: str  # "" for a root
    at: Vector  # m, in the world, rest pose
    rotation_limits: Mapping[str, Range] = field(default_factory=dict)  # axis: limits in degrees
    order: str = "ZYX"  # Euler order as the matrix product; the last letter is applied first
    stiffness: float = 1.0  # resistance of every channel of the joint
    frame: Vector | None = None  # axes in the world: degrees about x, then y, then z
    translation_limits: Mapping[str, Range] = field(default_factory=dict)  # axis: limits in metres


FREE: Range = (-np.inf, np.inf)
EVERY_WAY: dict[str, Range] = {"x": FREE, "y": FREE, "z": FREE}


def root(name: str, at: Vector, order: str = "YZX", stiffness: float = 1.0) -> Joint:
    """A joint with free translation and rotation; X is applied first, so somersaults are safe."""
    return Joint(name, "", at, EVERY_WAY, order, stiffness, translation_limits=EVERY_WAY)


def mirrored(joint: Joint) -> Joint:
    """The row of the other side: Left for Right, x turned about, y and z limits the other way."""
    rotation_limits = {
        axis: limits if axis == "x" else (-limits[1], -limits[0])
        for axis, limits in joint.rotation_limits.items()
    }
    translation_limits = {
        axis: (-limits[1], -limits[0]) if axis == "x" else limits
        for axis, limits in joint.translation_limits.items()
    }
    frame = joint.frame and (joint.frame[0], -joint.frame[1], -joint.frame[2])
    return replace(
        joint,
        name=other_side(joint.name),
        parent=other_side(joint.parent),
        at=(-joint.at[0], joint.at[1], joint.at[2]),
        rotation_limits=rotation_limits,
        translation_limits=translation_limits,
        frame=frame,
    )


def other_side(name: str) -> str:
    """`RightHand` for `LeftHand` and the other way round; other names stay."""
    if name.startswith("Left"):
        return "Right" + name[4:]
    return "Left" + name[5:] if name.startswith("Right") else name


def both_sides(joints: Sequence[Joint]) -> list[Joint]:
    """Each row that is named Left..., followed at the end by those of the right side."""
    return [*joints, *(mirrored(each) for each in joints if each.name.startswith("Left"))]


def skeleton(joints: Sequence[Joint]) -> Rig:
    """A rig from its table; parents must stand before their children."""
    index: dict[str, int] = {}
    axes = np.zeros((len(joints), 4))  # wxyz, world_from_joint in the rest pose
    offset, rest = np.zeros((len(joints), 3)), np.zeros((len(joints), 4))
    for at, joint in enumerate(joints):
        if joint.parent and joint.parent not in index:
            raise BadValue(f"parent of {joint.name}", "a joint that stands before it", joint.parent)
        parent = index.get(joint.parent, -1)
        around = axes[parent] if parent >= 0 else np.array([1.0, 0, 0, 0])
        middle = np.array(joints[parent].at) if parent >= 0 else np.zeros(3)
        back = quaternion_conjugate(around)
        axes[at] = around if joint.frame is None else _axes(joint.frame)
        offset[at] = quaternion_rotate(back, np.array(joint.at) - middle)
        rest[at] = quaternion_multiply(back, axes[at])
        index[joint.name] = at
    return Rig(
        names=tuple(index),
        parents=np.array([index.get(joint.parent, -1) for joint in joints], np.int64),
        offset=offset,
        rest=rest / np.linalg.norm(rest, axis=1, keepdims=True),
        scale=np.ones((len(joints), 3)),
        modes=tuple(joint.order for joint in joints),
        channels=_channels(joints),
    )


def _axes(frame: Vector) -> Floats:
    x, y, z = np.radians(frame)
    return quaternion_from_euler(np.array([z, y, x]), "ZYX")


def _channels(joints: Sequence[Joint]) -> ChannelTable:
    rows: list[tuple[int, Kind, float, float, float]] = []
    for at, joint in enumerate(joints):
        for axis, (low, high) in joint.translation_limits.items():
            rows.append((at, Kind[f"TRANSLATE_{axis.upper()}"], low, high, joint.stiffness))
        for axis, limits in joint.rotation_limits.items():
            low, high = np.radians(limits)
            rows.append((at, Kind[f"ROTATE_{axis.upper()}"], low, high, joint.stiffness))
    joint_of, kind, low_of, high_of, stiffness = zip(*rows, strict=True)
    return ChannelTable(
        joint=np.array(joint_of, np.int64),
        kind=np.array(kind, np.int64),
        default=np.zeros(len(rows)),
        low=np.array(low_of),
        high=np.array(high_of),
        stiffness=np.array(stiffness),
        label=("",) * len(rows),
    )


def with_scale_channels(rig: Rig) -> Rig:
    """The rig with channels that scale its first joint, 1 by default."""
    table, scales = rig.channels, [Kind.SCALE_X, Kind.SCALE_Y, Kind.SCALE_Z]
    more = replace(
        table,
        joint=np.append(table.joint, [0, 0, 0]),
        kind=np.append(table.kind, [int(kind) for kind in scales]),
        default=np.append(table.default, np.ones(3)),
        low=np.append(table.low, np.full(3, 0.01)),
        high=np.append(table.high, np.full(3, 100.0)),
        stiffness=np.append(table.stiffness, np.ones(3)),
        label=(*table.label, "", "", ""),
    )
    return replace(rig, channels=more)
