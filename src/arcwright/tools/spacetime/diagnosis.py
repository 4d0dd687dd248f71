"""Diagnosis: which constraints a solution misses, and which one blocks a drag."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.scene.edit import Change
from arcwright.tools.gesture import Drag
from arcwright.tools.shared.drags import DRAG_TOLERANCE, DragResidual
from arcwright.tools.spacetime.constraints import EditedCharacter
from arcwright.tools.spacetime.jacobians import LIMIT_MARGIN
from arcwright.tools.spacetime.model import SpacetimeModel, State
from arcwright.tools.spacetime.prepared_edit import PreparedEdit
from arcwright.tools.spacetime.rows import residual_norm
from arcwright.tools.spacetime.terms import ACTIVE, NONE, ORIENTATION_SCALE, PointPoses, Term
from arcwright.tools.tool import Note

NOTED_RESIDUAL = 2e-3  # m, beyond which a note names a constraint
NOTED_SOLE = 5e-3  # m, the same of heels and soles, which follow toes
DEFAULT_TOLERANCE = 1.8e-3  # m, of terms that state none
VISIBLE = 0.3e-3  # m beyond its tolerance, from which a constraint counts as violated
LIMIT_FACTOR = 30.0  # m per rad: footplants rather slip by centimetres than break a joint limit


class CharacterSolution(NamedTuple):
    """The solved motion of one character."""

    character: EditedCharacter
    prepared: PreparedEdit
    drags: tuple[Drag, ...]
    model: SpacetimeModel
    state: State
    unfinished: bool = False  # whether it had to stop before it converged

    def change(self, name: str) -> Change:
        """The change that adds the displacement as a layer of this name."""
        layers = self.character.take.layers
        after = (*layers, self.model.layer(self.state.x, name))
        return Change((*self.character.address, "layers"), layers, after)


def diagnose(solution: CharacterSolution) -> tuple[Note, ...]:
    """Notes of drags that are missed, with their blocking constraint, then of constraints."""
    prepared, drags = solution.prepared, solution.drags
    residuals = _residuals_by_name(solution)
    blocking = max(residuals, key=lambda key: residuals[key], default=None)
    found = []
    for left in drag_residuals(solution):
        if left.size > DRAG_TOLERANCE:
            blocks = blocking is not None and residuals[blocking] > DRAG_TOLERANCE
            found.append(left.note(blocking[0] if blocking and blocks else ""))
    found += [note for drag in drags for note in _locked_end_notes(prepared, drag)]
    large = {key: size for key, size in residuals.items() if size > NOTED_RESIDUAL}
    found += [_residual_note(*key, size) for key, size in large.items()]
    if solution.unfinished and large:
        text = "time was up before the constraints were met; Solve further may come closer"
        found.append(Note(text, "unfinished"))
    return (*found, *unsolved_notes(solution.character))


def drag_residuals(solution: CharacterSolution) -> list[DragResidual]:
    """How far each drag is from its target."""
    found = []
    for drag in solution.drags:
        held = solution.prepared.held_point(drag)
        found.append(DragResidual.of(drag, *solution.state.point_pose(held.sample, held.point)))
    return found


def unsolved_notes(character: EditedCharacter) -> tuple[Note, ...]:
    """Notes of constraints of kinds that spacetime edits do not solve."""
    return tuple(
        Note(f"{each.name} has no effect: spacetime edits do not solve {each.kind} yet", "info")
        for each in character.unsolved
    )


def _locked_end_notes(prepared: PreparedEdit, drag: Drag) -> Iterator[Note]:
    """Notes of dragged footplants that last until a locked end of the range."""
    schedule, times = prepared.schedule, prepared.range.times
    fade = prepared.range.end_fade(schedule.settings.ramp)
    footplants = prepared.held_point(drag).footplants
    for index in sorted(footplants if drag.position is not None else ()):
        constraint = prepared.constraints[index]
        if constraint.foot:  # a heel slides with its toes
            continue
        inside = (times >= constraint.start) & (times <= constraint.end)
        back = prepared.drag_distance(drag) * float(1 - fade[inside].min(initial=1.0))
        if back > NOTED_RESIDUAL:
            text = f"{constraint.name} slides back by {back * 1000:.0f} mm at a locked end"
            yield Note(text, "residual", back, constraint.name)


def _residual_note(name: str, angular: bool, size: float) -> Note:
    if angular:
        angle = size / ORIENTATION_SCALE
        text = f"{name} is rotated by up to {np.degrees(angle):.1f}°"
        return Note(text, "residual", angle, name)
    return Note(f"{name} is off by up to {size * 1000:.0f} mm", "residual", size, name)


def _residuals_by_name(solution: CharacterSolution) -> dict[tuple[str, bool], float]:
    """Largest residual of constraints of each name, m; those of orientations apart."""
    found: dict[tuple[str, bool], float] = {}
    for (index, angular), size in constraint_residuals(solution.model, solution.state).items():
        constraint = solution.prepared.constraints[index]
        if constraint.foot and size < NOTED_SOLE:
            continue
        key = constraint.name, angular
        found[key] = max(found.get(key, 0.0), size)
    return found


def constraint_residuals(model: SpacetimeModel, state: State) -> dict[tuple[int, bool], float]:
    """Largest residual of each constraint while it is active, m; those of orientations apart."""
    found: dict[tuple[int, bool], float] = {}
    for term in model.terms:
        size = residual_norm(term, state.poses, state.offsets)
        active = _active(term)
        for index in set(term.owner[active].tolist()) - {NONE}:
            key = index, term.kind == "orientation"
            worst = float(size[active & (term.owner == index)].max())
            found[key] = max(found.get(key, 0.0), worst)
    return found


def worst_violation(
    model: SpacetimeModel, state: State, limit_factor: float = LIMIT_FACTOR
) -> float:
    """How far the worst constraint is beyond its tolerance, m; of joint limits, per rad.

    Positions beyond their Huber threshold are out of reach and do not count.
    """
    limits = np.abs(state.violations.residual) - LIMIT_MARGIN
    worst = limit_factor * float(limits.max(initial=0.0))
    for term in model.terms:
        active = _active(term)
        if term.kind != "orientation" and active.any():
            tolerance = DEFAULT_TOLERANCE if term.tolerance is None else term.tolerance[active]
            size = residual_norm(term, state.poses, state.offsets)[active]
            worst = max(worst, float((size - tolerance)[size < term.huber].max(initial=0.0)))
    return worst


def violated_samples(
    terms: Sequence[Term], poses: PointPoses, offsets: Floats, constraints: Sequence[int]
) -> Bools:
    """(T,) where one of these constraints is visibly beyond its tolerance."""
    found = np.zeros(len(poses.position), bool)
    for term in terms:
        tolerance = DEFAULT_TOLERANCE if term.tolerance is None else term.tolerance
        own = _active(term) & np.isin(term.owner, constraints)
        found |= own & (residual_norm(term, poses, offsets) > tolerance + VISIBLE)
    return found


def _active(term: Term) -> Bools:
    """(T,) where a constraint of the term is active, not only easing in or out."""
    on = np.zeros(len(term.owner), bool)
    for index in set(term.owner.tolist()) - {NONE}:
        own = term.owner == index
        on |= own & (term.weight > 0) & (term.weight >= ACTIVE * term.weight[own].max())
    return on
