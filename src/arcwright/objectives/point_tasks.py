"""Point tasks: weighted objectives on dragged, pinned and planted points, as rows over channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import NamedTuple, Protocol

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.jacobian import PointJacobian
from arcwright.kinematics.rotation import matrix_from_quaternion, vector_from_matrix
from arcwright.scene.point import Point

CONSTRAINT_WEIGHT = 1e9  # per m^2: pins and contacts
FIRM = 0.01 * CONSTRAINT_WEIGHT  # tasks of less weight give way to drags
DRAG_WEIGHT = 1e7  # per m^2: drags
SATURATION_DISTANCE = 0.001  # m, Huber threshold of drags: a distant target cannot break pins
METRES_PER_RADIAN = 0.1  # m per rad: scale of orientation residuals


@dataclass(frozen=True, eq=False)
class PointTask:
    """Position or orientation targets, or both, of one point at N of the sample times."""

    name: str  # for notes: "LeftFoot contact"
    place: int  # which of the model's points
    samples: Ints  # (N,) which of the sample times
    position: Floats | None  # (N, 3) m, targets in the world, or relative to `other`
    orientation: Floats | None  # (N, 3, 3) targets in the world
    weight: float  # per m^2
    other: int = -1  # the point that `position` is relative to
    axes: Floats | None = None  # (A, 3) directions that count; None for all
    saturation: float = np.inf  # m, Huber threshold: the force is constant beyond
    above: bool = False  # inequality: y of the point at least that of `position`


def with_weight_share(task: PointTask, share: float) -> PointTask:
    """The task with a share of its weight; beyond the threshold, its force is the same."""
    return replace(task, weight=share * task.weight, saturation=task.saturation / share)


class DragTargets(Protocol):
    """What a drag asks of a point at one time."""

    @property
    def point(self) -> Point:
        """The dragged point."""
        ...

    @property
    def position(self) -> Floats | None:
        """(3,) m, in the world."""
        ...

    @property
    def orientation(self) -> Floats | None:
        """(4,) wxyz, of its joint in the world."""
        ...

    @property
    def axes(self) -> Floats | None:
        """(A, 3) world directions in which the position counts; None for all."""
        ...


@cache
def _only(sample: int) -> Ints:
    """(1,) one of the sample times."""
    one = np.array([sample])
    one.flags.writeable = False
    return one


def drag_task(drag: DragTargets, index: int, sample: int) -> PointTask:
    """The task of a drag."""
    orientation = (
        None if drag.orientation is None else matrix_from_quaternion(drag.orientation)[None]
    )
    return PointTask(
        f"{drag.point.joint} drag",
        index,
        _only(sample),
        None if drag.position is None else drag.position[None],
        orientation,
        DRAG_WEIGHT,
        axes=drag.axes,
        saturation=SATURATION_DISTANCE,
    )


class Rows(NamedTuple):
    """Tasks linearised over channels; row m belongs to sample time `time[m]`."""

    time: Ints  # (M,)
    residual: Floats  # (M,) m, target minus value
    by_channel: Floats  # (M, C) m per unit of the channel
    weight: Floats  # (M,)
    cost: float
    task: Ints  # (M,) which task the row belongs to


class _Targets(NamedTuple):
    """The position targets of all tasks, or the orientation targets, as joined arrays."""

    time: Ints  # (N,)
    place: Ints
    other: Ints
    target: Floats
    weight: Floats
    saturation: Floats
    task: Ints


class TaskList:
    """Tasks laid out once as arrays, so that their rows are a few array operations.

    `rest` is another list whose rows follow: the tasks of the drags change with every move, those
    of the constraints stay laid out.
    """

    def __init__(self, own: Sequence[PointTask], rest: TaskList | None = None) -> None:
        self.own = tuple(own)
        self.rest = rest

    @cached_property
    def _positions(self) -> _Targets | None:
        plain = [w for w in self.own if w.axes is None and not w.above]
        return _joined(self.own, plain, "position")

    @cached_property
    def _orientations(self) -> _Targets | None:
        return _joined(self.own, self.own, "orientation")

    @cached_property
    def all(self) -> tuple[PointTask, ...]:
        """These tasks and those that follow."""
        return self.own + (self.rest.all if self.rest is not None else ())

    def rows(self, jacobian: PointJacobian) -> Rows:
        """All rows for where the points are now."""
        found: list[Rows] = []
        if self._positions is not None:
            found.append(_position_rows(self._positions, jacobian))
        if self._orientations is not None:
            found.append(_orientation_rows(self._orientations, jacobian))
        for index, task in enumerate(self.own):
            if task.position is not None and (task.axes is not None or task.above):
                found.append(_directed_rows(task, index, jacobian))
        if self.rest is not None:
            more = self.rest.rows(jacobian)
            found.append(more._replace(task=more.task + len(self.own)))
        return _stacked(found, jacobian.linear.shape[-1])


def _joined(
    all_tasks: Sequence[PointTask], among: Sequence[PointTask], what: str
) -> _Targets | None:
    """The tasks with a target for `what` (position or orientation), as one piece."""
    having = [w for w in among if getattr(w, what) is not None and len(w.samples)]
    if not having:
        return None

    def spread(values: list[float]) -> Floats:
        return np.repeat(np.array(values), [len(w.samples) for w in having])

    return _Targets(
        time=np.concatenate([w.samples for w in having]),
        place=spread([w.place for w in having]).astype(np.int64),
        other=spread([w.other for w in having]).astype(np.int64),
        target=np.concatenate([getattr(w, what) for w in having]),
        weight=spread([w.weight for w in having]),
        saturation=spread([w.saturation for w in having]),
        task=spread([all_tasks.index(w) for w in having]).astype(np.int64),
    )


def _position_rows(piece: _Targets, jacobian: PointJacobian) -> Rows:
    position = jacobian.position[piece.time, piece.place]
    move = jacobian.linear[piece.time, piece.place]
    relative = piece.other >= 0
    if relative.any():
        at = piece.time[relative], piece.other[relative]
        position[relative] -= jacobian.position[at]
        move[relative] -= jacobian.linear[at]
    residual = piece.target - position
    return _flat(piece, residual, move)


def _orientation_rows(piece: _Targets, jacobian: PointJacobian) -> Rows:
    orientation = jacobian.orientation[piece.time, piece.place]
    residual = _rotation_vectors(piece.target @ orientation.swapaxes(-1, -2))
    return _flat(
        piece,
        residual * METRES_PER_RADIAN,
        jacobian.angular[piece.time, piece.place] * METRES_PER_RADIAN,
    )


def _rotation_vectors(matrices: Floats) -> Floats:
    """Rotation vectors (N, 3); below a right angle from the sine, which is faster."""
    if (np.trace(matrices, axis1=-2, axis2=-1) < 1.0 + 1e-3).any():
        return vector_from_matrix(matrices)
    twice = matrices[:, [2, 0, 1], [1, 2, 0]] - matrices[:, [1, 2, 0], [2, 0, 1]]
    sine = np.minimum(0.5 * np.sqrt((twice * twice).sum(axis=-1)), 1.0)
    tiny = sine < 1e-6
    share = np.where(tiny, 0.5, 0.5 * np.arcsin(sine) / np.where(tiny, 1.0, sine))
    return twice * share[:, None]


def _flat(piece: _Targets, residual: Floats, move: Floats) -> Rows:
    weight, cost = _huber_weights(residual, piece.weight, piece.saturation)
    return Rows(
        np.repeat(piece.time, 3),
        residual.ravel(),
        move.reshape(residual.size, move.shape[-1]),
        np.repeat(weight, 3),
        cost,
        np.repeat(piece.task, 3),
    )


def _huber_weights(residual: Floats, weight: Floats, saturation: Floats) -> tuple[Floats, float]:
    """Huber weights (N,) of residuals (N, A), and their cost."""
    squared = (residual * residual).sum(axis=-1)
    if np.isinf(saturation).all():
        return weight, 0.5 * float(weight @ squared)
    distance = np.sqrt(squared)
    far: Bools = distance > saturation
    safe = np.where(far, saturation, 0.0)
    cost = np.where(far, safe * (distance - 0.5 * safe), 0.5 * squared)
    reduction = np.where(far, safe / np.where(far, distance, 1.0), 1.0)
    return weight * reduction, float(weight @ cost)


def _directed_rows(task: PointTask, index: int, jacobian: PointJacobian) -> Rows:
    assert task.position is not None
    axes = np.array([[0.0, 1.0, 0.0]]) if task.above else task.axes
    assert axes is not None
    position = jacobian.position[task.samples, task.place]
    move = jacobian.linear[task.samples, task.place]
    residual = (task.position - position) @ axes.T  # (N, A)
    along = axes @ move  # (N, A, C)
    keep = (residual > 0).any(axis=-1) if task.above else np.ones(len(residual), bool)
    residual, along, samples = residual[keep], along[keep], task.samples[keep]
    count = len(axes)
    weight, cost = _huber_weights(
        residual, np.full(len(residual), task.weight), np.full(len(residual), task.saturation)
    )
    return Rows(
        np.repeat(samples, count),
        residual.ravel(),
        along.reshape(residual.size, along.shape[-1]),
        np.repeat(weight, count),
        cost,
        np.full(len(residual) * count, index),
    )


def _stacked(found: list[Rows], channels: int) -> Rows:
    if not found:
        none = np.zeros(0)
        whole = np.zeros(0, np.int64)
        return Rows(whole, none, np.zeros((0, channels)), none, 0.0, whole)
    if len(found) == 1:
        return found[0]
    return Rows(
        np.concatenate([rows.time for rows in found]),
        np.concatenate([rows.residual for rows in found]),
        np.concatenate([rows.by_channel for rows in found]),
        np.concatenate([rows.weight for rows in found]),
        sum(rows.cost for rows in found),
        np.concatenate([rows.task for rows in found]),
    )
