"""Solving a pose for dragged points: while a drag moves, and when it is released.

Channel values x minimise the weighted squares of the tasks' residuals plus a regularisation that
keeps heavy parts where they are (`objectives/pose_model.py`). A move starts from the last x, so
that the pose follows the pointer; a release that misses is tried from the beginning, too, so that
it does not depend on the way.
"""

from __future__ import annotations

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import vector_from_matrix
from arcwright.objectives.point_tasks import METRES_PER_RADIAN, PointTask
from arcwright.objectives.pose_model import PoseModel
from arcwright.objectives.solve_pose import (
    MOVE_CRITERIA,
    RELEASE_CRITERIA,
    breaks_constraints,
    solve_along_waypoints,
    solve_from,
    solve_from_start,
)

LEAP = 0.03  # m from one move to the next: such a drag is followed in waypoints
CLEARLY = 0.95  # of the distance: what a better answer must come down to


def follow(model: PoseModel, x: Floats, leapt: bool, tolerance: float) -> Floats:
    """(C,) unknowns after a move, from those of the move before."""
    found = solve_from(model, x, MOVE_CRITERIA)
    if not leapt or farthest(model, found.x) <= tolerance:
        return found.x
    return solve_along_waypoints(model, x, model.tasks.own).x


def release(model: PoseModel, x: Floats, tolerance: float) -> Floats:
    """(C,) unknowns on release: a target that is missed is approached from the beginning, too."""
    found = solve_from(model, x, MOVE_CRITERIA)
    if farthest(model, found.x) <= tolerance:
        return found.x
    found = found if found.converged else solve_from(model, found.x, RELEASE_CRITERIA)
    other = solve_from_start(model)
    nearer = farthest(model, other.x) < CLEARLY * farthest(model, found.x)
    return other.x if nearer and not breaks_constraints(model, other.x) else found.x


def farthest(model: PoseModel, x: Floats) -> float:
    """The largest distance of a dragged point from its target, m; a rotation counted in metres."""
    there = model.places_at(x)
    return max(
        (
            _distance(task, there.position[0, task.place], there.orientation[0, task.place])
            for task in model.tasks.own
        ),
        default=0.0,
    )


def _distance(task: PointTask, position: Floats, orientation: Floats) -> float:
    remaining = angle = 0.0
    if task.position is not None:
        away = task.position[0] - position
        remaining = float(np.linalg.norm(away if task.axes is None else task.axes @ away))
    if task.orientation is not None:
        between = task.orientation[0] @ orientation.T
        angle = float(np.linalg.norm(vector_from_matrix(between[None])))
    return float(np.hypot(remaining, METRES_PER_RADIAN * angle))
