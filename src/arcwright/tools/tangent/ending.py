"""Ending: what letting go would give; what is said of a drag is said of this."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats
from arcwright.solve.descent import Descent
from arcwright.solve.model import Residuals
from arcwright.tools.missed import SHORT, Missed, worst
from arcwright.tools.tangent.grasp import Grasp
from arcwright.tools.tangent.grip import Grip, quarter_frames
from arcwright.tools.tangent.settle import CLOSE, ROUNDS, farthest, held_fast, reached, sharpened

LOOKS = 3  # rounds of looking for slips, with few steps each
LAST_LOOKS = 3  # rounds of that in the end


@dataclass(frozen=True, eq=False)
class Ending:
    """Where handles come to rest."""

    grasp: Grasp  # of its own: sampled as finely as was needed
    x: Floats  # (N,)
    wishes: Residuals
    still: bool = False  # the hand is where it began: curves stay as they are, to the last bit

    @property
    def short(self) -> float:
        """How far the drag that is furthest off is from what it wants, m."""
        return 0.0 if self.still else farthest(self.wishes, self.grasp.hand)

    def missed(self) -> Missed | None:
        """The drag that is furthest off, if one is."""
        if self.still:
            return None
        there = self.grasp.model().there(self.x)
        return worst(
            Missed.of(drag, there.position[index, index], there.orientation[index, index])
            for index, drag in enumerate(self.grasp.drags)
        )


def ended(moving: Grasp) -> Ending:
    """Where the drags lead from the beginning, whatever way the hand came.

    Wishes are looked at once more, at every quarter frame.
    """
    grasp = moving.afresh()
    model, rest = grasp.model(), grasp.rest(grasp.grip)
    if grasp.still(model):
        nothing = np.zeros(len(rest))
        return Ending(grasp, nothing, model.wishes(nothing), still=True)
    found = reached(model, rest, grasp.hand)
    if not found.x.any() and found.settled and farthest(found.wishes, grasp.hand) <= SHORT:
        return Ending(grasp, found.x, found.wishes)
    check = None
    if grasp.grip.kept:
        check = grasp.gripped(at=quarter_frames(grasp.grip.span, grasp.hold.take.rate))
    found = _closed(grasp, found, check)
    return Ending(grasp, found.x, found.wishes)


def _closed(grasp: Grasp, found: Descent, check: Grip | None) -> Descent:
    """Sharpened, and sampled wherever wishes would slip."""
    for _ in range(LOOKS):
        if check is None or not grasp.sampled_more(found, check):
            break
        found = grasp.solve(grasp.grip, found.x, CLOSE)
    found = _sharpened(grasp, found, ROUNDS)
    for _ in range(LAST_LOOKS):  # sharpened, it may slip where it did not before
        if check is None or not grasp.sampled_more(found, check):
            break
        found = _sharpened(grasp, found, 0)
    return found


def _sharpened(grasp: Grasp, found: Descent, rounds: int) -> Descent:
    model, rest = grasp.model(), grasp.rest(grasp.grip)
    x = sharpened(model, found.x, rest, grasp.hand, rounds)
    return held_fast(model, Descent(x, model.wishes(x), 1, settled=True), rest, grasp.hand)
