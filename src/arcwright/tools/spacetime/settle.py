"""Settle: Gauss-Newton steps to the least cost."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.tools.spacetime.model import SpacetimeModel, State

TRIES = 6  # at one step, each damped more
LIGHT, HEAVY = 0.2, 8.0  # how damping changes after a good and after a bad step
LEAST = 1e-3  # damping, below which there is none


@dataclass(frozen=True)
class Patience:
    """When to stop."""

    steps: int
    gain: float  # the share of the cost below which a step's gain does not matter
    least: float  # the same as a cost


def settled(model: SpacetimeModel, state: State, patience: Patience) -> State:
    """From a state downhill until little is gained; damped where the wishes bend too much."""
    damping = 0.0
    for _ in range(patience.steps):
        for _ in range(TRIES):
            after = _stepped(model, state, damping)
            if after.cost <= state.cost:
                break
            damping = max(damping, LEAST) * HEAVY
        else:
            return state
        damping = damping * LIGHT if damping * LIGHT > LEAST else 0.0
        gained = state.cost - after.cost
        state = after
        if gained < patience.gain * state.cost + patience.least:
            return state
    return state


def _stepped(model: SpacetimeModel, state: State, damping: float) -> State:
    slope, extra = model.downhill(state)
    free = model.range.free
    step = np.zeros_like(slope)
    step[free], places = model.factor(state, damping).divide(slope[free], extra)
    return model.state(state.x + step, state.places + places)
