"""Release: the result of a drag, held back where going all the way would make a joint jump."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import (
    quaternion_conjugate,
    quaternion_from_vector,
    quaternion_multiply,
    vector_from_quaternion,
)
from arcwright.kinematics.trail import trail
from arcwright.objectives.freedom import freedom_of
from arcwright.scene.edit import Edit
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.drags import DragResidual, worst
from arcwright.tools.shared.jumps import Jump, worst_jump
from arcwright.tools.tangent.diagnosis import notes
from arcwright.tools.tangent.drag_problem import DragProblem
from arcwright.tools.tangent.release_solution import ReleaseSolution, solve_release
from arcwright.tools.tangent.samples import still_times
from arcwright.tools.tool import Note

HALVINGS = 4  # of the way, in search for its longest part without a jump


@dataclass(frozen=True, eq=False)
class Release:
    """What a drag leaves when it is released."""

    ending: ReleaseSolution
    drags: tuple[Drag, ...]  # as they were made; the ending may be of shorter ones
    jump: Jump | None  # that is left
    avoided: Jump | None = None  # what the whole way would have made

    def notes(self) -> tuple[Note, ...]:
        """Unmet drags and their blocking constraints."""
        if self.avoided is None:
            found = notes(self.ending)
            return (*found, *self.jump_notes()) if found else ()
        unmet = self._unmet_drag()
        if unmet is None:
            return ()
        note = unmet.note()
        text = f"{note.text}: closer, {self.avoided.joint} would jump {self.avoided.where}"
        return (replace(note, text=text),)

    def jump_notes(self) -> tuple[Note, ...]:
        """A note of the jump that is left, if there is one."""
        if self.jump is None:
            return ()
        frame = self.drags[0].time * self.ending.problem.edited.take.rate
        return (self.jump.note(f"frame {round(frame, 1):g} is close to a key"),)

    def _unmet_drag(self) -> DragResidual | None:
        """The drag, as it was made, that is furthest off."""
        there = self.ending.problem.model().points_at(self.ending.x)
        return worst(
            DragResidual.of(drag, there.position[index, index], there.orientation[index, index])
            for index, drag in enumerate(self.drags)
        )


def release(moving: DragProblem, edit_of: Callable[[ReleaseSolution], Edit]) -> Release:
    """The ending of drags; where it is met by a jump that is not needed, of a part of the way."""

    def jump_of(ending: ReleaseSolution) -> Jump | None:
        edited, problem = moving.edited, ending.problem
        after = edit_of(ending).apply(moving.scene).actor(edited.actor.name).take(edited.take.name)
        room = [_room(problem, drag) for drag in problem.drags]
        return worst_jump(edited.take, after, problem.prepared.span, problem.drags, room)

    whole = solve_release(moving)
    if whole.still:
        return Release(whole, moving.drags, None)
    jump = jump_of(whole)
    if jump is None or jump.needed or whole.unmet_drag() is not None:
        return Release(whole, moving.drags, jump)
    low, high, best, left = 0.0, 1.0, solve_release(_part(moving, 0.0)), None
    for _ in range(HALVINGS):
        share = 0.5 * (low + high)
        tried = solve_release(_part(moving, share))
        found = jump_of(tried)
        if tried.unmet_drag() is None and (found is None or found.needed):
            low, best, left = share, tried, found
        else:
            high = share
    return Release(best, moving.drags, left, avoided=jump)


def _room(problem: DragProblem, drag: Drag) -> float:
    """Seconds from a drag to the nearest time at which none of its curves can change."""
    channels = freedom_of(problem.edited, problem.options).channels([drag.point])
    still = still_times(problem.prepared.handles, channels, np.zeros(0))
    return float(np.abs(still - drag.time).min(initial=np.inf))


def _part(moving: DragProblem, share: float) -> DragProblem:
    """The same points held, dragged a part of the way."""
    return moving.restarted([_shortened(moving.edited.take, drag, share) for drag in moving.drags])


def _shortened(take: Take, drag: Drag, share: float) -> Drag:
    start = trail(take, drag.point, [drag.time])
    position, orientation = drag.position, drag.orientation
    if position is not None:
        position = start.position[0] + share * (position - start.position[0])
    if orientation is not None:
        orientation = _partly_rotated(start.orientation[0], orientation, share)
    return replace(drag, position=position, orientation=orientation)


def _partly_rotated(start: Floats, end: Floats, share: float) -> Floats:
    """(4,) the quaternion a part of the way from one to another."""
    rotation = vector_from_quaternion(quaternion_multiply(end, quaternion_conjugate(start)))
    between: Floats = quaternion_multiply(quaternion_from_vector(share * rotation), start)
    return np.asarray(between)
