"""Descent: Gauss-Newton steps with a Levenberg controller for wishes that are not linear."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.backend import solve
from arcwright.solve.problem import Box, Problem


@dataclass(frozen=True, eq=False)
class Wishes:
    """How far wishes are from being met, and how the unknowns change that."""

    miss: Floats  # (M,) wanted minus is
    matrix: Floats  # (M, N) derivative of what is
    weight: Floats  # (M,)
    cost: float  # 1/2 sum weight miss^2, or what it stands for where a wish pulls less when far
    bend: Floats | None = None  # (N, N) the rest of the curvature of the cost, where it matters


class Model(Protocol):
    """Anything whose wishes can be worked out for given unknowns."""

    def wishes(self, x: Floats) -> Wishes:
        """The wishes at x."""
        ...


@dataclass(frozen=True, eq=False)
class Descent:
    """Where the steps ended."""

    x: Floats  # (N,)
    wishes: Wishes  # at x
    steps: int  # times the model was evaluated
    settled: bool  # whether it stopped because there was nothing more to gain


@dataclass(frozen=True)
class Patience:
    """When to stop."""

    steps: int = 12
    move: float = 1e-6  # longest step of any unknown that counts as settled
    gain: float = 1e-7  # relative gain that counts as settled


def descend(
    model: Model, start: Floats, pull: Floats, rest: Floats, box: Box, patience: Patience
) -> Descent:
    """Minimise the model's cost + 1/2 sum pull (x - rest)^2 inside the box.

    Stiff wishes make a narrow bent valley, where a good step first climbs its wall a little.
    So one step may climb; if the next does not end lower than where the climb began, both are
    taken back and steps become shorter.
    """
    here = _Spot.at(model, box.clip(start), pull, rest)
    kept, promised = here, 0.0  # the lowest spot, and the fall foreseen since
    damping, growth, steps, settled = 0.0, 2.0, 1, len(pull) == 0
    while steps < patience.steps and not settled:
        problem = _step_problem(here.x, here.wishes, pull, rest, box, damping)
        answer = solve(problem, here.x)
        far = float(np.abs(answer.x - here.x).max(initial=0.0))
        foreseen = problem.value(here.x) - problem.value(answer.x)
        settled = far <= patience.move or foreseen <= patience.gain * here.total
        there = _Spot.at(model, answer.x, pull, rest)
        steps += 1
        climbed = here is not kept
        promised = promised + foreseen if climbed else foreseen
        fell = kept.total - there.total
        if fell > 1e-3 * promised or (settled and fell >= 0):
            damping = 0.0 if fell > 0.25 * promised else damping / 4
            kept = here = there
            growth = 2.0
        elif not climbed and damping == 0.0 and there.total < kept.total + promised:
            here = there
        else:
            here = kept
            damping = max(damping * growth, float(pull.max()))
            growth *= 2
    return Descent(kept.x, kept.wishes, steps, settled)


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


def _step_problem(
    x: Floats, now: Wishes, pull: Floats, rest: Floats, box: Box, damping: float
) -> Problem:
    """The wishes made straight at x; damping pulls to x itself."""
    bend = None if now.bend is None else _convex(now, now.bend, pull + damping)
    return Problem(
        matrix=now.matrix,
        target=now.miss + now.matrix @ x,
        weight=now.weight,
        pull=pull + damping,
        rest=(pull * rest + damping * x) / (pull + damping),
        box=box,
        bend=bend,
        at=None if bend is None else x,
    )


def _convex(now: Wishes, bend: Floats, pull: Floats) -> Floats | None:
    """As much of the bend as leaves the problem convex, or none."""
    straight = (now.matrix.T * now.weight) @ now.matrix
    straight.flat[:: len(pull) + 1] += pull
    for share in (1.0, 0.5, 0.2, 0.05):
        try:
            np.linalg.cholesky(straight + share * bend)
        except np.linalg.LinAlgError:
            continue
        return share * bend
    return None
