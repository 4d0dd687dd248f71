"""Look: where a motion is not as it is wished to be, however long it is; solves nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.places import Places
from arcwright.kinematics.rotation import matrix_from_quaternion
from arcwright.kinematics.trail import trail
from arcwright.scene.take import Take
from arcwright.tools.spacetime.blame import unmet
from arcwright.tools.spacetime.grip import between_frames, gathered, range_of
from arcwright.tools.spacetime.model import Range
from arcwright.tools.spacetime.part import Part
from arcwright.tools.spacetime.tracks import Manner, Scenery, Tracks, tracks_of
from arcwright.tools.spacetime.wanted import kept_lanes
from arcwright.tools.spacetime.wishes import Wish

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

AT_ONCE = 1024  # moments

Progress = Callable[[float], None]


class Standing(NamedTuple):
    """Where P points are at T moments."""

    position: Floats  # (T, P, 3) m
    orientation: Floats  # (T, P, 3, 3)


@dataclass(frozen=True, eq=False)
class Look:
    """A range of a take beside what is wished of it."""

    range: Range
    there: Standing
    wishes: tuple[Wish, ...]
    manner: Manner
    tracks: Tracks
    hands: bool = False

    @property
    def paths(self) -> Floats:
        """(T, P, 3) m, where points are."""
        return self.there.position

    def broken(self) -> Bools:
        """(T,) where something does not hold: what people noted, or else plants that are found."""
        lanes, count = kept_lanes(self, firm=True)
        noted = [index for index, wish in enumerate(self.wishes) if not wish.found]
        for wishes in (noted, range(len(self.wishes))):
            found = unmet(lanes, self.there, np.zeros(count), wishes)
            if found.any():
                break
        return found


def look(part: Part, options: SpacetimeOptions, progress: Progress = lambda _: None) -> Look:
    """Look at all moments of a range that count, half frames and the ends of wishes included."""
    take = part.take
    between = between_frames(part.wishes, take.rate, ends=True)
    span = range_of(take, options, (), between, fine=1)
    bearing = tuple(wish for wish in part.wishes if wish.within(span.start, span.end))
    where, _, bearing = gathered(take, (), bearing)
    there = _standing(take, where, span.times, progress)
    manner = Manner(options.ramp, options.floating, options.clean)
    return Look(span, there, bearing, manner, tracks_of(Scenery(span, *there), bearing, manner))


def _standing(take: Take, where: Places, times: Floats, progress: Progress) -> Standing:
    found = Standing(
        np.empty((len(times), len(where), 3)), np.empty((len(times), len(where), 3, 3))
    )
    for first in range(0, len(times) if len(where) else 0, AT_ONCE):
        at = slice(first, first + AT_ONCE)
        for index, each in enumerate(trail(take, where, times[at])):
            found.position[at, index] = each.position
            found.orientation[at, index] = matrix_from_quaternion(each.orientation)
        progress(min(at.stop / len(times), 1.0))
    return found
