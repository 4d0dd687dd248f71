"""Diagnosis: the constraint that blocks a drag."""

from __future__ import annotations

import numpy as np

from arcwright.objectives.point_tasks import PointTask
from arcwright.tools.tangent.preparation import EVERYTHING, FLOOR, LIMITS, quarter_frames
from arcwright.tools.tangent.release_solution import ReleaseSolution
from arcwright.tools.tangent.solve_stages import (
    CONSTRAINT_BROKEN,
    RELEASE_CRITERIA,
    farthest,
    solve_along_waypoints,
    solve_in_stages,
)
from arcwright.tools.tool import Note

MOST_SUSPECTS = 3
MOST_SAMPLES = 24  # of a span
TOUCHING = 1e-3  # m above the floor
KEY_POSES = "key poses"


def notes(ending: ReleaseSolution) -> tuple[Note, ...]:
    """What was missed and what is in the way."""
    missed = ending.missed()
    if missed is None:
        return ()
    blocker = blocker_of(ending)
    return (missed.note(blocker, blocker in (KEY_POSES, LIMITS) or " and " in blocker),)


def blocker_of(ending: ReleaseSolution) -> str:
    """The task without which the point comes closer, the hardest pulling tried first.

    Where no single one is in the way, all of them together may be.
    """
    short = ending.short
    closer = short - max(1e-3, 0.02 * short)
    suspects = _suspects(ending)
    for name in suspects:
        if _freed(name, ending) < closer:
            return name
    kept = [name for name in suspects if name != LIMITS]
    if len(kept) > 1 and _freed(EVERYTHING, ending) < closer:
        return " and ".join(kept[:3])
    chain = ending.problem.options.chain
    joints = "1 joint" if chain == 1 else f"{chain} joints"
    return KEY_POSES if not chain else f"{KEY_POSES} and a chain of {joints}"


def _freed(without: str, ending: ReleaseSolution) -> float:
    """How far the point ends from the drag without a task; infinite if others are torn.

    Sampled evenly, since a drag this far away makes use of every gap between samples.
    """
    problem = ending.problem
    start, end = problem.prepared.span
    rate = min(problem.edited.take.rate / 2, MOST_SAMPLES / (4 * max(end - start, 1e-9)))
    other = problem.prepare(without=without, at=quarter_frames((start, end), rate))
    model, rest = problem.model(other), problem.rest(other)
    found = solve_in_stages(
        model,
        solve_along_waypoints(model, rest, problem.drag_tasks),
        rest,
        problem.drag_tasks,
        RELEASE_CRITERIA,
    )
    assert found.residuals.task is not None
    others = found.residuals.residual[found.residuals.task >= len(problem.drag_tasks)]
    torn = np.abs(others).max(initial=0.0) > CONSTRAINT_BROKEN
    return float("inf") if torn else farthest(found.residuals, problem.drag_tasks)


def _suspects(ending: ReleaseSolution) -> list[str]:
    """Pins that freeze channels, then tasks by their force, then a floor that is touched."""
    held = ending.problem.prepared
    model = ending.problem.model()
    there = model.places_at(model.values(ending.x)[0])
    rows = model.constraint_tasks.rows(there)
    regularisation = np.bincount(
        rows.task, rows.weight * np.abs(rows.residual), len(held.constraint_tasks)
    )
    order = sorted(range(len(regularisation)), key=lambda index: -regularisation[index])
    pulling = [held.constraint_tasks[index] for index in order if regularisation[index] > 0]
    # A floor that is met exactly does not push; it is in the way all the same.
    touched = [task for task in held.constraint_tasks if _touches(task, there.position)]
    names = dict.fromkeys(FLOOR if task.above else task.name for task in (*pulling, *touched))
    return [*held.frozen, *list(names)[:MOST_SUSPECTS], LIMITS]


def _touches(task: PointTask, position: np.ndarray) -> bool:
    if not task.above or task.position is None:
        return False
    above = position[task.samples, task.place, 1] - task.position[:, 1]
    return bool(above.min(initial=np.inf) < TOUCHING)
