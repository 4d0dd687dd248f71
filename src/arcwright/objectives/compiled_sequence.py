"""Compiled sequence: the pose of each frame in one call of the library, along waypoints."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.compiled import library as compiled
from arcwright.kinematics.columns import columns
from arcwright.kinematics.layout import layout
from arcwright.kinematics.places import Places
from arcwright.objectives.constraint_table import ConstraintTable
from arcwright.objectives.point_tasks import PointTask
from arcwright.objectives.structs import Descending, Drag, Wanted
from arcwright.scene.rig import Rig
from arcwright.solve.descent import StoppingCriteria
from arcwright.solve.rows import Groups, Layout

_HEAD = 5  # iterations, convergence, cost, rows and damping of a descent


@dataclass(frozen=True, eq=False)
class FramePose:
    """The pose of one frame and where its points are then."""

    values: Floats  # (C,)
    position: Floats  # (P, 3) m
    orientation: Floats  # (P, 3, 3)


class CompiledSequence:
    """Frames that share points and channels; each has its own values and held points.

    Nothing in it changes while frames are solved, so several threads may use it.
    """

    def __init__(
        self,
        rig: Rig,
        places: Places,
        values: Floats,
        channels: Ints,
        step: Floats,
        held: Sequence[Sequence[PointTask]],
        own: Sequence[PointTask],
        criteria: StoppingCriteria,
    ) -> None:
        assert compiled.library is not None
        plan = layout(rig, places.joints.tolist())
        self._columns = columns(plan, channels.tolist())
        self._sizes = values.shape[1], len(places), len(channels)
        moving = self._columns.channels
        shift = np.searchsorted(moving, channels)
        known = np.append(moving, -1)[shift] == channels
        steps = len(channels), channels, np.where(known, shift, -1), step
        groups = Groups(len(channels), [np.flatnonzero(known)])
        self._own = ConstraintTable(own)
        self._rest = [ConstraintTable(tasks) for tasks in held]
        self._rows = [len(self._own.task) + len(rest.task) for rest in self._rest]
        layouts = {rows: Layout(groups, np.zeros(rows, np.int64)) for rows in set(self._rows)}
        shared = plan.chain.address, 1, len(moving), 1, self._columns.slots.address
        self._drags = [Drag.of(*shared, places.offsets, row, 0, *steps, 0) for row in values]
        self._kept = layouts, plan
        self._problems = [
            _descending(drag, rest, layouts[rows], criteria)
            for drag, rest, rows in zip(self._drags, self._rest, self._rows, strict=True)
        ]
        rooms = map(compiled.library.arcwright_descend_room, map(_address, self._problems))
        self._room: int = max(rooms, default=0)

    def solve(self, frame: int, wanted: Floats, longest: float, bounds: Floats) -> FramePose | None:
        """A frame's pose for targets (K, W, 14) of waypoints; None where a step fails.

        `bounds` (5, N) has regularisation, reference, low, high and start, and is overwritten.
        """
        assert compiled.library is not None
        channels, points, unknowns = self._sizes
        rows = self._rows[frame]
        first = _HEAD + unknowns + 2 * rows
        room, out = np.zeros(self._room), np.empty(first + channels + 12 * points)
        which = np.empty(rows + 1, np.int64)
        own = Wanted(len(self._own.what), self._own.what.ctypes.data, wanted.ctypes.data)
        found = compiled.library.arcwright_descend_along(
            *(_address(self._problems[frame]), ctypes.addressof(own), len(wanted), longest),
            *(bounds.ctypes.data, room.ctypes.data, out.ctypes.data, which.ctypes.data),
        )
        if found <= 0:
            return None
        placed, rotated = first + channels, first + channels + 3 * points
        position, orientation = out[placed:rotated].reshape(-1, 3), out[rotated:].reshape(-1, 3, 3)
        return FramePose(out[first:placed], position, orientation)


def _descending(
    drag: Drag, rest: ConstraintTable, rows: Layout, criteria: StoppingCriteria
) -> Descending:
    tolerances = criteria.step_tolerance, criteria.cost_tolerance, criteria.target_tolerance
    return Descending(
        *(ctypes.addressof(drag), 0, rest.address, rows.address, 0, 0, 0),
        *(criteria.max_iterations, *tolerances, criteria.climb, criteria.damping),
    )


def _address(struct: ctypes.Structure) -> int:
    return ctypes.addressof(struct)
