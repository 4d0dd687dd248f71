"""Hinges: the rotation channels of joints as angles of hinges with limits, and back, exactly.

Euler channels are hinges already. A joint with quaternion channels gets three: around the axes
about which the character's takes rotate it most, least and in between, from their mean rotation,
so that gimbal lock is far off. Limits are those of the rig; without, what the takes show and a
margin: no knee of a take bends backwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.layout import ZERO, layout
from arcwright.kinematics.rotation import (
    euler_from_quaternion,
    quaternion_conjugate,
    quaternion_from_euler,
    quaternion_multiply,
    quaternion_normalise,
    vector_from_quaternion,
)
from arcwright.scene.rig import Rig

MARGIN = np.radians(18.0)  # beyond what takes show
SHARE = 0.2  # of what takes show, besides
ELBOW = np.radians(40.0)  # about one axis, from which a joint may be a plain hinge
ASIDE = 0.3  # of that, about the other axes: a joint that does less is a plain hinge
ELBOW_MARGIN = np.radians(4.0)
WIDEST = np.radians(170.0)  # from the middle of a hinge's range
_TO_AXES = "XYZ"  # as which the hinges of a quaternion are read, in the frame of its axes


@dataclass(frozen=True, eq=False)
class Hinge:
    """One axis of a joint, in the order in which they rotate it."""

    joint: int
    axis: Floats  # (3,) in the joint's frame
    low: float  # rad
    high: float


@dataclass(frozen=True, eq=False)
class Hinges:
    """All hinges of some joints of a rig."""

    hinges: tuple[Hinge, ...]  # (H,)
    turned: dict[int, Floats]  # joints with quaternion channels: (4,) wxyz before their hinges
    euler: Ints  # (E,) hinges that are channels
    euler_channels: Ints  # (E,)
    middle: Floats  # (E,) rad, of their ranges
    free: Ints  # (Q, 3) hinges of quaternion channels
    free_channels: Ints  # (Q, 4)
    centre: Floats  # (Q, 4) wxyz
    axes: Floats  # (Q, 3, 3) columns are axes

    def angles(self, values: Floats) -> Floats:
        """(H,) rad, of a pose (C,)."""
        found = np.zeros(len(self.hinges))
        away = values[self.euler_channels] - self.middle
        found[self.euler] = self.middle + away - 2 * np.pi * np.round(away / (2 * np.pi))
        if len(self.free):
            own = quaternion_normalise(values[self.free_channels])
            away = quaternion_multiply(quaternion_conjugate(self.centre), own)
            away[:, 1:] = np.einsum("qji,qj->qi", self.axes, away[:, 1:])
            found[self.free] = euler_from_quaternion(away, _TO_AXES)
        return found

    def write(self, angles: Floats, values: Floats) -> None:
        """Set the channels of a pose (C,) from the angles (H,) of its hinges."""
        values[self.euler_channels] = angles[self.euler]
        if len(self.free):
            away = quaternion_from_euler(angles[self.free], _TO_AXES)
            away[:, 1:] = np.einsum("qij,qj->qi", self.axes, away[:, 1:])
            values[self.free_channels] = quaternion_multiply(self.centre, away)


def hinges_of(rig: Rig, joints: Sequence[int], shown: Floats, stand: Floats) -> Hinges:
    """The hinges of joints, by poses (T, C) of the takes, aligned to a standing pose (C,)."""
    plan, table = layout(rig), rig.channels
    hinges: list[Hinge] = []
    euler, middle, free, centres, axes = [], [], [], [], []
    turned: dict[int, Floats] = {}
    for joint in joints:
        own = int(plan.wanted[joint])
        if plan.quaternion[own, 0] != ZERO:
            four = plan.quaternion[own]
            centre, frame, ranges = _principal(shown[:, four], stand[four])
            free.append((range(len(hinges), len(hinges) + 3), four))
            centres.append(centre)
            axes.append(frame)
            turned[joint] = centre
            hinges += [Hinge(joint, frame[:, at], *ranges[at]) for at in range(3)]
            continue
        for letter, channel in zip(plan.axes[own], plan.rotate[own], strict=True):
            if channel == ZERO:
                continue
            low, high = float(table.low[channel]), float(table.high[channel])
            if not np.isfinite([low, high]).all():
                low, high = _widened(float(shown[:, channel].min()), float(shown[:, channel].max()))
            euler.append((len(hinges), channel))
            middle.append((low + high) / 2)
            hinges.append(Hinge(joint, np.eye(3)[letter], low, high))
    pairs = np.array(euler, np.int64).reshape(-1, 2)
    return Hinges(
        hinges=tuple(hinges),
        turned=turned,
        euler=pairs[:, 0],
        euler_channels=pairs[:, 1],
        middle=np.array(middle),
        free=np.array([list(three) for three, _ in free], np.int64).reshape(-1, 3),
        free_channels=np.array([four for _, four in free], np.int64).reshape(-1, 4),
        centre=np.array(centres).reshape(-1, 4),
        axes=np.array(axes).reshape(-1, 3, 3),
    )


def _principal(shown: Floats, stand: Floats) -> tuple[Floats, Floats, list[tuple[float, float]]]:
    """Mean rotation, axes as columns (3, 3) and their ranges, of rotations (T, 4) of one joint."""
    whole = quaternion_normalise(np.concatenate([stand[None], shown]))
    _, vectors = np.linalg.eigh(whole.T @ whole)
    centre = vectors[:, -1] * np.sign(vectors[:, -1] @ whole[0] or 1.0)
    away = vector_from_quaternion(quaternion_multiply(quaternion_conjugate(centre), whole))
    _, principal = np.linalg.eigh(away.T @ away + 1e-12 * np.eye(3))
    most, least = principal[:, 2], principal[:, 0]
    frame = np.stack([most, least, np.cross(most, least)], axis=1)
    turn = quaternion_multiply(quaternion_conjugate(centre), whole)
    turn[:, 1:] = turn[:, 1:] @ frame
    angles = euler_from_quaternion(turn, _TO_AXES)
    low, high = angles.min(axis=0), angles.max(axis=0)
    wide = high - low
    plain = wide[0] > ELBOW and max(wide[1], wide[2]) < ASIDE * wide[0]
    ranges = [
        (float(low[at]) - ELBOW_MARGIN, float(high[at]) + ELBOW_MARGIN)
        if plain
        else _widened(float(low[at]), float(high[at]))
        for at in range(3)
    ]
    least_low, least_high = ranges[1]  # the middle angle of three must stay off a right angle
    ranges[1] = max(least_low, -1.4), min(least_high, 1.4)
    return centre, frame, ranges


def _widened(low: float, high: float) -> tuple[float, float]:
    margin = MARGIN + SHARE * (high - low)
    middle = (low + high) / 2
    return max(low - margin, middle - WIDEST), min(high + margin, middle + WIDEST)
