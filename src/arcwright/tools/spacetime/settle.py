"""Settle: Gauss-Newton steps to the least cost."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.tools.spacetime.model import SpacetimeModel, State

TRIES = 12  # at one step, each damped more
FIRST_DAMPING = 0.01  # damping to begin with; below a tenth of it there is none
POOR = 1e-3  # of what was foreseen: a step that gains less is not taken


@dataclass(frozen=True)
class Patience:
    """When to stop."""

    steps: int
    gain: float  # the share of the cost below which a step's gain does not matter
    least: float  # the same as a cost
    idle: int = 1  # so many steps in a row


def settled(model: SpacetimeModel, state: State, patience: Patience) -> State:
    """From a state downhill until little is gained; damped where the wishes bend too much.

    Damping follows how much of what was foreseen comes true (Nielsen's rule), and is kept with
    the state for the next move of the hand.
    """
    idle = 0
    for _ in range(patience.steps):
        after = _step(model, state)
        if after is None:
            break
        gained, state = state.cost - after.cost, after
        idle = idle + 1 if gained < patience.gain * state.cost + patience.least else 0
        if idle == patience.idle:
            break
    return state


def _step(model: SpacetimeModel, state: State) -> State | None:
    """One step downhill; none where no step leads there."""
    damping, growth = state.damping, 2.0
    for _ in range(TRIES):
        system = model.system(state)
        try:
            step, places = model.step(system, damping)
        except np.linalg.LinAlgError:  # numbers too far apart for this little damping
            share = 0.0
        else:
            after = model.state(state.x + step, state.places + places)
            damped = damping * float((model.stiffness.plain * step * step).sum())
            foreseen = float((system.slope * step).sum() + system.regularisation @ places) + damped
            share = (state.cost - after.cost) / max(0.5 * foreseen, 1e-300)
        if share > POOR:
            damping *= max(0.2, 1 - (2 * share - 1) ** 3)
            return replace(after, damping=damping if damping > 0.1 * FIRST_DAMPING else 0.0)
        damping, growth = max(damping, FIRST_DAMPING) * growth, 2 * growth
    return None
