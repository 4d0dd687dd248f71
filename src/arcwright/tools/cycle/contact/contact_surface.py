"""Ground that is no plane, from a contact stroke: steps, or the stroke's own curve.

Both are heights over the plane of the stroke that repeat with the stride of the loop.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.cycle.contact.contact_plane import UP, ContactPlane, StrokeLine, to_pixels
from arcwright.tools.cycle.contact.ground_contact import GroundContact

SAMPLES = 64  # of the profile of a stroke
BESIDE = 0.15  # of the stride: nearer footprints are beside each other
FEWEST = 0.05  # of the size: a shorter stride has no room for a surface that repeats with it


@dataclass(frozen=True, eq=False)
class Profile:
    """Heights over a plane along the travel; repeats with the stride."""

    origin: Floats  # (3,) m
    stride: Floats  # (3,) m
    height: Floats  # (N,) m above the plane, over one stride from the origin on
    steps: int = 0  # treads of a stride; 0 for a curve

    def __call__(self, points: Floats) -> Floats:
        """Points (N, 3) of the plane, raised to the ground."""
        share = (points - self.origin) @ self.stride / (self.stride @ self.stride)
        if self.steps:
            # A point at the middle of its tread stays; treads are level where the plane climbs.
            tread = self.steps * share
            above = self.stride[1] / self.steps * (np.floor(tread + 1e-9) + 0.5 - tread)
        else:
            count = len(self.height)
            over = np.arange(count + 1) / count
            above = np.interp(share % 1.0, over, np.append(self.height, self.height[0]))
        return np.asarray(points + above[:, None] * UP)


def steps(found: GroundContact, touches: Bools) -> Profile:
    """Steps on the slope of a loop in contact: one for each footprint, which is in its middle.

    Footprints beside each other share a step.
    """
    share = footprints(found, touches) @ found.stride / (found.stride @ found.stride)
    order = np.sort(share % 1.0)
    gaps = np.diff(np.append(order, order[0] + 1.0))
    count = max(int((gaps > BESIDE).sum()), 1)
    turn = np.exp(2j * np.pi * share * count).mean()
    middle = float(np.angle(turn)) / (2 * np.pi) if abs(turn) > 1e-6 else 0.0
    origin = (middle - 0.5) / count * found.stride
    return Profile(origin, found.stride, np.zeros(1), count)


def curve(found: GroundContact, line: StrokeLine, plane: ContactPlane) -> Profile:
    """The stroke itself, one stride long."""
    height = plane.pixel * line.profile(np.arange(SAMPLES) / SAMPLES)
    first, last = to_pixels(line.camera, np.stack([plane.point, plane.point + found.stride]))
    if (last - first) @ (line.end - line.start) < 0:  # it goes from right to left
        height = np.roll(height[::-1], 1)
    return Profile(plane.point - 0.5 * found.stride, found.stride, height)


def footprints(found: GroundContact, touches: Bools) -> Floats:
    """(N, 3) m in the world, where each contact of a loop begins."""
    root = np.concatenate([np.zeros((1, 3)), np.cumsum(found.travel, axis=0)[:-1]])
    starts = touches & ~np.roll(touches, 1, axis=0)
    frame, item = np.nonzero(starts)
    return np.asarray(found.positions[frame, item] + root[frame])


def has_room(found: GroundContact, size: float) -> bool:
    """Whether a loop travels far enough for ground that repeats with its stride."""
    return float(np.linalg.norm(found.stride)) > FEWEST * size
