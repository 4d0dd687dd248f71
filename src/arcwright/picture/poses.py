"""Poses: frames of a take to draw, the view direction, and solids side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.forward import forward
from arcwright.kinematics.sample import values_at
from arcwright.picture.camera import looking
from arcwright.picture.paint import Paint
from arcwright.picture.solid import Solid, figure
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

POSES = 7  # as many as a picture shows well
MOST_POSES = 200
SIDES = (("left", "right"), ("_l", "_r"), (".l", ".r"), ("l_", "r_"))
FARTHEST = 1e30  # m; beyond this, lengths have no squares
LONG = 2.1  # a spread row is about so many body heights long, times the picture's width/height
WIDE = 1.6  # wider bodies than so many heights may overlap
TOWARD = 0.35  # how much a spread row comes towards the camera


@dataclass(frozen=True, eq=False)
class Poses:
    """The moments shown."""

    frames: Ints  # (T,)
    time: Floats  # (T,) s
    values: Floats  # (T, C)
    world: Floats  # (T, J, 4, 4)
    now: int  # which of them is the solid one


def poses_of(
    actor: Actor, take: Take | None, every: int | None, now: int | None, count: int = POSES
) -> Poses:
    """Moments `every` so many frames apart, or `count` of them from first to last.

    `now` is the frame shown solid, else it is one past half.
    """
    if every is not None and every < 1:
        raise BadValue("every", "1 frame or more", every)
    if take is None:
        values = actor.rig.channels.default[None]
        zero = np.zeros(1, np.int64)
        return Poses(zero, np.zeros(1), values, forward(actor.rig, values), 0)
    frames = _frames(take, every, count)
    if now is not None:
        frames = np.unique(np.append(frames, np.clip(now, 0, take.frame_count - 1)))
    wanted = frames[round(0.6 * (len(frames) - 1))] if now is None else now
    values = values_at(take, frames / take.rate)
    at = min(int(np.searchsorted(frames, wanted)), len(frames) - 1)
    return Poses(frames, frames / take.rate, values, forward(actor.rig, values), at)


def _frames(take: Take, every: int | None, count: int) -> Ints:
    last = take.frame_count - 1
    first = _first(take) if last > 10 else 0
    if every is not None:
        if (last - first) // every >= MOST_POSES:
            least = (last - first) // MOST_POSES + 1
            raise BadValue("every", f"{least} frames or more: at most {MOST_POSES} poses", every)
        return np.arange(first, last + 1, every)
    return np.unique(np.linspace(first, last, min(count, last - first + 1)).round()).astype(
        np.int64
    )


def _first(take: Take) -> int:
    """The first frame of the motion: much motion capture jumps there from a T-pose."""
    place = forward(take.rig, values_at(take, np.arange(10) / take.rate))[..., :3, 3]
    moved = np.abs(np.diff(place, axis=0)).max((1, 2))
    usual = 12 * float(np.median(moved[3:])) + 0.02 * float(np.ptp(place[0], axis=0).max())
    return int(np.flatnonzero(np.append(0, moved[:3]) > usual).max(initial=0))


def view_direction(rig: Rig, world: Floats) -> Floats:
    """View direction (3,): across the travel, or else at the face from one side."""
    place = world[..., :3, 3]
    middle = place.mean(1)
    travel = (middle[-1] - middle[0]) * (1, 0, 1)
    size = np.median(np.ptp(place, axis=1), axis=0)
    far = float(np.linalg.norm(travel))
    if far > 0.7 * size.max():
        ahead, turn = travel / far, 0.5
    else:
        ahead = facing(rig, place)
        length = np.median(np.ptp(place @ ahead, axis=1))
        # Long bodies are seen more from the side, or else each would hide the next.
        turn = 1.75 if length < 1.1 * size[1] else 1.1
    across = np.cross((0.0, 1.0, 0.0), ahead)
    level = across - turn * ahead
    # Flat bodies such as spiders read better from higher up.
    broad = float(min(size[0], size[2]))
    flat = max(1 - size[1] / broad, 0) if broad > 1e-9 else 0.0
    looking: Floats = level / np.linalg.norm(level) - (0.0, 0.17 + 0.3 * flat, 0.0)
    return looking


def facing(rig: Rig, place: Floats) -> Floats:
    """The level direction a body looks along, +Z if unknown; place is (T, J, 3).

    Found from left and right twins on one parent, as hips and shoulders are: feet stride.
    """
    twins = _twins(rig)
    pairs = [(a, b) for a, b in twins if rig.parents[a] == rig.parents[b]] or twins
    left = sum((place[:, a] - place[:, b] for a, b in pairs), np.zeros((len(place), 3))).mean(0)
    ahead = np.cross(left, (0.0, 1.0, 0.0))
    length = float(np.linalg.norm(ahead))
    known = length > 1e-3 * float(np.ptp(place[0], axis=0).max())
    return ahead / length if known else np.array([0.0, 0.0, 1.0])


def _twins(rig: Rig) -> list[tuple[int, int]]:
    """Left and right joints of the same name."""
    index = {name.lower(): joint for joint, name in enumerate(rig.names)}
    found = []
    for name, joint in index.items():
        for one, other in SIDES:
            twin = index.get(name.replace(one, other)) if one in name else None
            if twin is not None and twin != joint:
                found.append((joint, twin))
                break
    return found


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
