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
CLIMB = 1000.0  # times the fall foreseen: what a step may climb and be followed by one like it
RESTORING = 30.0  # times the damping of a step: that of the one which restores a steeper climb


class Descent(NamedTuple):
    """Where the steps ended."""

    x: Floats  # (N,)
    wishes: Residuals  # at x
    steps: int  # times the model was evaluated
    settled: bool  # whether it stopped because there was nothing more to gain
    damping: float = 0.0  # in the end


@dataclass(frozen=True)
class Patience:
    """When to stop."""

    steps: int = 12
    move: float = 1e-6  # longest step of any unknown that counts as settled
    gain: float = 1e-7  # relative gain that counts as settled
    met: float = 0.0  # once all wishes are nearer than this, small gains are let go
    bent: bool = False  # use second derivatives: for wishes that cannot all be met


def descend(
    model: Model,
    start: Floats,
    pull: Floats,
    rest: Floats,
    box: Box,
    patience: Patience,
    damping: float = 0.0,
) -> Descent:
    """Minimise the model's cost + 1/2 sum pull (x - rest)^2 inside the box.

    Stiff wishes make a narrow bent valley: a long straight step along it ends on its wall. So a
    step that climbs is followed by a second one, and the two are judged together. After a steep
    climb that is a restoring one (a second-order correction), damped so much that it only leads
    back to the valley's floor.

    Without second derivatives, a model that has a method `descended` with the arguments of this
    function is asked for it: the whole descent in one compiled call, or None.
    """
    compiled: Callable[..., Descent | None] | None = getattr(model, "descended", None)
    if compiled is not None and not patience.bent:
        found = compiled(start, pull, rest, box, patience, damping)
        if found is not None:
            return found
    return _step_by_step(model, start, pull, rest, box, patience, damping)


@on_one_thread
def _step_by_step(
    model: Model,
    start: Floats,
    pull: Floats,
    rest: Floats,
    box: Box,
    patience: Patience,
    damping: float,
) -> Descent:
    here = _Spot.at(model, box.clip(start), pull, rest)
    take_step = Stepper(model if patience.bent else None, pull, rest, box)
    strongest = float(pull.max(initial=0.0))
    growth, steps, settled = 2.0, 1, len(pull) == 0
    while steps < patience.steps and not settled:
        step = take_step(here.x, here.wishes, damping)
        if step.far <= patience.move or not _is_worth(step.foreseen, here, patience):
            settled = True
            break
        there, restored, promised = _Spot.at(model, step.x, pull, rest), False, step.foreseen
        steps += 1
        if here.total - there.total <= 1e-3 * promised and steps < patience.steps:
            restored = there.total - here.total > CLIMB * promised
            harder = RESTORING * max(damping, strongest) if restored else damping
            second = take_step(there.x, there.wishes, harder)
            promised += 0.0 if restored else second.foreseen
            there = _Spot.at(model, second.x, pull, rest)
            steps += 1
        ratio = (here.total - there.total) / max(promised, 1e-300)
        if ratio > 1e-3:
            damping = _eased(damping, ratio, strongest, restored=restored)
            here, growth = there, 2.0
        else:
            damping = max(damping * growth, strongest)
            growth *= 2
    return Descent(here.x, here.wishes, steps, settled, damping)


def _is_worth(gain: float, here: _Spot, patience: Patience) -> bool:
    """Whether another step is worth while."""
    if gain <= patience.gain * here.total:
        return False
    if gain > LET_GO * here.total or not patience.met:
        return True
    return bool(np.abs(here.wishes.miss).max(initial=0.0) >= patience.met)


def _eased(damping: float, ratio: float, strongest: float, *, restored: bool) -> float:
    """Less damping after a good step, and none once it is too little to matter."""
    if ratio > 0.25:
        damping /= (3 if restored else 10) if ratio > 0.75 else 2
    return damping if damping > 0.3 * strongest else 0.0


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
