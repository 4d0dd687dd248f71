"""DragProblem: a prepared edit with its models, following the drags."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.freedom import freedom_of
from arcwright.objectives.point_tasks import PointTask, TaskList
from arcwright.scene.scene import Scene
from arcwright.solve.descent import Descent
from arcwright.tools.gesture import UNMOVED, Drag
from arcwright.tools.shared.drags import drag_task
from arcwright.tools.tangent.model import TangentModel
from arcwright.tools.tangent.preparation import PreparedEdit, prepare_edit
from arcwright.tools.tangent.solve_stages import (
    limit_constraint_forces,
    limit_drag_forces,
    solve_move,
    timed,
)

if TYPE_CHECKING:
    from arcwright.tools.tangent.tool import TangentOptions

SLIP = 4e-5  # m; a task missed by more between its samples gets another one
MOST_MORE = 48  # samples added
STILL = 1.1 * UNMOVED  # m
AROUND = np.array([0.125, 0.25, 0.5, 1.0, 2.0])  # frames before and after a drag that gave in


class DragProblem:
    """Some points in the drag, at the times they are held."""

    def __init__(
        self,
        scene: Scene,
        edited: EditedClip,
        options: TangentOptions,
        drags: Sequence[Drag],
    ) -> None:
        self.scene = scene
        self.edited = edited
        self.options = options
        timed = any(drag.time_scale for drag in drags)  # which moves handles along time
        self.tied = options.tangents == "smooth" and not timed  # whether smooth keys stay so
        self.more: list[float] = []  # s, where tasks are sampled besides
        self._limits_kept = False
        self._still: tuple[tuple[PointTask, ...], TangentModel, bool] | None = None
        self.follow(drags)
        self._take_hold()

    def afresh(self) -> DragProblem:
        """One that holds the same, with tasks sampled as at the beginning."""
        return DragProblem(self.scene, self.edited, self.options, self.drags)

    def follow(self, drags: Sequence[Drag]) -> None:
        """The same points are wanted elsewhere."""
        self.drags = tuple(drags)
        self.drag_tasks = tuple(
            drag_task(drag, index, index)
            for index, drag in enumerate(self.drags)
            if drag.position is not None or drag.orientation is not None
        )

    def untie(self) -> None:
        """Let smooth keys break: with those tied, drags are not met."""
        self.tied, self.more = False, []
        self._take_hold()

    def give_in(self) -> None:
        """Pull less hard at targets that are not met; sample what is kept around them."""
        self.drag_tasks, self._limits_kept = limit_drag_forces(self.model(), self.drag_tasks), True
        self.more = around(self.drags, self.prepared.span, AROUND / self.edited.take.rate)
        self._take_hold()

    def _take_hold(self) -> None:
        self.prepared = self.prepare()
        self._models: dict[PreparedEdit, TangentModel] = {}

    def prepare(self, without: str = "", at: Floats | None = None) -> PreparedEdit:
        """The prepared edit, without some task, or sampled at other times."""
        return prepare_edit(
            self.scene,
            self.edited.actor,
            self.edited.take,
            [(drag.point, drag.time) for drag in self.drags],
            freedom_of(self.edited, self.options),
            reach=self.options.reach,
            unified=self.options.tangents == "unified",
            smooth=self.tied,
            floor=self.options.floor,
            without=without,
            more=self.more,
            at=at,
        )

    def model(self, held: PreparedEdit | None = None) -> TangentModel:
        """The model of a prepared edit (by default the own one) with the current drags as tasks."""
        held = held or self.prepared
        model = self._models.get(held)
        if model is None:
            smooth = bool(self.drag_tasks) and self.options.tangents != "broken"
            model = TangentModel(self.edited.take.rig, held, smoothness=1.0 if smooth else 0.0)
            if self._limits_kept:
                model.constraint_tasks = TaskList(
                    limit_constraint_forces(model.constraint_tasks.own, self.drag_tasks)
                )
            self._models[held] = model
        if model.tasks.own is not self.drag_tasks:
            model.tasks = TaskList(self.drag_tasks, model.constraint_tasks)
        return model

    def rest(self, held: PreparedEdit) -> Floats:
        """(N,) where the unknowns rest."""
        if any(drag.time_scale for drag in self.drags):
            return timed(held.handles, self.drags)
        return self.model(held).beginning

    def solve(self, held: PreparedEdit, start: Floats, *, was_short: bool = False) -> Descent:
        """From unknowns to where they settle."""
        model = self.model(held)
        if self.still(model):
            nothing = np.zeros(len(held.handles.stiffness))
            return Descent(nothing, model.linearise(nothing), 1, converged=True)
        rest = self.rest(held)  # a tied one that is not met soon is untied
        return solve_move(
            model, start, rest, self.drag_tasks, was_short=was_short, briefly=self.tied
        )

    def still(self, model: TangentModel) -> bool:
        """Whether the drag is where everything began: then nothing is to be done.

        Handles at rest need not say so: where curves turn evenly (slerp), they run nearby only.
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
        """Whether tasks slipped at the times of another preparation; then they are sampled there, too."""
        slipped = self._slips(found, check)
        if slipped:
            self.more += slipped
            self._take_hold()
        return bool(slipped)

    def _slips(self, found: Descent, check: PreparedEdit) -> list[float]:
        """The times where a task is missed by more than at its samples, most at its peaks."""
        if len(self.more) >= MOST_MORE:
            return []
        model = self.model(check)
        rows = model.constraint_tasks.rows(model.places_at(model.values(found.x)[0]))
        first = len(self.drag_tasks)
        missed: list[float] = []
        assert found.residuals.task is not None
        for task in np.unique(rows.task):
            own = np.flatnonzero(rows.task == task)
            sampled = found.residuals.residual[found.residuals.task == task + first]
            most = SLIP + 2 * np.abs(sampled).max(initial=0.0)
            missed += _peaks(check.times[rows.time[own]], np.abs(rows.residual[own]), most)
        room = MOST_MORE - len(self.more)
        return sorted(set(missed))[:room]


def around(drags: Sequence[Drag], span: tuple[float, float], away: Floats) -> list[float]:
    """Times, in a span, so far before and after drags, in order."""
    held = np.array([drag.time for drag in drags])
    times = np.add.outer(held, np.concatenate([-away, away]))
    return [float(time) for time in np.unique(np.clip(times, *span))]


def _peaks(times: Floats, residual: Floats, most: float) -> list[float]:
    """The times where a residual is above what is allowed and above those before and after it."""
    when, which = np.unique(times, return_inverse=True)
    worst = np.zeros(len(when))
    np.maximum.at(worst, which, residual)
    around = np.concatenate([[0.0], worst, [0.0]])
    peak = (worst > most) & (worst >= around[:-2]) & (worst > around[2:])
    return [float(time) for time in when[peak]]
