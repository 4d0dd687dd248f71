"""Drags on a whole motion: update while hands move, finish when they let go."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from arcwright.errors import BadValue
from arcwright.scene.constraint import Constraint
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take
from arcwright.solve.threads import on_one_thread
from arcwright.tools.gesture import Drag, Gesture, unmoved
from arcwright.tools.missed import SHORT, Missed
from arcwright.tools.spacetime.augmented_lagrangian import Patience, firm, settled
from arcwright.tools.spacetime.constraints import Part, holders, part_of
from arcwright.tools.spacetime.diagnosis import Answer, Solved
from arcwright.tools.spacetime.displacement import range_of
from arcwright.tools.spacetime.prepared_edit import Grip, Hold, grip, hold_of
from arcwright.tools.spacetime.props import STILL, Pushed, pushed, thing_of
from arcwright.tools.spacetime.targets import carried_by, wanted
from arcwright.tools.tool import Note, Preview, Target

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

BRISK = Patience(steps=4, gain=2e-2, least=1e-4)
THOROUGH = Patience(steps=60, gain=1e-4, least=1e-6, idle=2)


class SpacetimeSession:
    """Keeps the scene it began with; every answer is worked out from there."""

    def __init__(
        self,
        scene: Scene,
        target: Target,
        options: SpacetimeOptions,
        more: Sequence[Constraint] = (),
    ) -> None:
        self.scene, self.target, self.options = scene, target, options
        self.actor = scene.actor(target.character)
        self.parts: dict[str, Part] = {}
        takes = [take for character in scene.characters for take in character.takes]
        self.take: Take | None = takes[0] if takes else None
        if isinstance(self.actor, Prop):
            self.take = thing_of(scene, self.actor, target.clip, self.take).take
        else:
            own = part_of(scene, target, options, more)
            self.parts[own.name], self.take = own, own.take
        self._drags: dict[Hold, Drag] = {}
        self._grips: dict[tuple[str, int], Grip] = {}  # by name, and how fine they are
        self._answer: Answer | None = None
        self._moves = 0
        self._preview: Preview | None = None
        self._ending: tuple[int, Answer] | None = None  # after so many moves

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with the hand where it now is."""
        if not isinstance(gesture, Drag):
            raise BadValue("gesture", "a Drag", type(gesture).__name__)
        if gesture.position is None and gesture.orientation is None:
            raise BadValue("Drag", "a place or an orientation", "a time scale only")
        drag = self._named(gesture)
        hold = hold_of(drag)
        last = next(reversed(self._drags.values()), None)
        if self._preview and last and hold_of(last) == hold and unmoved(last, drag):
            return self._preview
        drags = {key: each for key, each in self._drags.items() if key != hold} | {hold: drag}
        self._answer = answer = self._after(drags)
        self._drags = drags
        self._moves += 1
        left = answer.missed()
        assert self.take is not None
        self._preview = Preview(
            answer.edit,
            partial(self._notes_of, self._moves, left),
            left.short,
            reached=answer.reached(drag)[0],
            pose=answer.pose(self.actor.name, self.take, drag.time),
            make_span=lambda: answer.span,
        )
        return self._preview

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step."""
        return self._ended().edit() if self._drags else Edit("Spacetime")

    @property
    def used(self) -> Mapping[str, float]:
        """What was made of the spacing and the range, s: once let go, or else by the last move."""
        if self._ending is not None and self._ending[0] == self._moves:
            return self._ending[1].used
        return self._answer.used if self._answer else {}

    @on_one_thread
    def notes(self) -> tuple[Note, ...]:
        """What letting go now would leave undone, and what is in the way."""
        return self._ended().notes() if self._drags else ()

    def aside(self) -> SpacetimeSession:
        """A session that stands where this one does, for another thread.

        Grips and answers are shared: nobody changes them once they are made.
        """
        other = copy.copy(self)
        other._grips, other.parts = dict(self._grips), dict(self.parts)
        other._preview = other._ending = None
        return other

    def _named(self, drag: Drag) -> Drag:
        """With the name of whom the drag holds: a prop, or else the target."""
        props = {prop.name for prop in self.scene.props}
        name = drag.point.character if drag.point.character in props else self.actor.name
        return replace(drag, point=replace(drag.point, character=name))

    def _ended(self) -> Answer:
        """What letting go now would give; worked out once for each place of the hands."""
        if self._ending is None or self._ending[0] != self._moves:
            self._ending = self._moves, self._settled(tuple(self._drags.values()), THOROUGH)
        return self._ending[1]

    def _notes_of(self, moves: int, left: Missed) -> tuple[Note, ...]:
        """The notes of a preview, of its end while the hand is still there."""
        if moves == self._moves:
            return self.notes()
        return (left.note(),) if left.size > SHORT else ()

    def _after(self, drags: dict[Hold, Drag]) -> Answer:
        """A move's answer; a drag that is refused leaves all as it was."""
        kept = self._grips, self._answer
        if drags.keys() != self._drags.keys():
            self._grips, self._answer = {}, None
        try:
            return self._settled(tuple(drags.values()), BRISK)
        except BadValue:
            self._grips, self._answer = kept
            raise

    def _settled(self, drags: tuple[Drag, ...], patience: Patience) -> Answer:
        """Things first, then the characters that are held or hold one of them."""
        moved = self._moved(drags)
        held = {drag.point.character for drag in drags} - moved.keys()
        for name in moved:
            held |= {self._part(each).name for each in holders(self.scene, name)}
        bearing = [name for name in sorted(held) if self._bears(self.parts[name], drags)]
        grips = {name: self._grip(self.parts[name], drags) for name in bearing}
        still = all(each.still for each in moved.values())
        still &= all(
            _is_still(grips[drag.point.character], drag)
            for drag in drags
            if drag.point.character in grips
        )
        solved = {}
        for name in grips:
            part = self.parts[name]
            found = self._solved(part, drags, moved, patience, still=still)
            if patience is THOROUGH and not still:
                found = firm(found, partial(self._grip, part, drags), list(moved.values()))
            solved[name] = found
        return Answer(drags, moved, solved, still)

    def _bears(self, part: Part, drags: tuple[Drag, ...]) -> bool:
        """Whether a hand holds a part, or it wishes for anything in the range."""
        if any(drag.point.character == part.name for drag in drags):
            return True
        moments = [min(drag.time, part.take.duration) for drag in drags]
        span = range_of(part.take, self.options, moments)
        return any(wish.within(span.start, span.end) for wish in part.wishes)

    def _moved(self, drags: tuple[Drag, ...]) -> dict[str, Pushed]:
        """The props that hands hold; of two hands on one the last counts."""
        found = {}
        for drag in drags:
            prop = self.scene.actor(drag.point.character)
            if isinstance(prop, Prop):
                clip = self.target.clip if prop is self.actor else ""
                thing = thing_of(self.scene, prop, clip, self.take)
                found[prop.name] = pushed(thing, drag, self.options)
        return found

    def _part(self, target: Target) -> Part:
        name = target.character
        if name not in self.parts:
            self.parts[name] = part_of(self.scene, target, self.options)
        return self.parts[name]

    def _grip(self, part: Part, drags: tuple[Drag, ...], fine: int = 0) -> Grip:
        key = part.name, fine
        if key not in self._grips:
            own = [drag for drag in drags if drag.point.character == part.name]
            other = [min(drag.time, part.take.duration) for drag in drags if drag not in own]
            self._grips[key] = grip(
                part.take, own, part.wishes, self.options, other, fine, part.rigid
            )
        return self._grips[key]

    def _solved(
        self,
        part: Part,
        drags: tuple[Drag, ...],
        moved: dict[str, Pushed],
        patience: Patience,
        *,
        still: bool,
    ) -> Solved:
        """What is wished of a part now, and where steps from the answer before lead."""
        held = self._grip(part, drags)
        own = tuple(drag for drag in drags if drag.point.character == part.name)
        lanes, count = wanted(held, own, carried_by(held, list(moved.values())))
        model = held.model.wishing(lanes, count)
        before = self._answer.solved.get(part.name) if self._answer else None
        x, places = model.nowhere()
        if before is None or still:
            state = model.state(x, places)
        else:
            known = len(before.state.places) == count
            state = model.state(before.state.x, before.state.places if known else places)
            state = replace(state, damping=before.state.damping)
        if not still:
            state = settled(model, state, patience)
        return Solved(part, held, own, model, state)


def _is_still(held: Grip, drag: Drag) -> bool:
    """Whether the hand is where the point was from the beginning."""
    if drag.orientation is not None or drag.position is None:
        return False
    return held.away(drag) <= STILL
