"""Settle: Gauss-Newton steps to the least cost."""

from __future__ import annotations

from dataclasses import dataclass, replace

from arcwright.tools.spacetime.model import SpacetimeModel, State

TRIES = 12  # at one step, each damped more
LIGHT, HEAVY = 0.2, 5.0  # how damping changes after a good and after a bad step
LEAST = 0.05  # damping, below which there is none
WELL = 0.5  # of what was foreseen: a step that gains as much may be followed by a longer one


@dataclass(frozen=True)
class Patience:
    """When to stop."""

    steps: int
    gain: float  # the share of the cost below which a step's gain does not matter
    least: float  # the same as a cost


def settled(model: SpacetimeModel, state: State, patience: Patience) -> State:
    """From a state downhill until little is gained; damped where the wishes bend too much.

    How much damping was good is kept with the state, for the next move of the hand.
    """
    damping = state.damping
    for _ in range(patience.steps):
        system = model.system(state)
        for _ in range(TRIES):
            step, places = model.step(system, damping)
            after = model.state(state.x + step, state.places + places)
            if after.cost <= state.cost:
                break
            damping = max(damping, LEAST) * HEAVY
        else:
            return state
        gained = state.cost - after.cost
        foreseen = 0.5 * float((system.slope * step).sum() + system.pull @ places)
        if gained > WELL * foreseen:
            damping = damping * LIGHT if damping * LIGHT > LEAST else 0.0
        state = replace(after, damping=damping)
        if gained < patience.gain * state.cost + patience.least:
            break
    return state
