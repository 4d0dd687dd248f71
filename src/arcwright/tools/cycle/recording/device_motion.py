"""Device motion: how a device moved since its first sample, at times that rise.

Samples of the same time, as a playhead that stands still for a moment gives them, become their
mean. Of several devices the first one moves the item; the distance to the second one scales it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_multiply,
    quaternion_normalise,
    unwrap_quaternion,
)
from arcwright.tools.cycle.recording.sample_buffer import SampleBuffer

SAME_TIME = 1e-6  # s
LEAST_APART = 0.01  # m between two devices, below which their distance says nothing
UNMOVED = 1e-6  # an axis that changes less does nothing


@dataclass(frozen=True, eq=False)
class DeviceMotion:
    """N moments of the first device, of the distance to the second, and of all axes."""

    time: Floats  # (N,) s, rising
    moved: Floats | None  # (N, 3) m since the first sample; None without a tracked device
    turned: Floats | None  # (N, 4) wxyz in the world, since the first sample
    spread: Floats | None  # (N,) distance to the second device, in units of the first one
    axes: Floats  # (N, A)

    def __len__(self) -> int:
        return len(self.time)

    @property
    def largest_turn(self) -> float:
        """Rad, the largest rotation from the first sample."""
        if self.turned is None:
            return 0.0
        return 2 * float(np.arccos(np.clip(np.abs(self.turned[:, 0]), 0.0, 1.0)).max())

    @property
    def moving_axes(self) -> Floats:
        """(N, A) the axes that change: a pen has a pressure, also where nobody uses it."""
        moves = np.ptp(self.axes, axis=0) > UNMOVED if len(self) else np.zeros(0, bool)
        moving: Floats = self.axes[:, moves] if self.axes.shape[1] else self.axes
        return moving

    def main_moves(self, count: int) -> Floats:
        """(N, count) m, of x, y and z those that change most, in this order; 0 for more."""
        found = np.zeros((len(self), count))
        if self.moved is not None:
            widest = np.argsort(-np.ptp(self.moved, axis=0), kind="stable")[:count]
            found[:, : len(widest)] = self.moved[:, np.sort(widest)]
        return found

    @property
    def longest_gap(self) -> tuple[float, float]:
        """Start and length, s, of the longest time without a sample."""
        if len(self) < 2:
            return 0.0, 0.0
        gaps = np.diff(self.time)
        at = int(gaps.argmax())
        return float(self.time[at]), float(gaps[at])


def device_motion(buffer: SampleBuffer) -> DeviceMotion:
    """The motion of the devices of a performance; `buffer` has at least one sample."""
    times = buffer.times
    new = np.concatenate([[True], np.diff(times) > SAME_TIME])
    first = np.flatnonzero(new)
    count = np.diff(np.append(first, len(times)))
    axes = np.add.reduceat(buffer.axes, first, axis=0) / count[:, None]
    poses = buffer.poses
    if not poses.shape[1]:
        return DeviceMotion(times[first], None, None, None, axes)
    place = np.add.reduceat(poses[..., :3], first, axis=0) / count[:, None, None]
    rotation = unwrap_quaternion(quaternion_normalise(poses[:, 0, 3:]))
    rotation = quaternion_normalise(np.add.reduceat(rotation, first, axis=0))
    turned = quaternion_multiply(rotation, quaternion_conjugate(rotation[0]))
    return DeviceMotion(
        times[first], place[:, 0] - place[0, 0], unwrap_quaternion(turned), _spread(place), axes
    )


def _spread(place: Floats) -> Floats | None:
    if place.shape[1] < 2:
        return None
    apart: Floats = np.linalg.norm(place[:, 1] - place[:, 0], axis=1)
    return np.maximum(apart, LEAST_APART) / max(float(apart[0]), LEAST_APART)
