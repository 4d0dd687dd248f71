"""Augmented Lagrangian: shift each target by its residual until it is within tolerance.

Terms are weighted, so a solution misses each of them a little. Heavier weights miss less but make
narrow, bent valleys; to shift targets by residuals leads to the same solution (method of
multipliers). Residuals within a term's tolerance shift nothing, or little where it has an inner
weight.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import matrix_from_vector
from arcwright.solve.gauss_newton import DecreaseCriteria, gauss_newton
from arcwright.tools.spacetime.diagnosis import CharacterSolution, worst_violation
from arcwright.tools.spacetime.displacement import DENSE_RATE, MIN_SPACING, refine_to
from arcwright.tools.spacetime.model import SpacetimeModel, State
from arcwright.tools.spacetime.prepared_edit import PreparedEdit
from arcwright.tools.spacetime.props import MovedProp
from arcwright.tools.spacetime.targets import build_terms, carried_shifts
from arcwright.tools.spacetime.terms import NONE, ORIENTATION_SCALE, PointPoses, Term, residual

SHIFTED_KINDS = (
    "position",
    "flight",
    "orientation",
    "distance",
    "height",
)  # kinds that can be shifted
OVERRELAXATION = 1.7  # times the residual: updates that go a little too far converge sooner
MAX_REFINEMENTS = 2  # times that the knot spacing is halved
MET_VIOLATION = 0.1e-3  # m beyond its tolerance: smaller violations count as met
MISSED_VIOLATION = 0.2e-3  # m: with a larger one left, updates with several steps each are tried
MAX_UPDATES = 24  # of the multipliers, with the same knots
SLOW_UPDATE = (
    0.85  # of the violation, left by an update: with more than that, closer knots do better
)
MAX_IDLE = 2  # updates that gain nothing, where there are no closer knots
RELEASE_LIMIT_FACTOR = 30.0  # times as heavy as during a drag: joint limits
ONE_STEP = DecreaseCriteria(max_iterations=1, cost_tolerance=0.0, least=0.0)
SEVERAL_STEPS = DecreaseCriteria(max_iterations=8, cost_tolerance=1e-3, least=1e-4)
LAST_STEPS = DecreaseCriteria(max_iterations=3, cost_tolerance=1e-3, least=1e-4)
DRAG_STEPS = DecreaseCriteria(max_iterations=4, cost_tolerance=2e-2, least=1e-4)
RELEASE_STEPS = DecreaseCriteria(max_iterations=60, cost_tolerance=1e-4, least=1e-6, idle=2)


def minimise(model: SpacetimeModel, state: State, criteria: DecreaseCriteria) -> State:
    """Gauss-Newton steps from a state, with the damping that led there."""
    after, damping = gauss_newton(model, state, state.damping, criteria)
    return replace(after, damping=damping)


class Multipliers:
    """Shifts of the targets of each term, (T, 3) or (T, 1) m."""

    def __init__(self) -> None:
        self._shift: dict[int, Floats] = {}
        self._allowed: dict[int, Floats] = {}  # residuals within tolerance

    def shifted(self, terms: Sequence[Term]) -> list[Term]:
        """The terms with shifted targets."""
        return [
            _shifted(term, self._shift[at] - self._allowed[at]) if at in self._shift else term
            for at, term in enumerate(terms)
        ]

    def updated(self, terms: Sequence[Term], poses: PointPoses, offsets: Floats) -> Multipliers:
        """The multipliers after one update, for the current poses."""
        after = Multipliers()
        for at, term in enumerate(terms):
            if _has_multiplier(term):
                away = residual(term, poses, offsets)
                if at in self._allowed:
                    away = OVERRELAXATION * away + (1 - OVERRELAXATION) * self._allowed[at]
                after._set(at, term, away + self._shift.get(at, 0.0))
        return after

    def _set(self, at: int, term: Term, total: Floats) -> None:
        if term.kind == "height":
            total = np.maximum(total, 0.0)
        size = np.linalg.norm(total, axis=1)
        self._shift[at] = total * _share_beyond(term, size)[:, None]
        self._allowed[at] = total - self._shift[at]


def _has_multiplier(term: Term) -> bool:
    """Drags and most inequalities have none."""
    return term.kind in SHIFTED_KINDS and bool((term.owner != NONE).any())


def _share_beyond(term: Term, size: Floats) -> Floats:
    """(T,) the share of a residual of this size that lies beyond the tolerance."""
    if term.tolerance is None:
        return np.ones(len(size))
    over: Floats = np.maximum(size - term.tolerance, 0.0) / np.maximum(size, 1e-12)
    inner = term.inner_weight
    return over if inner is None else np.maximum(over, inner / (1 + inner))


def _shifted(term: Term, shift: Floats) -> Term:
    """A term whose target is moved by a shift."""
    if term.kind == "orientation":
        rotation = matrix_from_vector(shift / ORIENTATION_SCALE)
        return replace(term, target=rotation @ term.target)
    if term.kind == "distance":
        return replace(term, target=term.target + shift[:, 0])
    if term.kind == "height":
        return replace(term, target=term.target + shift * [0.0, 1.0, 0.0])
    return replace(term, target=term.target + shift)


def enforce_constraints(
    found: CharacterSolution,
    prepared_at: Callable[[int], PreparedEdit],
    moved: Sequence[MovedProp],
) -> CharacterSolution:
    """The nearest motion to a solution that meets its constraints, with closer knots if needed.

    `prepared_at` gives the prepared edit of a refinement.
    """
    reference = found.state.x
    refinements = _refinements(prepared_at(1))
    for refinement in refinements:
        prepared = prepared_at(refinement)
        carried = carried_shifts(prepared, moved)
        terms, offset_count = build_terms(prepared, found.drags, carried, exact=True)
        count = prepared.range.count
        model = prepared.model.with_terms(
            terms, offset_count, RELEASE_LIMIT_FACTOR, refine_to(reference, count)
        )
        start = replace(found.state, x=refine_to(found.state.x, count))
        if len(start.offsets) != offset_count:  # half frames may add a constraint between frames
            start = replace(start, offsets=np.zeros(offset_count))
        last = refinement == refinements[-1]
        state, violation = _best_updates(model, start, last=last)
        found = CharacterSolution(found.character, prepared, found.drags, model, state)
        if violation < MET_VIOLATION:
            break
    return found


def _refinements(prepared: PreparedEdit) -> list[int]:
    """Refinements to try: the knots as they are, then as close as there are samples for them."""
    rate = prepared.take.rate
    sample_rate = rate * (2 if rate < DENSE_RATE else 1)
    halvings = np.log2(1.05 * prepared.range.spacing * sample_rate / MIN_SPACING)
    most = int(np.clip(halvings, 0, MAX_REFINEMENTS))
    return [1, 1 + most] if most else [1]


class _Iterate(NamedTuple):
    """A state, the multipliers that led to it, and its worst violation."""

    state: State
    multipliers: Multipliers
    violation: float  # m


def _best_updates(model: SpacetimeModel, state: State, *, last: bool) -> tuple[State, float]:
    """The best state of several updates, and its violation, m; thorough where they are the last."""
    start = _Iterate(state, Multipliers(), np.inf)
    found = _update_until_met(
        model, start, ONE_STEP, *((1.0, MAX_IDLE) if last else (SLOW_UPDATE, 0))
    )
    if last and found.violation > MISSED_VIOLATION:
        other = _update_until_met(model, start, SEVERAL_STEPS, 1.0, MAX_IDLE)
        found = min(found, other, key=lambda each: each.violation)
    if last or found.violation < MET_VIOLATION:
        final = _minimise_shifted(model, found.multipliers, found.state, LAST_STEPS)
        if worst_violation(model, final) < max(found.violation, MET_VIOLATION):
            return final, found.violation
    return found.state, found.violation


def _update_until_met(
    model: SpacetimeModel,
    best: _Iterate,
    criteria: DecreaseCriteria,
    enough: float,
    max_idle: int,
) -> _Iterate:
    """Update until all is met, or more than `max_idle` updates leave more than `enough`."""
    state, multipliers, idle = best.state, best.multipliers, 0
    for _ in range(MAX_UPDATES):
        state = _minimise_shifted(model, multipliers, state, criteria)
        violation = worst_violation(model, state)
        idle = 0 if violation < enough * best.violation else idle + 1
        if violation < best.violation:
            best = _Iterate(state, multipliers, violation)
        if best.violation < MET_VIOLATION or idle > max_idle:
            break
        multipliers = multipliers.updated(model.terms, state.poses, state.offsets)
    return best


def _minimise_shifted(
    model: SpacetimeModel, multipliers: Multipliers, state: State, criteria: DecreaseCriteria
) -> State:
    """Steps from a state with the shifted targets."""
    shifted = model.with_terms(multipliers.shifted(model.terms), model.offset_count)
    start = replace(shifted.evaluate(state.x, state.offsets), damping=state.damping)
    return minimise(shifted, start, criteria)
