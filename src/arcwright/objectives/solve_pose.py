"""Posed: from one pose to the one that drags want; for poses, and for keys that are offered."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Floats
from arcwright.objectives.point_tasks import PointTask, TaskList
from arcwright.objectives.pose_model import PoseModel
from arcwright.objectives.waypoints import waypoints
from arcwright.solve.descent import Descent, StoppingCriteria, descend

WAYPOINT_CRITERIA = StoppingCriteria(
    max_iterations=12, step_tolerance=1e-7, cost_tolerance=1e-2, target_tolerance=3e-5
)
MOVE_CRITERIA = StoppingCriteria(max_iterations=24)
RELEASE_CRITERIA = StoppingCriteria(max_iterations=60)
MAX_WAYPOINTS = 24
CONSTRAINT_BROKEN = 1e-3  # m; a pin missed by more is breaks_constraints off


def solve_from(model: PoseModel, start: Floats, criteria: StoppingCriteria) -> Descent:
    """Steps from some unknowns."""
    return descend(model, start, model.regularisation, np.zeros_like(start), model.box, criteria)


def solve_along_waypoints(
    model: PoseModel, start: Floats, drag_tasks: Sequence[PointTask]
) -> Descent:
    """Brisk steps for each short stretch of a long way: a leap over pins goes nowhere."""
    usual = model.tasks
    position = model.places_at(start).position
    found = Descent(start, model.linearise(start), 1, converged=False)
    for part in waypoints(drag_tasks, position, MAX_WAYPOINTS):
        model.tasks = TaskList(part, model.constraint_tasks)
        found = solve_from(model, found.x, WAYPOINT_CRITERIA)
    model.tasks = usual
    return found


def solve_from_start(model: PoseModel) -> Descent:
    """From the pose as it was to what the model's drags want, whatever way the drag came."""
    found = solve_along_waypoints(model, np.zeros(len(model.channels)), model.tasks.own)
    return solve_from(model, found.x, RELEASE_CRITERIA)


def breaks_constraints(model: PoseModel, x: Floats) -> bool:
    """Whether a pin or contact is far from its place."""
    rows = model.constraint_tasks.rows(model.places_at(x))
    return bool(np.abs(rows.residual).max(initial=0.0) > CONSTRAINT_BROKEN)
