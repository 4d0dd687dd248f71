"""Point tasks: weighted objectives on dragged, pinned and planted points, as rows over channels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.jacobian import PointJacobian
from arcwright.kinematics.rotation import vector_from_matrix

CONSTRAINT_WEIGHT = 1e9  # per m^2: pins and contacts
DRAG_WEIGHT = 1e7  # per m^2: where the drag wants the point
SATURATION_DISTANCE = (
    0.001  # m; beyond this a drag pulls no harder, so that a far drag cannot tear pins off
)
METRES_PER_RADIAN = 0.1  # m per rad: what a turn counts in metres


@dataclass(frozen=True, eq=False)
class PointTask:
    """One task about one point at N of the sample times; place or turn or both."""

    name: str  # for notes: "LeftFoot contact"
    place: int  # which of the model's points
    samples: Ints  # (N,) which of the sample times
    position: Floats | None  # (N, 3) m, wanted in the world; or relative to `other`
    orientation: Floats | None  # (N, 3, 3) wanted in the world
    weight: float  # per m^2
    other: int = -1  # the point that `position` is relative to
    axes: Floats | None = None  # (A, 3) directions that count; None for all
    saturation: float = np.inf  # m, beyond which it pulls no harder
    above: bool = False  # only tasks not to be below `position` in y


def eased(task: PointTask, share: float) -> PointTask:
    """The task with a share of its weight, that when far pulls as hard as before."""
    return replace(task, weight=share * task.weight, saturation=task.saturation / share)


class Rows(NamedTuple):
    """Linearisation over channels: row m is about sample time `time[m]`."""

    time: Ints  # (M,)
    residual: Floats  # (M,) m, wanted minus is
    by_channel: Floats  # (M, C) m per unit of the channel
    weight: Floats  # (M,)
    cost: float
    task: Ints  # (M,) which task the row belongs to


class _Piece(NamedTuple):
    """Linearisation of one sort, joined: all about places, or all about turns."""

    time: Ints  # (N,)
    place: Ints
    other: Ints
    target: Floats
    weight: Floats
    near: Floats
    task: Ints


class TaskList:
    """Linearisation laid out once, so that their rows are a few array operations.

    `rest` is another list whose rows follow; so the tasks of the drag can change while
    those that are kept stay laid out.
    """

    def __init__(self, own: Sequence[PointTask], rest: TaskList | None = None) -> None:
        self.own = tuple(own)
        self.rest = rest

    @cached_property
    def _places(self) -> _Piece | None:
        plain = [w for w in self.own if w.axes is None and not w.above]
        return _joined(self.own, plain, "position")

    @cached_property
    def _turns(self) -> _Piece | None:
        return _joined(self.own, self.own, "orientation")

    @cached_property
    def all(self) -> tuple[PointTask, ...]:
        """These tasks and those that follow."""
        return self.own + (self.rest.all if self.rest is not None else ())

    def rows(self, jacobian: PointJacobian) -> Rows:
        """All rows for where the points are now."""
        found: list[Rows] = []
        if self._places is not None:
            found.append(_place_rows(self._places, jacobian))
        if self._turns is not None:
            found.append(_turn_rows(self._turns, jacobian))
        for index, task in enumerate(self.own):
            if task.position is not None and (task.axes is not None or task.above):
                found.append(_directed_rows(task, index, jacobian))
        if self.rest is not None:
            more = self.rest.rows(jacobian)
            found.append(more._replace(task=more.task + len(self.own)))
        return _stacked(found, jacobian.move.shape[-1])


def _joined(everyone: Sequence[PointTask], among: Sequence[PointTask], what: str) -> _Piece | None:
    """The tasks that say something about `what`, as one piece."""
    having = [w for w in among if getattr(w, what) is not None and len(w.samples)]
    if not having:
        return None

    def spread(values: list[float]) -> Floats:
        return np.repeat(np.array(values), [len(w.samples) for w in having])

    return _Piece(
        time=np.concatenate([w.samples for w in having]),
        place=spread([w.place for w in having]).astype(np.int64),
        other=spread([w.other for w in having]).astype(np.int64),
        target=np.concatenate([getattr(w, what) for w in having]),
        weight=spread([w.weight for w in having]),
        near=spread([w.near for w in having]),
        task=spread([everyone.index(w) for w in having]).astype(np.int64),
    )


def _place_rows(piece: _Piece, jacobian: PointJacobian) -> Rows:
    position = jacobian.position[piece.time, piece.place]
    move = jacobian.move[piece.time, piece.place]
    relative = piece.other >= 0
    if relative.any():
        at = piece.time[relative], piece.other[relative]
        position[relative] -= jacobian.position[at]
        move[relative] -= jacobian.move[at]
    residual = piece.target - position
    return _flat(piece, residual, move)


def _turn_rows(piece: _Piece, jacobian: PointJacobian) -> Rows:
    turned = jacobian.orientation[piece.time, piece.place]
    residual = _turn_between(piece.target @ turned.swapaxes(-1, -2))
    return _flat(
        piece,
        residual * METRES_PER_RADIAN,
        jacobian.turn[piece.time, piece.place] * METRES_PER_RADIAN,
    )


def _turn_between(matrices: Floats) -> Floats:
    """Rotation vectors (N, 3); below a right angle the sine tells the angle, which is quicker."""
    if (np.trace(matrices, axis1=-2, axis2=-1) < 1.0 + 1e-3).any():
        return vector_from_matrix(matrices)
    twice = matrices[:, [2, 0, 1], [1, 2, 0]] - matrices[:, [1, 2, 0], [2, 0, 1]]
    sine = np.minimum(0.5 * np.sqrt((twice * twice).sum(axis=-1)), 1.0)
    tiny = sine < 1e-6
    share = np.where(tiny, 0.5, 0.5 * np.arcsin(sine) / np.where(tiny, 1.0, sine))
    return twice * share[:, None]


def _flat(piece: _Piece, residual: Floats, move: Floats) -> Rows:
    weight, cost = _pull(residual, piece.weight, piece.near)
    return Rows(
        np.repeat(piece.time, 3),
        residual.ravel(),
        move.reshape(residual.size, move.shape[-1]),
        np.repeat(weight, 3),
        cost,
        np.repeat(piece.task, 3),
    )


def _pull(residual: Floats, weight: Floats, near: Floats) -> tuple[Floats, float]:
    """Weights (N,) of misses (N, A), lower for far ones, and the cost they stand for."""
    squared = (residual * residual).sum(axis=-1)
    if np.isinf(near).all():
        return weight, 0.5 * float(weight @ squared)
    distance = np.sqrt(squared)
    far: Bools = distance > near
    safe = np.where(far, near, 0.0)
    cost = np.where(far, safe * (distance - 0.5 * safe), 0.5 * squared)
    eased = np.where(far, safe / np.where(far, distance, 1.0), 1.0)
    return weight * eased, float(weight @ cost)


def _directed_rows(task: PointTask, index: int, jacobian: PointJacobian) -> Rows:
    assert task.position is not None
    axes = np.array([[0.0, 1.0, 0.0]]) if task.above else task.axes
    assert axes is not None
    position = jacobian.position[task.samples, task.place]
    move = jacobian.move[task.samples, task.place]
    residual = (task.position - position) @ axes.T  # (N, A)
    along = axes @ move  # (N, A, C)
    keep = (residual > 0).any(axis=-1) if task.above else np.ones(len(residual), bool)
    residual, along, samples = residual[keep], along[keep], task.samples[keep]
    count = len(axes)
    weight, cost = _pull(
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
