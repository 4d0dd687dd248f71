"""ReleaseSolution: what letting go would give; what is said of a drag is said of this."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.descent import Descent
from arcwright.solve.model import Residuals
from arcwright.tools.drag_residual import SHORT, DragResidual, worst
from arcwright.tools.tangent.drag_problem import Grasp, around
from arcwright.tools.tangent.preparation import Grip, quarter_frames
from arcwright.tools.tangent.solve_stages import (
    EASED,
    LEAP,
    distance,
    farthest,
    is_met,
    restore_constraints,
    sharpened,
    solve_in_stages,
    try_other_starts,
    walked,
)

LOOKS = 3  # rounds of looking for slips, with few steps each
NEARLY = 0.05  # of the distance: a drag that ends nearer does not give in
LAST_LOOKS = 5  # rounds of that in the end
FINE = np.arange(17) / 16  # frames before and after a drag that gave in


@dataclass(frozen=True, eq=False)
class ReleaseSolution:
    """Where handles come to rest."""

    grasp: Grasp  # of its own: sampled as finely as was needed
    x: Floats  # (N,)
    wishes: Residuals
    still: bool = False  # the hand is where it began: curves stay as they are, to the last bit

    @property
    def short(self) -> float:
        """How far the drag that is furthest off is from what it wants, m."""
        return 0.0 if self.still else farthest(self.wishes, self.grasp.hand)

    def missed(self) -> DragResidual | None:
        """The drag that is furthest off, if one is."""
        if self.still:
            return None
        there = self.grasp.model().there(self.x)
        return worst(
            DragResidual.of(drag, there.position[index, index], there.orientation[index, index])
            for index, drag in enumerate(self.grasp.drags)
        )


def ended(moving: Grasp) -> ReleaseSolution:
    """Where the drags lead from the beginning, whatever way the hand came."""
    grasp = moving.afresh()
    if grasp.still(grasp.model()):
        nothing = np.zeros(len(grasp.grip.handles.stiffness))
        return ReleaseSolution(grasp, nothing, grasp.model().wishes(nothing), still=True)
    start, found = _reached(grasp)
    if grasp.tied and not is_met(found, grasp.hand):
        grasp.untie()
        start, found = _reached(grasp)
    if not found.x.any() and found.settled and farthest(found.wishes, grasp.hand) <= SHORT:
        return ReleaseSolution(grasp, found.x, found.wishes)
    if not is_met(found, grasp.hand):
        rest = grasp.rest(grasp.grip)
        found = try_other_starts(grasp.model(), found, rest, grasp.hand)
    check = _check(grasp)
    nearly = NEARLY * distance(grasp.model(), grasp.hand)
    if is_met(found, grasp.hand) or SHORT < farthest(found.wishes, grasp.hand) <= nearly:
        found = _looked(grasp, found, check)  # which may show that it was not
    if farthest(found.wishes, grasp.hand) > nearly:
        check = _check(grasp, finely=True)
        grasp.give_in()
        rest = grasp.rest(grasp.grip)
        found = solve_in_stages(grasp.model(), start, rest, grasp.hand, LEAP)
    found = _closed(grasp, _looked(grasp, found, check), check)
    return ReleaseSolution(grasp, found.x, found.wishes)


def _reached(grasp: Grasp) -> tuple[Floats, Descent]:
    """The end of a walk towards the hand, and where stages lead from there."""
    model, rest = grasp.model(), grasp.rest(grasp.grip)
    start = walked(model, rest, grasp.hand)
    return start, solve_in_stages(model, start, rest, grasp.hand, LEAP)


def _check(grasp: Grasp, *, finely: bool = False) -> Grip | None:
    """What is kept, at every quarter frame; finely, also around drags, where curves are steep."""
    if not grasp.grip.kept:
        return None
    span, rate = grasp.grip.span, grasp.hold.take.rate
    times = quarter_frames(span, rate)
    if finely:
        times = np.union1d(times, around(grasp.drags, span, FINE / rate))
    return grasp.gripped(at=times)


def _looked(grasp: Grasp, found: Descent, check: Grip | None) -> Descent:
    """Sampled, and solved on, where what is kept would slip."""
    for _ in range(LOOKS):
        if check is None or not grasp.add_samples(found, check):
            break
        model, rest = grasp.model(), grasp.rest(grasp.grip)
        found = solve_in_stages(model, found.x, rest, grasp.hand, LEAP, EASED[1:])
    return found


def _closed(grasp: Grasp, found: Descent, check: Grip | None) -> Descent:
    """Sharpened; then it may slip where it did not before."""
    found = _sharpened(grasp, found)
    for _ in range(LAST_LOOKS):
        if check is None or not grasp.add_samples(found, check):
            break
        found = _sharpened(grasp, found)
    return found


def _sharpened(grasp: Grasp, found: Descent) -> Descent:
    model, rest = grasp.model(), grasp.rest(grasp.grip)
    x = sharpened(model, found.x, rest, grasp.hand)
    return restore_constraints(
        model, Descent(x, model.wishes(x), 1, settled=True), rest, grasp.hand
    )
