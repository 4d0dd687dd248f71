"""Descent: Gauss-Newton steps with a Levenberg controller for tasks that are not linear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.model import Linearisation, Model, Residuals
from arcwright.solve.problem import Box
from arcwright.solve.step import Stepper
from arcwright.solve.threads import on_one_thread

SMALL_GAIN = 0.05  # of the total: the gain let go when all tasks are met
CLIMB = 10.0  # times the fall foreseen that one step may climb


class Descent(NamedTuple):
    """Where the iterations ended."""

    x: Floats  # (N,)
    residuals: Residuals  # at x
    iterations: int  # times the model was evaluated
    converged: bool  # whether it stopped because there was nothing more to gain


@dataclass(frozen=True)
class StoppingCriteria:
    """When a descent stops."""

    max_iterations: int = 12
    step_tolerance: float = 1e-6  # the longest step of any unknown that counts as converged
    cost_tolerance: float = 1e-7  # relative gain that counts as converged
    target_tolerance: float = 0.0  # small gains are ignored once all residuals are below this


def descend(
    model: Model,
    start: Floats,
    regularisation: Floats,
    rest: Floats,
    box: Box,
    criteria: StoppingCriteria,
) -> Descent:
    """Minimise the model's cost + 1/2 sum regularisation (x - rest)^2 inside the box.

    Stiff tasks make a narrow bent valley, where a good step first climbs its wall a little.
    So one step may climb; if the next does not end lower than where the climb began, both are
    taken back and steps become shorter.

    A model that has a method `descended` with the arguments of this function is asked for it: the
    whole descent in one compiled call, or None.
    """
    compiled: Callable[..., Descent | None] | None = getattr(model, "descended", None)
    if compiled is not None:
        found = compiled(start, regularisation, rest, box, criteria)
        if found is not None:
            return found
    return _step_by_step(model, start, regularisation, rest, box, criteria)


@on_one_thread
def _step_by_step(
    model: Model,
    start: Floats,
    regularisation: Floats,
    rest: Floats,
    box: Box,
    criteria: StoppingCriteria,
) -> Descent:
    here = _Spot.at(model, box.clip(start), regularisation, rest)
    take_step = Stepper(regularisation, rest, box)
    kept, promised = here, 0.0  # the lowest spot, and the fall foreseen since
    damping, growth, iterations, converged = 0.0, 2.0, 1, len(regularisation) == 0
    while iterations < criteria.max_iterations and not converged:
        step = take_step(here.x, here.residuals, damping)
        if step.far <= criteria.step_tolerance or not _is_worth(step.foreseen, here, criteria):
            converged = True
            break
        there = _Spot.at(model, step.x, regularisation, rest)
        iterations += 1
        climbed = here is not kept
        promised = promised + step.foreseen if climbed else step.foreseen
        fell = kept.total - there.total
        if fell > 1e-3 * promised:
            damping = _eased(damping, fell / max(promised, 1e-300), regularisation)
            kept = here = there
            growth = 2.0
        elif not climbed and -fell < CLIMB * promised:
            here = there
        else:
            here = kept
            damping = max(damping * growth, float(regularisation.max()))
            growth *= 2
    return Descent(kept.x, kept.residuals, iterations, converged)


def _is_worth(gain: float, here: _Spot, criteria: StoppingCriteria) -> bool:
    """Whether another step is worth while."""
    if gain <= criteria.cost_tolerance * here.total:
        return False
    if gain > SMALL_GAIN * here.total or not criteria.target_tolerance:
        return True
    return bool(np.abs(here.residuals.residual).max(initial=0.0) >= criteria.target_tolerance)


def _eased(damping: float, ratio: float, regularisation: Floats) -> float:
    """Less damping after a good step, and none once it is too little to matter."""
    if ratio > 0.25:
        damping /= 10 if ratio > 0.75 else 2
    return damping if damping > 0.3 * float(regularisation.max()) else 0.0


@dataclass(frozen=True, eq=False)
class _Spot:
    x: Floats
    residuals: Linearisation
    total: float

    @classmethod
    def at(cls, model: Model, x: Floats, regularisation: Floats, rest: Floats) -> _Spot:
        found = model.linearise(x)
        return cls(x, found, found.cost + _pulled(x, regularisation, rest))


def _pulled(x: Floats, regularisation: Floats, rest: Floats) -> float:
    away = x - rest
    return 0.5 * float((regularisation * away) @ away)
