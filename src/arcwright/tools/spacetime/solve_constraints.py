"""Solve constraints without a drag: change a motion so that the constraints on it hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.places import Places
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Constraint
from arcwright.scene.edit import Edit
from arcwright.scene.scene import Prop, Scene
from arcwright.scene.take import Take
from arcwright.scene.target import Target
from arcwright.solve.budget import Budget
from arcwright.solve.threads import on_one_thread
from arcwright.tools.spacetime.augmented_lagrangian import (
    converge,
    enforce_constraints,
)
from arcwright.tools.spacetime.constraints import EditedCharacter, edited_character
from arcwright.tools.spacetime.diagnosis import (
    CharacterSolution,
    constraint_residuals,
    diagnose,
    unsolved_notes,
    violated_samples,
)
from arcwright.tools.spacetime.displacement import LONG_TAKE, edit_range, take_end
from arcwright.tools.spacetime.prepared_edit import (
    PreparedEdit,
    extra_times,
    index_points,
    prepare,
)
from arcwright.tools.spacetime.schedule import FootplantSettings, Schedule
from arcwright.tools.spacetime.side_effects import side_effect_notes
from arcwright.tools.spacetime.targets import build_terms, constraint_terms
from arcwright.tools.spacetime.timing import adapted_timing, timing_notes, with_timing
from arcwright.tools.tool import Note, Progress, Solved, Unchanged

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

LABEL = "Solve constraints"
LAYER = "Constraints"
MAX_RANGE = 60.0  # s that change at once, if no range is chosen: memory grows with them
MIN_GAIN = 0.05  # of its residual, by which some constraint must improve,
MIN_GAIN_DISTANCE = 0.5e-3  # m: and at least by this,
LARGE_GAIN = 5e-3  # m: unless it is as much as this
SAMPLES_AT_ONCE = 1024


@on_one_thread
def solve_constraints(
    scene: Scene,
    target: Target,
    options: SpacetimeOptions,
    more: Sequence[Constraint] = (),
    progress: Progress = lambda _: None,
) -> Solved:
    """The undo step after which the constraints, pins and contacts of a take hold best.

    In a take longer than 6 s that is no loop it changes up to 3 s around what is violated, if no
    range is chosen, and a minute at most: a note says that there is more.
    """
    if isinstance(scene.actor(target.character), Prop):
        raise BadValue("character", "one with a motion, not a prop", target.character)
    character = edited_character(scene, target, options, more)
    whole = _with_end(character, options)
    check = check_constraints(character, whole, lambda share: progress(0.15 * share))
    violated = check.violated()
    if not violated.any():
        notes, used = unsolved_notes(character), check.schedule.range.used
        return Solved(Edit(LABEL), notes, used, _why(character, check))
    chosen = _with_range(check, violated, options, whole)

    budget = Budget(progress=lambda share: progress(0.15 + 0.8 * share))

    @cache
    def prepared_at(refinement: int) -> PreparedEdit:
        budget.reach(0.2 * min(refinement, 3))
        return prepare(character, (), chosen, refinement=refinement)

    after = _solve(character, prepared_at, budget)
    progress(1.0)
    before = _original(character, prepared_at(1))
    used = after.prepared.range.used
    if not _gains(before, after):
        return Solved(Edit(LABEL), diagnose(before), used, "no gain")
    notes = diagnose(after) + side_effect_notes(after) + _remaining_note(check, violated, chosen)
    edit, timing = Edit(LABEL, (after.change(LAYER),)), adapted_timing(after, options)
    if timing is None:
        return Solved(edit, notes, used)
    notes += tuple(timing_notes(timing, character.take.rate))
    return Solved(with_timing(scene, edit, after, timing.warp), notes, used, warp=timing.warp)


class SampledPoints(NamedTuple):
    """Poses of P points at T samples."""

    position: Floats  # (T, P, 3) m
    orientation: Floats  # (T, P, 3, 3)


@dataclass(frozen=True, eq=False)
class ConstraintCheck:
    """A range of a take beside the constraints on it; needs no solver, however long it is."""

    schedule: Schedule
    poses: SampledPoints

    def violated(self) -> Bools:
        """(T,) where a noted constraint is violated, or else a detected footplant."""
        terms, offset_count = constraint_terms(self.schedule, exact=True)
        constraints = self.schedule.constraints
        noted = [index for index, each in enumerate(constraints) if not each.detected]
        for indices in (noted, range(len(constraints))):
            found = violated_samples(terms, self.poses, np.zeros(offset_count), indices)
            if found.any():
                break
        return found


def check_constraints(
    character: EditedCharacter, options: SpacetimeOptions, progress: Progress = lambda _: None
) -> ConstraintCheck:
    """Check all samples of a range, with half frames and the ends of constraints."""
    take = character.take
    extra = extra_times(character.constraints, take.rate, ends=True)
    span = edit_range(take, options, (), extra, refinement=1)
    overlapping = [each for each in character.constraints if each.overlaps(span.start, span.end)]
    points, _, indexed = index_points(take, (), overlapping)
    poses = _sample(take, points, span.times, progress)
    settings = FootplantSettings(options.contact_ease, options.floating_footplants)
    stopped = range(len(indexed))
    schedule = Schedule(span, poses, indexed, settings, dragging=False, stopped=stopped)
    return ConstraintCheck(schedule, poses)


def _sample(take: Take, points: Places, times: Floats, progress: Progress) -> SampledPoints:
    found = SampledPoints(
        np.empty((len(times), len(points), 3)), np.empty((len(times), len(points), 3, 3))
    )
    for first in range(0, len(times) if len(points) else 0, SAMPLES_AT_ONCE):
        at = slice(first, first + SAMPLES_AT_ONCE)
        for index, each in enumerate(trail(take, points, times[at])):
            found.position[at, index] = each.position
            found.orientation[at, index] = matrix_from_quaternion(each.orientation)
        progress(min(at.stop / len(times), 1.0))
    return found


def _remaining_note(
    check: ConstraintCheck, violated: Bools, chosen: SpacetimeOptions
) -> tuple[Note, ...]:
    """A note where something is violated after the range."""
    if float(check.schedule.range.times[violated][-1]) <= chosen.end:
        return ()
    text = f"constraints after {chosen.end:.0f} s are not solved yet: solve again"
    return (Note(text, "info"),)


def _why(character: EditedCharacter, check: ConstraintCheck) -> Unchanged:
    """Nothing is violated; detected footplants count only where nothing else is constrained."""
    noted = any(not each.detected for each in character.constraints)
    counts = any(not (noted and each.detected) for each in check.schedule.constraints)
    return "all met" if counts else "no constraints"


def _with_end(character: EditedCharacter, options: SpacetimeOptions) -> SpacetimeOptions:
    """Options with an end: the chosen one, or that of the take."""
    return replace(options, end=options.end if options.end > 0 else take_end(character.take))


def _with_range(
    check: ConstraintCheck, violated: Bools, options: SpacetimeOptions, whole: SpacetimeOptions
) -> SpacetimeOptions:
    """Options with a range around what is violated, where none is chosen and the take is long.

    Loops change as a whole: a part with one of their ends would leave them open.
    """
    chosen, span = options.start > 0 or options.end > 0, check.schedule.range
    if chosen or span.loops or whole.end <= LONG_TAKE:
        return whole
    times = span.times[violated]
    start = max(float(times[0]) - LONG_TAKE / 2, 0.0)
    end = min(float(times[-1]) + LONG_TAKE / 2, start + MAX_RANGE, whole.end)
    return replace(whole, start=start, end=end)


def _original(character: EditedCharacter, prepared: PreparedEdit) -> CharacterSolution:
    """The motion as it is, beside its exact terms."""
    terms, offset_count = build_terms(prepared, (), exact=True)
    model = prepared.model.with_terms(terms, offset_count)
    return CharacterSolution(character, prepared, (), model, model.evaluate(*model.zero()))


def _solve(
    character: EditedCharacter, prepared_at: Callable[[int], PreparedEdit], budget: Budget
) -> CharacterSolution:
    """As on release, but without a drag."""
    prepared = prepared_at(0)
    terms, offset_count = build_terms(prepared, ())
    model = prepared.model.with_terms(terms, offset_count)
    start = model.evaluate(*model.zero())
    found = converge(CharacterSolution(character, prepared, (), model, start), budget)
    return enforce_constraints(found, prepared_at, (), budget)


def _gains(before: CharacterSolution, after: CharacterSolution) -> bool:
    """Whether some constraint improves by enough to be seen."""
    was, now = (constraint_residuals(each.model, each.state) for each in (before, after))
    gains = [(size, size - now.get(key, 0.0)) for key, size in was.items()]
    return any(
        gain >= min(max(MIN_GAIN * size, MIN_GAIN_DISTANCE), LARGE_GAIN) for size, gain in gains
    )
