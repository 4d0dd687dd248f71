"""Press: what is kept is asked for by as much more as it is missed, until it is kept.

Wishes pull by weight, so an answer misses each of them a little. Heavier weights miss less but
make narrow, bent ways downhill; to move what is asked by what is missed leads to the same place
(the method of multipliers). Within its slack a lane misses nothing, or little where it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.rotation import matrix_from_vector
from arcwright.tools.spacetime.lanes import ARM, NONE, Lane, There, away

PRESSED = ("place", "flight", "turn", "apart", "above")  # kinds of which more can be asked
FURTHER = 1.7  # times what is missed: presses that go a little too far are sooner done


class Press:
    """How much more than what is wanted is asked of each lane, (T, 3) or (T, 1)."""

    def __init__(self) -> None:
        self._more: dict[int, Floats] = {}
        self._left: dict[int, Floats] = {}  # what was allowed to stay missed

    def asking(self, lanes: Sequence[Lane]) -> list[Lane]:
        """The lanes with what is asked of them now."""
        return [
            _asking(lane, self._more[at] - self._left[at]) if at in self._more else lane
            for at, lane in enumerate(lanes)
        ]

    def harder(self, lanes: Sequence[Lane], there: There, places: Floats) -> Press:
        """One more press, for where points are now."""
        after = Press()
        for at, lane in enumerate(lanes):
            if _can_be(lane):
                miss = away(lane, there, places)
                if at in self._left:
                    miss = FURTHER * miss + (1 - FURTHER) * self._left[at]
                after._press(at, lane, miss + self._more.get(at, 0.0))
        return after

    def _press(self, at: int, lane: Lane, total: Floats) -> None:
        if lane.kind == "above":
            total = np.maximum(total, 0.0)
        size = np.linalg.norm(total, axis=1)
        self._more[at] = total * _beyond(lane, size)[:, None]
        self._left[at] = total - self._more[at]


def _can_be(lane: Lane) -> bool:
    """Hands, which nobody wished for, pull as they are; what cannot be told as more of it, too."""
    return lane.kind in PRESSED and bool((lane.wish != NONE).any())


def _beyond(lane: Lane, size: Floats) -> Floats:
    """(T,) the share of a miss of this size that is pressed."""
    if lane.slack is None:
        return np.ones(len(size))
    over: Floats = np.maximum(size - lane.slack, 0.0) / np.maximum(size, 1e-12)
    return over if lane.drawn is None else np.maximum(over, lane.drawn / (1 + lane.drawn))


def _asking(lane: Lane, more: Floats) -> Lane:
    """A lane whose target is so much further."""
    if lane.kind == "turn":
        return replace(lane, target=matrix_from_vector(more / ARM) @ lane.target)
    if lane.kind == "apart":
        return replace(lane, target=lane.target + more[:, 0])
    if lane.kind == "above":
        return replace(lane, target=lane.target + more * [0.0, 1.0, 0.0])
    return replace(lane, target=lane.target + more)
