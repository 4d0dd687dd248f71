"""Drags: their sessions and residuals, shared by the sessions of several tools."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import matrix_from_quaternion, vector_from_matrix
from arcwright.objectives.point_tasks import METRES_PER_RADIAN
from arcwright.scene.edit import Edit
from arcwright.tools.gesture import Drag
from arcwright.tools.tool import Note, Preview

DRAG_TOLERANCE = 5e-4  # m; a drag that ends further off gets a note


class DragSession(Protocol):
    """A session of drags with options that stay: see `Session`."""

    def update(self, gesture: Drag) -> Preview:
        """Follow a drag."""
        ...

    def finish(self) -> Edit:
        """One undo step."""
        ...

    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        ...

    def fork(self) -> DragSession:
        """A session that stands where this one does, for another thread."""
        ...


@dataclass(frozen=True, eq=False)
class DragResidual:
    """The residual of one drag: remaining distance and angle."""

    drag: Drag
    remaining: float  # m, distance to the target
    angle: float  # rad, to the target orientation

    @classmethod
    def of(cls, drag: Drag, position: Floats, orientation: Floats) -> DragResidual:
        """From the position (3,) of the point and the orientation (3, 3) of its joint."""
        remaining = angle = 0.0
        if drag.position is not None:
            away = drag.position - position
            remaining = float(np.linalg.norm(away if drag.axes is None else drag.axes @ away))
        if drag.orientation is not None:
            between = matrix_from_quaternion(drag.orientation) @ orientation.T
            angle = float(np.linalg.norm(vector_from_matrix(between[None])))
        return cls(drag, remaining, angle)

    @property
    def size(self) -> float:
        """Both together, m."""
        return float(np.hypot(self.remaining, METRES_PER_RADIAN * self.angle))

    def note(self, blocker: str = "", several: bool = False) -> Note:
        """The note for people: the distance left, or else the angle."""
        joint, far = self.drag.point.joint, self.remaining > DRAG_TOLERANCE
        left = (
            f"{self.remaining * 100:.1f} cm short" if far else f"{np.degrees(self.angle):.1f}° off"
        )
        verb = "keep" if several else "keeps"
        text = f"{blocker} {verb} {joint} {left}" if blocker else f"{joint} stays {left}"
        return Note(text, "residual", self.remaining if far else self.angle, blocker)


def worst(residuals: Iterable[DragResidual]) -> DragResidual | None:
    """The drag with the largest residual, if any is beyond tolerance."""
    found = max(residuals, key=lambda each: each.size, default=None)
    return found if found is not None and found.size > DRAG_TOLERANCE else None
