"""Row of poses as solids, spread sideways where they would occlude each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.picture.camera import looking
from arcwright.picture.figure import figure
from arcwright.picture.paint import Paint
from arcwright.picture.poses import POSES, Poses, poses_of, view_direction
from arcwright.picture.solid import Solid
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

FARTHEST = 1e30  # m; beyond this, lengths have no squares
LONG = 2.1  # a spread row is about so many body heights long, times the picture's width/height
WIDE = 1.6  # wider bodies than so many heights may overlap
TOWARD = 0.35  # how much a spread row comes towards the camera


@dataclass(frozen=True, eq=False)
class PoseRow:
    """Poses side by side. Spreading draws time out in space, now stays where it is."""

    poses: Poses
    solids: list[Solid]
    tall: float  # m, a usual pose from low to high
    direction: Floats  # (3,) which way the camera looks
    step: Floats  # (3,) m from pose to pose, on top of their own travel

    def shift(self, time: Floats) -> Floats:
        """How far what happens at times (T,) is moved, (T, 3) m; even between poses."""
        index = np.interp(time, self.poses.time, np.arange(len(self.solids)))
        moved: Floats = (index - self.poses.now)[:, None] * self.step
        return moved


@np.errstate(over="ignore", invalid="ignore")  # what is too far is refused
def pose_row(
    actor: Actor,
    take: Take | None,
    view: Sequence[float] | None,
    every: int | None,
    now: int | None,
    spread: bool,
    size: tuple[int, int],
) -> PoseRow:
    """The row of a take; where it must be spread and gets too long, it has fewer poses."""
    paint = Paint(actor.look)
    poses = poses_of(actor, take, every, now)
    direction = view_direction(actor.rig, poses.world) if view is None else _given(view)
    row = _spread(actor, poses, paint, direction, spread)
    room = LONG * row.tall * float(np.clip(size[0] / size[1], 0.8, 3))
    length = float(np.linalg.norm(row.step)) * (len(poses.time) - 1)
    if every is None and take is not None and length > room:
        fewer = int(np.clip(round(room / length * (POSES - 1)) + 1, 3, POSES))
        poses = poses_of(actor, take, None, now, fewer)
        row = _spread(actor, poses, paint, direction, spread)
    return row


def _given(view: Sequence[float]) -> Floats:
    direction = np.asarray(view, float)
    if direction.shape != (3,) or not np.isfinite(direction).all():
        raise BadValue("view", "three numbers", view)
    return direction


def _spread(actor: Actor, poses: Poses, paint: Paint, direction: Floats, spread: bool) -> PoseRow:
    each = zip(poses.values, poses.world, strict=True)
    solids = [figure(actor, values, world, paint) for values, world in each]
    if sum(len(solid.triangles) for solid in solids) == 0:
        raise BadValue("scene", f"something to draw on {actor.name!r}", "no mesh and no bones")
    boxes = np.array([(s.positions.min(0), s.positions.max(0)) for s in solids])
    if not np.abs(boxes).max() < FARTHEST:
        raise BadValue("scene", f"what lies within {FARTHEST:g} m, to draw it", "something farther")
    sizes = np.ptp(boxes, axis=1)
    tall = max(float(np.median(sizes[:, 1])), 0.25 * float(sizes[0].max()), 1e-6)
    right, _, forward = looking(direction)
    widths = np.array([np.ptp(solid.positions @ right) for solid in solids])
    step = fan(boxes.mean(1), np.minimum(widths, WIDE * tall), right) if spread else 0.0
    row = PoseRow(poses, solids, tall, direction, step * (right - TOWARD * forward * (1, 0, 1)))
    shifts = row.shift(poses.time)
    moved = [replace(s, positions=s.positions + by) for s, by in zip(solids, shifts, strict=True)]
    return replace(row, solids=moved)


def fan(middles: Floats, widths: Floats, right: Floats) -> float:
    """Metres to move each pose on from the last, along `right`, so that all can be read.

    `middles` (T, 3) and `widths` (T,) are the poses' centres and sizes across the picture.
    """
    if len(middles) < 2:
        return 0.0
    gaps = np.diff(middles @ right)
    want = float(np.median(widths)) * 0.85
    if gaps.mean() > 0.6 * want:
        return 0.0
    return float(max(want - gaps.mean(), 0.75 * want - gaps.min()))
