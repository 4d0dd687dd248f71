"""Tracks: the lanes of what is kept, made once; hands only move what is wanted of plants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Protocol

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.curves.spline import band
from arcwright.solve.blocks import BlockFactor, Moments
from arcwright.tools.spacetime.constraints import APART, FLOOR, MEET, PLANT, Wish
from arcwright.tools.spacetime.displacement import Range
from arcwright.tools.spacetime.terms import HAND, HELD, NONE, Lane, further_lanes

SLACK = {"place": 0.5e-3, "turn": 1e-3, "apart": 0.2e-3, "above": 0.5e-3}  # m, too little to see
FLOOR_SLACK = 1.75e-3  # m, of plants on the floor
GRASP_SLACK = 0.3e-3  # m, of what holds a thing
GRASP = 4.0  # times as heavy: between a hand and a thing in it the least slip is seen
DRAWN = 0.15  # of their weight, with which quick plants pull even within that
SLIDING = 0.065, 0.085  # m/s in the mean: slower ones hardly slide, and to stop them is seen more
SHAKING = 2.0  # times from one control value to the next: what is quicker is not followed
APART_BY = 0.35  # of the time between two plants of a point: the longest ramp of each


@dataclass(frozen=True)
class Manner:
    """How plants are kept."""

    ramp: float  # s, over which they come on and go off
    floating: bool  # they may be elsewhere, without sliding
    clean: bool  # those that slide are brought to rest


@dataclass(frozen=True, eq=False)
class Scenery:
    """Where points were before any drag, over a range."""

    range: Range
    paths: Floats  # (T, P, 3) m
    turned: Floats  # (T, P, 3, 3)


class Stretch(NamedTuple):
    """Where a wish stands: some moments of a track."""

    track: int
    moments: slice


@dataclass(eq=False)
class Track:
    """A lane as it is without a hand."""

    lane: Lane
    rest: Floats | float = 0.0  # (T, 3) or (T,) m, from its target to where sliding comes to rest
    slow: Floats | float = 0.0  # the same without shaking
    end: int = 0  # the first moment after all of its wishes

    def takes(self, key: tuple[str, int, int], moments: slice) -> bool:
        """Whether a wish of this sort has room here."""
        own = self.lane.kind, self.lane.point, self.lane.other
        return own == key and self.lane.free is None and self.end <= moments.start


@dataclass(eq=False)
class Tracks:
    """All that is kept over a range."""

    tracks: list[Track] = field(default_factory=list)
    where: dict[int, list[Stretch]] = field(default_factory=dict)  # of each wish
    free: int = 0  # numbers of meetings and flights

    def lay(self, wish: int, kind: str, point: int, other: int, moments: slice, count: int) -> Lane:
        """A lane for some moments of a wish, on a track that has nothing there."""
        key = kind, point, other
        at = next((at for at, track in enumerate(self.tracks) if track.takes(key, moments)), None)
        if at is None:
            at = len(self.tracks)
            shape = {"turn": (count, 3, 3), "apart": (count,)}.get(kind, (count, 3))
            empty = np.zeros(shape), np.zeros(count), np.full(count, NONE)
            slack, drawn = np.full(count, SLACK[kind]), np.zeros(count)
            lane = Lane(kind, point, *empty, other, slack=slack, drawn=drawn)
            self.tracks.append(Track(lane))
        self.tracks[at].end = moments.stop
        self.tracks[at].lane.wish[moments] = wish
        self.where.setdefault(wish, []).append(Stretch(at, moments))
        return self.tracks[at].lane

    def lead(self, lane: Lane, moments: slice, rest: Floats, slow: Floats) -> None:
        """The ways to rest of a lane at some moments."""
        track = next(track for track in self.tracks if track.lane is lane)
        track.rest = track.rest + np.zeros(lane.target.shape)
        track.slow = track.slow + np.zeros(lane.target.shape)
        track.rest[moments], track.slow[moments] = rest, slow


def tracks_of(scenery: Scenery, wishes: Sequence[Wish], manner: Manner) -> Tracks:
    """The tracks of all wishes; those that begin first are laid first."""
    found = Tracks()
    for index in sorted(range(len(wishes)), key=lambda each: wishes[each].start):
        wish = wishes[index]
        if wish.asked is not None:
            _further(found, scenery, index, wish)
        elif wish.kind == MEET:
            _meet(found, scenery, index, wish)
        else:
            _lay(found, scenery, index, wish, manner, _ramps(wishes, wish, manner.ramp))
    return found


def _ramps(wishes: Sequence[Wish], wish: Wish, ramp: float) -> tuple[float, float]:
    """Seconds before and after a plant; shorter where the same point has another one soon."""
    if wish.kind != PLANT:
        return 0.0, 0.0
    before = after = ramp
    for other in wishes:
        if other.kind == PLANT and other.place == wish.place and other is not wish:
            if other.end <= wish.start:
                before = min(before, APART_BY * (wish.start - other.end))
            elif other.start >= wish.end:
                after = min(after, APART_BY * (other.start - wish.end))
    return before, after


def _lay(
    found: Tracks,
    scenery: Scenery,
    index: int,
    wish: Wish,
    manner: Manner,
    ramps: tuple[float, float],
) -> None:
    times, count = scenery.range.times, len(scenery.range.times)
    first = int(np.searchsorted(times, wish.start - ramps[0] - 1e-9))
    last = int(np.searchsorted(times, wish.end + ramps[1] + 1e-9, "right"))
    if first >= last:
        return
    at = slice(first, last)
    weight = HELD * _on(times[at], wish, *ramps)
    path = scenery.paths[at, wish.place]
    if wish.kind == FLOOR:
        lane = found.lay(index, "above", wish.place, NONE, at, count)
        lane.target[at, 1] = path[:, 1].min()
        lane.weight[at] = weight
    elif wish.kind == APART:
        lane = found.lay(index, "apart", wish.place, wish.other, at, count)
        apart = np.linalg.norm(path - scenery.paths[at, wish.other], axis=1)
        lane.target[at] = apart if wish.size is None else wish.size
        lane.weight[at] = weight
        if wish.rests is not None:
            lane.weight[at] *= GRASP
            if manner.clean:
                found.lead(lane, at, wish.rests - apart, wish.rests - apart)
    else:
        if wish.position:
            lane = found.lay(index, "place", wish.place, wish.other, at, count)
            lane.weight[at] = weight
            _lay_place(found, lane, scenery, wish, at, manner)
        if wish.orientation:
            lane = found.lay(index, "turn", wish.place, NONE, at, count)
            lane.target[at] = scenery.turned[at, wish.place]
            lane.weight[at] = weight


def _lay_place(
    found: Tracks, lane: Lane, scenery: Scenery, wish: Wish, at: slice, manner: Manner
) -> None:
    """The path as it was, and for plants the way to rest."""
    was = scenery.paths[at, wish.place]
    if wish.other != NONE:
        was = was - scenery.paths[at, wish.other]
    lane.target[at] = was
    if wish.kind != PLANT:
        return
    assert lane.slack is not None
    assert lane.drawn is not None
    on_floor = wish.carrier is None and wish.other == NONE
    if on_floor:
        lane.slack[at] = FLOOR_SLACK
    elif wish.carrier is not None:
        lane.weight[at] *= GRASP
        lane.slack[at] = GRASP_SLACK
    times = scenery.range.times[at]
    inside = np.flatnonzero((times >= wish.start - 1e-9) & (times <= wish.end + 1e-9))
    framed = inside[scenery.range.framed[at][inside]]  # the same place, however fine
    if not manner.clean or not len(framed):
        return
    rest = _between(times[inside], times[framed], (_rest(wish, was, framed, times) - was)[framed])
    slow = without_shaking(times[inside], rest, SHAKING * scenery.range.spacing)
    nearest = np.clip(np.arange(len(was)), inside[0], inside[-1]) - inside[0]  # beyond, as at ends
    fade = faded(scenery.range, manner.ramp)[at][inside].min()
    found.lead(lane, at, fade * rest[nearest], fade * slow[nearest])
    if on_floor:
        lane.drawn[at] = DRAWN * _quick(was[inside], times[inside])


def _between(times: Floats, frames: Floats, values: Floats) -> Floats:
    """(T, 3) values at frames (F, 3) at other times: between frames a plant moves as it did."""
    return np.stack([np.interp(times, frames, axis) for axis in values.T], axis=1)


def without_shaking(times: Floats, values: Floats, spacing: float) -> Floats:
    """(T, A) the nearest smooth curve, with control values so far apart."""
    count = int(np.ceil((times[-1] - times[0]) / spacing)) + 3
    if len(times) <= count:
        return values
    spline = band(times[0], times[-1], count, times)
    moments = Moments(spline.first, spline.weight, count)
    squares = moments.squares(np.ones((len(times), 1, 1)))
    squares[:, :, 0] += 1e-9  # a control value that no moment touches
    fit = BlockFactor(squares).divide(moments.back(values)[:, None])
    return moments.at(fit[:, 0])


def _quick(path: Floats, times: Floats) -> float:
    """From 0 to 1: how quickly a plant slides."""
    way = float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())
    speed = way / max(float(times[-1] - times[0]), 1e-9)
    return float(smooth(np.array((speed - SLIDING[0]) / (SLIDING[1] - SLIDING[0]))))


def _rest(wish: Wish, was: Floats, inside: Ints, times: Floats) -> Floats:
    """(N, 3) the mean place of a plant; on what carries it, its first one."""
    if wish.other != NONE:
        return np.zeros_like(was)
    if wish.carrier is None:
        return np.broadcast_to(was[inside].mean(axis=0), was.shape)
    frames = wish.carrier.matrices(times)
    local = np.linalg.solve(frames[inside[0]], np.append(was[inside[0]], 1.0))
    carried: Floats = (frames @ local)[:, :3]
    return carried


def _further(found: Tracks, scenery: Scenery, index: int, wish: Wish) -> None:
    """Lanes of their own for what is asked for besides pins and contacts."""
    times = scenery.range.times
    lanes, free = further_lanes(wish, index, times, scenery.paths, found.free)
    found.free += free
    found.tracks += [Track(lane, end=len(times)) for lane in lanes]


def _meet(found: Tracks, scenery: Scenery, index: int, wish: Wish) -> None:
    """The same place at two moments: a free one, which both follow."""
    times = scenery.range.times
    both = [int(np.argmin(np.abs(times - moment))) for moment in (wish.start, wish.end)]
    at = np.zeros(len(times), bool)
    at[both] = True
    target = np.tile(scenery.paths[both, wish.place].mean(axis=0), (len(times), 1))
    follows = np.where(at[:, None], found.free + np.arange(3), NONE)
    found.free += 3
    lane = Lane(
        "place", wish.place, target, HAND * at.astype(np.float64), np.where(at, index, NONE)
    )
    found.tracks.append(Track(replace(lane, free=follows)))


def _on(times: Floats, wish: Wish, before: float, after: float) -> Floats:
    """(T,) 1 throughout a wish; comes on before it and goes off after it."""
    early = np.maximum(wish.start - times - 1e-9, 0.0) / max(before, 1e-9)
    late = np.maximum(times - wish.end - 1e-9, 0.0) / max(after, 1e-9)
    return smooth(1 - np.maximum(early, late))


def faded(span: Range, ramp: float) -> Floats:
    """(T,) 0 where an end of the range stays as it is, and soon 1."""
    fade, length = np.ones_like(span.times), max(2 * ramp, 1e-9)
    if span.free.start > 0:
        fade = np.minimum(fade, (span.times - span.start) / length)
    if span.free.stop < span.count:
        fade = np.minimum(fade, (span.end - span.times) / length)
    return smooth(fade)


def smooth(share: Floats) -> Floats:
    """From 0 to 1 with even ends."""
    at = np.clip(share, 0.0, 1.0)
    eased: Floats = at * at * (3 - 2 * at)
    return eased


class Kept(Protocol):
    """What the lanes of wishes are made from."""

    @property
    def range(self) -> Range:
        """The part of the take that is looked at."""

    @property
    def paths(self) -> Floats:
        """(T, P, 3) m, where points are."""

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """Those that bear on the range."""

    @property
    def manner(self) -> Manner:
        """How plants are kept."""

    @property
    def tracks(self) -> Tracks:
        """The lanes of the wishes as they are without a hand."""

    @property
    def hands(self) -> bool:
        """Whether anybody drags anything."""
