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

SMALL_GAIN = 0.05  # of the total: a decrease that is ignored once all tasks are met


class Descent(NamedTuple):
    """Where the iterations ended."""

    x: Floats  # (N,)
    residuals: Residuals  # at x
    iterations: int  # times the model was evaluated
    converged: bool  # whether a tolerance ended it, not the number of iterations
    damping: float = 0.0  # that the next step would have had


@dataclass(frozen=True)
class StoppingCriteria:
    """When a descent stops, how far it may climb on its way, and how damped its first step is."""

    max_iterations: int = 12
    step_tolerance: float = 1e-6  # the longest step of any unknown that counts as converged
    cost_tolerance: float = 1e-7  # relative gain that counts as converged
    target_tolerance: float = 0.0  # small gains are ignored once all residuals are below this
    climb: float = 10.0  # times the predicted decrease: the increase that one step is allowed
    damping: float = 0.0  # of the first step


def descend(
    model: Model,
    start: Floats,
    regularisation: Floats,
    reference: Floats,
    box: Box,
    criteria: StoppingCriteria,
) -> Descent:
    """Minimise the model's cost + 1/2 sum regularisation (x - reference)^2 inside the box.

    Non-monotone: stiff tasks make a narrow curved valley in which a good step may raise the cost
    at first. So one step may raise it; if the next one does not end below the best cost so far,
    both are rejected and the damping grows. Without a `climb` every step goes down: slower, but
    where the tasks cannot be met, a start that differs by little ends in the same minimum. Then a
    step that is too long to be found whole is rejected, too.

    A model may have a method `descended` with the arguments of this function: the whole descent in
    one compiled call, or None where the compiled code cannot do it.
    """
    compiled: Callable[..., Descent | None] | None = getattr(model, "descended", None)
    if compiled is not None:
        found = compiled(start, regularisation, reference, box, criteria)
        if found is not None:
            return found
    return _step_by_step(model, start, regularisation, reference, box, criteria)


@on_one_thread
def _step_by_step(
    model: Model,
    start: Floats,
    regularisation: Floats,
    reference: Floats,
    box: Box,
    criteria: StoppingCriteria,
) -> Descent:
    here = _Iterate.at(model, box.clip(start), regularisation, reference)
    stepper = Stepper(regularisation, reference, box)
    next_step = stepper if criteria.climb > 0 else stepper.whole
    best, predicted = here, 0.0  # the lowest iterate, and the predicted decrease since
    damping, growth = criteria.damping, 2.0
    iterations, converged = 1, len(regularisation) == 0
    while iterations < criteria.max_iterations and not converged:
        step = next_step(here.x, here.residuals, damping)
        if step is None:
            iterations += 1
            damping, growth = _grown_damping(damping, growth, regularisation), 2 * growth
            continue
        if step.far <= criteria.step_tolerance or not _is_worth(step.predicted, here, criteria):
            converged = True
            break
        there = _Iterate.at(model, step.x, regularisation, reference)
        iterations += 1
        climbed = here is not best
        predicted = predicted + step.predicted if climbed else step.predicted
        decrease = best.total - there.total
        if decrease > 1e-3 * predicted:
            damping = _reduced_damping(damping, decrease / max(predicted, 1e-300), regularisation)
            best = here = there
            growth = 2.0
        elif not climbed and -decrease < criteria.climb * predicted:
            here = there
        else:
            here = best
            damping, growth = _grown_damping(damping, growth, regularisation), 2 * growth
    return Descent(best.x, best.residuals, iterations, converged, damping)


def _is_worth(gain: float, here: _Iterate, criteria: StoppingCriteria) -> bool:
    """Whether the predicted decrease is above the tolerances."""
    if gain <= criteria.cost_tolerance * here.total:
        return False
    if gain > SMALL_GAIN * here.total or not criteria.target_tolerance:
        return True
    return bool(np.abs(here.residuals.residual).max(initial=0.0) >= criteria.target_tolerance)


def _grown_damping(damping: float, growth: float, regularisation: Floats) -> float:
    return max(damping * growth, float(regularisation.max()))


def _reduced_damping(damping: float, ratio: float, regularisation: Floats) -> float:
    """Less damping after a good step; none once it is negligible."""
    if ratio > 0.25:
        damping /= 10 if ratio > 0.75 else 2
    return damping if damping > 0.3 * float(regularisation.max()) else 0.0


@dataclass(frozen=True, eq=False)
class _Iterate:
    x: Floats
    residuals: Linearisation
    total: float

    @classmethod
    def at(cls, model: Model, x: Floats, regularisation: Floats, reference: Floats) -> _Iterate:
        found = model.linearise(x)
        return cls(x, found, found.cost + _regularisation_cost(x, regularisation, reference))


def _regularisation_cost(x: Floats, regularisation: Floats, reference: Floats) -> float:
    away = x - reference
    return 0.5 * float((regularisation * away) @ away)
