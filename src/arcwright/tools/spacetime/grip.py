"""Grip: the range, the points and the wishes that hands have hold of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.errors import BadValue
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.motion import Motion
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.body import NO_CHANNELS, Body, freedom
from arcwright.tools.spacetime.dragged import dragged_plants, held_plant
from arcwright.tools.spacetime.lanes import NONE
from arcwright.tools.spacetime.model import Range, SpacetimeModel, stiffness_of
from arcwright.tools.spacetime.passes import fine_times
from arcwright.tools.spacetime.tracks import Manner, Scenery, Tracks, tracks_of
from arcwright.tools.spacetime.wishes import BALANCE, FLIGHT, Wish

if TYPE_CHECKING:
    from arcwright.tools.spacetime.tool import SpacetimeOptions

Hold: TypeAlias = tuple[str, str, bytes, float]

LIMITED = 1e5  # per m^2: joint limits
LONG_TAKE = 6.0  # s; of a longer take a part around the hand is edited, if no range is chosen
FEWEST_CONTROLS = 8  # control values
CLOSEST = 2.0  # frames between them, at least
MANY = 50.0  # frames a second, between which little can go wrong
FROZEN = 2  # control values that stay 0 at an end, so that place and speed meet


def last_moment(take: Take) -> float:
    """The end of a take, s; files may tell it a little before the last frame."""
    return max(take.duration, (take.frame_count - 1) / take.rate)


def between_frames(wishes: Sequence[Wish], rate: float, *, ends: bool) -> list[float]:
    """Seconds to look at besides frames: in passes, and where wishes start and end."""
    found = [time for wish in wishes for time in fine_times(wish.passes, rate)]
    if ends:
        lasting = [wish for wish in wishes if wish.kind not in (BALANCE, FLIGHT)]
        found += [time for wish in lasting for time in (wish.start, wish.end)]
    return found


def range_of(
    take: Take,
    options: SpacetimeOptions,
    moments: Sequence[float],
    more: Sequence[float] = (),
    fine: int = 0,
) -> Range:
    """The range that the options choose; ends inside the take stay as they are.

    All frames are looked at, the moments of hands, and `more` times as far as they lie inside. Once
    `fine`, half frames are as well where frames are few, and each further time control values are
    set twice as close.
    """
    every = take.frame_times()
    last = last_moment(take)
    start, end = options.start, options.end if options.end > 0 else last
    if options.start <= 0 and options.end <= 0 and last > LONG_TAKE:
        start, end = min(moments) - LONG_TAKE / 2, max(moments) + LONG_TAKE / 2
    near = 0.5 / take.rate  # a range that all but begins or ends with the take does so
    start, end = 0.0 if start < near else start, last if end > last - near else end
    if end - start < 2 / take.rate:
        raise BadValue("range", "two frames or more", f"{start:g} to {end:g} s")
    for moment in moments:
        if not start - 1e-9 <= moment <= end + 1e-9:
            raise BadValue("Drag.time", f"within the range, {start:g} to {end:g} s", moment)
    spacing = max(options.spacing, CLOSEST / take.rate)
    spans = max(int(np.ceil((end - start) / spacing)), FEWEST_CONTROLS - 3)
    count = spans * 2 ** max(fine - 1, 0) + 3
    loops = isinstance(take.base, Clip) and take.base.loops
    keeps = options.keep_ends or (loops and (start > 0 or end < last))  # or the seam would open
    head = FROZEN if keeps or start > 0 else 0
    tail = FROZEN if keeps or end < last else 0
    loops = loops and not keeps
    frames = every
    if fine and take.rate < MANY:
        frames = np.union1d(frames, (frames[1:] + frames[:-1]) / 2)
    frames = frames[(frames >= start - 1e-9) & (frames <= end + 1e-9)]
    extra = [time for time in more if start < time < end]
    inside = np.clip(np.union1d(frames, [*moments, *extra]), start, end)
    inside = inside[np.append(np.diff(inside) > 1e-7, True)]
    framed = np.abs(every[np.searchsorted(every[:-1], inside - 1e-6)] - inside) < 1e-6
    return Range(start, end, count, slice(head, count - tail), inside, framed, loops)


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
