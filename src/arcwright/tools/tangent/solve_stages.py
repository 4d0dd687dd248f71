"""Solve stages: growing constraint weights, waypoints and other starts, mostly on release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.jacobian import PointJacobian
from arcwright.objectives.point_tasks import PointTask, TaskList, with_weight_share
from arcwright.objectives.waypoints import waypoints
from arcwright.solve.descent import Descent, StoppingCriteria, descend
from arcwright.solve.model import Residuals
from arcwright.tools.shared.drags import DRAG_TOLERANCE
from arcwright.tools.tangent.drag_problem import MOVE_CRITERIA, farthest
from arcwright.tools.tangent.model import TangentModel

STAGE_CRITERIA = StoppingCriteria(max_iterations=8, step_tolerance=1e-7, cost_tolerance=1e-5)
RELEASE_CRITERIA = StoppingCriteria(max_iterations=24, step_tolerance=1e-7, cost_tolerance=1e-5)
REFINE_CRITERIA = StoppingCriteria(max_iterations=12, step_tolerance=1e-8, cost_tolerance=1e-6)
CONSTRAINT_SHARES = (1e-4, 1e-3, 1e-2, 1e-1)  # of the constraint weights, stage by stage
MAX_CURVE_WAYPOINTS = 8
OTHER_STARTS = 4  # random ones, tried for a drag that missed its target
CONSTRAINT_BROKEN = 5e-4  # m; a constraint with a larger residual is broken
CONSTRAINT_SLIPS = 1e-4  # m; a larger residual shifts the target of a constraint
TARGET_MET = 3e-5  # m; a drag with a smaller residual is met
MAX_SWEEPS = 8  # of shifting targets by residuals


def solve_in_stages(
    model: TangentModel,
    start: Floats,
    reference: Floats,
    drag_tasks: Sequence[PointTask],
    criteria: StoppingCriteria,
    shares: Sequence[float] = CONSTRAINT_SHARES,
) -> Descent:
    """Descend in stages with growing constraint weights.

    Full weights at once make a narrow curved valley in which only short steps lower the cost.
    """
    handles, usual, x = model.handles, model.tasks, start
    regularisation = model.regularisation
    for share in shares if model.constraint_tasks.own else ():
        model.tasks = TaskList(drag_tasks, model.constraint_tasks_at(share))
        x = descend(model, x, regularisation, reference, handles.box, STAGE_CRITERIA).x
    model.tasks = usual
    return descend(model, x, regularisation, reference, handles.box, criteria)


def solve_along_waypoints(
    model: TangentModel, reference: Floats, drag_tasks: Sequence[PointTask]
) -> Floats:
    """Descend from waypoint to waypoint with low constraint weights.

    A single descent over a long way overuses light joints and may end in a local minimum.
    """
    handles, usual, x = model.handles, model.tasks, model.handles.box.clip(reference)
    regularisation, share = model.regularisation, CONSTRAINT_SHARES[0]
    for part in waypoints(drag_tasks, model.position(x), MAX_CURVE_WAYPOINTS):
        drags = [with_weight_share(task, share) for task in part]
        model.tasks = TaskList(drags, model.constraint_tasks_at(share))
        x = descend(model, x, regularisation, reference, handles.box, MOVE_CRITERIA).x
    model.tasks = usual
    return x


def try_other_starts(
    model: TangentModel, found: Descent, reference: Floats, drag_tasks: Sequence[PointTask]
) -> Descent:
    """A solution that meets the drags, from the initial unknowns or from random ones.

    Otherwise the one found already: which of two unmet solutions is closer may change with noise
    of the drag. Random starts are for drags without constraints, which are solved quickly.
    """
    box, count = model.handles.box, len(reference)
    random = np.random.default_rng(count)
    around = [
        random.uniform(-1, 1, count)
        for _ in range(0 if model.constraint_tasks.own else OTHER_STARTS)
    ]
    for start in (reference, *around):
        tried = solve_in_stages(model, box.clip(start), reference, drag_tasks, RELEASE_CRITERIA)
        if is_met(tried, drag_tasks):
            return tried
    return found


def is_met(found: Descent, drag_tasks: Sequence[PointTask]) -> bool:
    """Whether drags are at their targets and no constraint is broken."""
    return (
        farthest(found.residuals, drag_tasks) <= DRAG_TOLERANCE
        and slip(found.residuals, drag_tasks) < CONSTRAINT_BROKEN
    )


def refine(
    model: TangentModel, start: Floats, reference: Floats, drag_tasks: Sequence[PointTask]
) -> Floats:
    """Converge tightly; targets in reach are shifted by the residual that stiffness leaves."""
    handles = model.handles
    regularisation = model.regularisation
    best = descend(model, start, regularisation, reference, handles.box, REFINE_CRITERIA)
    if TARGET_MET < farthest(best.residuals, drag_tasks) < 4 * DRAG_TOLERANCE:
        tried = solve_in_stages(
            model, best.x, reference, drag_tasks, RELEASE_CRITERIA, CONSTRAINT_SHARES[1:]
        )
        best = min(best, tried, key=lambda each: farthest(each.residuals, drag_tasks))
    usual, shifted, x = model.tasks, tuple(drag_tasks), best.x
    for _ in range(MAX_SWEEPS):
        if not 1e-6 < farthest(best.residuals, drag_tasks) < 4 * DRAG_TOLERANCE:
            break
        there = model.position(x)
        shifted = tuple(
            _shifted_target(*pair, there) for pair in zip(shifted, drag_tasks, strict=True)
        )
        model.tasks = TaskList(shifted, model.constraint_tasks)
        x = descend(model, x, regularisation, reference, handles.box, REFINE_CRITERIA).x
        model.tasks = usual
        tried = Descent(x, model.linearise(x), 1, converged=True)
        if farthest(tried.residuals, drag_tasks) >= farthest(best.residuals, drag_tasks):
            break
        best = tried
    return best.x


def restore_constraints(
    model: TangentModel, found: Descent, reference: Floats, drag_tasks: Sequence[PointTask]
) -> Descent:
    """Shift the targets of constraints by their residuals, which a distant drag causes."""
    regularisation, box, usual = model.regularisation, model.handles.box, model.tasks
    best, constraints = found, model.constraint_tasks.own
    for _ in range(MAX_SWEEPS):
        left = slip(best.residuals, drag_tasks)
        if left < CONSTRAINT_SLIPS:
            break
        constraints = _shifted_constraints(
            constraints, model.constraint_tasks, model.points_at(best.x)
        )
        model.tasks = TaskList(drag_tasks, TaskList(constraints))
        x = descend(model, best.x, regularisation, reference, box, REFINE_CRITERIA).x
        model.tasks = usual
        tried = Descent(x, model.linearise(x), 1, converged=True)
        if slip(tried.residuals, drag_tasks) >= left:
            break
        best = tried
    return best


def _shifted_constraints(
    shifted: Sequence[PointTask], original: TaskList, there: PointJacobian
) -> tuple[PointTask, ...]:
    """Position targets shifted by the residuals of the original ones."""
    rows = original.rows(there)
    moved: list[PointTask] = []
    for index, task in enumerate(shifted):
        if task.position is not None and task.axes is None and not task.above:
            residual = rows.residual[rows.task == index][
                : task.position.size
            ]  # positions before orientations
            task = replace(task, position=task.position + residual.reshape(-1, 3))
        moved.append(task)
    return tuple(moved)


def _shifted_target(shifted: PointTask, original: PointTask, there: Floats) -> PointTask:
    """A position target shifted by the residual of the original one."""
    if shifted.position is None or original.position is None:
        return shifted
    residual = original.position - there[original.samples, original.place]
    return replace(shifted, position=shifted.position + residual)


def slip(tasks: Residuals, drag_tasks: Sequence[PointTask]) -> float:
    """The largest residual of anything but the drags, m."""
    assert tasks.task is not None
    return float(np.abs(tasks.residual[tasks.task >= len(drag_tasks)]).max(initial=0.0))
