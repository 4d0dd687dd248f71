"""Limited forces: drags out of reach, and constraints beside them, pull only so hard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.objectives.point_tasks import DRAG_WEIGHT, PointTask, TaskList
from arcwright.tools.tangent.model import TangentModel

MAX_EFFORT = 100.0  # times the force of a linear solution: limit of the force of an unmet drag
MIN_FORCE = 1000.0  # N, lowest value of that limit
MAX_CONSTRAINT_FORCE = 100.0  # times the largest force of a drag with limited force


def limit_drag_forces(
    model: TangentModel, drag_tasks: Sequence[PointTask]
) -> tuple[PointTask, ...]:
    """The tasks of unmet drags with a limited force: a multiple of that of a linear solution.

    The last centimetres would drive handles to their bounds, where noise of the pointer changes
    the whole motion.
    """
    compliance = model.compliance()
    effort = distance(model, drag_tasks) / compliance if compliance > 0 else 0.0
    saturation = max(MAX_EFFORT * effort, MIN_FORCE) / DRAG_WEIGHT
    return tuple(replace(task, saturation=min(saturation, task.saturation)) for task in drag_tasks)


def limit_constraint_forces(
    constraints: Sequence[PointTask], drag_tasks: Sequence[PointTask]
) -> list[PointTask]:
    """Constraint tasks with a limited force: a multiple of that of the drags.

    Otherwise a contact that the motion violates from the start would dominate the result.
    """
    most = MAX_CONSTRAINT_FORCE * max(task.weight * task.saturation for task in drag_tasks)
    return [replace(task, saturation=most / task.weight) for task in constraints]


def distance(model: TangentModel, drag_tasks: Sequence[PointTask]) -> float:
    """Distance of all drags together from their targets before the edit, m."""
    return float(np.linalg.norm(TaskList(drag_tasks).rows(model.at_start).residual))
