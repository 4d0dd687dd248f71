"""Obstacles: boxes around props, and a capsule around the trunk, that limbs stay out of.

Depths count only beyond those of the original: what lay on a table may go on lying there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import quaternion_conjugate, quaternion_rotate
from arcwright.scene.scene import Actor
from arcwright.tools.activity.tracks import handle_joint

ALLOWED = 0.002  # m that limbs may be deeper in something than they were
SMOOTH = 0.2  # s over which a limb goes around something and comes back


@dataclass(frozen=True, eq=False)
class Box:
    """A box that moves rigidly, over T frames."""

    name: str
    centre: Floats  # (3,) m, in its own frame
    half: Floats  # (3,) m
    position: Floats  # (T, 3) m
    orientation: Floats  # (T, 4) wxyz

    def depth(self, points: Floats, radius: float) -> tuple[Floats, Floats]:
        """(T,) how deep balls at points (T, 3) are inside, and the way out (T, 3), 1 m long."""
        back = quaternion_conjugate(self.orientation)
        local = quaternion_rotate(back, points - self.position) - self.centre
        outside = np.abs(local) - self.half
        away = np.maximum(outside, 0.0) * np.sign(local)
        far = np.linalg.norm(away, axis=1)
        axis = np.argmax(outside, axis=1)
        rows = np.arange(len(local))
        nearest = np.zeros_like(local)
        nearest[rows, axis] = np.where(local[rows, axis] < 0, -1.0, 1.0)
        inside = far <= 1e-9
        out = np.where(inside[:, None], nearest, away / np.maximum(far, 1e-9)[:, None])
        depth = radius - np.where(inside, outside[rows, axis], far)
        return np.maximum(depth, 0.0), quaternion_rotate(self.orientation, out)


@dataclass(frozen=True, eq=False)
class Capsule:
    """A ball that sweeps a line, over T frames."""

    name: str
    start: Floats  # (T, 3) m
    end: Floats  # (T, 3) m
    radius: float

    def depth(self, points: Floats, radius: float) -> tuple[Floats, Floats]:
        """(T,) how deep balls at points (T, 3) are inside, and the way out (T, 3), 1 m long."""
        line = self.end - self.start
        square = np.maximum((line**2).sum(axis=1), 1e-12)
        share = np.clip(((points - self.start) * line).sum(axis=1) / square, 0.0, 1.0)
        away = points - self.start - share[:, None] * line
        far = np.linalg.norm(away, axis=1)
        depth = np.maximum(self.radius + radius - far, 0.0)
        return depth, away / np.maximum(far, 1e-9)[:, None]


Obstacle = Box | Capsule


def box_of(prop: Actor, scale: Floats) -> tuple[Floats, Floats] | None:
    """Centre and half size (3,) m of the box around the meshes of a prop; None without any."""
    rig = prop.rig
    world = forward(rig, rig.channels.default[None])[0]
    base = np.linalg.inv(world[handle_joint(prop)])
    corners = []
    for shape in prop.shapes:
        place = base @ world[shape.joint]
        for part in shape.parts:
            points = np.asarray(part.attributes["POSITION"], np.float64)
            corners.append(points @ place[:3, :3].T + place[:3, 3])
    if not corners:
        return None
    every = np.concatenate(corners) * scale
    low, high = every.min(axis=0), every.max(axis=0)
    return (low + high) / 2, (high - low) / 2


def way_around(
    before: Sequence[tuple[Floats, float]],
    after: Sequence[tuple[Floats, float]],
    obstacles_before: Sequence[Obstacle],
    obstacles_after: Sequence[Obstacle],
    free: Floats,
    width: int,
) -> Floats:
    """(T, 3) m that balls at points must go to be no deeper in anything than they were.

    `free` (T,) is 0 where nothing may be moved, such as at events. The way is smooth in time.
    """
    push = np.zeros_like(after[0][0])
    for (old, radius), (new, _) in zip(before, after, strict=True):
        for was, now in zip(obstacles_before, obstacles_after, strict=True):
            depth, out = now.depth(new, radius)
            if not depth.any():
                continue
            allowed = was.depth(old, radius)[0] + ALLOWED
            more = np.maximum(depth - allowed, 0.0)
            own = more[:, None] * out
            deeper = np.linalg.norm(own, axis=1) > np.linalg.norm(push, axis=1)
            push = np.where(deeper[:, None], own, push)
    if not push.any():
        return push
    return _smooth(push, width) * free[:, None]


def _smooth(push: Floats, width: int) -> Floats:
    """(T, 3) along the mean direction of each run of frames, smooth and nowhere less."""
    size = np.linalg.norm(push, axis=1)
    weights = np.hanning(2 * width + 3)[1:-1]
    kernel = weights / weights.sum()
    padded = np.pad(size, width, mode="edge")
    highest = np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1).max(axis=1)
    smooth = np.convolve(np.pad(highest, width, mode="edge"), kernel, mode="valid")
    along = np.stack(
        [np.convolve(np.pad(each, width), kernel, mode="valid") for each in push.T], axis=1
    )
    length = np.linalg.norm(along, axis=1, keepdims=True)
    spread = along / np.maximum(length, 1e-12)
    return smooth[:, None] * np.where(length > 1e-9, spread, 0.0)
