"""Solve a pose for drag tasks: in one go, along waypoints, or from the pose as it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.objectives.point_tasks import PointTask, TaskList
from arcwright.objectives.pose_model import PoseModel
from arcwright.objectives.waypoints import waypoints
from arcwright.solve.descent import Descent, StoppingCriteria, descend
from arcwright.solve.step import Stepper

WAYPOINT_CRITERIA = StoppingCriteria(
    max_iterations=12, step_tolerance=1e-7, cost_tolerance=1e-2, target_tolerance=3e-5
)
MOVE_CRITERIA = StoppingCriteria(max_iterations=24)
RELEASE_CRITERIA = StoppingCriteria(max_iterations=60)
MAX_POSE_WAYPOINTS = 24
CONSTRAINT_BROKEN = 1e-3  # m; a pin or contact with a larger residual is broken


def solve_from(model: PoseModel, start: Floats, criteria: StoppingCriteria) -> Descent:
    """Descend from given unknowns."""
    return descend(model, start, model.regularisation, np.zeros_like(start), model.box, criteria)


def solve_along_waypoints(
    model: PoseModel, start: Floats, drag_tasks: Sequence[PointTask]
) -> Descent:
    """Descend to waypoints in turn: from far away, a single descent with pins may stall."""
    usual = model.tasks
    position = model.places_at(start).position
    found = Descent(start, model.linearise(start), 1, converged=False)
    for part in waypoints(drag_tasks, position, MAX_POSE_WAYPOINTS):
        model.tasks = TaskList(part, model.constraint_tasks)
        found = solve_from(model, found.x, WAYPOINT_CRITERIA)
    model.tasks = usual
    return found


def solve_along(
    model: PoseModel,
    start: Floats,
    parts: Iterable[TaskList],
    longest: float,
    criteria: StoppingCriteria,
) -> Descent:
    """One step towards each of the tasks, then a descent to the last of them.

    No unknown goes farther than `longest` in one of the steps.
    Each step is regularised towards where the one before led: it is the smallest change that
    follows the way. So the end is a smooth function of start and way, where the minimum by the
    regularisation alone may jump between two that are alike.
    """
    x = model.box.clip(start)
    for part in parts:
        model.tasks = part
        step = Stepper(model.regularisation, x, model.box)(x, model.linearise(x), 0.0)
        x = x + min(1.0, longest / max(step.far, 1e-300)) * (step.x - x)
    return descend(model, x, model.regularisation, x, model.box, criteria)


def solve_from_start(model: PoseModel) -> Descent:
    """Solve from the initial pose, so that the result does not depend on the path of the drag."""
    found = solve_along_waypoints(model, np.zeros(len(model.channels)), model.tasks.own)
    return solve_from(model, found.x, RELEASE_CRITERIA)


def breaks_constraints(model: PoseModel, x: Floats) -> bool:
    """Whether a pin or contact is broken."""
    rows = model.constraint_tasks.rows(model.places_at(x))
    return bool(np.abs(rows.residual).max(initial=0.0) > CONSTRAINT_BROKEN)
