"""The maths of motion curves: from handle unknowns to tasks and their derivatives.

With λ the parameter of a segment at time t, p = 3λ(1-λ)², q = 3λ²(1-λ) and m = dc/dt, a value
changes with the segment's handles (X0, Y0), (X1, Y1) by [-m p, p, m q, -q].
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.bezier_parameter import bezier_parameter
from arcwright.kinematics.columns import columns
from arcwright.kinematics.jacobian import PointJacobian, point_jacobian
from arcwright.kinematics.layout import layout
from arcwright.objectives.compiled_model import CompiledModel, can_compile
from arcwright.objectives.evaluation import Evaluation, cached, evaluation_of
from arcwright.objectives.point_tasks import Rows, TaskList, with_weight_share
from arcwright.objectives.structs import Curves
from arcwright.objectives.structs import Smooth as SmoothKeys
from arcwright.scene.rig import Rig
from arcwright.solve.descent import Descent, StoppingCriteria
from arcwright.solve.model import Linearisation
from arcwright.solve.problem import Box
from arcwright.tools.tangent.handles import Smooth
from arcwright.tools.tangent.preparation import PreparedEdit
from arcwright.tools.tangent.samples import Parts, Samples


class TangentModel:
    """Point tasks as functions of the unknowns of Bezier handles."""

    def __init__(self, rig: Rig, prepared: PreparedEdit, *, smoothness: float = 0.0) -> None:
        self.rig = rig
        self.places = prepared.places
        self.handles = handles = prepared.handles
        self.constraint_tasks = TaskList(prepared.constraint_tasks)
        self.tasks = self.constraint_tasks  # replaced when the drag moves
        self.limited = False  # whether drags out of reach and constraints have limited forces
        self.smoothness = smoothness  # weight of smooth keys staying smooth (w_b of eq. 10)
        self.samples = Samples.of(handles, prepared.times, prepared.values)
        self._weakened: dict[float, TaskList] = {}
        self._memo: tuple[Floats, Evaluation] | None = None  # the last x and its evaluation
        self._times = times = prepared.times
        self._held = len(prepared.held)
        free = self.samples.segment >= 0
        self._at = np.nonzero(free)  # (F,) times, columns
        self._segment = self.samples.segment[free]
        length = handles.length[self._segment]
        self._fraction = (times[self._at[0]] - handles.begin[self._segment]) / length
        self._factor = handles.factor.reshape(-1, 4)[self._segment]
        self.unknowns = len(handles.stiffness)
        self._unknown = np.full((*free.shape, 4), self.unknowns, np.int64)  # (T, D, 4)
        self._unknown[free] = handles.unknown.reshape(-1, 4)[self._segment]
        self._unknown[self._unknown < 0] = self.unknowns

    @cached_property
    def regularisation(self) -> Floats:
        """(N,) weight of each squared unknown."""
        regularisation: Floats = self.handles.stiffness**2
        return regularisation

    @cached_property
    def beginning(self) -> Floats:
        """(N,) the unknowns of the motion as it was."""
        return np.zeros(self.unknowns)

    def constraint_tasks_at(self, share: float) -> TaskList:
        """The constraint tasks with a share of their weight."""
        if share not in self._weakened:
            self._weakened[share] = TaskList(
                [with_weight_share(task, share) for task in self.constraint_tasks.own]
            )
        return self._weakened[share]

    def compliance(self) -> float:
        """Mean compliance of the first dragged point: metres per unit of force."""
        evaluation = self._evaluation(self.beginning)
        moved = evaluation.jacobian.linear[0, 0][:, :, None] * evaluation.slopes[0]  # (3, D, 4)
        loose = np.append(1 / self.regularisation, 0.0)[self._unknown[0, self._column]]
        return float((moved**2 * loose).sum()) / 3

    def values(self, x: Floats) -> tuple[Floats, Floats]:
        """Channel values (T, C), and how those in play follow their four unknowns (T, D, 4)."""
        if self._compiled is not None:
            evaluation = self._evaluation(x)
            slopes = np.zeros(self._unknown.shape)
            slopes[:, self._column] = evaluation.slopes
            return evaluation.values, slopes
        parts = self._parts(x)
        values = self._values_of(parts)
        p, q, slope = parts.p, parts.q, parts.slope
        by_unknown = np.zeros(self._unknown.shape)
        by_unknown[self._at] = np.stack([-slope * p, p, slope * q, -q], axis=-1) * self._factor
        return values, by_unknown

    def _values_of(self, parts: Parts) -> Floats:
        """(T, C) channel values."""
        values = self.samples.values.copy()
        values[self._at[0], self.samples.channel[self._at[1]]] = parts.value
        return values

    def _parts(self, x: Floats) -> Parts:
        """What the free values (F,) and their derivatives are made of."""
        segment = self._segment
        x0, y0, x1, y1 = self.handles.at(x).reshape(-1, 4)[segment].T
        length = self.handles.length[segment]
        run_out, run_in = np.minimum(x0 / length, 1.0), np.minimum(x1 / length, 1.0)
        at = bezier_parameter(run_out, run_in, self._fraction)
        rest = 1 - at
        p, q = 3 * at * rest * rest, 3 * at * at * rest
        first, second = self.handles.value[segment].T
        value = first + (at * at * at + q) * (second - first) + p * y0 - q * y1
        up, down = 3 * rest * (1 - 3 * at), 3 * at * (2 - 3 * at)
        rise = 6 * at * rest * (second - first) + up * y0 - down * y1
        along = 6 * at * rest * length + up * x0 - down * x1
        along = np.maximum(along, 1e-6 * length)
        return Parts(p, q, rise / along, value)

    def jacobian(self, values: Floats) -> PointJacobian:
        """Positions of the points and their derivatives by the free channels."""
        return point_jacobian(self.rig, values, self.places, self._channel_list)

    def places_at(self, values: Floats) -> PointJacobian:
        """Where the points are, without derivatives."""
        return point_jacobian(self.rig, values, self.places, [])

    def places_with(self, x: Floats) -> PointJacobian:
        """Where the points are with unknowns x, without derivatives: quick at many times."""
        return self.places_at(self._values_of(self._parts(x)))

    @cached_property
    def at_start(self) -> PointJacobian:
        """Where the points are at the beginning."""
        return self.places_at(self.samples.values)

    @cached_property
    def _channel_list(self) -> list[int]:
        chosen: list[int] = self.samples.channel.tolist()
        return chosen

    def position(self, x: Floats) -> Floats:
        """(T, P, 3) where the points are; nan at times when a point has no task."""
        ended = self._compiled and self._compiled.end_at(x)
        return ended.position if ended else self._evaluation(x).jacobian.position

    def reached(self, x: Floats, held: int) -> Floats:
        """(3,) where a held point is at its time."""
        ended = self._compiled and self._compiled.end_at(x)
        if ended:
            return ended.reached(held, held)
        reached: Floats = self._evaluation(x).jacobian.position[held, held]
        return reached

    def points_at(self, x: Floats) -> PointJacobian:
        """Positions and orientations of the points, and their derivatives by the free channels."""
        return self._evaluation(x).jacobian

    def pose(self, x: Floats, sample: int) -> Floats:
        """(C,) channel values at one of the sample times."""
        ended = self._compiled and self._compiled.end_at(x)
        if ended:
            return ended.pose(sample)
        values: Floats = self._evaluation(x).values[sample]
        return values

    def descended(
        self,
        start: Floats,
        regularisation: Floats,
        reference: Floats,
        box: Box,
        criteria: StoppingCriteria,
    ) -> Descent | None:
        """A descent in one compiled call, where there is one."""
        if self._compiled is None:
            return None
        return self._compiled.descended(self.tasks, start, regularisation, reference, box, criteria)

    def _evaluation(self, x: Floats) -> Evaluation:
        """The evaluation at x; the last one is cached."""
        evaluation = cached(self._memo, x)
        if evaluation is None:
            if self._compiled is not None:
                return self._linearise_compiled(self._compiled, x)[0]
            values, by_unknown = self.values(x)
            slopes = by_unknown[:, self._column]
            self._memo = x, evaluation_of(values, slopes, self.jacobian(values))
            evaluation = self._memo[1]
        return evaluation

    def _linearise_compiled(
        self, compiled_model: CompiledModel, x: Floats
    ) -> tuple[Evaluation, Linearisation]:
        answer = compiled_model.linearise(self.tasks, x, cached(self._memo, x))
        self._memo = x, answer[0]
        return answer

    @cached_property
    def _compiled(self) -> CompiledModel | None:
        """The compiled form, where there is one."""
        return self._compile() if can_compile(self.tasks.all) else None

    def _compile(self) -> CompiledModel:
        handles, samples = self.handles, self.samples
        compiled_model = CompiledModel(self.rig, self.places, samples.values, self._channel_list)
        count = len(compiled_model.channels)
        place = np.full(len(samples.channel), -1)
        place[self._column] = np.arange(count)
        time, column = self._at
        curves = Curves.of(
            len(time),
            time * samples.values.shape[1] + samples.channel[column],
            np.where(place[column] < 0, -1, 4 * (time * count + place[column])),
            *(self._segment, self._fraction, handles.length, handles.value),
            *(handles.start, handles.factor, handles.unknown),
        )
        unknown = self._unknown[:, self._column]
        smooth = self._smooth_keys()
        own = self._joints.own[: smooth.count]
        keys = handles.begin[own // 2] + np.where(own % 2, handles.length[own // 2], 0.0)
        when = np.concatenate([self._times, keys])
        segment = samples.segment[:, self._column]
        return compiled_model.along_curves(
            curves, unknown, segment, self.unknowns, smooth, when, self._held
        )

    def _smooth_keys(self) -> SmoothKeys:
        """Rows for smooth keys, where `smoothness` is above 0."""
        joints, handles = self._joints, self.handles
        some = slice(None) if self.smoothness else slice(0)
        own, other = joints.own[some], joints.other[some]
        free = (other >= 0)[:, None]
        return SmoothKeys.of(
            len(own),
            self.smoothness,
            np.hstack([handles.unknown[own], np.where(free, handles.unknown[other], -1)]),
            np.hstack(
                [handles.start[own], np.where(free, handles.start[other], joints.fixed[some])]
            ),
            np.hstack([handles.factor[own], np.where(free, handles.factor[other], 0.0)]),
            joints.size[some],
        )

    @cached_property
    def _column(self) -> Ints:
        """Where the channels that move any of the points stand among those in play."""
        plan = layout(self.rig, self.places.joints.tolist())
        return np.searchsorted(self.samples.channel, columns(plan, self._channel_list).channels)

    def linearise(self, x: Floats) -> Linearisation:
        """The tasks at x."""
        if self._compiled is not None:
            return self._linearise_compiled(self._compiled, x)[1]
        evaluation = self._evaluation(x)
        rows = self.tasks.rows(evaluation.jacobian)
        matrix = self._by_unknowns(rows, evaluation.slopes)
        found = Linearisation(rows.residual, matrix, rows.weight, rows.cost, rows.task)
        return self._smoothed(found, x) if self.smoothness and len(self._joints.own) else found

    @property
    def _joints(self) -> Smooth:
        return self.handles.joints

    def _smoothed(self, found: Linearisation, x: Floats) -> Linearisation:
        """With rows for smooth keys: `Y X' - X Y'` of their two handles should stay 0 (eq. 5)."""
        joints, handles = self._joints, self.handles
        now = handles.at(x)
        (x_own, y_own), free = now[joints.own].T, joints.other >= 0
        x_other, y_other = np.where(free[:, None], now[joints.other], joints.fixed).T
        residual = (x_own * y_other - y_own * x_other) / joints.size
        rows = np.zeros((len(residual), self.unknowns + 1))
        each = np.arange(len(residual))
        slopes = (
            (joints.own, 0, -y_other),
            (joints.own, 1, x_other),
            (joints.other, 0, np.where(free, y_own, 0.0)),
            (joints.other, 1, np.where(free, -x_own, 0.0)),
        )
        for handle, part, slope in slopes:
            column = handles.unknown[handle, part]
            rows[each, column] += slope * handles.factor[handle, part] / joints.size
        weight = np.full(len(residual), self.smoothness)
        assert found.task is not None
        assert isinstance(found.matrix, np.ndarray)
        return Linearisation(
            np.concatenate([found.residual, residual]),
            np.concatenate([found.matrix, rows[:, :-1]]),
            np.concatenate([found.weight, weight]),
            found.cost + 0.5 * self.smoothness * float(residual @ residual),
            np.concatenate([found.task, np.full(len(residual), -1)]),
        )

    def _by_unknowns(self, rows: Rows, slopes: Floats) -> Floats:
        """(M, N) rows over channels (M, D), turned into rows over unknowns."""
        count, width = len(rows.residual), self.unknowns + 1
        product = rows.by_channel[:, :, None] * slopes[rows.time]
        unknown = self._unknown[:, self._column]
        place = unknown[rows.time] + (np.arange(count) * width)[:, None, None]
        flat: Floats = np.bincount(place.ravel(), product.ravel(), minlength=count * width).astype(
            np.float64, copy=False
        )
        return flat.reshape(count, width)[:, :-1]
