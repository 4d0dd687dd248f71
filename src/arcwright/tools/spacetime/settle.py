"""Settle: Gauss-Newton steps to the least cost; a factor serves as long as it helps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.blocks import Bordered
from arcwright.tools.spacetime.model import SpacetimeModel, State

HALVINGS = 5
SLOW = 0.3  # a step that is not this much shorter than the last asks for a new factor


@dataclass(frozen=True)
class Patience:
    """When to stop."""

    steps: int
    move: float  # rad or m: the longest change of a control value that does not matter


def settled(model: SpacetimeModel, state: State, patience: Patience) -> State:
    """From a state downhill until nothing moves."""
    factor: Bordered | None = None
    last = np.inf
    for _ in range(patience.steps):
        if factor is None:
            factor = model.factor(state)
            last = np.inf
        step, places = _divided(model, factor, state)
        found = _lower(model, state, step, places)
        if found is None:
            if last == np.inf:
                return state
            factor = None
            continue
        state, share = found
        size = share * max(_largest(step), _largest(places))
        if size < patience.move:
            return state
        if size > SLOW * last or share < 1:
            factor = None
        last = size
    return state


def _divided(model: SpacetimeModel, factor: Bordered, state: State) -> tuple[Floats, Floats]:
    slope, extra = model.downhill(state)
    step = np.zeros_like(slope)
    step[model.range.free], places = factor.divide(slope[model.range.free], extra)
    return step, places


def _lower(
    model: SpacetimeModel, state: State, step: Floats, places: Floats
) -> tuple[State, float] | None:
    """The state after as much of the step as lowers the cost; None if nothing does."""
    share = 1.0
    for _ in range(HALVINGS):
        after = model.state(state.x + share * step, state.places + share * places)
        if after.cost <= state.cost * (1 + 1e-12):
            return after, share
        share /= 2
    return None


def _largest(step: Floats) -> float:
    return float(np.abs(step).max(initial=0.0))
