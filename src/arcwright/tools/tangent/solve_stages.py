"""Solve stages: a move in a few steps, a release with constraints enforced ever harder."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.jacobian import PointJacobian
from arcwright.objectives.point_tasks import DRAG_WEIGHT, PointTask, TaskList, eased
from arcwright.objectives.waypoints import waypoints
from arcwright.solve.descent import Descent, StoppingCriteria, descend
from arcwright.solve.model import Residuals
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.drags import DRAG_TOLERANCE
from arcwright.tools.tangent.handles import Handles
from arcwright.tools.tangent.model import TangentModel

MOVE_CRITERIA = StoppingCriteria(
    max_iterations=5, step_tolerance=1e-7, cost_tolerance=1e-3, target_tolerance=3e-5
)
STAGE_CRITERIA = StoppingCriteria(max_iterations=8, step_tolerance=1e-7, cost_tolerance=1e-5)
RELAXED_CRITERIA = StoppingCriteria(max_iterations=3, step_tolerance=1e-7, cost_tolerance=1e-4)
LIMITED_FORCE_CRITERIA = StoppingCriteria(
    max_iterations=5, step_tolerance=1e-7, cost_tolerance=1e-5
)
RELEASE_CRITERIA = StoppingCriteria(max_iterations=24, step_tolerance=1e-7, cost_tolerance=1e-5)
REFINE_CRITERIA = StoppingCriteria(max_iterations=12, step_tolerance=1e-8, cost_tolerance=1e-6)
CONSTRAINT_SHARES = (1e-4, 1e-3, 1e-2, 1e-1)  # of the weight of constraints, one after another
MAX_WAYPOINTS = 8
OTHER_STARTS = 4  # around, that a drag which ended short is tried from
CONSTRAINT_BROKEN = 5e-4  # m; a constraint missed by more is broken
CONSTRAINT_SLIPS = 1e-4  # m; a task missed by more is asked for again by what it lacks
TARGET_MET = 3e-5  # m; a drag that ends nearer is met
MAX_SWEEPS = 8  # at most, of asking for what is missing
MAX_EFFORT = 100.0  # times what a straight answer takes: what a drag that is not met pulls with
MIN_FORCE = 1000.0  # N, that it pulls with in any case
MAX_CONSTRAINT_FORCE = (
    100.0  # times the force of drags that gave in: the most that what is kept pulls with
)


def solve_move(
    model: TangentModel,
    start: Floats,
    rest: Floats,
    drag_tasks: Sequence[PointTask],
    *,
    was_short: bool,
    briefly: bool,
) -> Descent:
    """A few brisk steps; if they end far from the drag and are not done, more that give in.

    Where the last move ended short, these alone; briefly, only the first.
    """
    handles, usual, x = model.handles, model.tasks, start
    regularisation = model.regularisation
    if not was_short:
        found = descend(model, start, regularisation, rest, handles.box, MOVE_CRITERIA)
        if briefly or found.converged or farthest(found.residuals, drag_tasks) <= DRAG_TOLERANCE:
            return found
        x = found.x
    less = limit_drag_forces(model, drag_tasks)
    for kept, criteria in (
        (model.constraint_tasks_at(CONSTRAINT_SHARES[1]), RELAXED_CRITERIA),
        (model.constraint_tasks, LIMITED_FORCE_CRITERIA),
    ):
        model.tasks = TaskList(less, kept)
        found = descend(model, x, regularisation, rest, handles.box, criteria)
        x = found.x
    model.tasks = usual
    return Descent(x, model.linearise(x), found.iterations, found.converged)


def limit_drag_forces(
    model: TangentModel, drag_tasks: Sequence[PointTask]
) -> tuple[PointTask, ...]:
    """Drags that are not met, pulling less hard: so many times as a straight answer would take.

    The last centimetres would take handles to their bounds, where a tremble of the pointer changes
    the whole motion.
    """
    yielding = model.yielding()
    effort = distance(model, drag_tasks) / yielding if yielding > 0 else 0.0
    near = max(MAX_EFFORT * effort, MIN_FORCE) / DRAG_WEIGHT
    return tuple(replace(task, saturation=min(near, task.saturation)) for task in drag_tasks)


def limit_constraint_forces(
    kept: Sequence[PointTask], drag_tasks: Sequence[PointTask]
) -> list[PointTask]:
    """What is kept, pulling at most so many times as hard as the drags do.

    A contact that the motion never kept would else outweigh everything, and where handles end would
    hang on how it is torn.
    """
    most = MAX_CONSTRAINT_FORCE * max(task.weight * task.saturation for task in drag_tasks)
    return [replace(task, saturation=most / task.weight) for task in kept]


def distance(model: TangentModel, drag_tasks: Sequence[PointTask]) -> float:
    """How far drags are from their targets at the beginning, all together, m."""
    return float(np.linalg.norm(TaskList(drag_tasks).rows(model.at_start).residual))


def solve_in_stages(
    model: TangentModel,
    start: Floats,
    rest: Floats,
    drag_tasks: Sequence[PointTask],
    criteria: StoppingCriteria,
    eased: Sequence[float] = CONSTRAINT_SHARES,
) -> Descent:
    """Descend with what is kept held ever harder.

    Held hard at once, it leaves a narrow bent valley in which only short steps go down.
    """
    handles, usual, x = model.handles, model.tasks, start
    regularisation = model.regularisation
    for share in eased if model.constraint_tasks.own else ():
        model.tasks = TaskList(drag_tasks, model.constraint_tasks_at(share))
        x = descend(model, x, regularisation, rest, handles.box, STAGE_CRITERIA).x
    model.tasks = usual
    return descend(model, x, regularisation, rest, handles.box, criteria)


def solve_along_waypoints(
    model: TangentModel, rest: Floats, drag_tasks: Sequence[PointTask]
) -> Floats:
    """From the beginning towards the drag: brisk steps for each short stretch, held softly.

    A leap makes light joints do too much, and may end in a hole beside the way.
    """
    handles, usual, x = model.handles, model.tasks, model.handles.box.clip(rest)
    regularisation, share = model.regularisation, CONSTRAINT_SHARES[0]
    for part in waypoints(drag_tasks, model.position(x), MAX_WAYPOINTS):
        drags = [eased(task, share) for task in part]
        model.tasks = TaskList(drags, model.constraint_tasks_at(share))
        x = descend(model, x, regularisation, rest, handles.box, MOVE_CRITERIA).x
    model.tasks = usual
    return x


def try_other_starts(
    model: TangentModel, found: Descent, rest: Floats, drag_tasks: Sequence[PointTask]
) -> Descent:
    """An answer that meets the drags from the beginning in one leap, or from places around.

    Else the one found already: which of two that both end short is nearer may change with a breath
    of the drag. Places around are for drags that nothing holds back, which take no time.
    """
    box, count = model.handles.box, len(rest)
    random = np.random.default_rng(count)
    around = [
        random.uniform(-1, 1, count)
        for _ in range(0 if model.constraint_tasks.own else OTHER_STARTS)
    ]
    for start in (rest, *around):
        tried = solve_in_stages(model, box.clip(start), rest, drag_tasks, RELEASE_CRITERIA)
        if is_met(tried, drag_tasks):
            return tried
    return found


def is_met(found: Descent, drag_tasks: Sequence[PointTask]) -> bool:
    """Whether drags end at their targets and nothing else is torn off."""
    return (
        farthest(found.residuals, drag_tasks) <= DRAG_TOLERANCE
        and slip(found.residuals, drag_tasks) < CONSTRAINT_BROKEN
    )


def refine(
    model: TangentModel, start: Floats, rest: Floats, drag_tasks: Sequence[PointTask]
) -> Floats:
    """Settled closely; what stiffness still takes from a drag in reach is asked for on top."""
    handles = model.handles
    regularisation = model.regularisation
    best = descend(model, start, regularisation, rest, handles.box, REFINE_CRITERIA)
    if TARGET_MET < farthest(best.residuals, drag_tasks) < 4 * DRAG_TOLERANCE:
        tried = solve_in_stages(
            model, best.x, rest, drag_tasks, RELEASE_CRITERIA, CONSTRAINT_SHARES[1:]
        )
        best = min(best, tried, key=lambda each: farthest(each.residuals, drag_tasks))
    usual, asked, x = model.tasks, tuple(drag_tasks), best.x
    for _ in range(MAX_SWEEPS):
        if not 1e-6 < farthest(best.residuals, drag_tasks) < 4 * DRAG_TOLERANCE:
            break
        there = model.position(x)
        asked = tuple(_beyond(*pair, there) for pair in zip(asked, drag_tasks, strict=True))
        model.tasks = TaskList(asked, model.constraint_tasks)
        x = descend(model, x, regularisation, rest, handles.box, REFINE_CRITERIA).x
        model.tasks = usual
        tried = Descent(x, model.linearise(x), 1, converged=True)
        if farthest(tried.residuals, drag_tasks) >= farthest(best.residuals, drag_tasks):
            break
        best = tried
    return best.x


def restore_constraints(
    model: TangentModel, found: Descent, rest: Floats, drag_tasks: Sequence[PointTask]
) -> Descent:
    """What is kept, asked for again by what a far drag pulls it off."""
    regularisation, box, usual = model.regularisation, model.handles.box, model.tasks
    best, kept = found, model.constraint_tasks.own
    for _ in range(MAX_SWEEPS):
        left = slip(best.residuals, drag_tasks)
        if left < CONSTRAINT_SLIPS:
            break
        kept = _regained(kept, model.constraint_tasks, model.there(best.x))
        model.tasks = TaskList(drag_tasks, TaskList(kept))
        x = descend(model, best.x, regularisation, rest, box, REFINE_CRITERIA).x
        model.tasks = usual
        tried = Descent(x, model.linearise(x), 1, converged=True)
        if slip(tried.residuals, drag_tasks) >= left:
            break
        best = tried
    return best


def _regained(
    asked: Sequence[PointTask], wanted: TaskList, there: PointJacobian
) -> tuple[PointTask, ...]:
    """Places asked for, moved on by what is missing of what is wanted."""
    rows = wanted.rows(there)
    moved: list[PointTask] = []
    for index, task in enumerate(asked):
        if task.position is not None and task.axes is None and not task.above:
            missing = rows.residual[rows.task == index][: task.position.size]  # places before turns
            task = replace(task, position=task.position + missing.reshape(-1, 3))
        moved.append(task)
    return tuple(moved)


def _beyond(asked: PointTask, wanted: PointTask, there: Floats) -> PointTask:
    """What was asked for, moved on by what is missing of what is wanted."""
    if asked.position is None or wanted.position is None:
        return asked
    missing = wanted.position - there[wanted.samples, wanted.place]
    return replace(asked, position=asked.position + missing)


def farthest(tasks: Residuals, drag_tasks: Sequence[PointTask]) -> float:
    """How far the drag that is furthest off is from what it wants, m."""
    assert tasks.task is not None
    if len(drag_tasks) == 1:  # its rows come first, three for each of place and orientation
        count = tasks.task[:6].tolist().count(0)
        return math.hypot(*tasks.residual[:count].tolist())
    each = (tasks.task >= 0) & (tasks.task < len(drag_tasks))
    squares = np.bincount(tasks.task[each], tasks.residual[each] ** 2, minlength=1)
    return math.sqrt(squares.max())


def slip(tasks: Residuals, drag_tasks: Sequence[PointTask]) -> float:
    """The largest residual of anything but the drags, m."""
    assert tasks.task is not None
    return float(np.abs(tasks.residual[tasks.task >= len(drag_tasks)]).max(initial=0.0))


def timed(handles: Handles, drags: Iterable[Drag]) -> Floats:
    """(N,) where unknowns rest: at the beginning, or with the timing scaled (eq. 12)."""
    rest = np.zeros(len(handles.stiffness))
    scaled = [drag for drag in drags if drag.time_scale]
    if not scaled:
        return rest
    ends = handles.begin + handles.length
    for drag in scaled:
        for s in np.flatnonzero((handles.begin <= drag.time) & (drag.time <= ends)):
            away = drag.time - handles.begin[s], ends[s] - drag.time
            for side in (0, 1):
                unknown = handles.unknown[2 * s + side, 0]
                if unknown >= 0:
                    step = drag.time_scale * away[side] / handles.factor[2 * s + side, 0]
                    rest[unknown] += step
    return handles.box.clip(rest)
