"""Walk: where the body has to go so that targets out of reach come within it, and when.

The body travels between two events: along steps that it takes anyway, which become longer, or on
added steps while both feet stand. Where they do not stand for long enough, the take gets more time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.curves.time_warp import TimeWarp
from arcwright.tools.activity.reach import ReachZone
from arcwright.tools.activity.trajectory import ease

LEFT_TO_LIMBS = 0.15  # m that the body does not go, as limbs do so much easily
STEP_TIME = 0.42  # s of an added step
STEP_LENGTH = 0.55  # m that a foot goes in an added step, for a person
LONGER = 0.3  # m by which a step that is taken anyway may become longer, for a person
PAUSE = 0.15  # s after an event and before the next one
LEAST_WAY = 0.02  # m, for a person: less is no reason to step
LEAST_ROOM = 2  # frames that are stretched to give time to steps


@dataclass(frozen=True, eq=False)
class Station:
    """Where the body is while an event happens."""

    frame: int
    away: Floats  # (3,) m on the ground, from where it was


@dataclass(frozen=True, eq=False)
class Way:
    """From one station to the next: between these frames the body travels."""

    first: int
    last: int
    start: Floats  # (3,) m
    end: Floats  # (3,) m
    added: int  # steps; 0 where those of the original become longer
    missing: float = 0.0  # s that the steps need beyond these frames


@dataclass(frozen=True, eq=False)
class Footing:
    """When feet stand, at T frames."""

    standing: Bools  # (T,) all of them
    lands: Sequence[Sequence[int]]  # of each foot, the frames at which it comes down


def stations(
    frames: Sequence[int],
    zones: Sequence[Mapping[str, ReachZone]],
    goals: Sequence[Mapping[str, Floats]],
    moves: Sequence[Mapping[str, Floats]],
) -> list[Station]:
    """One for each event: the body stays where it is while all limbs get to their goals.

    `goals` and `moves` (3,) are those of limbs that have zones. Where one does not get there, the
    body goes to where the limbs are nearly as they were.
    """
    found, away = [], np.zeros(3)
    for frame, own, targets, moved in zip(frames, zones, goals, moves, strict=True):
        if any(not _moved(own[name], away).holds(goal) for name, goal in targets.items()):
            mean = np.mean(list(moved.values()), axis=0) * [1.0, 0.0, 1.0]
            far = float(np.linalg.norm(mean))
            away = mean * max(0.0, 1 - LEFT_TO_LIMBS / max(far, 1e-9))
        found.append(Station(frame, away))
    return found


def _moved(zone: ReachZone, away: Floats) -> ReachZone:
    return ReachZone(zone.centre + away, zone.radius)


def ways(found: Sequence[Station], footing: Footing, rate: float, size: float) -> list[Way]:
    """The ways between stations, and to the first one from where the take begins."""
    start = Station(0, np.zeros(3))
    pause = round(PAUSE * rate)
    result = []
    for before, after in pairwise([start, *found]):
        length = float(np.linalg.norm(after.away - before.away))
        if length < LEAST_WAY * size:
            continue
        first = before.frame + (pause if before is not start else 0)
        first = min(first, after.frame - 1)
        last = max(after.frame - pause, first + 1)
        steps = [sum(first < each <= last for each in own) for own in footing.lands]
        if min(steps, default=0) and length / min(steps) <= LONGER * size:
            result.append(Way(first, last, before.away, after.away, 0))
        else:
            result.append(_stepped(before, after, (first, last), footing, rate, size))
    return result


def _stepped(
    before: Station,
    after: Station,
    between: tuple[int, int],
    footing: Footing,
    rate: float,
    size: float,
) -> Way:
    """A way on added steps, in the longest run of frames in which all feet stand."""
    first, last = _longest_run(footing.standing, *between)
    length = float(np.linalg.norm(after.away - before.away))
    count = max(2, int(np.ceil(2 * length / (STEP_LENGTH * size))))
    needed = (count + 1) * STEP_TIME
    spare = (last - first) / rate - needed
    if spare > 0:
        first += int(spare * rate / 2)
        last = first + int(np.ceil(needed * rate))
    return Way(first, last, before.away, after.away, count, max(0.0, -spare))


def _longest_run(flags: Bools, first: int, last: int) -> tuple[int, int]:
    """The longest run of True between two frames; some frames at their end where there is none."""
    inside = np.concatenate([[False], flags[first : last + 1], [False]])
    edges = np.flatnonzero(np.diff(inside.astype(int)))
    runs = list(zip(edges[::2].tolist(), (edges[1::2] - 1).tolist(), strict=True))
    begin, end = max(runs, key=lambda run: run[1] - run[0], default=(last - first, last - first))
    if end - begin < LEAST_ROOM:
        begin = max(min(begin, last - first - LEAST_ROOM), 0)
        end = begin + LEAST_ROOM
    return first + begin, first + end


def room_for(found: Sequence[Way], rate: float) -> TimeWarp | None:
    """The warp that gives all ways the time that they need; None where they have it."""
    knots, stretch = [], []
    for way in found:
        if way.missing:
            start, end = way.first / rate, way.last / rate
            ramp = (end - start) / 8
            most = 1 + way.missing / (end - start - ramp)
            knots += [start, start + ramp, end - ramp, end]
            stretch += [1.0, most, most, 1.0]
    return TimeWarp(np.array(knots), np.array(stretch)) if knots else None


def travel(found: Sequence[Way], count: int) -> Floats:
    """(T, 3) m, where the body is, from where it was."""
    path = np.zeros((count, 3))
    frames = np.arange(count)
    for way in found:
        share = ease(np.clip((frames - way.first) / (way.last - way.first), 0.0, 1.0))
        path += share[:, None] * (way.end - way.start)
    return path
