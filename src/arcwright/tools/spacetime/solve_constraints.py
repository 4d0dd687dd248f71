"""Look: where a motion is not as it is wished to be, however long it is; solves nothing."""

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
from arcwright.solve.threads import on_one_thread
from arcwright.tools.spacetime.augmented_lagrangian import firm, settled
from arcwright.tools.spacetime.constraints import Part, Wish, part_of
from arcwright.tools.spacetime.diagnosis import Solved, misses, notes, unmet
from arcwright.tools.spacetime.displacement import LONG_TAKE, Range, last_moment, range_of
from arcwright.tools.spacetime.prepared_edit import Grip, between_frames, gathered, grip
from arcwright.tools.spacetime.schedule import Manner, Scenery, Tracks, tracks_of
from arcwright.tools.spacetime.session import THOROUGH
from arcwright.tools.spacetime.targets import kept_lanes, wanted
from arcwright.tools.tool import Applied, Note, Target, Unchanged

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

AT_ONCE = 1024  # moments
Progress = Callable[[float], None]
LABEL = "Apply to the motion"
LAYER = "Constraints"
WORTH = 0.05  # of what a wish was off, and
WORTH_IT = 0.5e-3  # m: a step after which no wish is nearer by as much is none,
FURTHEST = 60.0  # s that are changed at once, if no range is chosen: memory grows with them
MUCH = 5e-3  # m: unless it is as much as this


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


@on_one_thread
def applied(
    scene: Scene,
    target: Target,
    options: SpacetimeOptions,
    more: Sequence[Constraint] = (),
    progress: Progress = lambda _: None,
) -> Applied:
    """The step after which the constraints, pins and plants of a take hold as well as they can.

    Of a take longer than 6 s that is no loop it reaches to 3 s around what does not hold, if no
    range is chosen, and over a minute at most: a note tells that there is more.
    """
    if isinstance(scene.actor(target.character), Prop):
        raise BadValue("character", "one with a motion, not a prop", target.character)
    part = part_of(scene, target, options, more)
    whole = _whole(part, options)
    seen = look(part, whole, lambda share: progress(0.15 * share))
    broken = seen.broken()
    if not broken.any():
        return Applied(Edit(LABEL), (), seen.range.used, _why(part, seen))
    near = _near(seen, broken, options, whole)

    @cache
    def as_fine(fine: int) -> Grip:
        progress(0.2 + 0.25 * min(fine, 3))
        return grip(part.take, (), part.wishes, near, fine=fine, rigid=part.rigid)

    after = _settled(part, as_fine)
    before = _as_it_is(part, as_fine(1))
    if not _gains(before, after):
        left = notes(before.grip, (), before.model, before.state)
        return Applied(Edit(LABEL), left, after.grip.range.used, "no gain")
    left = notes(after.grip, (), after.model, after.state) + _later(seen, broken, near)
    return Applied(Edit(LABEL, (after.change(LAYER),)), left, after.grip.range.used)


def _later(seen: Look, broken: Bools, near: SpacetimeOptions) -> tuple[Note, ...]:
    """That something does not hold after the range, either."""
    if float(seen.range.times[broken][-1]) <= near.end:
        return ()
    return (Note(f"after {near.end:.0f} s there is more to do: apply it again", "said"),)


def _why(part: Part, seen: Look) -> Unchanged:
    """Nothing is broken; plants that are found count only where people wish nothing at all."""
    noted = any(not wish.found for wish in part.wishes)
    wished = any(not (noted and wish.found) for wish in seen.wishes)
    return "all holds" if wished else "nothing wished"


def _whole(part: Part, options: SpacetimeOptions) -> SpacetimeOptions:
    """With an end: the chosen one, or that of the take."""
    return replace(options, end=options.end if options.end > 0 else last_moment(part.take))


def _as_it_is(part: Part, held: Grip) -> Solved:
    """The motion before, beside what is wished of it."""
    lanes, count = wanted(held, (), firm=True)
    model = held.model.wishing(lanes, count)
    return Solved(part, held, (), model, model.state(*model.nowhere()))


def _near(
    seen: Look, broken: Bools, options: SpacetimeOptions, whole: SpacetimeOptions
) -> SpacetimeOptions:
    """With a range around what does not hold, where nobody chose one and the take is long.

    Loops change as a whole: a part with one of their ends would leave them open.
    """
    chosen = options.start > 0 or options.end > 0
    if chosen or seen.range.loops or whole.end <= LONG_TAKE:
        return whole
    times = seen.range.times[broken]
    start = max(float(times[0]) - LONG_TAKE / 2, 0.0)
    end = min(float(times[-1]) + LONG_TAKE / 2, start + FURTHEST, whole.end)
    return replace(whole, start=start, end=end)


def _settled(part: Part, as_fine: Callable[[int], Grip]) -> Solved:
    """As when hands let go, but nobody holds anything."""
    held = as_fine(0)
    lanes, count = wanted(held, ())
    model = held.model.wishing(lanes, count)
    state = settled(model, model.state(*model.nowhere()), THOROUGH)
    return firm(Solved(part, held, (), model, state), as_fine, ())


def _gains(before: Solved, after: Solved) -> bool:
    """Whether some wish holds better by enough to be seen."""
    was, now = (misses(each.model, each.state) for each in (before, after))
    ways = [(off, off - now.get(key, 0.0)) for key, off in was.items()]
    return any(gain >= min(max(WORTH * off, WORTH_IT), MUCH) for off, gain in ways)
