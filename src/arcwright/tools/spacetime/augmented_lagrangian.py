"""Augmented Lagrangian: meet constraints by shifting each target by its residual.

Terms are weighted, so a solution misses each of them a little. Heavier weights miss less but make
narrow, bent valleys; to shift targets by residuals leads to the same solution (method of
multipliers). A released drag stays near its preview: no joint moves by centimetres so that a
footplant is met by another millimetre, unless the scene has constraints that were asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.solve.budget import Budget
from arcwright.solve.gauss_newton import DecreaseCriteria, gauss_newton, never
from arcwright.tools.spacetime.diagnosis import (
    CharacterSolution,
    drag_residuals,
    worst_violation,
)
from arcwright.tools.spacetime.displacement import DENSE_RATE, MIN_SPACING, refine_to
from arcwright.tools.spacetime.model import SpacetimeModel, State
from arcwright.tools.spacetime.multipliers import Multipliers
from arcwright.tools.spacetime.prepared_edit import PreparedEdit
from arcwright.tools.spacetime.props import MovedProp
from arcwright.tools.spacetime.targets import build_terms, carried_shifts

MAX_MOVE = 8e-3  # m, by which constraints may move a joint after a drag,
MOVE_PER_VIOLATION = 2.0  # or this times the violation before, of which a joint limit's counts
LEVER = 2.0  # m per rad
MAX_REFINEMENTS = 2  # times that the knot spacing is halved
MET_VIOLATION = 0.1e-3  # m beyond its tolerance: smaller violations count as met
MISSED_VIOLATION = 0.2e-3  # m: with a larger one left, updates with several steps each are tried
MAX_UPDATES = 24  # of the multipliers, with the same knots
SLOW_UPDATE = 0.85  # of the violation, left by an update: beyond, closer knots do better
PREPARING_STEPS = 3  # steps that take as long as to prepare closer knots, and the first of them
MAX_IDLE = 2  # updates that gain nothing, where there are no closer knots
RELEASE_LIMIT_FACTOR = 6.0  # times as heavy as during a drag: joint limits
ONE_STEP = DecreaseCriteria(max_iterations=1, cost_tolerance=0.0, least=0.0)
SEVERAL_STEPS = DecreaseCriteria(max_iterations=8, cost_tolerance=1e-3, least=1e-4)
LAST_STEPS = DecreaseCriteria(max_iterations=3, cost_tolerance=1e-3, least=1e-4)
DRAG_STEPS = DecreaseCriteria(max_iterations=4, cost_tolerance=5e-3, least=1e-4, idle=2)
FURTHER_STEPS = replace(DRAG_STEPS, max_iterations=16, usual=4, much=0.01)
RELEASE_STEPS = replace(DRAG_STEPS, max_iterations=60, keeps_idle=False)
FAR_OFF = 5e-3  # m, by which a drag is missed for which a release goes on with
MISSED_STEPS = DecreaseCriteria(max_iterations=60, cost_tolerance=1e-3, least=1e-5, idle=2)
SOLVE_STEPS = DecreaseCriteria(max_iterations=60, cost_tolerance=2e-5, least=1e-6, idle=2)


def minimise(
    model: SpacetimeModel,
    state: State,
    criteria: DecreaseCriteria,
    stop: Callable[[], bool] = never,
) -> State:
    """Gauss-Newton steps from a state, with the damping that led there."""
    after, damping = gauss_newton(model, state, state.damping, criteria, stop)
    return replace(after, damping=damping)


def preview(found: CharacterSolution) -> CharacterSolution:
    """The solution of an update.

    Where a drag stretches limbs, it takes more than the usual steps: those not taken would
    be taken by the release, and limbs without a part in the drag would jump then.
    """
    criteria = FURTHER_STEPS if found.drags else DRAG_STEPS
    return found._replace(state=minimise(found.model, found.state, criteria))


def converge(found: CharacterSolution, budget: Budget) -> CharacterSolution:
    """The solution of a preview, or of no drag at all, as it converges with the same knots.

    Of a drag, without its last steps that gain nothing: soft limbs drift by centimetres in those.
    """
    criteria = RELEASE_STEPS if found.drags else SOLVE_STEPS
    after = found._replace(state=minimise(found.model, found.state, criteria, budget.is_spent))
    if any(each.size > FAR_OFF for each in drag_residuals(after)):
        state = minimise(after.model, after.state, MISSED_STEPS, budget.is_spent)
        after = after._replace(state=state)
    return after


def enforce_constraints(
    found: CharacterSolution,
    prepared_at: Callable[[int], PreparedEdit],
    moved: Sequence[MovedProp],
    budget: Budget,
) -> CharacterSolution:
    """A motion near a solution that meets its constraints, with closer knots if needed.

    `prepared_at` gives the prepared edit of a refinement. Where the budget is spent, the best so
    far.
    """
    refinements = _refinements(prepared_at(1))
    best, least = found, np.inf
    for number, refinement in enumerate(refinements):
        budget.reach(number / len(refinements))
        if number and budget.is_spent(_longer_step(refinements[number - 1], refinement)):
            break
        prepared = prepared_at(refinement)
        carried = carried_shifts(prepared, moved)
        terms, offset_count = build_terms(prepared, found.drags, carried, exact=prepared.exact)
        reference, count = found.model.reference, prepared.range.count
        if isinstance(reference, np.ndarray):
            reference = refine_to(reference, count)
        model = prepared.model.with_terms(terms, offset_count, RELEASE_LIMIT_FACTOR, reference)
        offsets = found.state.offsets
        if len(offsets) != offset_count:  # half frames may add a constraint between frames
            offsets = np.zeros(offset_count)
        start = model.evaluate(refine_to(found.state.x, count), offsets)
        asked_for = any(each.source is not None for each in prepared.constraints)
        updates = _Updates(model, start, budget, near=bool(found.drags) and not asked_for)
        state, violation = updates.best(last=refinement == refinements[-1])
        if violation < least:
            least = violation
            best = CharacterSolution(found.character, prepared, found.drags, model, state)
        if violation < MET_VIOLATION:
            break
    return best._replace(unfinished=budget.exhausted)


def _refinements(prepared: PreparedEdit) -> list[int]:
    """Refinements to try: the knots as they are, then as close as there are samples for them."""
    rate = prepared.take.rate
    sample_rate = rate * (2 if rate < DENSE_RATE else 1)
    halvings = np.log2(1.05 * prepared.range.spacing * sample_rate / MIN_SPACING)
    most = int(np.clip(halvings, 0, MAX_REFINEMENTS))
    return [1, 1 + most] if most else [1]


def _longer_step(before: int, after: int) -> float:
    """How many times as long the first step takes with closer knots, with all that prepares it."""
    return float(PREPARING_STEPS * 2 ** (after - before))


class _Iterate(NamedTuple):
    """A state, the multipliers that led to it, and its worst violation."""

    state: State
    multipliers: Multipliers
    violation: float  # m


class _Updates:
    """Updates of the multipliers of one model, from one state."""

    def __init__(self, model: SpacetimeModel, start: State, budget: Budget, *, near: bool) -> None:
        self._model, self._budget = model, budget
        self._start = _Iterate(start, Multipliers(), worst_violation(model, start))
        self._most = np.inf
        if near:
            self._most = max(MAX_MOVE, MOVE_PER_VIOLATION * worst_violation(model, start, LEVER))
        self._samples = slice(None, None, max(1, len(start.unknowns) // model.range.count))
        self._joints = self._positions(start)

    def best(self, *, last: bool) -> tuple[State, float]:
        """The best state and its violation, m; thorough where no closer knots follow."""
        found = self._start
        if found.violation >= MET_VIOLATION:
            found = self._until_met(ONE_STEP, *((1.0, MAX_IDLE) if last else (SLOW_UPDATE, 0)))
        if last and found.violation > MISSED_VIOLATION:
            other = self._until_met(SEVERAL_STEPS, 1.0, MAX_IDLE)
            found = min(found, other, key=lambda each: each.violation)
        if found is self._start or not (last or found.violation < MET_VIOLATION):
            return found.state, found.violation
        final = self._minimised(found.multipliers, found.state, LAST_STEPS)
        met = worst_violation(self._model, final) < max(found.violation, MET_VIOLATION)
        return (final if met and self._is_near(final) else found.state), found.violation

    def _until_met(self, criteria: DecreaseCriteria, enough: float, max_idle: int) -> _Iterate:
        """Update until all is met, or more than `max_idle` updates leave more than `enough`."""
        best, idle = self._start, 0
        state, multipliers = best.state, best.multipliers
        for _ in range(MAX_UPDATES):
            if self._budget.is_spent():
                break
            multipliers = multipliers.updated(self._model.terms, state.poses, state.offsets)
            state = self._minimised(multipliers, state, criteria)
            violation = worst_violation(self._model, state)
            if not self._is_near(state):
                break
            idle = 0 if violation < enough * best.violation else idle + 1
            if violation < best.violation:
                best = _Iterate(state, multipliers, violation)
            if best.violation < MET_VIOLATION or idle > max_idle:
                break
        return best

    def _minimised(
        self, multipliers: Multipliers, state: State, criteria: DecreaseCriteria
    ) -> State:
        """Steps from a state with the shifted targets."""
        model = self._model
        shifted = model.with_terms(multipliers.shifted(model.terms), model.offset_count)
        start = replace(shifted.evaluate(state.x, state.offsets), damping=state.damping)
        return minimise(shifted, start, criteria, self._budget.is_spent)

    def _is_near(self, state: State) -> bool:
        """Whether every joint is about where it is in the start, at one sample for each knot."""
        if self._most == np.inf:
            return True
        away = self._positions(state) - self._joints
        return float((away * away).sum(axis=-1).max()) <= self._most**2

    def _positions(self, state: State) -> Floats:
        """(T, J, 3) m."""
        values = self._model.values(state.unknowns, self._samples)
        found: Floats = forward(self._model.rig, values)[..., :3, 3]
        return found
