"""Waypoints: intermediate targets on the way of a long drag, close enough to solve in turn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.objectives.point_tasks import PointTask

SPACING = 0.02  # m, between waypoints


def waypoints(
    drag_tasks: Sequence[PointTask], position: Floats, most: int
) -> Iterator[tuple[PointTask, ...]]:
    """The drag tasks at waypoints from the current positions (T, P, 3), m, to their targets."""
    placed = [task for task in drag_tasks if task.position is not None]
    count = int(
        np.clip(np.ceil(max((_away(w, position) for w in placed), default=0) / SPACING), 1, most)
    )
    for share in np.linspace(0, 1, count + 1)[1:-1].tolist():
        yield tuple(_part(task, position, share) for task in drag_tasks)
    yield tuple(drag_tasks)


def _away(task: PointTask, position: Floats) -> float:
    assert task.position is not None
    away = task.position - position[task.samples, task.place]
    return float(np.linalg.norm(away if task.axes is None else away @ task.axes.T, axis=-1).max())


def _part(task: PointTask, position: Floats, share: float) -> PointTask:
    if task.position is None:
        return task
    there = position[task.samples, task.place]
    return replace(task, position=there + share * (task.position - there))
