"""Spread: over which time a thing that is moved lies or is carried elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.trail import trail
from arcwright.scene.take import Take
from arcwright.tools.gesture import Drag
from arcwright.tools.spacetime.model import Range

LYING = 0.02  # m/s, below which a thing lies
EASE = 1.0  # s before a kept end, where a thing that is carried over it goes back
MOST_CONTROLS = 4000  # control values
TOUCH = 0.1  # s between lying and being carried that does not part them
REACH = 0.2  # m around the held point: a thing that turns does not lie


def spread(
    take: Take, span: Range, drag: Drag, carried: Sequence[tuple[float, float]], spacing: float
) -> tuple[Floats, Floats]:
    """Of control values over a range: how much of the displacement they have (N,), and when (N,) s.

    All of it while the thing is carried, or lies still, around the hand's time.
    """
    lies = _lies(take, drag, span.times)
    start, end = _full(span.times, lies, drag.time, carried)
    before, after = _kept(span, lies, start, end)
    ease = min(EASE, (span.end - span.start) / 4)
    if before == span.start:
        start = min(max(start, before + ease), drag.time)
    if after == span.end:
        end = max(min(end, after - ease), drag.time)
    gaps = [gap for gap in (start - before, after - end) if np.isfinite(gap)]
    step = min([spacing, *(max(gap, 1 / take.rate) / 8 for gap in gaps)])
    count = int(np.clip(np.ceil((span.end - span.start) / step) + 3, 8, MOST_CONTROLS))
    knots = np.clip(np.arange(-3, count + 1), 0, count - 3) / (count - 3)
    knots = span.start + knots * (span.end - span.start)
    middle = (knots[1:-3] + knots[2:-2] + knots[3:-1]) / 3
    share = np.minimum(_rise(middle, before, start), _rise(-middle, -after, -end))
    low, high = knots[:-4], knots[4:]
    share[(high > start - 1e-9) & (low < end + 1e-9)] = 1.0
    share[(low < before) | (high > after)] = 0.0
    return share, middle


def _rise(times: Floats, zero: float, one: float) -> Floats:
    if not np.isfinite(zero):
        return np.ones_like(times)
    at = np.clip((times - zero) / max(one - zero, 1e-9), 0.0, 1.0)
    risen: Floats = at * at * (3 - 2 * at)
    return risen


def _full(
    times: Floats, lies: Bools, moment: float, carried: Sequence[tuple[float, float]]
) -> tuple[float, float]:
    """The time around a moment in which the thing is carried, and lies before and after that."""
    held = np.zeros(len(times), bool)
    for start, end in carried:
        held |= (times >= start - TOUCH) & (times <= end + TOUCH)
    at = int(np.argmin(np.abs(times - moment)))
    own = lies.copy()
    if held[at]:
        first, last = _run(held, at)
        own[first : last + 1] = True
    if not own[at]:
        return moment, moment
    first, last = _run(own, at)
    return float(times[first]), float(times[last])


def _kept(span: Range, lies: Bools, start: float, end: float) -> tuple[float, float]:
    """Until when before, and from when after, nothing changes; infinite where all does."""
    before = span.times[lies & (span.times < start - 1e-9)]
    after = span.times[lies & (span.times > end + 1e-9)]
    first = span.start if span.free.start > 0 else -np.inf
    last = span.end if span.free.stop < span.count else np.inf
    return float(before.max(initial=first)), float(after.min(initial=last))


def _lies(take: Take, drag: Drag, times: Floats) -> Bools:
    """(T,) whether the thing is at rest."""
    point = drag.point
    marks = [(point.joint, point.offset + REACH * way) for way in np.eye(3)]
    speeds = [trail(take, [mark], times)[0].speed for mark in marks]
    lies: Bools = np.max(speeds, axis=0) < LYING
    return lies


def _run(flags: Bools, at: int) -> tuple[int, int]:
    """First and last index of the run of True around an index."""
    gaps = np.flatnonzero(~flags)
    before, after = gaps[gaps < at], gaps[gaps > at]
    return int(before.max(initial=-1)) + 1, int(after.min(initial=len(flags))) - 1
