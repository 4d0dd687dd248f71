"""Held points: the point that a drag moves, and the footplants that move along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from arcwright.kinematics.feet import foot_joints
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.displacement import EditRange
from arcwright.tools.spacetime.motion_constraint import MotionConstraint, is_footplant


class HeldPoint(NamedTuple):
    """The point that a drag moves."""

    point: int  # among the points
    sample: int  # among the sample times
    footplant: int | None  # among the constraints: the one of this very point
    footplants: frozenset[int]  # those that move along


def held_point(
    take: Take,
    span: EditRange,
    constraints: Sequence[MotionConstraint],
    drag: Drag,
    point: int,
    *,
    feet: bool,
) -> HeldPoint:
    """The point of a drag, and its footplants; with `feet`, those of all the dragged foot."""
    sample = int(np.argmin(np.abs(span.times - drag.time)))
    own = next(
        (
            index
            for index, each in enumerate(constraints)
            if is_footplant(each)
            and each.point_index == point
            and each.start <= drag.time <= each.end
        ),
        None,
    )
    moved = _dragged_footplants(take, span, constraints, drag, own, feet=feet)
    return HeldPoint(point, sample, own, moved)


def _dragged_footplants(
    take: Take,
    span: EditRange,
    constraints: Sequence[MotionConstraint],
    drag: Drag,
    own: int | None,
    *,
    feet: bool,
) -> frozenset[int]:
    """The footplants that a drag moves: its `own`, and at the same time those of adjacent joints.

    With `feet`, a drag of any joint of a foot moves the footplants of that foot.
    """
    rig = take.rig
    held = set() if own is None else {own}
    if feet:
        held |= {
            index
            for index, each in enumerate(constraints)
            if is_footplant(each)
            and each.start <= drag.time <= each.end
            and _same_foot(rig, each.point.joint, drag.point.joint)
        }
    held_footplants = [constraints[index] for index in held]
    found = {
        index for index, each in enumerate(constraints) if _is_beside(rig, each, held_footplants)
    }
    if span.loops:
        near = 1.5 / take.rate
        found |= {at for each in found for at in _across_loop(span, constraints, each, near)}
    return frozenset(found)


def _across_loop(
    span: EditRange, constraints: Sequence[MotionConstraint], which: int, near: float
) -> list[int]:
    """The footplants in which one continues across the start or the end of a loop."""
    own = constraints[which]
    starts = own.start <= span.start + near
    ends = own.end >= span.end - near
    return [
        index
        for index, other in enumerate(constraints)
        if is_footplant(other)
        and other.point_index == own.point_index
        and (
            (starts and other.end >= span.end - near) or (ends and other.start <= span.start + near)
        )
    ]


def _same_foot(rig: Rig, a: str, b: str) -> bool:
    foot = foot_joints(rig)
    return a == b or bool(foot[rig.joint(a)] and foot[rig.joint(b)] and _adjacent(rig, a, b))


def _adjacent(rig: Rig, a: str, b: str) -> bool:
    first, second = rig.joint(a), rig.joint(b)
    return first == second or rig.parents[first] == second or rig.parents[second] == first


def _is_beside(rig: Rig, constraint: MotionConstraint, held: Sequence[MotionConstraint]) -> bool:
    """Whether a footplant overlaps one of those held, on a joint next to it."""
    return is_footplant(constraint) and any(
        _adjacent(rig, constraint.point.joint, other.point.joint)
        and constraint.start <= other.end
        and constraint.end >= other.start
        for other in held
    )
