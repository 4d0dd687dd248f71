"""Steps: where the feet go while the body travels.

A foot that swings on its way anyway steps farther; one that stands is lifted, in turn with the
other. Hips sink as far as legs are long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arcwright.arrays import Floats
from arcwright.tools.activity.trajectory import ease
from arcwright.tools.activity.walk import Way

LIFT = 0.07  # m, how high a foot is lifted, for a person
SWING = 0.8  # of the time of a step, in which the foot is in the air
MOST_STRETCH = 0.985  # of a leg's length, between hip and ankle
SINK_EASE = 0.12  # s over which hips sink and rise

Spans = Sequence[tuple[float, float]]  # s, from and to


@dataclass(frozen=True, eq=False)
class Swing:
    """A foot leaves one place and comes to another."""

    first: int
    last: int
    end: Floats  # (3,) m, displacement after it
    lift: float  # m


@dataclass(frozen=True, eq=False)
class Leg:
    """One leg of the original motion, at T frames."""

    name: str  # of the foot's joint
    ankle: Floats  # (T, 3) m
    hip: Floats  # (T, 3) m
    length: float  # m
    stands: Spans


def foot_paths(
    legs: Sequence[Leg], ways: Sequence[Way], carried: Floats, rate: float, size: float
) -> dict[str, Floats]:
    """(T, 3) m for each foot, from where it was: constant while it stands."""
    order = _order(legs, ways)
    return {
        leg.name: _displaced(
            _swings(leg, order.index(leg.name), ways, carried, rate, size), carried
        )
        for leg in legs
    }


def _order(legs: Sequence[Leg], ways: Sequence[Way]) -> list[str]:
    """The feet as they step first: the one on the side that the body goes to."""
    if not ways:
        return [leg.name for leg in legs]
    first = ways[0]
    towards = first.end - first.start
    return [
        leg.name for leg in sorted(legs, key=lambda leg: -float(leg.ankle[first.first] @ towards))
    ]


def _swings(
    leg: Leg, turn: int, ways: Sequence[Way], carried: Floats, rate: float, size: float
) -> list[Swing]:
    """All swings of a foot, those of the original and added ones, in time."""
    found = []
    last = len(carried) - 1
    spans = [(round(start * rate), round(end * rate)) for start, end in leg.stands]
    for (_, leaves), (lands, until) in pairwise(sorted(spans)):
        if lands > leaves:
            middle = min((lands + until) // 2, last)
            found.append(Swing(leaves, lands, carried[middle], 0.0))
    for way in ways:
        if way.added:
            found += _added(way, turn, size)
    return sorted(found, key=lambda each: each.first)


def _added(way: Way, turn: int, size: float) -> list[Swing]:
    """The steps of one of two feet on a way: every other one, and both end where the way ends."""
    total = way.added + 1
    length = (way.last - way.first) / total
    found = []
    for step in range(turn, total, 2):
        share = min((step + 1) / way.added, 1.0)
        begins = way.first + (step + (1 - SWING) / 2) * length
        ends = begins + SWING * length
        end = way.start + share * (way.end - way.start)
        found.append(Swing(round(begins), max(round(ends), round(begins) + 1), end, LIFT * size))
    return found


def _displaced(swings: Sequence[Swing], carried: Floats) -> Floats:
    """(T, 3) m: constant between swings."""
    frames = np.arange(len(carried))
    path = np.zeros((len(carried), 3))
    now = np.zeros(3)
    for swing in swings:
        share = np.clip((frames - swing.first) / (swing.last - swing.first), 0.0, 1.0)
        path += ease(share)[:, None] * (swing.end - now)
        path[:, 1] += swing.lift * np.sin(np.pi * share) ** 2
        now = swing.end
    return path


def sunken(legs: Sequence[Leg], feet: dict[str, Floats], carried: Floats, rate: float) -> Floats:
    """(T,) m by which hips go down, so that legs are long enough."""
    need = np.zeros(len(carried))
    for leg in legs:
        apart = leg.ankle + feet[leg.name] - leg.hip - carried
        flat = (apart[:, [0, 2]] ** 2).sum(axis=1)
        was = np.linalg.norm(leg.ankle - leg.hip, axis=1)
        reach = np.maximum(MOST_STRETCH * leg.length, np.minimum(was, leg.length))
        level = np.sqrt(np.maximum(reach**2 - flat, (0.5 * reach) ** 2))
        need = np.maximum(need, -apart[:, 1] - level)
    return _smooth_bound(need, max(round(SINK_EASE * rate), 1))


def _smooth_bound(values: Floats, width: int) -> Floats:
    """(T,) smooth values that are nowhere below the given ones: a running maximum, then a mean."""
    padded = np.pad(values, width, mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * width + 1)
    highest = np.pad(windows.max(axis=1), width, mode="edge")
    weights = np.hanning(2 * width + 3)[1:-1]
    smooth: Floats = np.convolve(highest, weights / weights.sum(), mode="valid")
    return smooth
