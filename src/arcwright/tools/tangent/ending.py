"""Ending: what letting go would give; what is said of a drag is said of this."""

from __future__ import annotations

from dataclasses import dataclass

from arcwright.arrays import Floats
from arcwright.solve.descent import Descent
from arcwright.solve.model import Wishes
from arcwright.tools.missed import SHORT, Missed, worst
from arcwright.tools.tangent.grasp import Grasp
from arcwright.tools.tangent.grip import Grip, quarter_frames
from arcwright.tools.tangent.settle import THOROUGH, farthest, from_elsewhere, held_fast, sharpened

LAST_LOOKS = 8  # rounds of looking for slips


@dataclass(frozen=True, eq=False)
class Ending:
    """Where handles come to rest."""

    grasp: Grasp  # of its own: sampled as finely as was needed
    x: Floats  # (N,)
    wishes: Wishes
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


def ended(moving: Grasp, start: Floats) -> Ending:
    """From the unknowns of the last move to the end.

    Wishes are looked at once more, at every quarter frame. A hand that is not met is
    tried from elsewhere: that takes long, so it is not done while the hand moves.
    """
    grasp = moving.copy()
    found = grasp.solve(grasp.grip, start, THOROUGH)
    if grasp.still(grasp.model()):
        return Ending(grasp, found.x, found.wishes, still=True)
    if not found.x.any() and found.settled and farthest(found.wishes, grasp.hand) <= SHORT:
        return Ending(grasp, found.x, found.wishes)
    check = None
    if grasp.grip.kept:
        check = grasp.gripped(at=quarter_frames(grasp.grip.span, grasp.hold.take.rate))
    found = _closed(grasp, found, check)
    if farthest(found.wishes, grasp.hand) > SHORT and len(found.x):
        model, rest = grasp.model(), grasp.rest(grasp.grip)
        other = from_elsewhere(model, found, rest, grasp.hand)
        if other is not found:
            found = _closed(grasp, other, check)
    return Ending(grasp, found.x, found.wishes)


def _closed(grasp: Grasp, found: Descent, check: Grip | None) -> Descent:
    """Sharpened, and sampled wherever wishes would slip."""
    if check is not None:
        found = grasp.closely(found, check, THOROUGH)
    found = _sharpened(grasp, found)
    for _ in range(LAST_LOOKS if check is not None else 0):
        if not grasp.sampled_more(found, check):  # sharpened, it may slip where it did not before
            break
        found = _sharpened(grasp, found)
    return found


def _sharpened(grasp: Grasp, found: Descent) -> Descent:
    model, rest = grasp.model(), grasp.rest(grasp.grip)
    x = sharpened(model, found.x, rest, grasp.hand)
    return held_fast(model, Descent(x, model.wishes(x), 1, settled=True), rest, grasp.hand)
