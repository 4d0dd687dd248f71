"""Release solution: the result if the drag finished now; notes describe this, not the preview."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.descent import Descent
from arcwright.solve.model import Residuals
from arcwright.tools.shared.drags import DRAG_TOLERANCE, DragResidual, worst
from arcwright.tools.tangent.drag_problem import DragProblem, around
from arcwright.tools.tangent.preparation import PreparedEdit, quarter_frames
from arcwright.tools.tangent.solve_stages import (
    CONSTRAINT_SHARES,
    RELEASE_CRITERIA,
    distance,
    farthest,
    is_met,
    refine,
    restore_constraints,
    solve_along_waypoints,
    solve_in_stages,
    try_other_starts,
)

LOOKS = 3  # rounds of looking for slips, with few steps each
NEARLY = 0.05  # of the distance: a drag that ends nearer does not give in
LAST_LOOKS = 5  # rounds of that in the end
FINE = np.arange(17) / 16  # frames before and after a drag that gave in


@dataclass(frozen=True, eq=False)
class ReleaseSolution:
    """Where handles come to rest."""

    problem: DragProblem  # of its own: sampled as finely as was needed
    x: Floats  # (N,)
    residuals: Residuals
    still: bool = False  # the drag is where it began: curves stay as they are, to the last bit

    @property
    def short(self) -> float:
        """How far the drag that is furthest off is from what it wants, m."""
        return 0.0 if self.still else farthest(self.residuals, self.problem.drag_tasks)

    def missed(self) -> DragResidual | None:
        """The drag that is furthest off, if one is."""
        if self.still:
            return None
        there = self.problem.model().there(self.x)
        return worst(
            DragResidual.of(drag, there.position[index, index], there.orientation[index, index])
            for index, drag in enumerate(self.problem.drags)
        )


def ended(moving: DragProblem) -> ReleaseSolution:
    """Where the drags lead from the beginning, whatever way the drag came."""
    problem = moving.afresh()
    if problem.still(problem.model()):
        nothing = np.zeros(len(problem.prepared.handles.stiffness))
        return ReleaseSolution(problem, nothing, problem.model().linearise(nothing), still=True)
    start, found = _reached(problem)
    if problem.tied and not is_met(found, problem.drag_tasks):
        problem.untie()
        start, found = _reached(problem)
    if (
        not found.x.any()
        and found.converged
        and farthest(found.residuals, problem.drag_tasks) <= DRAG_TOLERANCE
    ):
        return ReleaseSolution(problem, found.x, found.residuals)
    if not is_met(found, problem.drag_tasks):
        rest = problem.rest(problem.prepared)
        found = try_other_starts(problem.model(), found, rest, problem.drag_tasks)
    check = _check(problem)
    nearly = NEARLY * distance(problem.model(), problem.drag_tasks)
    if (
        is_met(found, problem.drag_tasks)
        or DRAG_TOLERANCE < farthest(found.residuals, problem.drag_tasks) <= nearly
    ):
        found = _looked(problem, found, check)  # which may show that it was not
    if farthest(found.residuals, problem.drag_tasks) > nearly:
        check = _check(problem, finely=True)
        problem.give_in()
        rest = problem.rest(problem.prepared)
        found = solve_in_stages(problem.model(), start, rest, problem.drag_tasks, RELEASE_CRITERIA)
    found = _closed(problem, _looked(problem, found, check), check)
    return ReleaseSolution(problem, found.x, found.residuals)


def _reached(problem: DragProblem) -> tuple[Floats, Descent]:
    """The end of a walk towards the drag, and where stages lead from there."""
    model, rest = problem.model(), problem.rest(problem.prepared)
    start = solve_along_waypoints(model, rest, problem.drag_tasks)
    return start, solve_in_stages(model, start, rest, problem.drag_tasks, RELEASE_CRITERIA)


def _check(problem: DragProblem, *, finely: bool = False) -> PreparedEdit | None:
    """What is kept, at every quarter frame; finely, also around drags, where curves are steep."""
    if not problem.prepared.constraint_tasks:
        return None
    span, rate = problem.prepared.span, problem.edited.take.rate
    times = quarter_frames(span, rate)
    if finely:
        times = np.union1d(times, around(problem.drags, span, FINE / rate))
    return problem.prepare(at=times)


def _looked(problem: DragProblem, found: Descent, check: PreparedEdit | None) -> Descent:
    """Sampled, and solved on, where what is kept would slip."""
    for _ in range(LOOKS):
        if check is None or not problem.add_samples(found, check):
            break
        model, rest = problem.model(), problem.rest(problem.prepared)
        found = solve_in_stages(
            model, found.x, rest, problem.drag_tasks, RELEASE_CRITERIA, CONSTRAINT_SHARES[1:]
        )
    return found


def _closed(problem: DragProblem, found: Descent, check: PreparedEdit | None) -> Descent:
    """Sharpened; then it may slip where it did not before."""
    found = _sharpened(problem, found)
    for _ in range(LAST_LOOKS):
        if check is None or not problem.add_samples(found, check):
            break
        found = _sharpened(problem, found)
    return found


def _sharpened(problem: DragProblem, found: Descent) -> Descent:
    model, rest = problem.model(), problem.rest(problem.prepared)
    x = refine(model, found.x, rest, problem.drag_tasks)
    return restore_constraints(
        model, Descent(x, model.linearise(x), 1, converged=True), rest, problem.drag_tasks
    )
