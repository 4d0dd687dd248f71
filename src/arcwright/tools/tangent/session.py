"""One drag on a motion curve: update while the drag moves, finish when it ends."""

from __future__ import annotations

import copy
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.trail import trail
from arcwright.objectives.edited_clip import find_clip
from arcwright.objectives.freedom import freedom_of
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Scene
from arcwright.scene.target import Target
from arcwright.solve.threads import on_one_thread
from arcwright.tools.gesture import Drag, unmoved
from arcwright.tools.shared.drags import DRAG_TOLERANCE
from arcwright.tools.tangent.drag_problem import DragProblem, farthest
from arcwright.tools.tangent.handles import build_edit
from arcwright.tools.tangent.key_offer import offer_key
from arcwright.tools.tangent.preparation import PreparedEdit, check_times
from arcwright.tools.tangent.release import Release, release
from arcwright.tools.tangent.release_solution import ReleaseSolution
from arcwright.tools.tangent.solve_stages import solve_along_waypoints
from arcwright.tools.tool import DragStatus, Note, Offer, Preview, PreviewPose

if TYPE_CHECKING:
    from arcwright.tools.tangent.tool import TangentOptions

SWINGS = 2.5  # times as far as at the time of the drag: a point that moves so far elsewhere swings
LEAST_SWING = 0.1  # m
_Held = tuple[str, bytes, float]


class TangentSession:
    """Keeps the scene it began with; every result is computed from it."""

    def __init__(self, scene: Scene, target: Target, options: TangentOptions) -> None:
        self.scene, self._target = scene, target
        self.edited = find_clip(scene, target)
        self.options = options
        freedom_of(self.edited, options).prepare()
        self._drags: dict[_Held, Drag] = {}
        self._problem: DragProblem | None = None
        self._x = np.zeros(0)
        self._moves = 0
        self._was_unmet = False
        self._preview: tuple[_Held, Preview] | None = None
        self._release: tuple[int, Release] | None = None  # after so many moves

    def update(self, gesture: Drag) -> Preview:
        """The edit as it would be with the drag where it now is."""
        held = (gesture.point.joint, gesture.point.offset.tobytes(), gesture.time)
        last, preview = self._preview or (None, None)
        if preview and last == held and unmoved(self._drags[held], gesture):
            return preview
        if held not in self._drags:
            self._problem, self._x = None, np.zeros(0)
        self._drags[held] = gesture
        self._moves += 1
        problem = self._current_problem()
        index = list(self._drags).index(held)
        found = problem.solve(problem.prepared, self._x, was_unmet=self._was_unmet)
        if problem.tied and farthest(found.residuals, problem.drag_tasks) > DRAG_TOLERANCE:
            problem.untie()
            model = problem.model()
            start = solve_along_waypoints(
                model, problem.reference(problem.prepared), problem.drag_tasks
            )
            found = problem.solve(problem.prepared, start)
        self._x = found.x
        model, remaining = problem.model(), farthest(found.residuals, problem.drag_tasks)
        self._was_unmet = remaining > DRAG_TOLERANCE
        preview = Preview(
            partial(
                self._edit, problem.prepared, found.x, problem.is_still(model), problem.drags[0]
            ),
            partial(self._notes_of, self._moves, held, remaining),
            partial(_span, problem.prepared),
            poses=(PreviewPose(self._target, gesture.time, model.pose(found.x, index)),),
            drag=DragStatus(model.reached(found.x, index), gesture.position, remaining),
        )
        self._preview = held, preview
        return preview

    def _current_problem(self) -> DragProblem:
        """The problem, following the drags; made where there is none yet."""
        drags = tuple(self._drags.values())
        if self._problem is None:
            self._problem = on_one_thread(DragProblem)(self.scene, self.edited, self.options, drags)
            count = len(self._problem.prepared.handles.stiffness)
            self._x = self._x if len(self._x) == count else np.zeros(count)
        elif self._problem.drags != drags:
            self._problem.follow(drags)
            if self._problem.tied and any(drag.time_scale for drag in drags):
                self._problem.untie()
                self._x = np.zeros(len(self._problem.prepared.handles.stiffness))
        return self._problem

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step."""
        return self._released() if self._drags else Edit("Drag")

    def _released(self) -> Edit:
        return self._edit_of(self._ended().ending)

    def _edit_of(self, ending: ReleaseSolution) -> Edit:
        return self._edit(ending.problem.prepared, ending.x, ending.still, ending.problem.drags[0])

    def _edit(self, held: PreparedEdit, x: Floats, still: bool, first: Drag) -> Edit:
        label = (
            f"{_verb(first)} {first.point.joint} at frame {first.time * self.edited.take.rate:g}"
        )
        return Edit(label) if still else build_edit(self.edited, held.handles, x, label)

    def _ended(self) -> Release:
        """The result if the drag finished now; computed once for each place of the drag."""
        if self._release is None or self._release[0] != self._moves:
            self._release = self._moves, release(self._current_problem(), self._edit_of)
        return self._release[1]

    @on_one_thread
    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone, and the blocking constraint."""
        if not self._drags:
            return ()
        release = self._ended()
        return release.notes() or (*self._swings(), *release.jump_notes())

    def _swings(self) -> tuple[Note, ...]:
        """A note where a met drag moves its point much further at other times: close to a key."""
        edit = self._released()
        if len(self._drags) != 1 or edit.empty:
            return ()
        drag, span = next(iter(self._drags.values())), self._ended().ending.problem.prepared.span
        if drag.position is None:
            return ()
        take = self.edited.take
        after = edit.apply(self.scene).actor(self.edited.actor.name).take(take.name)
        times = np.append(check_times(span, take.rate / 4), drag.time)
        was, now = (trail(each, drag.point, times).position for each in (take, after))
        moved = np.linalg.norm(now - was, axis=1)
        most, here = float(moved.max()), float(moved[-1])
        if most < max(SWINGS * here, LEAST_SWING):
            return ()
        where = f"{100 * most:.0f} cm at frame {times[moved.argmax()] * take.rate:.0f}"
        text = (
            f"{drag.point.joint} swings {where}: frame {drag.time * take.rate:g} is close to a key"
        )
        return (Note(text, "swings", most),)

    def _notes_of(self, moves: int, held: _Held, remaining: float) -> tuple[Note, ...]:
        """The notes of a preview; with the blocking constraint while the drag has not moved on."""
        if moves == self._moves:
            return self.notes()
        if remaining <= DRAG_TOLERANCE:
            return ()
        text = f"{held[0]} stays {remaining * 100:.1f} cm short"
        return (Note(text, "residual", remaining),)

    def offer(self) -> Offer | None:
        """What a key at the time of the drag would gain; None where the drag is met."""
        if len(self._drags) != 1:
            return None
        drag = next(iter(self._drags.values()))
        if drag.position is None:
            return None
        free = freedom_of(self.edited, self.options, [drag])
        edit, release = self._released(), self._ended()
        if release.avoided or (not release.notes() and (self._swings() or release.jump)):
            edit = Edit(edit.label)
        return offer_key(self.scene, self.edited, edit, drag, free)

    def fork(self) -> TangentSession:
        """A session that stands where this one does, for another thread.

        It shares no mutable state and is cheap to make.
        """
        other = copy.copy(self)
        other._drags, other._problem = dict(self._drags), None
        other._preview = other._release = None
        return other


def _verb(drag: Drag) -> str:
    if drag.position is not None:
        return "Drag"
    return "Rotate" if drag.orientation is not None else "Time"


def _span(held: PreparedEdit) -> tuple[float, float]:
    return held.span
