"""Compiled model: point tasks linearised, or a whole descent made, in one call of the library."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.compiled import library as compiled
from arcwright.compiled.library import address, ints
from arcwright.kinematics.columns import columns
from arcwright.kinematics.layout import layout
from arcwright.kinematics.places import Places
from arcwright.objectives.constraint_table import ConstraintTable
from arcwright.objectives.evaluation import DescentEnd, Evaluation
from arcwright.objectives.point_tasks import PointTask, TaskList
from arcwright.objectives.structs import Curves, Descending, Drag, Scope, Smooth
from arcwright.scene.rig import Rig
from arcwright.solve.descent import Descent, StoppingCriteria
from arcwright.solve.model import FoundResiduals, Linearisation
from arcwright.solve.problem import Box
from arcwright.solve.rows import Groups, Layout, Rows
from arcwright.solve.step import is_small

_MOST_AXES = 3
_HEAD = 5  # iterations, convergence, cost, rows and damping of a descent


class CompiledModel:
    """The tasks of a drag as functions of unknowns, evaluated by the compiled library."""

    def __init__(self, rig: Rig, places: Places, values: Floats, channels: Sequence[int]) -> None:
        self._plan = layout(rig, places.joints.tolist())
        self._columns = columns(self._plan, channels)
        self._places, self._values = places, values
        self.channels = self._columns.channels  # (D,) that move any of the points
        self._list: TaskList | None = None  # the last one
        self._own = ConstraintTable(())  # its tasks of drags
        self._rest = ConstraintTable(())  # its tasks of constraints
        self._rows: tuple[Layout, Ints] | None = None  # of both tables, and the task of each row
        self._curves: Curves | None = None
        self._whole = 1  # the first sample times, at which all poses are needed
        self._factors: tuple[Ints, Ints] | None = None  # `unknown` and `segment` of Factors
        self._workspace: _Workspace | None = None
        self._ended: DescentEnd | None = None  # the end of the last descent

    def along_curves(
        self,
        curves: Curves,
        unknown: Ints,
        segment: Ints,
        count: int,
        smooth: Smooth,
        when: Floats,
        whole: int,
    ) -> CompiledModel:
        """Unknowns (N = count) move handles; `unknown` (T, D, 4) lists those of each value.

        `segment` (T, D) is the segment of each value; `when` has the T times, then those of the
        smooth keys. At the first `whole` times, whole poses are evaluated; at others only
        the points with tasks.
        """
        nothing = np.zeros(0)
        self._curves, self._whole = curves, whole
        self._set(4, curves, (0, nothing, nothing, nothing), smooth)
        lists = [*unknown.reshape(len(unknown), -1), *smooth.kept[0]]
        self._groups = Groups(count, lists, when)
        if self._smooth == 0 and _has_factors(unknown, segment, count):
            self._factors = ints(np.where(unknown < count, unknown, 0)), ints(segment)
        return self

    def straight(self, channels: Ints, step: Floats) -> CompiledModel:
        """Unknowns (N,) change channel values at one time, each by its own step."""
        shift = np.searchsorted(self.channels, channels)
        known = np.append(self.channels, -1)[shift] == channels
        unknown = np.flatnonzero(known)
        self._set(1, 0, (len(step), channels, np.where(known, shift, -1), step), 0)
        self._groups = Groups(len(step), [unknown])
        return self

    def _set(self, each: int, curves: Any, steps: tuple[Any, ...], smooth: Any) -> None:
        times, count = len(self._values), len(self.channels)
        self._smooth = 0 if smooth == 0 else len(smooth.kept[0])
        self._drag = Drag.of(
            *(self._plan.chain.address, times, count, each, self._columns.slots.address),
            *(self._places.offsets, self._values, curves, *steps, smooth if self._smooth else 0),
        )
        self._at = ctypes.addressof(self._drag)
        points, each_point = len(self._places), 3 + 9 + 6 * count
        self._shapes = (
            (times, self._values.shape[1]),
            (times, count, each),
            (times, points, 3),
            (times, points, 3, 3),
            (times, points, 3, count),
            (times, points, 3, count),
        )
        self._size = times * (self._values.shape[1] + count * each + points * each_point)

    def linearise(
        self, tasks: TaskList, x: Floats, known: Evaluation | None
    ) -> tuple[Evaluation, Linearisation]:
        """Rows at x; `known` is the evaluation at x where there is one already."""
        assert compiled.library is not None
        own, rest, rows, task = self._prepared(tasks)
        block = known.block if known is not None else np.empty(self._size)
        most = len(task)
        found = np.empty(1 + 2 * most + len(self.channels) + rows.size)
        which = np.empty(most + 1, np.int64)
        x = np.array(x)
        count = compiled.library.arcwright_linearise(
            *(self._at, own.address, rest.address, address(x), known is not None),
            *(address(block), address(found), address(which)),
        )
        if count < 0:
            raise MemoryError
        entry = found[1 + 2 * most + len(self.channels) :]
        if count < most:  # points above the floor have no rows
            rows, task = Layout(self._groups, rows.group[which[:count]]), task[which[:count]]
            entry = entry[: rows.size]
        residual, weight = found[1 : 1 + count], found[1 + most : 1 + most + count]
        answer = Linearisation(residual, Rows(rows, entry), weight, float(found[0]), task)
        return known or Evaluation(self.channels, self._shapes, block), answer

    def descended(
        self,
        tasks: TaskList,
        start: Floats,
        regularisation: Floats,
        reference: Floats,
        box: Box,
        criteria: StoppingCriteria,
    ) -> Descent | None:
        """A whole descent; `end_at` has its poses and points.

        None where the problem is too large, or the library cannot solve a step.
        """
        assert compiled.library is not None
        own, remaining, layout, task = self._prepared(tasks)
        most, count = len(task), self._groups.unknowns
        work = self._workspace
        if work is None or work.layout is not layout:
            width = None if self._factors is None else len(self.channels)
            if not is_small((most, count), width):
                return None
            scope = self._scope(own, remaining)
            work = self._workspace = _Workspace(self._at, layout, scope, self._factors)
        work.set(own, remaining, criteria)
        work.bound(regularisation, reference, box, start)
        (times, channels), points = self._shapes[0], len(self._places)
        first = _HEAD + count + 2 * most
        out = np.empty(first + times * (channels + 12 * points))
        if compiled.library.arcwright_descend(*work.given, address(out), work.which_at) <= 0:
            return None
        iterations, converged, cost, some, damping = out[:_HEAD].tolist()
        rows, at = int(some), _HEAD + count
        task = task if rows == most else task[work.which[:rows]]
        weight = out[at + most : at + most + rows]
        residuals = FoundResiduals(out[at : at + rows], weight, cost, task)
        x = out[_HEAD:at]
        self._ended = DescentEnd(x, out, first, (times, channels, points))
        return Descent(x, residuals, int(iterations), converged == 1, damping)

    def end_at(self, x: Floats) -> DescentEnd | None:
        """The end of the last descent, if it ended at these unknowns."""
        return self._ended if self._ended is not None and self._ended.x is x else None

    def _scope(self, *tables: ConstraintTable) -> Scope | None:
        """The points, joints and values that tasks need; None where they need all."""
        times, plan = len(self._values), self._plan
        if self._curves is None or times <= self._whole:
            return None
        points = np.zeros((times, len(self._places)), bool)
        points[: self._whole] = True
        for table in tables:
            time, place, other = table.what[:, 1:4].T
            points[time, place] = True
            points[time[other >= 0], other[other >= 0]] = True
        joints = points @ plan.ancestry[plan.wanted] > 0  # (T, A)
        joint = np.full(plan.channels, len(plan.joints))  # of each channel; the last for none
        own = plan.driven >= 0
        joint[plan.driven[own]] = np.nonzero(own)[0]
        moving = np.append(joints, np.zeros((times, 1), bool), axis=1)
        moving[: self._whole] = True
        value, slope, segment, fraction, *others = self._curves.kept
        needed = moving[value // plan.channels, joint[value % plan.channels]]
        few = (each[needed] for each in (value, slope, segment, fraction))
        curves = Curves.of(int(needed.sum()), *few, *others)
        return Scope.of(curves, points.astype(np.int64), joints.astype(np.int64))

    def _prepared(self, tasks: TaskList) -> tuple[ConstraintTable, ConstraintTable, Layout, Ints]:
        """Both parts of the list as tables; tables with the same rows are updated in place."""
        last = self._list
        if last is not tasks:
            self._update(self._own, tasks.own)
            if last is None or last.rest is not tasks.rest:
                self._update(self._rest, () if tasks.rest is None else tasks.rest.all)
            self._list = tasks
        own, rest = self._own, self._rest
        if self._rows is None:
            smooth = np.arange(self._smooth)
            group = np.concatenate([own.time, rest.time, len(self._values) + smooth])
            task = [own.task, rest.task + len(tasks.own), np.full(self._smooth, -1)]
            self._rows = Layout(self._groups, group), np.concatenate(task)
        return own, rest, *self._rows

    def _update(self, table: ConstraintTable, tasks: Sequence[PointTask]) -> None:
        if not table.follow(tasks):
            table.lay_out(tasks)
            self._rows = None


class _Workspace:
    """Memory for descents with rows of one layout, allocated once."""

    def __init__(
        self, drag: int, layout: Layout, scope: Scope | None, factors: tuple[Ints, Ints] | None
    ) -> None:
        assert compiled.library is not None
        self.layout = layout
        unknown, segment = factors or (0, 0)
        self._problem = Descending.of(
            *(drag, 0, 0, layout.address, scope or 0, unknown, segment, 0, 0.0, 0.0, 0.0, 0.0, 0.0)
        )
        problem = ctypes.addressof(self._problem)
        self._room = np.zeros(compiled.library.arcwright_descend_room(problem))
        self._bounds = np.empty(
            (5, layout.groups.unknowns)
        )  # regularisation, reference, low, high, start
        self._set: tuple[int, int, StoppingCriteria] | None = None
        self._bounded: tuple[Floats, Floats, Box] | None = None  # by which arrays
        self.which = np.empty(len(layout.group) + 1, np.int64)
        self.which_at = address(self.which)
        self.given = problem, address(self._bounds), address(self._room)

    def set(self, own: ConstraintTable, rest: ConstraintTable, criteria: StoppingCriteria) -> None:
        """Set the tasks and the stopping criteria."""
        now = own.address, rest.address, criteria
        if self._set == now:
            return
        self._set, problem = now, self._problem
        problem.own, problem.rest = own.address, rest.address
        problem.max_iterations = criteria.max_iterations
        problem.step_tolerance = criteria.step_tolerance
        problem.cost_tolerance = criteria.cost_tolerance
        problem.target_tolerance = criteria.target_tolerance
        problem.climb = criteria.climb
        problem.damping = criteria.damping

    def bound(self, regularisation: Floats, reference: Floats, box: Box, start: Floats) -> None:
        """Set regularisation, reference, bounds and start of the unknowns."""
        bounds, last = self._bounds, self._bounded
        if (
            last is None
            or last[0] is not regularisation
            or last[1] is not reference
            or last[2] is not box
        ):
            bounds[0], bounds[1], bounds[2], bounds[3] = (
                regularisation,
                reference,
                box.low,
                box.high,
            )
            self._bounded = regularisation, reference, box
        bounds[4] = start


def _has_factors(unknown: Ints, segment: Ints, count: int) -> bool:
    """Whether every unknown moves one handle of one segment, so that rows can be factors."""
    place = 4 * segment[:, :, None] + np.arange(4)
    used = unknown < count
    owner = np.full(count, -1)
    owner[unknown[used]] = place[used]
    return bool((owner[unknown[used]] == place[used]).all())


def can_compile(tasks: Sequence[PointTask]) -> bool:
    """Whether the library is loaded and supports these tasks."""
    few = all(task.axes is None or len(task.axes) <= _MOST_AXES for task in tasks)
    return compiled.library is not None and few
