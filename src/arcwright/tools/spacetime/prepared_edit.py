"""Grip: the range, the points and the wishes that hands have hold of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.feet import foot_joints
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.regions import fine_times
from arcwright.kinematics.sample import values_at
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.rig import Rig
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.constraints import BALANCE, FLIGHT, PLANT, Wish
from arcwright.tools.spacetime.displacement import (
    NO_CHANNELS,
    Range,
    freedom,
    range_of,
)
from arcwright.tools.spacetime.jacobians import Body
from arcwright.tools.spacetime.model import SpacetimeModel, stiffness_of
from arcwright.tools.spacetime.schedule import Manner, Scenery, Tracks, tracks_of
from arcwright.tools.spacetime.terms import NONE

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

Hold: TypeAlias = tuple[str, str, bytes, float]
LIMITED = 1e5  # per m^2: joint limits


def between_frames(wishes: Sequence[Wish], rate: float, *, ends: bool) -> list[float]:
    """Seconds to look at besides frames: in passes, and where wishes start and end."""
    found = [time for wish in wishes for time in fine_times(wish.passes, rate)]
    if ends:
        lasting = [wish for wish in wishes if wish.kind not in (BALANCE, FLIGHT)]
        found += [time for wish in lasting for time in (wish.start, wish.end)]
    return found


class Held(NamedTuple):
    """A point in a hand."""

    place: int  # among the points
    moment: int  # among the times
    plant: int | None  # among the wishes: the one of this very point
    plants: frozenset[int]  # those that it takes along


@dataclass(frozen=True, eq=False)
class Grip:
    """A range of a take, its points, and the wishes that are kept in it."""

    held: Mapping[Hold, Held]
    take: Take
    range: Range
    start: Floats  # (T, C) values before the drag
    points: Places
    paths: Floats  # (T, P, 3) where the points were
    wishes: tuple[Wish, ...]
    manner: Manner
    tracks: Tracks  # of the wishes
    model: SpacetimeModel
    hands: bool = True  # whether anybody drags anything

    @property
    def free(self) -> int:
        """How many numbers of free places there are without floating plants."""
        return self.tracks.free

    def of(self, drag: Drag) -> Held:
        """Which point a hand holds, and when."""
        return self.held[hold_of(drag)]

    def place(self, drag: Drag) -> Floats:
        """(3,) where the held point was."""
        held = self.of(drag)
        place: Floats = self.paths[held.moment, held.place]
        return place

    def away(self, drag: Drag) -> float:
        """How far a hand is from where the held point was, m, along the axes that count."""
        if drag.position is None:
            return 0.0
        away = drag.position - self.place(drag)
        return float(np.linalg.norm(away if drag.axes is None else drag.axes @ away))


def hold_of(drag: Drag) -> Hold:
    """A point and a time as a name: two drags with the same one are moves of one hand."""
    return drag.point.character, drag.point.joint, drag.point.offset.tobytes(), drag.time


def grip(
    take: Take,
    drags: Sequence[Drag],
    wishes: Sequence[Wish],
    options: SpacetimeOptions,
    moments: Sequence[float] = (),
    fine: int = 0,
    rigid: Ints = NO_CHANNELS,
) -> Grip:
    """Prepare drags: all that does not depend on where the hands are.

    `moments` (s) are those of hands that hold something else; channels that are `rigid` stay.
    """
    rig = take.rig
    between = between_frames(wishes, take.rate, ends=fine > 0)
    span = range_of(take, options, (*(drag.time for drag in drags), *moments), between, fine)
    kept = [wish.within(span.start, span.end) for wish in wishes]
    bearing = tuple(wish for wish in kept if wish is not None)
    where, picked, bearing = gathered(take, [drag.point for drag in drags], bearing)
    start = values_at(take, span.times)
    captured = isinstance(take.base, Motion)
    above = None if options.whole_body else where.joints
    free = freedom(rig, above, start, captured=captured, rigid=rigid)
    body = Body(rig, where, free)
    held = {
        hold_of(drag): _held(take, span, bearing, drag, place, feet=options.grab_feet)
        for drag, place in zip(drags, picked, strict=True)
    }
    before = body.moved(start, np.zeros((len(start), free.count)))
    frames = np.flatnonzero(span.framed)
    stiffness = stiffness_of(
        rig,
        span,
        span.times[frames],
        start[frames],
        free,
        whole=options.whole_body,
        smooth=options.smooth,
        follows=any(held[hold_of(drag)].plants for drag in drags if drag.position is not None),
    )
    model = SpacetimeModel(rig, span, start, body, stiffness, LIMITED)
    manner = Manner(options.ramp, options.floating, options.clean)
    tracks = tracks_of(Scenery(span, before.position, before.orientation), bearing, manner)
    paths = before.position
    hands = bool(drags or moments)
    return Grip(held, take, span, start, where, paths, bearing, manner, tracks, model, hands)


def _held(
    take: Take, span: Range, wishes: Sequence[Wish], drag: Drag, place: int, *, feet: bool
) -> Held:
    moment = int(np.argmin(np.abs(span.times - drag.time)))
    own = held_plant(wishes, place, drag.time)
    return Held(place, moment, own, dragged_plants(take, span, wishes, drag, own, feet=feet))


def gathered(
    take: Take, held: Sequence[Point], wishes: tuple[Wish, ...]
) -> tuple[Places, list[int], tuple[Wish, ...]]:
    """All points once, where the held ones stand among them, and the wishes with theirs."""
    known: dict[tuple[str, bytes], int] = {}
    points: list[Point] = []

    def index(point: Point) -> int:
        key = point.joint, point.offset.tobytes()
        if key not in known:
            known[key] = len(points)
            points.append(point)
        return known[key]

    picked = [index(point) for point in held]
    found = tuple(
        replace(
            wish,
            place=index(wish.point),
            other=NONE if wish.other_point is None else index(wish.other_point),
            members=tuple(index(each) for each in wish.group),
        )
        for wish in wishes
    )
    return places(take.rig, points), picked, found


def fixed(wish: Wish) -> bool:
    """Whether a wish is a plant in the world, which a hand can put elsewhere."""
    return wish.kind == PLANT and wish.position and wish.carrier is None and wish.other == NONE


def held_plant(wishes: Sequence[Wish], place: int, time: float) -> int | None:
    """The plant of the very point that a hand holds, if there is one at that time."""
    for index, wish in enumerate(wishes):
        if fixed(wish) and wish.place == place and wish.start <= time <= wish.end:
            return index
    return None


def dragged_plants(
    take: Take, span: Range, wishes: Sequence[Wish], drag: Drag, own: int | None, *, feet: bool
) -> frozenset[int]:
    """The plants that a hand takes along: its `own` and, at the same time, of joints beside it.

    With `feet`, holding a foot anywhere is holding its plants.
    """
    rig = take.rig
    held = set() if own is None else {own}
    if feet:
        held |= {
            index
            for index, wish in enumerate(wishes)
            if fixed(wish)
            and wish.start <= drag.time <= wish.end
            and _one_foot(rig, wish.point.joint, drag.point.joint)
        }
    firm = [wishes[index] for index in held]
    found = {index for index, wish in enumerate(wishes) if _beside(rig, wish, firm)}
    if span.loops:
        near = 1.5 / take.rate
        found |= {at for each in found for at in _across_the_seam(span, wishes, each, near)}
    return frozenset(found)


def _across_the_seam(span: Range, wishes: Sequence[Wish], which: int, near: float) -> list[int]:
    """The plants with which one goes on where the take begins again, or ends."""
    wish = wishes[which]
    starts = wish.start <= span.start + near
    ends = wish.end >= span.end - near
    return [
        index
        for index, other in enumerate(wishes)
        if fixed(other)
        and other.place == wish.place
        and (
            (starts and other.end >= span.end - near) or (ends and other.start <= span.start + near)
        )
    ]


def _one_foot(rig: Rig, a: str, b: str) -> bool:
    foot = foot_joints(rig)
    return a == b or bool(foot[rig.joint(a)] and foot[rig.joint(b)] and _near(rig, a, b))


def _near(rig: Rig, a: str, b: str) -> bool:
    first, second = rig.joint(a), rig.joint(b)
    return first == second or rig.parents[first] == second or rig.parents[second] == first


def _beside(rig: Rig, wish: Wish, held: Sequence[Wish]) -> bool:
    """Whether a plant stands at a time when one of those held does, on a joint next to it."""
    return fixed(wish) and any(
        _near(rig, wish.point.joint, other.point.joint)
        and wish.start <= other.end
        and wish.end >= other.start
        for other in held
    )
