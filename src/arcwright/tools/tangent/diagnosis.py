"""Diagnosis: the constraint that blocks a drag."""

from __future__ import annotations

import numpy as np

from arcwright.objectives.point_tasks import PointTask
from arcwright.tools.tangent.drag_problem import farthest
from arcwright.tools.tangent.edit_window import EVERYTHING, LIMITS
from arcwright.tools.tangent.free_feet import SWING
from arcwright.tools.tangent.preparation import check_times
from arcwright.tools.tangent.release_solution import ReleaseSolution
from arcwright.tools.tangent.solve_stages import (
    MAX_CONSTRAINT_RESIDUAL,
    RELEASE_CRITERIA,
    slip,
    solve_along_waypoints,
    solve_in_stages,
)
from arcwright.tools.tool import Note

MOST_SUSPECTS = 3
MOST_SAMPLES = 24  # of a span
TOUCHING = 1e-3  # m above the floor
KEY_POSES = "key poses"


def notes(ending: ReleaseSolution) -> tuple[Note, ...]:
    """Unmet drags and their blocking constraints."""
    unmet = ending.unmet_drag()
    if unmet is None:
        return ()
    blocker = blocker_of(ending)
    return (unmet.note(blocker, blocker in (KEY_POSES, LIMITS) or " and " in blocker),)


def blocker_of(ending: ReleaseSolution) -> str:
    """The constraint without which the point comes closer; those with the largest force first.

    Where no single constraint blocks the drag, all of them together may.
    """
    remaining = ending.remaining
    closer = remaining - max(1e-3, 0.02 * remaining)
    suspects = _suspects(ending)
    for name in suspects:
        if _distance_without(name, ending) < closer:
            return name
    kept = [name for name in suspects if name != LIMITS]
    if len(kept) > 1 and _distance_without(EVERYTHING, ending) < closer:
        return " and ".join(kept[:3])
    chain = ending.problem.options.chain_length
    joints = "1 joint" if chain == 1 else f"{chain} joints"
    return KEY_POSES if not chain else f"{KEY_POSES} and a chain of {joints}"


def _distance_without(without: str, ending: ReleaseSolution) -> float:
    """Remaining distance of the drag without a constraint; infinite if other ones break.

    Sampled evenly, since a distant drag exploits every gap between samples.
    """
    problem = ending.problem
    start, end = problem.prepared.span
    rate = min(problem.edited.take.rate / 2, MOST_SAMPLES / (4 * max(end - start, 1e-9)))
    other = problem.prepare(without=without, at=check_times((start, end), rate))
    model, reference = problem.model(other), problem.reference(other)
    found = solve_in_stages(
        model,
        solve_along_waypoints(model, reference, problem.drag_tasks),
        reference,
        problem.drag_tasks,
        RELEASE_CRITERIA,
    )
    broken = slip(found.residuals, problem.drag_tasks) > MAX_CONSTRAINT_RESIDUAL
    return float("inf") if broken else farthest(found.residuals, problem.drag_tasks)


def _suspects(ending: ReleaseSolution) -> list[str]:
    """Pins that freeze channels, then tasks by their force, then a floor that is touched."""
    held = ending.problem.prepared
    model = ending.problem.model()
    there = model.places_with(ending.x)
    rows = model.constraint_tasks.rows(there)
    force = np.bincount(rows.task, rows.weight * np.abs(rows.residual), len(held.constraint_tasks))
    order = sorted(range(len(force)), key=lambda index: -force[index])
    pulling = [held.constraint_tasks[index] for index in order if force[index] > 0]
    # A floor that is met exactly exerts no force, but may block the drag.
    touched = [task for task in held.constraint_tasks if _touches(task, there.position)]
    # Swinging feet give way to every drag: they cost a little, and block nothing.
    names = dict.fromkeys(task.name for task in (*pulling, *touched) if task.name != SWING)
    return [*held.frozen, *list(names)[:MOST_SUSPECTS], LIMITS]


def _touches(task: PointTask, position: np.ndarray) -> bool:
    if not task.above or task.position is None:
        return False
    above = position[task.samples, task.place, 1] - task.position[:, 1]
    return bool(above.min(initial=np.inf) < TOUCHING)
