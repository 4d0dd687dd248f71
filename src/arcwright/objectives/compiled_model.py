"""CompiledModel: the compiled form of tasks about points, from unknowns to rows in one call."""

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


class CompiledModel:
    """Linearisation of a drag, worked out by the library."""

    def __init__(self, rig: Rig, places: Places, values: Floats, channels: Sequence[int]) -> None:
        self._plan = layout(rig, places.joints.tolist())
        self._columns = columns(self._plan, channels)
        self._places, self._values = places, values
        self.channels = self._columns.channels  # (D,) that move any of the points
        self._list: TaskList | None = None  # the last one, as
        self._own = ConstraintTable(())  # the part that follows the drag, and
        self._rest = ConstraintTable(())  # the part that stays
        self._rows: tuple[Layout, Ints] | None = None  # of both, and the task of each row
        self._curves: Curves | None = None
        self._whole = 1  # the first moments, of which everything is wanted
        self._factors: tuple[Ints, Ints] | None = None  # `unknown` and `segment` of Factors
        self._workspace: _Workspace | None = None
        self._ended: DescentEnd | None = None  # what the last descent left

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
        """Unknowns (N = count) move handles; `unknown` (T, D, 4) says which move each value.

        `segment` (T, D) is the segment of each value; `when` has the T times, then those of the
        smooth keys. Of the first times, `whole` of them, poses are wanted; of others only what
        tasks are about.
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
        """Unknowns (N,) move values of one moment by a step each."""
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
        self, tasks: TaskList, x: Floats, there: Evaluation | None
    ) -> tuple[Evaluation, Linearisation]:
        """Rows at x; `there` is what is known of x already."""
        assert compiled.library is not None
        own, rest, rows, task = self._prepared(tasks)
        known = there is not None
        block = there.block if there is not None else np.empty(self._size)
        most = len(task)
        found = np.empty(1 + 2 * most + len(self.channels) + rows.size)
        which = np.empty(most + 1, np.int64)
        x = np.array(x)
        count = compiled.library.arcwright_linearise(
            *(self._at, own.address, rest.address, address(x), known),
            *(address(block), address(found), address(which)),
        )
        if count < 0:
            raise MemoryError
        entry = found[1 + 2 * most + len(self.channels) :]
        if count < most:  # points that are above the floor task nothing
            rows, task = Layout(self._groups, rows.group[which[:count]]), task[which[:count]]
            entry = entry[: rows.size]
        residual, weight = found[1 : 1 + count], found[1 + most : 1 + most + count]
        answer = Linearisation(residual, Rows(rows, entry), weight, float(found[0]), task)
        return there or Evaluation(self.channels, self._shapes, block), answer

    def descended(
        self,
        tasks: TaskList,
        start: Floats,
        regularisation: Floats,
        rest: Floats,
        box: Box,
        criteria: StoppingCriteria,
    ) -> Descent | None:
        """A descent; what it left is known to `end_at`.

        None where the problem is too large, or a step needs more care than the library takes.
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
        work.bound(regularisation, rest, box, start)
        (times, channels), points = self._shapes[0], len(self._places)
        first = 4 + count + 2 * most
        out = np.empty(first + times * (channels + 12 * points))
        if compiled.library.arcwright_descend(*work.given, address(out), work.which_at) <= 0:
            return None
        steps, settled, cost, some = out[:4].tolist()
        rows, at = int(some), 4 + count
        task = task if rows == most else task[work.which[:rows]]
        weight = out[at + most : at + most + rows]
        residuals = FoundResiduals(out[at : at + rows], weight, cost, task)
        x = out[4 : 4 + count]
        self._ended = DescentEnd(x, out, first, (times, channels, points))
        return Descent(x, residuals, int(steps), settled == 1)

    def end_at(self, x: Floats) -> DescentEnd | None:
        """What is known of where the last descent ended, if that was with these unknowns."""
        return self._ended if self._ended is not None and self._ended.x is x else None

    def _scope(self, *programs: ConstraintTable) -> Scope | None:
        """What tasks need of all points, joints and values; None where that is everything."""
        times, plan = len(self._values), self._plan
        if self._curves is None or times <= self._whole:
            return None
        points = np.zeros((times, len(self._places)), bool)
        points[: self._whole] = True
        for program in programs:
            time, place, other = program.what[:, 1:4].T
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
        """Both parts of the list as the library reads them; what is alike is kept."""
        last = self._list
        if last is not tasks:
            self._take(self._own, tasks.own)
            if last is None or last.rest is not tasks.rest:
                self._take(self._rest, () if tasks.rest is None else tasks.rest.all)
            self._list = tasks
        own, rest = self._own, self._rest
        if self._rows is None:
            smooth = np.arange(self._smooth)
            group = np.concatenate([own.time, rest.time, len(self._values) + smooth])
            task = [own.task, rest.task + len(tasks.own), np.full(self._smooth, -1)]
            self._rows = Layout(self._groups, group), np.concatenate(task)
        return own, rest, *self._rows

    def _take(self, program: ConstraintTable, tasks: Sequence[PointTask]) -> None:
        if not program.follow(tasks):
            program.lay_out(tasks)
            self._rows = None


class _Workspace:
    """Room for descents with rows of one layout, laid out once and used again."""

    def __init__(
        self, drag: int, layout: Layout, scope: Scope | None, factors: tuple[Ints, Ints] | None
    ) -> None:
        assert compiled.library is not None
        self.layout = layout
        unknown, segment = factors or (0, 0)
        self._problem = Descending.of(
            *(drag, 0, 0, layout.address, scope or 0, unknown, segment, 0, 0.0, 0.0, 0.0)
        )
        problem = ctypes.addressof(self._problem)
        self._room = np.zeros(compiled.library.arcwright_descend_room(problem))
        self._bounds = np.empty(
            (5, layout.groups.unknowns)
        )  # regularisation, rest, low, high, start
        self._set: tuple[int, int, StoppingCriteria] | None = None
        self._bounded: tuple[Floats, Floats, Box] | None = None  # by which arrays
        self.which = np.empty(len(layout.group) + 1, np.int64)
        self.which_at = address(self.which)
        self.given = problem, address(self._bounds), address(self._room)

    def set(self, own: ConstraintTable, rest: ConstraintTable, criteria: StoppingCriteria) -> None:
        """What is tasks, and when to stop."""
        now = own.address, rest.address, criteria
        if self._set == now:
            return
        self._set, problem = now, self._problem
        problem.own, problem.rest = own.address, rest.address
        problem.steps, problem.move = criteria.max_iterations, criteria.step_tolerance
        problem.gain, problem.met = criteria.cost_tolerance, criteria.target_tolerance

    def bound(self, regularisation: Floats, rest: Floats, box: Box, start: Floats) -> None:
        """What unknowns cost, where they must stay and where they start."""
        bounds, last = self._bounds, self._bounded
        if (
            last is None
            or last[0] is not regularisation
            or last[1] is not rest
            or last[2] is not box
        ):
            bounds[0], bounds[1], bounds[2], bounds[3] = regularisation, rest, box.low, box.high
            self._bounded = regularisation, rest, box
        bounds[4] = start


def _has_factors(unknown: Ints, segment: Ints, count: int) -> bool:
    """Whether every unknown moves one handle of one segment, so that rows can be factors."""
    place = 4 * segment[:, :, None] + np.arange(4)
    used = unknown < count
    owner = np.full(count, -1)
    owner[unknown[used]] = place[used]
    return bool((owner[unknown[used]] == place[used]).all())


def can_compile(tasks: Sequence[PointTask]) -> bool:
    """Whether the library is there and knows such tasks."""
    few = all(task.axes is None or len(task.axes) <= _MOST_AXES for task in tasks)
    return compiled.library is not None and few
