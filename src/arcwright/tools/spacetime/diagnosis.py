"""Blame: what an answer leaves undone, and which kept wish is pulled at most, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.kinematics.sample import values_at
from arcwright.kinematics.trail import trail
from arcwright.scene.edit import Change, Edit
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.missed import SHORT, Missed
from arcwright.tools.spacetime.constraints import (
    Part,
)
from arcwright.tools.spacetime.jacobians import MARGIN
from arcwright.tools.spacetime.model import SpacetimeModel, State
from arcwright.tools.spacetime.prepared_edit import Grip
from arcwright.tools.spacetime.props import STILL, Pushed
from arcwright.tools.spacetime.rows import off
from arcwright.tools.spacetime.schedule import faded
from arcwright.tools.spacetime.terms import ARM, NONE, ON, Lane, There
from arcwright.tools.tool import Note

if TYPE_CHECKING:
    pass

SLIP = 2e-3  # m, beyond which a kept wish is told to slip
OTHERS = 1.8e-3  # m, the slack of lanes that name none
SEEN = 0.3e-3  # m beyond its slack, from which something does not hold
BINDING = 30.0  # m per rad: rather let plants slip by centimetres than break a limit


class Solved(NamedTuple):
    """A part, what was wished of it, and where that leads."""

    part: Part
    grip: Grip
    drags: tuple[Drag, ...]
    model: SpacetimeModel
    state: State

    def change(self, name: str) -> Change:
        """A layer more, of this name."""
        layers = self.part.take.layers
        after = (*layers, self.model.layer(self.state.x, name))
        return Change((*self.part.address, "layers"), layers, after)


def missed(held: Grip, drag: Drag, state: State) -> Missed:
    """What is left of a drag."""
    at = held.of(drag)
    return Missed.of(drag, *state.placed(at.moment, at.place))


def notes(
    held: Grip, drags: Sequence[Drag], model: SpacetimeModel, state: State
) -> tuple[Note, ...]:
    """The drags that are missed, then the kept wishes that slip."""
    off_by = slips(held, model, state)
    pulled = max(off_by, key=lambda key: off_by[key], default=None)
    found = []
    for left in (missed(held, drag, state) for drag in drags):
        if left.size > SHORT:
            blocks = pulled is not None and off_by[pulled] > SHORT
            found.append(left.note(pulled[0] if pulled and blocks else ""))
    found += [note for drag in drags for note in _cut(held, drag)]
    return (*found, *(_slip_note(*key, slip) for key, slip in off_by.items() if slip > SLIP))


def _cut(held: Grip, drag: Drag) -> Iterator[Note]:
    """Of plants that a hand takes along and that reach to where the range stays as it is."""
    times, fade = held.range.times, faded(held.range, held.manner.ramp)
    for index in sorted(held.of(drag).plants if drag.position is not None else ()):
        wish = held.wishes[index]
        inside = (times >= wish.start) & (times <= wish.end)
        back = held.away(drag) * float(1 - fade[inside].min(initial=1.0))
        if back > SLIP:
            text = f"{wish.name} slides back by {back * 1000:.0f} mm at an end that is kept"
            yield Note(text, "short", back, wish.name)


def loose(model: SpacetimeModel, state: State) -> float:
    """How far the place that is kept worst is beyond its slack, m; limits count much more.

    What pulls no harder because it is out of reach does not count.
    """
    worst = BINDING * float((np.abs(state.broken.miss) - MARGIN).max(initial=0.0))
    for lane in model.lanes:
        full = _full(lane)
        if lane.kind != "turn" and full.any():
            room = OTHERS if lane.slack is None else lane.slack[full]
            miss = off(lane, state.there, state.places)[full]
            worst = max(worst, float((miss - room)[miss < lane.near].max(initial=0.0)))
    return worst


def unmet(lanes: Sequence[Lane], there: There, places: Floats, wishes: Sequence[int]) -> Bools:
    """(T,) where some of these wishes is beyond its slack."""
    found = np.zeros(len(there.position), bool)
    for lane in lanes:
        room = OTHERS if lane.slack is None else lane.slack
        own = _full(lane) & np.isin(lane.wish, wishes)
        found |= own & (off(lane, there, places) > room + SEEN)
    return found


def _full(lane: Lane) -> Bools:
    """(T,) where somebody's wish is on, not only coming or going."""
    on = np.zeros(len(lane.wish), bool)
    for index in set(lane.wish.tolist()) - {NONE}:
        own = lane.wish == index
        on |= own & (lane.weight > 0) & (lane.weight >= ON * lane.weight[own].max())
    return on


def _slip_note(name: str, turned: bool, slip: float) -> Note:
    if turned:
        angle = slip / ARM
        text = f"{name} is turned by up to {np.degrees(angle):.1f}°"
        return Note(text, "short", angle, name)
    return Note(f"{name} is off by up to {slip * 1000:.0f} mm", "short", slip, name)


def slips(held: Grip, model: SpacetimeModel, state: State) -> dict[tuple[str, bool], float]:
    """How far each kept wish is missed at its worst full moment, m; by name, turns apart."""
    found: dict[tuple[str, bool], float] = {}
    for (index, turned), worst in misses(model, state).items():
        key = held.wishes[index].name, turned
        found[key] = max(found.get(key, 0.0), worst)
    return found


def misses(model: SpacetimeModel, state: State) -> dict[tuple[int, bool], float]:
    """As `slips`, but each wish by itself: by its place among those of the grip."""
    found: dict[tuple[int, bool], float] = {}
    for lane in model.lanes:
        miss = off(lane, state.there, state.places)
        full = _full(lane)
        for index in set(lane.wish[full].tolist()) - {NONE}:
            key = index, lane.kind == "turn"
            worst = float(miss[full & (lane.wish == index)].max())
            found[key] = max(found.get(key, 0.0), worst)
    return found


@dataclass(frozen=True, eq=False)
class Answer:
    """Drags, each of a point that names its character or prop, and where they lead."""

    drags: tuple[Drag, ...]
    moved: Mapping[str, Pushed]
    solved: Mapping[str, Solved]
    still: bool  # whether every hand is where it took hold

    @property
    def span(self) -> tuple[float, float]:
        """Seconds; elsewhere nothing changes."""
        spans = [each.span for each in self.moved.values()]
        spans += [(each.grip.range.start, each.grip.range.end) for each in self.solved.values()]
        return min(start for start, _ in spans), max(end for _, end in spans)

    @property
    def used(self) -> Mapping[str, float]:
        """What was made of the spacing and the range, s; nothing where only things moved."""
        return next((each.grip.range.used for each in self.solved.values()), {})

    def reached(self, drag: Drag) -> tuple[Floats, Floats]:
        """Where a held point is (3,) and how its joint is turned (3, 3)."""
        if drag.point.character in self.moved:
            take = self.moved[drag.point.character].take
            at = trail(take, drag.point, [drag.time])
            return at.position[0], matrix_from_quaternion(at.orientation[0])
        own = self.solved[drag.point.character]
        held = own.grip.of(drag)
        return own.state.placed(held.moment, held.place)

    def pose(self, name: str, take: Take, time: float) -> Floats:
        """(C,) channel values of an actor."""
        values: Floats
        if name in self.solved:
            own = self.solved[name]
            at = int(np.argmin(np.abs(own.grip.range.times - time)))
            values = own.model.values(own.state.at, slice(at, at + 1))[0]
        else:
            played = self.moved[name].take if name in self.moved else take
            values = values_at(played, np.array([time]))[0]
        return values

    def missed(self) -> Missed:
        """The drag that is furthest off."""
        return max((Missed.of(drag, *self.reached(drag)) for drag in self.drags), key=_size)

    def notes(self) -> tuple[Note, ...]:
        """What is left undone, and what is in the way."""
        held = [drag for drag in self.drags if drag.point.character in self.moved]
        lost = [Missed.of(drag, *self.reached(drag)) for drag in held]
        found = [left.note() for left in lost if left.size > SHORT]
        for each in self.solved.values():
            found += notes(each.grip, each.drags, each.model, each.state)
        return tuple(found)

    def edit(self) -> Edit:
        """One undo step."""
        if self.still:
            return Edit(self._label())
        changes = [each.change for each in self.moved.values() if not each.still]
        name = self._layer_name()
        for each in self.solved.values():
            if np.abs(each.state.x).max(initial=0.0) > STILL:
                changes.append(each.change(name))
        return Edit(self._label(), tuple(changes))

    def _layer_name(self) -> str:
        last = self.drags[-1]
        rate = self._rate(last)
        what = last.point.character if last.point.character in self.moved else last.point.joint
        return f"{what} at frame {last.time * rate:g}"

    def _label(self) -> str:
        if len(self.drags) > 1:
            return f"Move {len(self.drags)} points and the motion around them"
        along = "hands that hold it" if self.moved else "the motion around it"
        return f"Move {self._layer_name()} and {along}"

    def _rate(self, drag: Drag) -> float:
        name = drag.point.character
        return (
            self.moved[name].take.rate if name in self.moved else self.solved[name].part.take.rate
        )


def _size(missed: Missed) -> float:
    return missed.size
