"""Obstacles: boxes around props, and a capsule around the trunk, that limbs stay out of.

Depths count only beyond those of the original: what lay on a table may go on lying there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import matrix_from_quaternion
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
        """(P, T) how deep balls at points (P, T, 3) are inside, and the way out (P, T, 3), 1 m."""
        if not self._near(points, radius):
            return np.zeros(points.shape[:2]), np.zeros_like(points)
        axes = self._axes  # (T, 3, 3)
        local = ((points - self.position)[..., None, :] @ axes)[..., 0, :] - self.centre
        outside = np.abs(local) - self.half
        away = np.maximum(outside, 0.0) * np.sign(local)
        far = np.sqrt(np.einsum("ptj,ptj->pt", away, away))
        axis = np.argmax(outside, axis=-1)[..., None]
        nearest = np.zeros_like(local)
        sign = np.where(np.take_along_axis(local, axis, axis=-1) < 0, -1.0, 1.0)
        np.put_along_axis(nearest, axis, sign, axis=-1)
        inside = far <= 1e-9
        out = np.where(inside[..., None], nearest, away / np.maximum(far, 1e-9)[..., None])
        highest = np.take_along_axis(outside, axis, axis=-1)[..., 0]
        depth = np.maximum(radius - np.where(inside, highest, far), 0.0)
        return depth, (axes @ out[..., None])[..., 0]

    @cached_property
    def _axes(self) -> Floats:
        """(T, 3, 3) of the box, in the world."""
        return matrix_from_quaternion(self.orientation)

    def _near(self, points: Floats, radius: float) -> bool:
        """Whether any of the points (P, T, 3) comes near the ball around the box."""
        far = float(np.linalg.norm(np.abs(self.centre) + self.half)) + radius
        away = points - self.position
        return bool(np.einsum("ptj,ptj->pt", away, away).min() < far * far)


@dataclass(frozen=True, eq=False)
class Capsule:
    """A ball that sweeps a line, over T frames."""

    name: str
    start: Floats  # (T, 3) m
    end: Floats  # (T, 3) m
    radius: float

    def depth(self, points: Floats, radius: float) -> tuple[Floats, Floats]:
        """(P, T) how deep balls at points (P, T, 3) are inside, and the way out (P, T, 3), 1 m."""
        line = self.end - self.start
        square = np.maximum((line**2).sum(axis=-1), 1e-12)
        share = np.clip(((points - self.start) * line).sum(axis=-1) / square, 0.0, 1.0)
        away = points - self.start - share[..., None] * line
        far = np.linalg.norm(away, axis=-1)
        depth = np.maximum(self.radius + radius - far, 0.0)
        return depth, away / np.maximum(far, 1e-9)[..., None]


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
    before: Floats,
    after: Floats,
    radius: float,
    obstacles_before: Sequence[Obstacle],
    obstacles_after: Sequence[Obstacle],
    free: Floats,
    width: int,
) -> Floats:
    """(T, 3) m that balls at points (P, T, 3) must go to be no deeper in anything than they were.

    `free` (T,) is 0 where nothing may be moved, such as at events. The way is smooth in time.
    """
    frames = np.arange(after.shape[1])
    push = np.zeros(after.shape[1:])
    for was, now in zip(obstacles_before, obstacles_after, strict=True):
        depth, out = now.depth(after, radius)
        if not depth.any():
            continue
        allowed = was.depth(before, radius)[0] + ALLOWED
        more = np.maximum(depth - allowed, 0.0)
        most = more.argmax(axis=0)  # (T,) of the points
        own = more[most, frames][:, None] * out[most, frames]
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
