"""Firm: an answer in which what is kept is kept to its slack, once hands let go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.spline import refined
from arcwright.tools.spacetime.blame import loose
from arcwright.tools.spacetime.grip import CLOSEST, MANY, Grip
from arcwright.tools.spacetime.model import SpacetimeModel, State
from arcwright.tools.spacetime.part import Solved, carried_by
from arcwright.tools.spacetime.press import Press
from arcwright.tools.spacetime.props import Pushed
from arcwright.tools.spacetime.settle import Patience, settled
from arcwright.tools.spacetime.wanted import wanted

HALVED = 2  # times that control values are set closer, at most
LOOSE = 0.1e-3  # m beyond its slack: what is kept worse is pressed for
PRESSES = 16  # at most, with the same control values
SLOW = 0.85  # what a press leaves: with more than that, closer control values do better
IDLE = 2  # presses that gain nothing, where there are no closer ones
STRICT = 30.0  # times as heavy as while hands move: joint limits
PRESSED = Patience(steps=8, gain=1e-3, least=1e-4)


def firm(found: Solved, grip: Callable[[int], Grip], moved: Sequence[Pushed]) -> Solved:
    """The nearest motion to a settled answer, with closer control values if it takes these."""
    light = found.state
    levels = _levels(grip(1))
    for fine in levels:
        held = grip(fine)
        lanes, count = wanted(held, found.drags, carried_by(held, moved), firm=True)
        around = _as_fine(light, held.range.count).x
        model = held.model.wishing(lanes, count, STRICT, around)
        start = _as_fine(found.state, held.range.count)
        if len(start.places) != count:  # half frames may make a wish of what was none between two
            start = replace(start, places=np.zeros(count))
        last = fine == levels[-1]
        state, left = _pressed(model, start, last=last)
        found = Solved(found.part, held, found.drags, model, state)
        if left < LOOSE:
            break
    return found


def _levels(held: Grip) -> list[int]:
    """How fine to try: control values as they are, then as close as there are moments for them."""
    often = held.take.rate * (2 if held.take.rate < MANY else 1)
    halved = int(np.clip(np.log2(1.05 * held.range.spacing * often / CLOSEST), 0, HALVED))
    return [1, 1 + halved] if halved else [1]


def _pressed(model: SpacetimeModel, state: State, *, last: bool) -> tuple[State, float]:
    """The best of some presses, and how loose it is, m; more are tried where they are the last."""
    press, best, left, idle = Press(), state, np.inf, 0
    enough, patience = (1.0, IDLE) if last else (SLOW, 0)
    for _ in range(PRESSES):
        asking = model.wishing(press.asking(model.lanes), model.place_count)
        begun = replace(asking.state(state.x, state.places), damping=state.damping)
        state = settled(asking, begun, PRESSED)
        press = press.harder(model.lanes, state, state.places)
        now = loose(model, state)
        idle = 0 if now < enough * left else idle + 1
        if now < left:
            best, left = state, now
        if left < LOOSE or idle > patience:
            break
    return best, left


def _as_fine(state: State, count: int) -> State:
    """The same displacement with more control values; only these and free places count."""
    x: Floats = state.x
    while len(x) < count:
        x = refined(x)
    return replace(state, x=x)
