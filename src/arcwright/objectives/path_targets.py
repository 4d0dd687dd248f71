"""Path targets: where points should be at each frame, and waypoints that lead there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.rotation import (
    matrix_from_quaternion,
    matrix_from_vector,
    vector_from_matrix,
)
from arcwright.objectives.point_tasks import (
    DRAG_WEIGHT,
    METRES_PER_RADIAN,
    SATURATION_DISTANCE,
    PointTask,
)

_HEAD = 2  # weight and saturation, as in constraint_table.py
_WIDE = 14
_ONE = np.zeros(1, np.int64)


@dataclass(frozen=True, eq=False)
class PathPart:
    """Where one point should be over T frames, how its joint should be rotated, or both."""

    place: int  # of the point among all
    position: Floats | None = None  # (T, 3) m
    orientation: Floats | None = None  # (T, 4) wxyz
    weight: Floats | None = None  # (T,) factor of the weight of the position, 1 by default
    firmness: Floats | None = None  # (T,) the same of the orientation


@dataclass(frozen=True, eq=False)
class PathTargets:
    """Targets of some points: positions, then orientations."""

    placed: Ints  # (A,) points with a position
    rotated: Ints  # (B,) points with an orientation
    position: Floats  # (T, A, 3) m
    orientation: Floats  # (T, B, 3, 3)
    factors: Floats  # (T, A + B) of their weights

    @classmethod
    def of(cls, parts: Sequence[PathPart], frames: int) -> PathTargets:
        """From points with positions or orientations, or both."""
        placed = [each for each in parts if each.position is not None]
        rotated = [each for each in parts if each.orientation is not None]
        given = [each.orientation for each in rotated if each.orientation is not None]
        turns = [matrix_from_quaternion(each) for each in given]
        factors = [each.weight for each in placed] + [each.firmness for each in rotated]
        full = [np.ones(frames) if each is None else each for each in factors]
        return cls(
            np.array([each.place for each in placed], np.int64),
            np.array([each.place for each in rotated], np.int64),
            np.array([each.position for each in placed]).reshape(-1, frames, 3).swapaxes(0, 1),
            np.array(turns).reshape(-1, frames, 3, 3).swapaxes(0, 1),
            np.array(full).reshape(-1, frames).T,
        )

    @property
    def key(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The same for targets that differ in numbers only."""
        return tuple(self.placed.tolist()), tuple(self.rotated.tolist())

    def only(self, frames: Ints) -> PathTargets:
        """Those of some frames."""
        return replace(
            self,
            position=self.position[frames],
            orientation=self.orientation[frames],
            factors=self.factors[frames],
        )

    def remaining(self, position: Floats, orientation: Floats) -> Floats:
        """(T, P) m from the targets; a rotation counts METRES_PER_RADIAN."""
        squared = np.zeros(position.shape[:2])
        away = self.position - position[:, self.placed]
        squared[:, self.placed] += (away * away).sum(axis=-1)
        turn = self._turns(orientation[:, self.rotated]) * METRES_PER_RADIAN
        squared[:, self.rotated] += (turn * turn).sum(axis=-1)
        return np.sqrt(squared)

    def _turns(self, orientation: Floats) -> Floats:
        """(T, B, 3) rad, rotations from orientations (T, B, 3, 3) to the targets."""
        return vector_from_matrix(self.orientation @ orientation.swapaxes(-1, -2))

    def waypoints(self, position: Floats, orientation: Floats, counts: Ints) -> Floats:
        """(T, K, W, 14) rows for the compiled library, from where the points are to the targets.

        Each frame has its own number of waypoints (T,), and stays at the last of them.
        """
        frames, placed, rotated = len(position), len(self.placed), len(self.rotated)
        count = int(counts.max(initial=1))
        share = np.minimum(np.arange(1, count + 1) / counts[:, None], 1.0)[..., None]
        rows = np.zeros((frames, count, placed + rotated, _WIDE))
        rows[..., 0] = DRAG_WEIGHT * self.factors[:, None]
        rows[..., 1] = SATURATION_DISTANCE
        start = position[:, None, self.placed]
        rows[:, :, :placed, _HEAD : _HEAD + 3] = start + share[..., None] * (
            self.position[:, None] - start
        )
        if rotated:
            before = orientation[:, None, self.rotated]
            turn = share[..., None] * self._turns(before[:, 0])[:, None]
            rows[:, :, placed:, _HEAD : _HEAD + 9] = (matrix_from_vector(turn) @ before).reshape(
                frames, count, rotated, 9
            )
        return rows

    def tasks(self, rows: Floats) -> list[PointTask]:
        """The tasks of one frame and waypoint, from its rows (W, 14)."""
        placed = len(self.placed)
        found: list[PointTask] = []
        for place, row in zip((*self.placed, *self.rotated), rows, strict=True):
            is_position = len(found) < placed
            target = row[None, _HEAD : _HEAD + (3 if is_position else 9)]
            found.append(
                PointTask(
                    f"path {len(found)}",
                    int(place),
                    _ONE,
                    target if is_position else None,
                    None if is_position else target.reshape(1, 3, 3),
                    float(row[0]),
                    saturation=SATURATION_DISTANCE,
                )
            )
        return found
