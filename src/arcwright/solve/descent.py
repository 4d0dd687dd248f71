"""Descent: Gauss-Newton steps with a Levenberg controller for wishes that are not linear."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.solve.backend import solve
from arcwright.solve.problem import Box, Problem
from arcwright.solve.solution import Solution

LET_GO = 0.05  # of the total: the gain let go when all wishes are met
CLIMB = 10.0  # times the fall foreseen that one step may climb


@dataclass(frozen=True, eq=False)
class Wishes:
    """How far wishes are from being met, and how the unknowns change that."""

    miss: Floats  # (M,) wanted minus is
    matrix: Floats  # (M, N) derivative of what is
    weight: Floats  # (M,)
    cost: float  # 1/2 sum weight miss^2, or what it stands for where a wish pulls less when far
    wish: Ints | None = None  # (M,) which wish a row belongs to, for whoever asks


class Model(Protocol):
    """Anything whose wishes can be worked out for given unknowns."""

    def wishes(self, x: Floats) -> Wishes:
        """The wishes at x."""
        ...

    def bend(self, x: Floats, pull: Floats) -> Floats:
        """(N, N) minus pulls (M,) times the second derivatives of what is, at x."""
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
    met: float = 0.0  # once all wishes are nearer than this, small gains are let go
    bent: bool = False  # use second derivatives: for wishes that cannot all be met


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
        problem, answer = _step(model, here, pull, rest, box, damping, patience.bent)
        far = float(np.abs(answer.x - here.x).max(initial=0.0))
        foreseen = _value_at(problem, here) - problem.value(answer.x)
        if far <= patience.move or foreseen <= _worth(here, patience):
            settled = True
            break
        there = _Spot.at(model, answer.x, pull, rest)
        steps += 1
        climbed = here is not kept
        promised = promised + foreseen if climbed else foreseen
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


def _value_at(problem: Problem, here: _Spot) -> float:
    """What the step's problem is worth at x, where its misses are known and its bend is level."""
    wishes = here.wishes
    away = here.x - problem.rest
    return 0.5 * float((wishes.weight * wishes.miss) @ wishes.miss + (problem.pull * away) @ away)


def _worth(here: _Spot, patience: Patience) -> float:
    """The gain below which another step is not worth while."""
    met = np.abs(here.wishes.miss).max(initial=0.0) < patience.met
    return (max(patience.gain, LET_GO) if met else patience.gain) * here.total


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


def _step(
    model: Model,
    here: _Spot,
    pull: Floats,
    rest: Floats,
    box: Box,
    damping: float,
    bent: bool,
) -> tuple[Problem, Solution]:
    """The wishes made straight at x, and what solves that; damping pulls to x itself.

    Bent, the pulls that the straight answer leaves on the wishes tell how the cost curves.
    """
    now, x = here.wishes, here.x
    problem = Problem(
        matrix=now.matrix,
        target=now.miss + now.matrix @ x,
        weight=now.weight,
        pull=pull + damping,
        rest=(pull * rest + damping * x) / (pull + damping),
        box=box,
    )
    answer = solve(problem, x)
    if bent:
        left = now.weight * (problem.target - now.matrix @ answer.x)
        bend = _convex(problem, model.bend(x, left))
        if bend is not None:
            problem = replace(problem, bend=bend, at=x)
            answer = solve(problem, answer.x)
    return problem, answer


def _convex(problem: Problem, bend: Floats) -> Floats | None:
    """As much of the bend as leaves the problem convex, or none."""
    straight = (problem.matrix.T * problem.weight) @ problem.matrix
    straight.flat[:: len(problem.pull) + 1] += problem.pull
    for share in (1.0, 0.5, 0.2, 0.05):
        try:
            np.linalg.cholesky(straight + share * bend)
        except np.linalg.LinAlgError:
            continue
        return share * bend
    return None
