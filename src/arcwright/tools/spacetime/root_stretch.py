"""Root stretch: a drag at an end of the range with floating footplants stretches the whole path.

The root's path along the floor grows first, footplants are carried along by how far it moves at
their time, and the displacement is then solved as a deviation from that: all steps grow (fig. 5).

Along the way that the body travels the path is scaled, so that every step grows alike, also after a
turn; across it, it moves by as much as it has gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.spline import band
from arcwright.kinematics.feet import foot_joints
from arcwright.scene.rig import Kind, Rig
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.displacement import EditRange, Unknowns
from arcwright.tools.spacetime.motion_constraint import CONTACT, MotionConstraint

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

NEAR_END = 1.5  # frames
LEAST_TRAVEL = 0.3  # m, from one end of the range to the other: shorter ways are not scaled
STRAIGHT = 0.5  # of the way gone that lies between its ends; less, and it is not scaled
LEAP = 12.0  # m/s: no root moves so quickly
SMOOTH = 0.25  # s, over which the root's path is averaged


@dataclass(frozen=True, eq=False)
class RootStretch:
    """How the root's path can grow: displacements by a scale, and by the share of the way gone."""

    samples: Floats  # (T, 2, 3) m for a scale of 1, and for 1 m across at the dragged end
    times: Floats  # (T,) s
    control: Floats  # (N, 2, 3) the same as control values
    columns: Ints  # (E,) unknowns that move the root
    channels: Floats  # (E, 3) what they are for 1 m along each world axis
    travel: Floats  # (3,) m, from the fixed to the dragged end; 0 where the path is not scaled

    def shares(self, by: Floats) -> Floats:
        """(2, 3, 3) the parts of a displacement (3,) of the dragged end: scaled, and across."""
        level = by * [1.0, 0.0, 1.0]
        square = float(self.travel @ self.travel)
        scale = float(level @ self.travel) / square if square > 0 else 0.0
        across = level - scale * self.travel
        return np.stack([scale * np.eye(3), np.diag(across)])

    def displacement(self, by: Floats, time: float) -> Floats:
        """(3,) m, of the root at a time, where the dragged end moves by so much."""
        parts = [np.interp(time, self.times, axis) for axis in self.samples.reshape(-1, 6).T]
        moved: Floats = np.einsum("kij,kj->i", self.shares(by), np.reshape(parts, (2, 3)))
        return moved

    def reference(self, by: Floats, unknown_count: int) -> Floats:
        """(N, D) control values of the stretch alone."""
        moved = np.einsum("kij,nkj->ni", self.shares(by), self.control)
        found = np.zeros((len(moved), unknown_count))
        found[:, self.columns] = moved @ self.channels.T
        return found


def stretches_path(
    span: EditRange, drags: Sequence[Drag], rate: float, options: SpacetimeOptions
) -> bool:
    """Whether a drag stretches the path: at a free end of the range, with floating footplants."""
    if not options.floating_footplants or len(drags) != 1 or span.loops:
        return False
    if drags[0].position is None:
        return False
    near = NEAR_END / rate
    first = span.free.start == 0 and drags[0].time <= span.start + near
    last = span.free.stop == span.count and drags[0].time >= span.end - near
    return first or last


def root_stretch(
    rig: Rig,
    span: EditRange,
    unknowns: Unknowns,
    root: int,
    path: Floats,
    jacobian: Floats,
    drag: Drag,
) -> RootStretch | None:
    """The stretch for a drag, from the path (T, 3) of the root and its Jacobian (3, D)."""
    table = rig.channels
    slides = (table.joint[unknowns.channels] == root) & (
        table.kind[unknowns.channels] <= Kind.TRANSLATE_Z
    )
    columns = unknowns.rotation_count + np.flatnonzero(slides)
    if len(columns) < 2:
        return None
    at_start = drag.time < (span.start + span.end) / 2
    level = _averaged(span.times, _without_leaps(span.times, path * [1.0, 0.0, 1.0]))
    fixed, dragged = (level[-1], level[0]) if at_start else (level[0], level[-1])
    steps = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(level, axis=0), axis=1)))
    gone = steps[-1] - steps if at_start else steps
    travel = dragged - fixed
    way, between = float(steps[-1]), float(np.linalg.norm(travel))
    if between < max(LEAST_TRAVEL, STRAIGHT * way):
        travel = np.zeros(3)
    share = np.tile((gone / max(way, 1e-9))[:, None], (1, 3))
    samples = np.stack([level - fixed, share], axis=1)
    control = _fitted(span, samples.reshape(len(samples), 6)).reshape(-1, 2, 3)
    channels = np.asarray(np.linalg.pinv(jacobian[:, columns]), np.float64)
    return RootStretch(samples, span.times, control, columns, channels, travel)


def _without_leaps(times: Floats, path: Floats) -> Floats:
    """(T, 3) the path with what is no motion left out: files may begin with another pose."""
    steps = np.diff(path, axis=0)
    speed = np.linalg.norm(steps, axis=1) / np.diff(times)
    kept = np.where(speed[:, None] < LEAP, steps, 0.0)
    return np.concatenate([path[:1], path[:1] + np.cumsum(kept, axis=0)])


def _averaged(times: Floats, path: Floats) -> Floats:
    """(T, 3) the path without its sway, which keeps its ends."""
    half = np.minimum(SMOOTH / 2, np.minimum(times - times[0], times[-1] - times))
    total = np.concatenate(
        [np.zeros((1, 3)), np.cumsum((path[1:] + path[:-1]) / 2 * np.diff(times)[:, None], axis=0)]
    )
    late, early = (
        np.stack([np.interp(times + sign * half, times, axis) for axis in total.T], axis=1)
        for sign in (1, -1)
    )
    width = 2 * half[:, None]
    return np.where(width > 1e-9, (late - early) / np.maximum(width, 1e-9), path)


def _fitted(span: EditRange, values: Floats) -> Floats:
    """(N, A) control values nearest to values (T, A) at the samples; locked ones are 0."""
    weights = band(span.start, span.end, span.count, span.times).full()
    square = weights.T @ weights + 1e-9 * np.eye(span.count)
    found = np.asarray(np.linalg.solve(square, weights.T @ values), np.float64)
    found[: span.free.start], found[span.free.stop :] = 0.0, 0.0
    return found


def stance_times(rig: Rig, constraints: Sequence[MotionConstraint]) -> dict[int, float]:
    """The middle of the stance that each contact of a foot belongs to, s.

    Contacts of one foot that overlap are one stance: heel and toes must move alike.
    """
    foot = foot_joints(rig)
    by_foot: dict[int, list[int]] = {}
    for index, each in enumerate(constraints):
        if each.kind == CONTACT:
            joint = rig.joint(each.point.joint)
            while foot[joint] and rig.parents[joint] >= 0 and foot[rig.parents[joint]]:
                joint = int(rig.parents[joint])
            by_foot.setdefault(joint, []).append(index)
    found: dict[int, float] = {}
    for indices in by_foot.values():
        for stance in _stances(constraints, sorted(indices, key=lambda at: constraints[at].start)):
            start = min(constraints[at].start for at in stance)
            end = max(constraints[at].end for at in stance)
            found |= dict.fromkeys(stance, (start + end) / 2)
    return found


def _stances(constraints: Sequence[MotionConstraint], ordered: Sequence[int]) -> list[list[int]]:
    stances: list[list[int]] = []
    until = -np.inf
    for at in ordered:
        if not stances or constraints[at].start > until:
            stances.append([])
        stances[-1].append(at)
        until = max(until, constraints[at].end)
    return stances
