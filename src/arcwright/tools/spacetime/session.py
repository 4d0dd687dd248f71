"""Session: drags on a whole motion; quick solves while they move, a thorough one on release."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from time import thread_time
from typing import TYPE_CHECKING

from arcwright.curves.time_warp import TimeWarp
from arcwright.errors import BadValue
from arcwright.scene.constraint import Constraint
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.solve.budget import Budget
from arcwright.solve.threads import on_one_thread
from arcwright.tools.gesture import Drag, Gesture, unmoved
from arcwright.tools.shared.drags import DRAG_TOLERANCE, DragResidual
from arcwright.tools.spacetime.augmented_lagrangian import (
    converge,
    enforce_constraints,
    preview,
)
from arcwright.tools.spacetime.constraints import (
    EditedCharacter,
    edited_character,
    holding_characters,
)
from arcwright.tools.spacetime.diagnosis import CharacterSolution
from arcwright.tools.spacetime.displacement import edit_range
from arcwright.tools.spacetime.edit_result import EditResult
from arcwright.tools.spacetime.prediction import came_back, growth, lead
from arcwright.tools.spacetime.prepared_edit import DragKey, PreparedEdit, drag_key, prepare
from arcwright.tools.spacetime.props import ZERO_DISPLACEMENT, MovedProp, move_prop, prop_take
from arcwright.tools.spacetime.targets import build_terms, carried_shifts
from arcwright.tools.spacetime.timing import Timing, adapted_timing, timing_notes, with_timing
from arcwright.tools.tool import DragStatus, Note, Preview, PreviewPose, Progress

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions


class SpacetimeSession:
    """Keeps the scene it began with; every result is computed from there."""

    def __init__(
        self,
        scene: Scene,
        target: Target,
        options: SpacetimeOptions,
        more: Sequence[Constraint] = (),
    ) -> None:
        self.scene, self.target, self._more = scene, target, more
        self.clock = thread_time  # s, by which the time of a release is measured
        self.actor = scene.actor(target.character)
        takes = [take for character in scene.characters for take in character.takes]
        self.take: Take | None = takes[0] if takes else None
        self._drags: dict[DragKey, Drag] = {}
        self._prepare_for(options)
        self._update_count = 0
        self._preview: Preview | None = None
        self._release: tuple[int, EditResult] | None = None  # after so many updates
        self._retimed: list[tuple[Edit, TimeWarp]] = []  # results, also of forks

    def _prepare_for(self, options: SpacetimeOptions) -> None:
        """Forget what was made with other options."""
        self.options = options
        self.characters: dict[str, EditedCharacter] = {}
        self._prepared: dict[tuple[str, int], PreparedEdit] = {}  # by character and refinement
        self._result: EditResult | None = None  # of the last update
        if isinstance(self.actor, Prop):
            self.take = prop_take(self.scene, self.actor, self.target.take, self.take).take
        else:
            own = edited_character(self.scene, self.target, options, self._more)
            self.characters[own.name], self.take = own, own.take

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with the drag where it now is."""
        if not isinstance(gesture, Drag):
            raise BadValue("gesture", "a Drag", type(gesture).__name__)
        if gesture.position is None and gesture.orientation is None:
            raise BadValue("Drag", "a place or an orientation", "a time scale only")
        drag = self._named(gesture)
        key = drag_key(drag)
        last = next(reversed(self._drags.values()), None)
        if self._preview and last and drag_key(last) == key and unmoved(last, drag):
            return self._preview
        drags = {other: each for other, each in self._drags.items() if other != key} | {key: drag}
        return self._show(drags, self._updated(drags))

    @on_one_thread
    def set_options(self, options: SpacetimeOptions) -> Preview:
        """The edit as it would be with other options."""
        before = self.options
        try:
            self._prepare_for(options)
            if self._drags:
                result = self._solve_all(tuple(self._drags.values()))
                return self._show(self._drags, result)
        except BadValue:
            self._prepare_for(before)
            raise
        return Preview(self.finish)

    def _show(self, drags: dict[DragKey, Drag], result: EditResult) -> Preview:
        """The preview of a result, which stands from now on."""
        self._result, self._drags = result, drags
        self._update_count += 1
        left, drag = result.worst_drag(), next(reversed(drags.values()))
        assert self.take is not None
        pose = result.pose(self.actor.name, self.take, drag.time)
        target = Target(self.actor.name, self.take.name)
        self._preview = Preview(
            result.edit,
            partial(self._preview_notes, self._update_count, left),
            lambda: result.span,
            poses=(PreviewPose(target, drag.time, pose),),
            drag=DragStatus(result.reached(drag)[0], drag.position, left.remaining),
        )
        return self._preview

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step."""
        return self._edit(self._released()) if self._drags else Edit("Spacetime")

    def _edit(self, released: EditResult) -> Edit:
        """The undo step of a release, with the timing that it brings along."""
        edit, timing = released.edit(), self._timing(released)
        if timing is None or edit.empty:
            return edit
        timed = with_timing(self.scene, edit, released.solved[self.actor.name], timing.warp)
        self._retimed.append((timed, timing.warp))
        return timed

    def _timing(self, released: EditResult) -> Timing | None:
        """How the timing of the edited take adapts to a result."""
        own = released.solved.get(self.actor.name)
        return None if own is None or released.unmoved else adapted_timing(own, self.options)

    @on_one_thread
    def warp(self) -> TimeWarp | None:
        """How finishing moves frames in time; None where they stay."""
        timing = self._timing(self._released()) if self._drags else None
        return None if timing is None else timing.warp

    def warp_of(self, result: Edit) -> TimeWarp | None:
        """How a result of this session or a fork of it moves frames in time; None: they stay."""
        return next((warp for edit, warp in self._retimed if edit is result), None)

    @on_one_thread
    def solve_further(self, progress: Progress) -> Edit:
        """The undo step of a release that may take as long as it needs."""
        if not self._drags:
            return Edit("Spacetime")
        result = self._solve_all(tuple(self._drags.values()), Budget(progress=progress))
        self._release = self._update_count, result
        return self._edit(result)

    @property
    def used(self) -> Mapping[str, float]:
        """Values used for spacing and range, s: of the release, or else of the last update."""
        if self._release is not None and self._release[0] == self._update_count:
            return self._release[1].used
        return self._result.used if self._result else {}

    @on_one_thread
    def notes(self) -> tuple[Note, ...]:
        """What the edit would miss if the drag finished now, and what blocks it."""
        if not self._drags:
            return ()
        released = self._released()
        timing = self._timing(released)
        assert self.take is not None
        more = () if timing is None else timing_notes(timing, self.take.rate)
        return (*released.notes(), *more)

    def fork(self) -> SpacetimeSession:
        """A copy for another thread.

        Prepared edits and results are shared: they never change.
        """
        other = copy.copy(self)
        other._prepared, other.characters = dict(self._prepared), dict(self.characters)
        other._preview = other._release = None
        return other

    def _named(self, drag: Drag) -> Drag:
        """With the name of the actor that the drag holds: a prop, or else the target."""
        props = {prop.name for prop in self.scene.props}
        name = drag.point.character if drag.point.character in props else self.actor.name
        return replace(drag, handle=replace(drag.point, character=name))

    def _released(self) -> EditResult:
        """The result if the drag finished now; computed once for each update."""
        if self._release is None or self._release[0] != self._update_count:
            budget = Budget(self.options.solve_time, self.clock)
            result = self._solve_all(tuple(self._drags.values()), budget)
            self._release = self._update_count, result
        return self._release[1]

    def _preview_notes(self, update: int, left: DragResidual) -> tuple[Note, ...]:
        """The notes of a preview: of its release, unless the drag has moved on."""
        if update == self._update_count:
            return self.notes()
        return (left.note(),) if left.size > DRAG_TOLERANCE else ()

    def _updated(self, drags: dict[DragKey, Drag]) -> EditResult:
        """The result of an update; a drag that is refused leaves the session as it was."""
        before = self._prepared, self._result
        if drags.keys() != self._drags.keys():
            self._prepared, self._result = {}, None
        try:
            return self._solve_all(tuple(drags.values()))
        except BadValue:
            self._prepared, self._result = before
            raise

    def _solve_all(self, drags: tuple[Drag, ...], release: Budget | None = None) -> EditResult:
        """Move props first, then solve the characters that are held or hold one of them.

        As a preview, or to release the drags within a budget.
        """
        moved = self._moved_props(drags)
        names = {drag.point.character for drag in drags} - moved.keys()
        for prop in moved:
            holding = holding_characters(self.scene, prop)
            names |= {self._character(each).name for each in holding}
        affected = [name for name in sorted(names) if self._is_affected(name, drags)]
        prepared = {name: self._prepare(name, drags) for name in affected}
        still = all(each.unmoved for each in moved.values())
        still &= all(
            _is_unmoved(prepared[drag.point.character], drag)
            for drag in drags
            if drag.point.character in prepared
        )
        solved = {}
        for name in affected:
            found = self._start(name, drags, moved, unmoved=still)
            if release is None and not still:
                found = preview(found)
            elif release is not None and not still:
                found = converge(found, release)
                prepared_at = partial(self._prepare, name, drags)
                found = enforce_constraints(found, prepared_at, list(moved.values()), release)
            solved[name] = found
        return EditResult(drags, moved, solved, still)

    def _is_affected(self, name: str, drags: tuple[Drag, ...]) -> bool:
        """Whether a drag holds a character, or it has constraints in the range."""
        if any(drag.point.character == name for drag in drags):
            return True
        own = self.characters[name]
        times = [min(drag.time, own.take.duration) for drag in drags]
        span = edit_range(own.take, self.options, times)
        return any(each.overlaps(span.start, span.end) for each in own.constraints)

    def _moved_props(self, drags: tuple[Drag, ...]) -> dict[str, MovedProp]:
        """The props that drags hold; of two drags on one the last counts."""
        found = {}
        for drag in drags:
            prop = self.scene.actor(drag.point.character)
            if isinstance(prop, Prop):
                clip = self.target.take if prop is self.actor else ""
                source = prop_take(self.scene, prop, clip, self.take)
                found[prop.name] = move_prop(source, drag, self.options)
        return found

    def _character(self, target: Target) -> EditedCharacter:
        name = target.character
        if name not in self.characters:
            self.characters[name] = edited_character(self.scene, target, self.options)
        return self.characters[name]

    def _prepare(self, name: str, drags: tuple[Drag, ...], refinement: int = 0) -> PreparedEdit:
        key = name, refinement
        if key not in self._prepared:
            character = self.characters[name]
            own = [drag for drag in drags if drag.point.character == name]
            others = [drag for drag in drags if drag not in own]
            self._prepared[key] = prepare(
                character,
                own,
                self.options,
                [min(drag.time, character.take.duration) for drag in others],
                refinement,
            )
        return self._prepared[key]

    def _start(
        self,
        name: str,
        drags: tuple[Drag, ...],
        moved: dict[str, MovedProp],
        *,
        unmoved: bool,
    ) -> CharacterSolution:
        """A character with the terms of the current drags, as it is after the last update."""
        prepared = self._prepare(name, drags)
        own = tuple(drag for drag in drags if drag.point.character == name)
        carried = carried_shifts(prepared, list(moved.values()))
        terms, offset_count = build_terms(prepared, own, carried)
        reference = prepared.reference(own)
        model = prepared.model.with_terms(terms, offset_count, reference=reference)
        before = self._result.solved.get(name) if self._result else None
        x, offsets = model.zero()
        x = x + reference
        if before is None or unmoved or came_back(prepared, before.drags, own):
            state = model.evaluate(x, offsets)
        else:
            if len(before.state.offsets) == offset_count:
                offsets = before.state.offsets
            assert self._result is not None
            leads = (lead(prepared, before.drags, self._result.moved), lead(prepared, own, moved))
            by = before.state.x - before.model.reference
            times_as_far = {1.0, growth(*leads)}
            states = [model.evaluate(k * by + reference, k * offsets) for k in times_as_far]
            nearest = min(states, key=lambda each: each.cost)
            state = replace(nearest, damping=before.state.damping)
        return CharacterSolution(self.characters[name], prepared, own, model, state)


def _is_unmoved(prepared: PreparedEdit, drag: Drag) -> bool:
    """Whether a drag is at the original position of its point."""
    if drag.orientation is not None or drag.position is None:
        return False
    return prepared.drag_distance(drag) <= ZERO_DISPLACEMENT
