"""One drag on a whole motion: update while the hand moves, finish when it lets go."""

from __future__ import annotations

import copy
from dataclasses import replace
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene
from arcwright.solve.threads import on_one_thread
from arcwright.tools.gesture import Drag, Gesture, unmoved
from arcwright.tools.hold import held_take
from arcwright.tools.missed import SHORT, Missed
from arcwright.tools.spacetime.blame import missed, notes
from arcwright.tools.spacetime.grip import Grip, grip
from arcwright.tools.spacetime.model import Range, SpacetimeModel, State
from arcwright.tools.spacetime.settle import Patience, settled
from arcwright.tools.spacetime.wanted import Manner, wanted
from arcwright.tools.spacetime.wishes import Apart, Meet, floor_wishes, wishes_of
from arcwright.tools.tool import Note, Preview, Target

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

BRISK = Patience(steps=8, gain=1e-2, least=1e-5)
THOROUGH = Patience(steps=24, gain=1e-4, least=1e-7)
STILL = 1e-9  # m


class SpacetimeSession:
    """Keeps the scene it began with; every answer is worked out from there."""

    def __init__(
        self,
        scene: Scene,
        target: Target,
        options: SpacetimeOptions,
        more: Sequence[Apart | Meet] = (),
    ) -> None:
        self.scene, self.options = scene, options
        actor, self.take, self.address = held_take(scene, target)
        self.wishes = wishes_of(scene, actor, self.take, more, plants=options.find_plants)
        if options.floor:
            self.wishes += floor_wishes(self.take)
        self._grip: Grip | None = None
        self._state: State | None = None
        self._drag: Drag | None = None
        self._moves = 0
        self._preview: Preview | None = None
        self._ending: tuple[int, SpacetimeModel, State] | None = None  # after so many moves

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with the hand where it now is."""
        if not isinstance(gesture, Drag):
            raise BadValue("gesture", "a Drag", type(gesture).__name__)
        if gesture.position is None and gesture.orientation is None:
            raise BadValue("Drag", "a place or an orientation", "a time scale only")
        if self._preview and self._drag and unmoved(self._drag, gesture):
            return self._preview
        held = self._held(gesture)
        self._drag = gesture
        self._moves += 1
        model, state = self._settled(held, gesture, BRISK)
        self._state = state
        left = missed(held, gesture, state)
        self._preview = Preview(
            partial(self._edited, held, gesture, state.x),
            partial(self._notes_of, self._moves, left),
            left.short,
            reached=state.position[held.moment, 0],
            pose=model.values(state.x, slice(held.moment, held.moment + 1))[0],
            make_span=partial(_span, held.range),
        )
        return self._preview

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step."""
        if self._grip is None or self._drag is None:
            return Edit("Spacetime")
        _, state = self._ended(self._grip, self._drag)
        return self._edited(self._grip, self._drag, state.x)

    @on_one_thread
    def notes(self) -> tuple[Note, ...]:
        """What letting go now would leave undone, and what is in the way."""
        if self._grip is None or self._drag is None:
            return ()
        return notes(self._grip, self._drag, *self._ended(self._grip, self._drag))

    def aside(self) -> SpacetimeSession:
        """A session that stands where this one does, for another thread.

        The grip is shared: nobody changes it once it is made.
        """
        other = copy.copy(self)
        other._preview = other._ending = None
        return other

    def _ended(self, held: Grip, drag: Drag) -> tuple[SpacetimeModel, State]:
        """What letting go now would give; worked out once for each place of the hand."""
        if self._ending is None or self._ending[0] != self._moves:
            self._ending = self._moves, *self._settled(held, drag, THOROUGH)
        return self._ending[1:]

    def _notes_of(self, moves: int, left: Missed) -> tuple[Note, ...]:
        """The notes of a preview, of its end while the hand is still there."""
        if moves == self._moves:
            return self.notes()
        return (left.note(),) if left.size > SHORT else ()

    def _held(self, drag: Drag) -> Grip:
        known = self._grip
        same = known is not None and drag.time == known.drag.time
        if known is None or not same or not _same_point(drag, known.drag):
            self._grip = known = grip(self.take, drag, self.wishes, self.options)
            self._state = None
        return known

    def _settled(self, held: Grip, drag: Drag, patience: Patience) -> tuple[SpacetimeModel, State]:
        """What is wished now, and where steps from the last move's answer lead."""
        manner = Manner(self.options.ramp, self.options.floating, self.options.clean)
        model = held.model.wishing(*wanted(held, drag, manner))
        x, places = model.nowhere()
        if _is_still(held, drag):
            return model, model.state(x, places)
        if self._state is not None:
            x = self._state.x
            if len(self._state.places) == len(places):
                places = self._state.places
        state = model.state(x, places)
        if self._state is not None:
            state = replace(state, damping=self._state.damping)
        return model, settled(model, state, patience)

    def _edited(self, held: Grip, drag: Drag, x: Floats) -> Edit:
        frame = drag.time * self.take.rate
        label = f"Move {drag.point.joint} at frame {frame:g} and the motion around it"
        if _is_still(held, drag) or not np.abs(x).max(initial=0.0) > STILL:
            return Edit(label)
        layers = self.take.layers
        name = f"{drag.point.joint} at frame {frame:g}"
        after = (*layers, held.model.layer(x, name))
        return Edit(label, (Change((*self.address, "layers"), layers, after),))


def _same_point(a: Drag, b: Drag) -> bool:
    return a.point.joint == b.point.joint and np.array_equal(a.point.offset, b.point.offset)


def _is_still(held: Grip, drag: Drag) -> bool:
    """Whether the hand is where the point was from the beginning."""
    if drag.orientation is not None or drag.position is None:
        return False
    return held.away(drag) <= STILL


def _span(span: Range) -> tuple[float, float]:
    return span.start, span.end
