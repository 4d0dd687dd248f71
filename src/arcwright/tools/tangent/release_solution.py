"""Release solution: the result if the drag finished now; notes describe this, not the preview."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.descent import Descent
from arcwright.solve.model import Residuals
from arcwright.tools.shared.drags import DRAG_TOLERANCE, DragResidual, worst
from arcwright.tools.tangent.drag_problem import DragProblem, around, farthest
from arcwright.tools.tangent.limited_forces import distance
from arcwright.tools.tangent.preparation import PreparedEdit, check_times
from arcwright.tools.tangent.solve_stages import (
    CONSTRAINT_SHARES,
    OUT_OF_REACH,
    RELEASE_CRITERIA,
    is_met,
    refine,
    restore_constraints,
    solve_along_waypoints,
    solve_in_stages,
    try_other_starts,
)

SAMPLING_ROUNDS = 3  # of adding samples and solving, before refinement
NEARLY = 0.05  # of the distance: a drag that ends closer keeps its full force
REFINED_SAMPLING_ROUNDS = 5  # of adding samples and refining
FINE = np.arange(17) / 16  # frames before and after an unmet drag


@dataclass(frozen=True, eq=False)
class ReleaseSolution:
    """Handle unknowns after a release."""

    problem: DragProblem  # its own, with all the samples that were needed
    x: Floats  # (N,)
    residuals: Residuals
    still: bool = False  # the drag is where it began: curves stay as they are, to the last bit

    @property
    def remaining(self) -> float:
        """The largest residual of a drag, m."""
        return 0.0 if self.still else farthest(self.residuals, self.problem.drag_tasks)

    def unmet_drag(self) -> DragResidual | None:
        """The drag with the largest residual, if any is beyond tolerance."""
        if self.still:
            return None
        there = self.problem.model().points_at(self.x)
        return worst(
            DragResidual.of(drag, there.position[index, index], there.orientation[index, index])
            for index, drag in enumerate(self.problem.drags)
        )


def solve_release(moving: DragProblem) -> ReleaseSolution:
    """Solve from the initial motion, so that the result does not depend on the path of the drag."""
    problem = moving.restarted()
    if problem.is_still(problem.model()):
        nothing = np.zeros(len(problem.prepared.handles.stiffness))
        return ReleaseSolution(problem, nothing, problem.model().linearise(nothing), still=True)
    out_of_reach = OUT_OF_REACH * distance(problem.model(), problem.drag_tasks)
    found = _solved_from_start(problem, out_of_reach)
    if problem.tied and not is_met(found, problem.drag_tasks) and problem.untie():
        found = _solved_from_start(problem, out_of_reach)
    if (
        not found.x.any()
        and found.converged
        and farthest(found.residuals, problem.drag_tasks) <= DRAG_TOLERANCE
    ):
        return ReleaseSolution(problem, found.x, found.residuals)
    if not problem.prepared.constraint_tasks and not is_met(found, problem.drag_tasks):
        reference = problem.reference(problem.prepared)
        found = try_other_starts(problem.model(), found, reference, problem.drag_tasks)
    check = _check(problem)
    nearly = NEARLY * distance(problem.model(), problem.drag_tasks)
    if (
        is_met(found, problem.drag_tasks)
        or DRAG_TOLERANCE < farthest(found.residuals, problem.drag_tasks) <= nearly
    ):
        found = _resampled(problem, found, check)  # it may no longer be met
    if farthest(found.residuals, problem.drag_tasks) > nearly:
        check = _check(problem, finely=True)
        problem.limit_forces()
        found = _solved_from_start(problem, np.inf)
    found = _refined(problem, _resampled(problem, found, check), check)
    return ReleaseSolution(problem, found.x, found.residuals)


def _solved_from_start(problem: DragProblem, while_closer: float) -> Descent:
    """The staged solution after waypoints; with drags farther off than that, after one stage."""
    model, reference = problem.model(), problem.reference(problem.prepared)
    start = solve_along_waypoints(model, reference, problem.drag_tasks)
    return solve_in_stages(
        model,
        start,
        reference,
        problem.drag_tasks,
        RELEASE_CRITERIA,
        while_closer=while_closer,
    )


def _check(problem: DragProblem, *, finely: bool = False) -> PreparedEdit | None:
    """The edit sampled at every quarter frame; finely, more often around drags."""
    if not problem.prepared.constraint_tasks:
        return None
    span, rate = problem.prepared.span, problem.edited.take.rate
    times = check_times(span, rate)
    if finely:
        times = np.union1d(times, around(problem.drags, span, FINE / rate))
    return problem.prepare(at=times)


def _resampled(problem: DragProblem, found: Descent, check: PreparedEdit | None) -> Descent:
    """Add samples where constraints slip, and solve again."""
    for _ in range(SAMPLING_ROUNDS):
        if check is None or not problem.add_samples(found, check):
            break
        model, reference = problem.model(), problem.reference(problem.prepared)
        found = solve_in_stages(
            model, found.x, reference, problem.drag_tasks, RELEASE_CRITERIA, CONSTRAINT_SHARES[1:]
        )
    return found


def _refined(problem: DragProblem, found: Descent, check: PreparedEdit | None) -> Descent:
    """Refine, and again while constraints slip between samples."""
    found = _refined_once(problem, found)
    for _ in range(REFINED_SAMPLING_ROUNDS):
        if check is None or not problem.add_samples(found, check):
            break
        found = _refined_once(problem, found)
    return found


def _refined_once(problem: DragProblem, found: Descent) -> Descent:
    model, reference = problem.model(), problem.reference(problem.prepared)
    x = refine(model, found.x, reference, problem.drag_tasks)
    return restore_constraints(
        model, Descent(x, model.linearise(x), 1, converged=True), reference, problem.drag_tasks
    )
