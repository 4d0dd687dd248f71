"""Multipliers of constraints: shifts of their targets by what they are missed.

Residuals within a term's tolerance shift nothing, or little where it has an inner weight. Terms of
regions and balance, whose targets cannot be shifted, become heavier instead while they are missed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import matrix_from_vector
from arcwright.tools.spacetime.rows import residual_norm
from arcwright.tools.spacetime.terms import NONE, ORIENTATION_SCALE, PointPoses, Term, residual

SHIFTED_KINDS = ("position", "flight", "orientation", "distance", "height")
WEIGHTED_KINDS = ("region", "plane", "support")
OVERRELAXATION = 1.7  # times the residual: updates that go a little too far converge sooner
WEIGHT_GROWTH, MAX_WEIGHT = 3.0, 30.0  # times the weight: with each update, and at most
MISSED = 1.8e-3  # m, from which a term becomes heavier


class Multipliers:
    """Shifts of the targets of each term, (T, 3) or (T, 1) m, or factors of its weight."""

    def __init__(self) -> None:
        self._shift: dict[int, Floats] = {}
        self._allowed: dict[int, Floats] = {}  # residuals within tolerance
        self._factor: dict[int, float] = {}

    def shifted(self, terms: Sequence[Term]) -> list[Term]:
        """The terms with shifted targets and heavier weights."""
        found = [
            _shifted(term, self._shift[at] - self._allowed[at]) if at in self._shift else term
            for at, term in enumerate(terms)
        ]
        for at, factor in self._factor.items():
            found[at] = replace(found[at], weight=factor * found[at].weight)
        return found

    def updated(self, terms: Sequence[Term], poses: PointPoses, offsets: Floats) -> Multipliers:
        """The multipliers after one update, for the current poses."""
        after = Multipliers()
        for at, term in enumerate(terms):
            if _has_multiplier(term):
                away = residual(term, poses, offsets)
                if at in self._allowed:
                    away = OVERRELAXATION * away + (1 - OVERRELAXATION) * self._allowed[at]
                after._set(at, term, away + self._shift.get(at, 0.0))
            elif term.kind in WEIGHTED_KINDS and _is_owned(term):
                missed = float(residual_norm(term, poses, offsets)[term.weight > 0].max(initial=0))
                growth = WEIGHT_GROWTH if missed > MISSED else 1.0
                after._factor[at] = min(growth * self._factor.get(at, 1.0), MAX_WEIGHT)
        return after

    def _set(self, at: int, term: Term, total: Floats) -> None:
        if term.kind == "height":
            total = np.maximum(total, 0.0)
        size = np.linalg.norm(total, axis=1)
        self._shift[at] = total * _share_beyond(term, size)[:, None]
        self._allowed[at] = total - self._shift[at]


def _has_multiplier(term: Term) -> bool:
    """Drags and most inequalities have none."""
    return term.kind in SHIFTED_KINDS and _is_owned(term)


def _is_owned(term: Term) -> bool:
    """Whether a term belongs to a constraint."""
    return bool((term.owner != NONE).any())


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
