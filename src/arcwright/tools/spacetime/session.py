"""One drag on a whole motion: update while the hand moves, finish when it lets go."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.scene.edit import Change, Edit
from arcwright.scene.scene import Scene
from arcwright.solve.threads import on_one_thread
from arcwright.tools.gesture import Drag, Gesture
from arcwright.tools.hold import held_take
from arcwright.tools.spacetime.grip import Grip, grip
from arcwright.tools.spacetime.lanes import NONE
from arcwright.tools.spacetime.model import State
from arcwright.tools.spacetime.settle import Patience, settled
from arcwright.tools.spacetime.wanted import Manner, wanted
from arcwright.tools.spacetime.wishes import Apart, Meet, floor_wishes, wishes_of
from arcwright.tools.tool import Note, Preview, Target

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

BRISK = Patience(steps=8, gain=1e-2, least=1e-5)
THOROUGH = Patience(steps=24, gain=1e-4, least=1e-7)
STILL = 1e-9  # m
SHORT = 1e-3  # m, beyond which a hand is told that it is not met
SLIP = 2e-3  # m, beyond which a kept wish is told to slip


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

    @on_one_thread
    def update(self, gesture: Gesture) -> Preview:
        """The edit as it would be with the hand where it now is."""
        if not isinstance(gesture, Drag):
            raise BadValue("gesture", "a Drag", type(gesture).__name__)
        if gesture.position is None and gesture.orientation is None:
            raise BadValue("Drag", "a place or an orientation", "a time scale only")
        held = self._held(gesture)
        self._drag = gesture
        self._state = state = self._settled(held, gesture, BRISK)
        reached = state.position[held.moment, 0]
        pose = state.values[held.moment]
        notes = partial(_notes, held, gesture, state)
        span = held.range.start, held.range.end
        made = partial(self._edited, held, gesture, state.x)
        return Preview(made, notes, _short(gesture, reached), reached, pose, span)

    @on_one_thread
    def finish(self) -> Edit:
        """One undo step."""
        if self._grip is None or self._drag is None:
            return Edit("Spacetime")
        state = self._settled(self._grip, self._drag, THOROUGH)
        return self._edited(self._grip, self._drag, state.x)

    def _held(self, drag: Drag) -> Grip:
        known = self._grip
        same = known is not None and drag.time == known.drag.time
        if known is None or not same or not _same_point(drag, known.drag):
            self._grip = known = grip(self.take, drag, self.wishes, self.options)
            self._state = None
        return known

    def _settled(self, held: Grip, drag: Drag, patience: Patience) -> State:
        manner = Manner(self.options.ramp, self.options.floating, self.options.clean)
        model = held.model
        model.lanes, model.place_count = wanted(held, drag, manner)
        x, places = model.nowhere()
        if _is_still(held, drag):
            return model.state(x, places)
        if self._state is not None:
            x = self._state.x
            if len(self._state.places) == len(places):
                places = self._state.places
        return settled(model, model.state(x, places), patience)

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
    return bool(np.abs(drag.position - held.place).max() <= STILL)


def _short(drag: Drag, reached: Floats) -> float:
    if drag.position is None:
        return 0.0
    away = drag.position - reached
    return float(np.linalg.norm(away if drag.axes is None else drag.axes @ away))


def _notes(held: Grip, drag: Drag, state: State) -> tuple[Note, ...]:
    short = _short(drag, state.position[held.moment, 0])
    slips = _slips(held, state)
    blocker = max(slips, key=lambda name: slips[name], default="")
    notes = []
    if short > SHORT:
        words = f"{drag.point.joint} stays {short * 100:.1f} cm short"
        if blocker:
            words += f"; {blocker} keeps it"
        notes.append(Note(words, "short", short, blocker))
    for name, slip in slips.items():
        if slip > SLIP:
            words = f"{name} is off by up to {slip * 1000:.0f} mm"
            notes.append(Note(words, "short", slip, name))
    return tuple(notes)


def _slips(held: Grip, state: State) -> dict[str, float]:
    """How far each kept wish is missed, m, at its worst full moment, by name."""
    found: dict[str, float] = {}
    first = 0
    for lane in held.model.lanes:
        miss = np.linalg.norm(state.rows.miss[:, first : first + lane.width], axis=1)
        first += lane.width
        full = lane.weight >= 0.5 * lane.weight.max(initial=0.0)
        for index in set(lane.wish[full].tolist()) - {NONE}:
            name = held.wishes[index].name
            worst = float(miss[full & (lane.wish == index)].max())
            found[name] = max(found.get(name, 0.0), worst)
    return found
