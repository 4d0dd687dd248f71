"""Grip: what an edit has hold of, prepared once: window, free handles, samples and wishes kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.places import Places, places
from arcwright.kinematics.sample import values_at
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.take import Take
from arcwright.tools.tangent.handles import Handles, free_handles, window
from arcwright.tools.wished import Keep, channels_moving, keep_wishes, keeps
from arcwright.tools.wishes import HARD, Wish

LIMITS = "joint limits"
EVERYTHING = "all pins and contacts"
MOST_DENSE = 1000
MOST_SAMPLES = 8  # of an interval without a key in it


@dataclass(frozen=True, eq=False)
class Grip:
    """Everything about an edit that does not change while the hand moves."""

    held: tuple[tuple[Point, float], ...]  # (H) points and times in the hand
    places: Places  # the held points, then those of the wishes
    times: Floats  # (T,) s; the held times first
    values: Floats  # (T, C) at the beginning
    handles: Handles
    kept: tuple[Wish, ...]  # pins, contacts, floor
    span: tuple[float, float]  # s, where the motion may change
    frozen: tuple[str, ...]  # pins that hold by keeping all channels above them still


def grip(
    scene: Scene,
    actor: Actor,
    take: Take,
    held: Sequence[tuple[Point, float]],
    *,
    reach: int = 0,
    unified: bool = False,
    floor: float | None = None,
    without: str = "",
    more: Sequence[float] = (),
    at: Floats | None = None,
) -> Grip:
    """Prepare an edit of the held points; `without` leaves out the wish of that name.

    Joint limits are left out by the name of `LIMITS`, all wishes by `EVERYTHING`. Wishes are
    also sampled at the times in `more`; or at the times `at` and no others.
    """
    assert isinstance(take.base, Clip)
    moments = [time for _, time in held]
    channels = channels_moving(take, [point for point, _ in held])
    span = window(take.base, channels, moments, reach)
    channels, chosen, frozen = _in_play(scene, actor, take, channels, span, without)
    span = window(take.base, channels, moments, reach) if len(channels) else span
    handles = free_handles(
        take.rig,
        take.base,
        channels,
        span,
        holding=None if chosen else moments,
        unified=unified,
        limited=without != LIMITS,
    )
    if len(handles.begin):
        span = float(handles.begin.min()), float((handles.begin + handles.length).max())
    if not chosen:
        sampled = np.zeros(0)
    elif at is not None:
        sampled = at
    else:
        singles = [w.wish.start for w in chosen if w.wish.start == w.wish.end]
        few = _sample_times(_cuts(take.base, channels, chosen, span), take.rate)
        sampled = np.concatenate([singles, few, more])
    times = np.concatenate([moments, sampled])
    found = places(take.rig, [point for point, _ in held])
    kept: list[Wish] = []
    for each in chosen:
        inside = _inside(each, times, len(held))
        wish, anchor = keep_wishes(scene, take, each, len(found), times, inside)
        extra = [each.wish.point] + ([anchor] if anchor is not None else [])
        if anchor is not None:
            wish = replace(wish, other=len(found) + 1)
        found = found.joined(places(take.rig, extra))
        kept.append(wish)
        if floor is not None and wish.position is not None and anchor is None:
            kept.append(_floor_wish(wish, floor))
    return Grip(
        tuple(held), found, times, values_at(take, times), handles, tuple(kept), span, frozen
    )


def _in_play(
    scene: Scene,
    actor: Actor,
    take: Take,
    channels: Ints,
    span: tuple[float, float],
    without: str,
) -> tuple[Ints, list[Keep], tuple[str, ...]]:
    """Which channels may change and which wishes matter (the paper's three cases).

    A wish that shares no channel is left out; a point pinned whole above the hand freezes
    its channels; any other wish brings its channels in, which may make more wishes matter.
    """
    waiting = [
        keep for keep in keeps(scene, actor, take, span) if without not in (keep.name, EVERYTHING)
    ]
    chosen: list[Keep] = []
    frozen: set[int] = set()
    names: list[str] = []
    chain = set(channels.tolist())
    play = set(chain)
    changed = True
    while changed:
        changed = False
        for keep in list(waiting):
            moving = set(keep.channels.tolist())
            if not moving & play:
                continue
            waiting.remove(keep)
            changed = True
            covers = keep.wish.start <= span[0] and keep.wish.end >= span[1]
            if keep.whole and covers and moving <= chain:
                frozen |= moving
                names.append(keep.name)
            else:
                chosen.append(keep)
                play |= moving
    return np.array(sorted(play - frozen), np.int64), chosen, tuple(names)


def _cuts(clip: Clip, channels: Ints, chosen: list[Keep], span: tuple[float, float]) -> Floats:
    """Times between which all curves in play are smooth and the same wishes hold."""
    marks = [*span]
    for channel in channels:
        curve = clip.curves[channel]
        if curve is not None:
            marks += curve.time.tolist()
    marks += [time for keep in chosen for time in (keep.wish.start, keep.wish.end)]
    inside = [time for time in marks if span[0] <= time <= span[1]]
    return np.unique(np.round(inside, 9))


def _sample_times(cuts: Floats, rate: float) -> Floats:
    """Chebyshev times of every interval, more in longer ones."""
    times: list[float] = []
    for start, end in pairwise(cuts.tolist()):
        count = int(np.clip(np.ceil((end - start) * rate) + 1, 3, MOST_SAMPLES))
        place = 0.5 - 0.5 * np.cos((np.arange(count) + 0.5) * np.pi / count)
        times += (start + place * (end - start)).tolist()
    return np.array(times)


def quarter_frames(span: tuple[float, float], rate: float) -> Floats:
    """Every quarter frame of a span, both ends included."""
    count = int(min(np.ceil((span[1] - span[0]) * rate * 4), MOST_DENSE))
    return np.linspace(*span, count + 1)


def _inside(keep: Keep, times: Floats, held: int) -> Ints:
    within: Bools = (times >= keep.wish.start) & (times <= keep.wish.end)
    within[:held] = False
    return np.flatnonzero(within)


def _floor_wish(wish: Wish, floor: float) -> Wish:
    assert wish.position is not None
    height = np.tile([0.0, floor, 0.0], (len(wish.samples), 1))
    return Wish(f"{wish.name} floor", wish.place, wish.samples, height, None, HARD, above=True)
