"""DragProblem: a prepared edit with its models; follows the drags and solves each move."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.freedom import LEVEL, Freedom, freedom_of
from arcwright.objectives.point_tasks import FIRM, PointTask, TaskList, drag_task
from arcwright.scene.scene import Scene
from arcwright.solve.descent import Descent, StoppingCriteria, descend
from arcwright.solve.model import Residuals
from arcwright.tools.gesture import UNMOVED, Drag
from arcwright.tools.shared.drags import DRAG_TOLERANCE
from arcwright.tools.tangent.edit_window import EditWindow, edit_window
from arcwright.tools.tangent.handles import Handles
from arcwright.tools.tangent.limited_forces import limit_constraint_forces, limit_drag_forces
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.preparation import PreparedEdit, prepare_edit

if TYPE_CHECKING:
    from arcwright.tools.tangent.tool import TangentOptions

SLIP = 4e-5  # m; a larger residual between samples adds a sample there
MAX_ADDED_SAMPLES = 48
STILL = 1.1 * UNMOVED  # m
AROUND = np.array([0.125, 0.25, 0.5, 1.0, 2.0])  # frames before and after an unmet drag
MOVE_CRITERIA = StoppingCriteria(
    max_iterations=8, step_tolerance=1e-7, cost_tolerance=1e-3, target_tolerance=3e-5
)
RELAXED_CRITERIA = StoppingCriteria(max_iterations=3, step_tolerance=1e-7, cost_tolerance=1e-4)
RELAXED_SHARE = 1e-3  # of the constraint weights
LIMITED_FORCE_CRITERIA = StoppingCriteria(
    max_iterations=5, step_tolerance=1e-7, cost_tolerance=1e-5
)
SOFT_CRITERIA = replace(MOVE_CRITERIA, max_iterations=4)
SOFT_SHARE = 1e-2  # of the constraint weights, at first where there are bounds
_Asked = tuple[bool, float, str]  # tied, upright, without which constraint


class KnownEdits:
    """Windows of edits of the same points, and what was prepared without added samples."""

    def __init__(self) -> None:
        self.windows: dict[_Asked, EditWindow] = {}
        self.prepared: dict[tuple[_Asked, bytes], PreparedEdit] = {}  # by sample times


class DragProblem:
    """Drags of points at given times, with the prepared edit and its models."""

    def __init__(
        self,
        scene: Scene,
        edited: EditedClip,
        options: TangentOptions,
        drags: Sequence[Drag],
        known: KnownEdits | None = None,
    ) -> None:
        self.scene = scene
        self.edited = edited
        self.options = options
        timed = any(drag.time_scale for drag in drags)  # these move handles along time
        self.tied = options.tangents == "smooth" and not timed  # whether smooth keys stay smooth
        self.added_samples: list[float] = []  # s, additional sample times of constraints
        self._known = KnownEdits() if known is None else known
        self._limits_constraints = False
        self._still: tuple[tuple[PointTask, ...], TangentModel, bool] | None = None
        self.follow(drags)
        self._prepare_models()

    def restarted(self, drags: Sequence[Drag] | None = None) -> DragProblem:
        """The problem with the initial sample times, or with other drags of the same points."""
        drags = self.drags if drags is None else drags
        return DragProblem(self.scene, self.edited, self.options, drags, self._known)

    def follow(self, drags: Sequence[Drag]) -> None:
        """Take over new targets of the same points."""
        self.drags = tuple(drags)
        self.drag_tasks = tuple(
            drag_task(drag, index, index)
            for index, drag in enumerate(self.drags)
            if drag.position is not None or drag.orientation is not None
        )

    def untie(self) -> bool:
        """Allow smooth keys to break, where drags cannot be met otherwise; whether any can."""
        tied = self.prepared.handles.unknown
        self.tied, self.added_samples = False, []
        self._prepare_models()
        return not np.array_equal(tied, self.prepared.handles.unknown)

    def limit_forces(self) -> None:
        """Limit the forces of drags that cannot be met, and sample constraints around them."""
        self.drag_tasks, self._limits_constraints = (
            limit_drag_forces(self.model(), self.drag_tasks),
            True,
        )
        self.added_samples = around(self.drags, self.prepared.span, AROUND / self.edited.take.rate)
        self._prepare_models()

    def _prepare_models(self) -> None:
        self.prepared = self.prepare()
        self._models: dict[PreparedEdit, TangentModel] = {}
        self._damping = 0.0  # that the last move ended with

    def prepare(self, without: str = "", at: Floats | None = None) -> PreparedEdit:
        """Prepare the edit, without the constraint of that name, or sampled at other times."""
        if at is None and self.added_samples:
            return prepare_edit(self._window(without), more=self.added_samples)
        asked, known = self._asked(without), self._known.prepared
        sampled = asked, b"" if at is None else at.tobytes()
        if sampled not in known:
            known[sampled] = prepare_edit(self._window(without), at=at)
        return known[sampled]

    def _asked(self, without: str) -> _Asked:
        return self.tied, self._freedom().upright, without

    def _freedom(self) -> Freedom:
        return freedom_of(self.edited, self.options, self.drags, LEVEL)

    def _window(self, without: str) -> EditWindow:
        asked, known = self._asked(without), self._known.windows
        if asked not in known:
            known[asked] = edit_window(
                self.scene,
                self.edited.actor,
                self.edited.take,
                [(drag.point, drag.time) for drag in self.drags],
                self._freedom(),
                time_reach=self.options.time_reach,
                unified=self.options.tangents == "unified",
                smooth=self.tied,
                floor=self.options.floor_height,
                without=without,
            )
        return known[asked]

    def model(self, prepared: PreparedEdit | None = None) -> TangentModel:
        """The model of a prepared edit (by default the own one) with the current drags as tasks."""
        prepared = prepared or self.prepared
        model = self._models.get(prepared)
        if model is None:
            smooth = bool(self.drag_tasks) and self.options.tangents != "broken"
            model = TangentModel(self.edited.take.rig, prepared, smoothness=1.0 if smooth else 0.0)
            if self._limits_constraints:
                model.limited = True
                model.constraint_tasks = TaskList(
                    limit_constraint_forces(model.constraint_tasks.own, self.drag_tasks)
                )
            self._models[prepared] = model
        if model.tasks.own is not self.drag_tasks:
            model.tasks = TaskList(self.drag_tasks, model.constraint_tasks)
        return model

    def reference(self, prepared: PreparedEdit) -> Floats:
        """(N,) the reference of the unknowns."""
        if any(drag.time_scale for drag in self.drags):
            return scaled_timing(prepared.handles, self.drags)
        return self.model(prepared).beginning

    def solve(self, prepared: PreparedEdit, start: Floats, *, was_unmet: bool = False) -> Descent:
        """Solve a move, starting from given unknowns."""
        model = self.model(prepared)
        if self.is_still(model):
            nothing = np.zeros(len(prepared.handles.stiffness))
            return Descent(nothing, model.linearise(nothing), 1, converged=True)
        reference = self.reference(prepared)  # unmet tied problems are untied by the caller
        found = solve_move(
            model,
            start,
            reference,
            self.drag_tasks,
            self._damping,
            was_unmet=was_unmet,
            briefly=self.tied,
        )
        self._damping = found.damping
        return found

    def is_still(self, model: TangentModel) -> bool:
        """Whether all drags are where they began, so that the edit is empty.

        Zero unknowns are not enough: slerp segments are only approximated by handles.
        """
        known = self._still
        if known is None or known[0] is not self.drag_tasks or known[1] is not model:
            self._still = self.drag_tasks, model, self._unmoved(model)
        assert self._still is not None
        return self._still[2]

    def _unmoved(self, model: TangentModel) -> bool:
        if any(drag.time_scale for drag in self.drags):
            return False
        for task in self.drag_tasks:
            if task.position is not None and task.axes is None:
                there = model.at_start.position[task.samples[0], task.place].tolist()
                away = map(float.__sub__, task.position[0].tolist(), there)
                if max(map(abs, away)) >= STILL:
                    return False
        rows = TaskList(self.drag_tasks).rows(model.at_start)
        return bool(np.abs(rows.residual).max(initial=0.0) < STILL)

    def add_samples(self, found: Descent, check: PreparedEdit) -> bool:
        """Add samples where constraints slip between samples; whether there were any."""
        slipped = self._slips(found, check)
        if slipped:
            self.added_samples += slipped
            self._prepare_models()
        return bool(slipped)

    def _slips(self, found: Descent, check: PreparedEdit) -> list[float]:
        """Times at which a residual peaks well above those at the samples."""
        if len(self.added_samples) >= MAX_ADDED_SAMPLES:
            return []
        model = self.model(check)
        rows = model.constraint_tasks.rows(model.places_with(found.x))
        first = len(self.drag_tasks)
        peaks: list[float] = []
        assert found.residuals.task is not None
        for task in np.unique(rows.task):
            if check.constraint_tasks[task].weight < FIRM:
                continue
            own = np.flatnonzero(rows.task == task)
            sampled = found.residuals.residual[found.residuals.task == task + first]
            most = SLIP + 2 * np.abs(sampled).max(initial=0.0)
            peaks += _peaks(check.times[rows.time[own]], np.abs(rows.residual[own]), most)
        room = MAX_ADDED_SAMPLES - len(self.added_samples)
        return sorted(set(peaks))[:room]


def around(drags: Sequence[Drag], span: tuple[float, float], away: Floats) -> list[float]:
    """Times at given distances before and after drags, clipped to a span, in order."""
    held = np.array([drag.time for drag in drags])
    times = np.add.outer(held, np.concatenate([-away, away]))
    return [float(time) for time in np.unique(np.clip(times, *span))]


def _peaks(times: Floats, residual: Floats, most: float) -> list[float]:
    """Times of local maxima of a residual above `most`."""
    when, which = np.unique(times, return_inverse=True)
    worst = np.zeros(len(when))
    np.maximum.at(worst, which, residual)
    around = np.concatenate([[0.0], worst, [0.0]])
    peak = (worst > most) & (worst >= around[:-2]) & (worst > around[2:])
    return [float(time) for time in when[peak]]


def solve_move(
    model: TangentModel,
    start: Floats,
    reference: Floats,
    drag_tasks: Sequence[PointTask],
    damping: float,
    *,
    was_unmet: bool,
    briefly: bool,
) -> Descent:
    """A few iterations; where they neither converge nor meet the drags, more with limited forces.

    Steps begin as damped as the last move ended: undamped, all may be too long to lower the cost.
    Where the last move missed its target, only the latter; with `briefly`, only the former. Bounds,
    as of heels, make narrow valleys: there constraints are weak at first.
    """
    handles, usual, x = model.handles, model.tasks, start
    regularisation = model.regularisation
    if not was_unmet:
        if any(task.above for task in model.constraint_tasks.own):
            model.tasks = TaskList(drag_tasks, model.constraint_tasks_at(SOFT_SHARE))
            soft = descend(model, x, regularisation, reference, handles.box, SOFT_CRITERIA)
            model.tasks, x = usual, soft.x
        criteria = replace(MOVE_CRITERIA, damping=damping) if damping else MOVE_CRITERIA
        found = descend(model, x, regularisation, reference, handles.box, criteria)
        damping = found.damping
        if briefly or found.converged or farthest(found.residuals, drag_tasks) <= DRAG_TOLERANCE:
            return found
        x = found.x
    limited = limit_drag_forces(model, drag_tasks)
    for constraints, criteria in (
        (model.constraint_tasks_at(RELAXED_SHARE), RELAXED_CRITERIA),
        (model.constraint_tasks, LIMITED_FORCE_CRITERIA),
    ):
        model.tasks = TaskList(limited, constraints)
        damped = replace(criteria, damping=damping)
        found = descend(model, x, regularisation, reference, handles.box, damped)
        x, damping = found.x, found.damping
    model.tasks = usual
    return Descent(x, model.linearise(x), found.iterations, found.converged, damping)


def farthest(tasks: Residuals, drag_tasks: Sequence[PointTask]) -> float:
    """The largest residual of a drag, m."""
    assert tasks.task is not None
    if len(drag_tasks) == 1:  # its rows come first, three each for position and orientation
        count = tasks.task[:6].tolist().count(0)
        return math.hypot(*tasks.residual[:count].tolist())
    each = (tasks.task >= 0) & (tasks.task < len(drag_tasks))
    squares = np.bincount(tasks.task[each], tasks.residual[each] ** 2, minlength=1)
    return math.sqrt(squares.max())


def scaled_timing(handles: Handles, drags: Iterable[Drag]) -> Floats:
    """(N,) the reference of the unknowns for drags that scale the timing (eq. 12)."""
    reference = np.zeros(len(handles.stiffness))
    scaled = [drag for drag in drags if drag.time_scale]
    if not scaled:
        return reference
    ends = handles.begin + handles.length
    for drag in scaled:
        for s in np.flatnonzero((handles.begin <= drag.time) & (drag.time <= ends)):
            away = drag.time - handles.begin[s], ends[s] - drag.time
            for side in (0, 1):
                unknown = handles.unknown[2 * s + side, 0]
                if unknown >= 0:
                    step = drag.time_scale * away[side] / handles.factor[2 * s + side, 0]
                    reference[unknown] += step
    return handles.box.clip(reference)
