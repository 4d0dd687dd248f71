"""Descent: Gauss-Newton steps with a Levenberg controller for wishes that are not linear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.model import Model, Residuals, Wishes
from arcwright.solve.problem import Box
from arcwright.solve.step import Stepper
from arcwright.solve.threads import on_one_thread

LET_GO = 0.05  # of the total: the gain let go when all wishes are met
CLIMB = 10.0  # times the fall foreseen that one step may climb


class Descent(NamedTuple):
    """Where the steps ended."""

    x: Floats  # (N,)
    wishes: Residuals  # at x
    steps: int  # times the model was evaluated
    settled: bool  # whether it stopped because there was nothing more to gain


@dataclass(frozen=True)
class Patience:
    """When to stop."""

    steps: int = 12
    move: float = 1e-6  # longest step of any unknown that counts as settled
    gain: float = 1e-7  # relative gain that counts as settled
    met: float = 0.0  # once all wishes are nearer than this, small gains are let go


def descend(
    model: Model, start: Floats, pull: Floats, rest: Floats, box: Box, patience: Patience
) -> Descent:
    """Minimise the model's cost + 1/2 sum pull (x - rest)^2 inside the box.

    Stiff wishes make a narrow bent valley, where a good step first climbs its wall a little.
    So one step may climb; if the next does not end lower than where the climb began, both are
    taken back and steps become shorter.

    A model that has a method `descended` with the arguments of this function is asked for it: the
    whole descent in one compiled call, or None.
    """
    compiled: Callable[..., Descent | None] | None = getattr(model, "descended", None)
    if compiled is not None:
        found = compiled(start, pull, rest, box, patience)
        if found is not None:
            return found
    return _step_by_step(model, start, pull, rest, box, patience)


@on_one_thread
def _step_by_step(
    model: Model, start: Floats, pull: Floats, rest: Floats, box: Box, patience: Patience
) -> Descent:
    here = _Spot.at(model, box.clip(start), pull, rest)
    take_step = Stepper(pull, rest, box)
    kept, promised = here, 0.0  # the lowest spot, and the fall foreseen since
    damping, growth, steps, settled = 0.0, 2.0, 1, len(pull) == 0
    while steps < patience.steps and not settled:
        step = take_step(here.x, here.wishes, damping)
        if step.far <= patience.move or not _is_worth(step.foreseen, here, patience):
            settled = True
            break
        there = _Spot.at(model, step.x, pull, rest)
        steps += 1
        climbed = here is not kept
        promised = promised + step.foreseen if climbed else step.foreseen
        fell = kept.total - there.total
        if fell > 1e-3 * promised:
            damping = _eased(damping, fell / max(promised, 1e-300), pull)
            kept = here = there
            growth = 2.0
        elif not climbed and -fell < CLIMB * promised:
            here = there
        else:
            here = kept
            damping = max(damping * growth, float(pull.max()))
            growth *= 2
    return Descent(kept.x, kept.wishes, steps, settled)


def _is_worth(gain: float, here: _Spot, patience: Patience) -> bool:
    """Whether another step is worth while."""
    if gain <= patience.gain * here.total:
        return False
    if gain > LET_GO * here.total or not patience.met:
        return True
    return bool(np.abs(here.wishes.miss).max(initial=0.0) >= patience.met)


def _eased(damping: float, ratio: float, pull: Floats) -> float:
    """Less damping after a good step, and none once it is too little to matter."""
    if ratio > 0.25:
        damping /= 10 if ratio > 0.75 else 2
    return damping if damping > 0.3 * float(pull.max()) else 0.0


@dataclass(frozen=True, eq=False)
class _Spot:
    x: Floats
    wishes: Wishes
    total: float

    @classmethod
    def at(cls, model: Model, x: Floats, pull: Floats, rest: Floats) -> _Spot:
        wishes = model.wishes(x)
        return cls(x, wishes, wishes.cost + _pulled(x, pull, rest))


def _pulled(x: Floats, pull: Floats, rest: Floats) -> float:
    away = x - rest
    return 0.5 * float((pull * away) @ away)
