"""Blame: what an answer leaves undone, and which kept wish is pulled at most, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.tools.drag_residual import DRAG_TOLERANCE, DragResidual
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.grip import Grip
from arcwright.tools.spacetime.lanes import ARM, NONE, ON, Lane, There
from arcwright.tools.spacetime.limits import MARGIN
from arcwright.tools.spacetime.model import SpacetimeModel, State
from arcwright.tools.spacetime.rows import off
from arcwright.tools.spacetime.tracks import faded
from arcwright.tools.tool import Note

SLIP = 2e-3  # m, beyond which a kept wish is told to slip
OTHERS = 1.8e-3  # m, the slack of lanes that name none
SEEN = 0.3e-3  # m beyond its slack, from which something does not hold
BINDING = 30.0  # m per rad: rather let plants slip by centimetres than break a limit


def missed(held: Grip, drag: Drag, state: State) -> DragResidual:
    """What is left of a drag."""
    at = held.of(drag)
    return DragResidual.of(drag, *state.placed(at.moment, at.place))


def notes(
    held: Grip, drags: Sequence[Drag], model: SpacetimeModel, state: State
) -> tuple[Note, ...]:
    """The drags that are missed, then the kept wishes that slip."""
    off_by = slips(held, model, state)
    pulled = max(off_by, key=lambda key: off_by[key], default=None)
    found = []
    for left in (missed(held, drag, state) for drag in drags):
        if left.size > DRAG_TOLERANCE:
            blocks = pulled is not None and off_by[pulled] > DRAG_TOLERANCE
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
