"""Pose model: point tasks at one time as functions of channel values (eq. 13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol, TypeVar

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.curves.set_key import key_time
from arcwright.kinematics.jacobian import PointJacobian, point_jacobian
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.sample import values_at
from arcwright.objectives.active_constraints import active_constraints, hold_task
from arcwright.objectives.compiled_model import CompiledModel, can_compile
from arcwright.objectives.edited_clip import EditedClip
from arcwright.objectives.evaluation import Evaluation, cached, evaluation_of
from arcwright.objectives.freedom import Freedom
from arcwright.objectives.planted_feet import planted_feet
from arcwright.objectives.point_tasks import PointTask, TaskList
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Scene
from arcwright.scene.take import Take
from arcwright.solve.descent import Descent, StoppingCriteria
from arcwright.solve.model import Linearisation
from arcwright.solve.problem import Box


@dataclass(frozen=True, eq=False)
class PreparedPose:
    """Everything about a pose edit that does not depend on where its drags lead."""

    time: float  # s
    places: Places  # the dragged points, then those of the constraints
    values: Floats  # (C,) at the beginning
    channels: Ints  # (N,) that may change
    step: Floats  # (N,) change of each for an unknown of 1
    weight: Floats  # (N,) weight of such a change
    constraint_tasks: tuple[PointTask, ...]  # pins and contacts active at this time

    def only(self, chosen: Bools) -> PreparedPose:
        """With some of the channels."""
        own = self.channels[chosen], self.step[chosen], self.weight[chosen]
        return replace(self, channels=own[0], step=own[1], weight=own[2])


def prepare_pose(
    scene: Scene,
    edited: EditedClip,
    points: Sequence[Point],
    time: float,
    free: Freedom,
    take: Take | None = None,
    *,
    plant_feet: bool = False,
) -> PreparedPose:
    """Prepare the pose of a take (by default the edited one) at a time.

    Points with a pin or contact at that time stay where they are, and with `plant_feet` so do
    standing feet. Channels that can have no key at that time may not change.
    """
    rig = edited.take.rig
    found = places(rig, list(points))
    fixed = free.fixed(points)
    constraints = active_constraints(scene, edited.actor, edited.take, (time, time), fixed)
    if plant_feet:
        constraints += planted_feet(scene, edited, points, time, fixed)
    channels, constraints = in_play(free.channels(points), constraints)
    constraint_tasks: list[PointTask] = []
    for constraint in constraints:
        constraint_tasks.append(hold_task(edited.take, constraint, len(found), time))
        found = found.joined(places(rig, [constraint.constraint.point]))
    values = values_at(take or edited.take, np.array([time]))[0]
    chosen = np.array([c for c in channels if _can_have_key(edited, c, time)], np.int64)
    steps, weights = free.steps(chosen), free.weights(chosen, values[None])
    return PreparedPose(time, found, values, chosen, steps, weights, tuple(constraint_tasks))


class _Moved(Protocol):
    @property
    def channels(self) -> Ints: ...


_M = TypeVar("_M", bound=_Moved)


def in_play(dragged: Ints, constraints: Sequence[_M]) -> tuple[list[int], list[_M]]:
    """The channels that may change and the constraints they affect, which add their channels."""
    play, waiting, chosen = set(dragged.tolist()), list(constraints), list[_M]()
    while moved := [
        constraint for constraint in waiting if not play.isdisjoint(constraint.channels.tolist())
    ]:
        chosen += moved
        waiting = [constraint for constraint in waiting if constraint not in moved]
        play.update(*(constraint.channels.tolist() for constraint in moved))
    return sorted(play), chosen


def _can_have_key(edited: EditedClip, channel: int, time: float) -> bool:
    curve = edited.clip.curves[channel]
    return curve is None or key_time(curve, time) is not None


class PoseModel:
    """Unknowns are changes of channels from the initial pose, in units of `step`."""

    def __init__(self, rig: Rig, prepared: PreparedPose, dragged: Sequence[PointTask]) -> None:
        self.rig = rig
        self.prepared = prepared
        self.places = prepared.places
        self.start = prepared.values  # (C,)
        self.channels = channels = prepared.channels
        self.constraint_tasks = TaskList(prepared.constraint_tasks)
        self.tasks = TaskList(dragged, self.constraint_tasks)  # replaced when the drag moves
        self._chosen: list[int] = channels.tolist()
        self._memo: tuple[Floats, Evaluation] | None = None
        self.step = prepared.step

    @cached_property
    def regularisation(self) -> Floats:
        """(N,) stiffness of the unknowns."""
        return self.prepared.weight * self.rig.channels.stiffness[self.channels] ** 2

    @cached_property
    def box(self) -> Box:
        """Joint limits; a pose that already breaks them may stay where it is."""
        start = self.start[self.channels]
        low = np.minimum((self.rig.channels.low[self.channels] - start) / self.step, 0.0)
        high = np.maximum((self.rig.channels.high[self.channels] - start) / self.step, 0.0)
        return Box(low, high)

    def values(self, x: Floats) -> Floats:
        """(C,) channel values."""
        values = np.array(self.start)
        values[self.channels] += self.step * x
        return values

    @cached_property
    def _compiled(self) -> CompiledModel | None:
        """The compiled form, where evaluation is one."""
        if not can_compile(self.tasks.all):
            return None
        compiled_model = CompiledModel(self.rig, self.places, self.start[None], self._chosen)
        return compiled_model.straight(self.channels, self.step)

    def jacobian(self, x: Floats) -> PointJacobian:
        """Positions of the points and their derivatives by free channels; the last is cached."""
        evaluation = cached(self._memo, x)
        if evaluation is None and self._compiled is not None:
            self.linearise(x)
        elif evaluation is None:
            values = self.values(x)[None]
            found = point_jacobian(self.rig, values, self.places, self._chosen)
            column = np.searchsorted(self.channels, found.channels)
            self._memo = x, evaluation_of(values, self.step[None, column, None], found)
        assert self._memo is not None
        return self._memo[1].jacobian

    def places_at(self, x: Floats) -> PointJacobian:
        """Positions and orientations of the points, without derivatives."""
        ended = self._compiled and self._compiled.end_at(x)
        return ended.places if ended else self.jacobian(x)

    def descended(
        self,
        start: Floats,
        regularisation: Floats,
        reference: Floats,
        box: Box,
        criteria: StoppingCriteria,
    ) -> Descent | None:
        """A descent in one compiled call, where evaluation is one."""
        if self._compiled is None:
            return None
        return self._compiled.descended(self.tasks, start, regularisation, reference, box, criteria)

    def linearise(self, x: Floats) -> Linearisation:
        """The tasks at x."""
        if self._compiled is not None:
            evaluation, answer = self._compiled.linearise(self.tasks, x, cached(self._memo, x))
            self._memo = x, evaluation
            return answer
        jacobian = self.jacobian(x)
        rows = self.tasks.rows(jacobian)
        matrix = np.zeros((len(rows.residual), len(self.channels)))
        column = np.searchsorted(self.channels, jacobian.channels)
        matrix[:, column] = rows.by_channel * self.step[column]
        return Linearisation(rows.residual, matrix, rows.weight, rows.cost)
