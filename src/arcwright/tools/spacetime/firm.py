"""Firm: an answer in which what is kept is kept to its slack, once hands let go."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.curves.spline import refine
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
TOO_LOOSE = 0.2e-3  # m: with more left, patient presses are tried
PRESSES = 24  # at most, with the same control values
SLOW = 0.85  # what a press leaves: with more than that, closer control values do better
IDLE = 2  # presses that gain nothing, where there are no closer ones
STRICT = 30.0  # times as heavy as while hands move: joint limits
ONCE = Patience(steps=1, gain=0.0, least=0.0)
PATIENT = Patience(steps=8, gain=1e-3, least=1e-4)
CALMLY = Patience(steps=3, gain=1e-3, least=1e-4)


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


class Pressed(NamedTuple):
    """An answer, what was asked to get it, and how loose it is."""

    state: State
    press: Press
    left: float  # m


def _pressed(model: SpacetimeModel, state: State, *, last: bool) -> tuple[State, float]:
    """The best of some presses, and how loose it is, m; where they are the last, patient ones."""
    begun = Pressed(state, Press(), np.inf)
    found = _presses(model, begun, ONCE, *((1.0, IDLE) if last else (SLOW, 0)))
    if last and found.left > TOO_LOOSE:
        found = min(found, _presses(model, begun, PATIENT, 1.0, IDLE), key=lambda each: each.left)
    if last or found.left < LOOSE:
        calm = _asked(model, found.press, found.state, CALMLY)
        if loose(model, calm) < max(found.left, LOOSE):
            return calm, found.left
    return found.state, found.left


def _presses(
    model: SpacetimeModel, best: Pressed, patience: Patience, enough: float, idle: int
) -> Pressed:
    """Until nothing is loose, or more than so many presses leave more than `enough` of it."""
    state, press, slow = best.state, best.press, 0
    for _ in range(PRESSES):
        state = _asked(model, press, state, patience)
        left = loose(model, state)
        slow = 0 if left < enough * best.left else slow + 1
        if left < best.left:
            best = Pressed(state, press, left)
        if best.left < LOOSE or slow > idle:
            break
        press = press.harder(model.lanes, state, state.places)
    return best


def _asked(model: SpacetimeModel, press: Press, state: State, patience: Patience) -> State:
    """Where steps from a state lead when so much is asked."""
    asking = model.wishing(press.asking(model.lanes), model.place_count)
    begun = replace(asking.state(state.x, state.places), damping=state.damping)
    return settled(asking, begun, patience)


def _as_fine(state: State, count: int) -> State:
    """The same displacement with more control values; only these and free places count."""
    x: Floats = state.x
    while len(x) < count:
        x = refine(x)
    return replace(state, x=x)
