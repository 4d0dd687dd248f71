"""Obstacles: boxes around props, and a capsule around the trunk, that limbs stay out of.

Depths count only beyond those of the original: what lay on a table may go on lying there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.kinematics.skinning import deform
from arcwright.scene.scene import Actor
from arcwright.tools.activity.tracks import handle_joint

ALLOWED = 0.002  # m that limbs may be deeper in something than they were
DOWNWARDS = 0.7  # of a face's normal: nothing leaves a box there if there is little room below
UNDER = 0.3  # m above the ground, at least, of what something may go below of
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
        axes, local = self._axes, self._local(points)
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

    def way_out(self, points: Floats, radius: float, more: Floats, run: slice) -> Floats:
        """(R, 3) m for a run of frames in which balls are deeper by `more` (P, T) than they may be.

        All of the run leaves by one face, the one that is nearest for the deepest of its frames,
        so that what goes right through does not turn back in the middle.
        """
        local, inside = self._local(points)[:, run], more[:, run] > 0
        sides = np.stack([self.half - local, self.half + local], axis=-1) + radius  # (P, R, 3, 2)
        needed = np.where(inside[..., None, None], sides, 0.0)
        worst = needed.max(axis=(0, 1))  # (3, 2)
        axes = self._axes[run]
        middle = len(axes) // 2
        lowest = self.position[run][middle, 1] + (axes[middle, 1] @ self.centre)
        lowest -= np.abs(axes[middle, 1]) @ self.half
        down = np.stack([axes[middle, 1], -axes[middle, 1]], axis=-1) < -DOWNWARDS
        worst = np.where(down & (lowest < UNDER), np.inf, worst)
        axis, side = np.unravel_index(int(np.argmin(worst)), worst.shape)
        normal = axes[:, :, axis] * (-1.0 if side else 1.0)
        return np.asarray(needed[:, :, axis, side].max(axis=0)[:, None] * normal)

    def _local(self, points: Floats) -> Floats:
        """(P, T, 3) m, points in the frame of the box, from its middle."""
        found: Floats = ((points - self.position)[..., None, :] @ self._axes)[..., 0, :]
        return found - self.centre

    @cached_property
    def corners(self) -> Floats:
        """(8, T, 3) m."""
        signs = np.stack(np.meshgrid(*[[-1.0, 1.0]] * 3), axis=-1).reshape(-1, 1, 3, 1)
        local = self.centre[:, None] + signs * self.half[:, None]
        corners: Floats = self.position + (self._axes @ local)[..., 0]
        return corners

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

    def way_out(self, points: Floats, radius: float, more: Floats, run: slice) -> Floats:
        """(R, 3) m for a run of frames in which balls are deeper by `more` (P, T) than allowed."""
        most, frames = more[:, run].argmax(axis=0), np.arange(len(more[0]))[run]
        out = self.depth(points, radius)[1]
        return np.asarray(more[most, frames][:, None] * out[most, frames])


Obstacle = Box | Capsule


def box_of(prop: Actor, scale: Floats) -> tuple[Floats, Floats] | None:
    """Centre and half size (3,) m of the box around the meshes of a prop; None without any."""
    rest = prop.rig.channels.default
    world = forward(prop.rig, rest[None], range(len(prop.rig.names)))[0]
    back = np.linalg.inv(world[handle_joint(prop)])
    corners = [each.positions @ back[:3, :3].T + back[:3, 3] for each in deform(prop, rest, world)]
    if not corners:
        return None
    every = np.concatenate(corners) * scale
    low, high = every.min(axis=0), every.max(axis=0)
    return (low + high) / 2, (high - low) / 2


@dataclass(frozen=True, eq=False)
class Balls:
    """Points (P, T, 3) of the original that stay out of things, and how deep they were in each."""

    points: Floats
    radius: float  # m
    depths: dict[str, Floats] = field(default_factory=dict)  # (P, T) m, by obstacle; known so far

    def depth(self, obstacle: Obstacle) -> Floats:
        """(P, T) m in an obstacle of the original."""
        if obstacle.name not in self.depths:
            self.depths[obstacle.name] = obstacle.depth(self.points, self.radius)[0]
        return self.depths[obstacle.name]


def way_around(
    balls: Balls,
    after: Floats,
    obstacles_before: Sequence[Obstacle],
    obstacles_after: Sequence[Obstacle],
    free: Floats,
    width: int,
) -> Floats:
    """(T, 3) m that balls, now at (P, T, 3), must go to be no deeper in anything than they were.

    `free` (T,) is 0 where nothing may be moved, such as at events. The way is smooth in time.
    """
    push, radius = np.zeros(after.shape[1:]), balls.radius
    for was, now in zip(obstacles_before, obstacles_after, strict=True):
        depth = now.depth(after, radius)[0]
        if not depth.any():
            continue
        more = depth - balls.depth(was) - ALLOWED
        for run in _runs(np.any(more > 0, axis=0)):
            own = now.way_out(after, radius, np.maximum(more, 0.0), run)
            deeper = np.linalg.norm(own, axis=1) > np.linalg.norm(push[run], axis=1)
            push[run] = np.where(deeper[:, None], own, push[run])
    if not push.any():
        return push
    return _smooth(push, width) * free[:, None]


def _runs(flags: Bools) -> Iterator[slice]:
    """Frames (T,) that are flagged without a gap."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    for first, last in edges.reshape(-1, 2).tolist():
        yield slice(first, last)


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
