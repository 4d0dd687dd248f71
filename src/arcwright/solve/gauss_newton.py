"""Gauss-Newton: damped steps to the least cost, for models that solve their own linear system.

`descent.py` is for unknowns in a box, with steps by an active set. Here a model makes its steps
itself, from a banded system for example; the loop only chooses the damping and when to stop.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from arcwright.solve.descent import StoppingCriteria

MAX_TRIES = 12  # of one step, each with more damping
FIRST_DAMPING = 0.01  # below a tenth of it there is none
MIN_DECREASE = 1e-3  # of the predicted decrease: a step that gains less is rejected


@dataclass(frozen=True)
class DecreaseCriteria(StoppingCriteria):
    """Stopping criteria on the decrease of the cost that a step really brings."""

    step_tolerance: float = 0.0
    least: float = 0.0  # absolute tolerance of the decrease, besides the relative one
    idle: int = 1  # stop after so many steps in a row with a smaller decrease
    usual: int = 0  # steps, from which on each has to gain much for another to follow
    much: float = 0.0  # of the cost
    keeps_idle: bool = True  # whether the last steps count where they gain little


class Evaluated(Protocol):
    """A state of a model."""

    @property
    def cost(self) -> float:
        """What is minimised."""


S = TypeVar("S", bound=Evaluated)


class DampedSteps(Protocol[S]):
    """A model that makes Gauss-Newton steps."""

    def damped_step(self, state: S, damping: float) -> tuple[S, float]:
        """The state after a step, and the predicted decrease of the cost.

        Raises `LinAlgError` where so little damping leaves the system singular.
        """


def never() -> bool:
    """A solve without a time limit."""
    return False


def gauss_newton(
    model: DampedSteps[S],
    state: S,
    damping: float,
    criteria: DecreaseCriteria,
    stop: Callable[[], bool] = never,
) -> tuple[S, float]:
    """Steps downhill until they gain little, or until `stop`; the last state and its damping.

    Damping follows the ratio of the decrease to the predicted one (Nielsen's rule), so that a solve
    that continues another one starts with a fitting damping. A first step that gains little because
    that damping no longer fits is no sign of convergence.
    """
    idle, kept = 0, (state, damping)
    for number in range(criteria.max_iterations):
        step = _accepted_step(model, state, damping, stop)
        if step is None:
            break
        (after, damping), before = step, damping
        gained, state = state.cost - after.cost, after
        little = gained < criteria.cost_tolerance * state.cost + criteria.least
        fits = number > 0 or damping <= 2 * before + FIRST_DAMPING
        idle = idle + 1 if little and fits else 0
        if not idle or criteria.keeps_idle:
            kept = state, damping
        slow = number + 1 >= criteria.usual and gained < criteria.much * (state.cost + gained)
        if idle == criteria.idle or slow:
            break
    return kept


def _accepted_step(
    model: DampedSteps[S], state: S, damping: float, stop: Callable[[], bool]
) -> tuple[S, float] | None:
    """A step that lowers the cost, and the damping for the next one.

    None where there is none, or none before `stop`, which is asked before every try.
    """
    growth = 2.0
    for _ in range(MAX_TRIES):
        if stop():
            break
        try:
            after, predicted = model.damped_step(state, damping)
        except np.linalg.LinAlgError:
            ratio = 0.0
        else:
            ratio = (state.cost - after.cost) / max(predicted, 1e-300)
        if ratio > MIN_DECREASE:
            damping *= max(0.2, 1 - (2 * ratio - 1) ** 3)
            return after, damping if damping > 0.1 * FIRST_DAMPING else 0.0
        damping, growth = max(damping, FIRST_DAMPING) * growth, 2 * growth
    return None
