"""New timing of a loop: which of its moments each frame shows, with some frames given.

Unknown is the time shown at each frame, as the way from each frame to the next (Ciccone,
*Authoring Motion Cycles*, eqs. 5.7 to 5.11): these steps are near the even ones and near their
neighbours. The period and the given frames are met exactly, and time never stands still.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.errors import BadValue
from arcwright.tools.cycle.extraction.loop import unit_quaternions

LEAST_STEP = 0.1  # of an even step: the least way from a frame to the next
LEAST_FRAMES = 3  # of a loop
_EXACT = 1e-12  # of an even step, of what is compared
_ROUNDS = 60  # to find which steps are least ones; a few are enough


@dataclass(frozen=True, eq=False)
class Retiming:
    """The time of the loop that each frame shows, and what could not be met."""

    time: Floats  # (M + 1,) s, growing; the last is the first plus the period
    missed: dict[int, float]  # s, shown less wanted, of the frames that stopped at another one


def retime(frames: int, period: float, shown: Mapping[int, float]) -> Retiming:
    """The smoothest timing of a loop whose given frames show these times, s.

    Times are not wrapped: frame 0 may show a time below 0. Earlier entries of `shown` have
    priority: a later one that asks for a time beyond them stops at the least step from them. One
    frame alone shifts the whole loop, as nothing else says where its time begins.
    """
    _check(frames, period, shown)
    step = period / frames
    placed = _placed(frames, {frame: time / step for frame, time in shown.items()})
    if not placed:
        return Retiming(np.arange(frames + 1.0) * step, {})
    order = np.array(sorted(placed), np.int64)
    times = np.array([placed[int(frame)] for frame in order])
    steps = _steps(frames, order, times)
    time = np.empty(frames + 1)
    ends = np.append(order, order[0] + frames)
    for first, end, start in zip(order.tolist(), ends[1:].tolist(), times.tolist(), strict=True):
        own = np.arange(first, end)
        way = start + np.concatenate([[0.0], np.cumsum(steps[own % frames])[:-1]])
        time[own % frames] = way - np.where(own >= frames, float(frames), 0.0)
    time[frames] = time[0] + frames
    missed = {
        frame: placed[frame] * step - wanted
        for frame, wanted in shown.items()
        if abs(placed[frame] - wanted / step) > _EXACT * frames
    }
    return Retiming(time * step, missed)


def retimed(values: Floats, period: float, time: Floats, quaternions: Ints) -> Floats:
    """(T, V) the loop (M, V) at these times (T,), s, by a cubic through the four samples around.

    `quaternions` (Q, 4) are columns of unit quaternions. What stands still for some frames does
    so after it, as samples further away have no part in it.
    """
    frames = len(values)
    place = time * (frames / period)
    near = np.round(place)
    place = np.where(np.abs(place - near) < _EXACT * frames, near, place)
    before = np.floor(place).astype(np.int64)
    t = (place - before)[:, None]
    around = values[(before[:, None] + np.arange(-1, 3)) % frames]  # (T, 4, V)
    if len(quaternions):
        rotations = around[..., quaternions]  # (T, 4, Q, 4)
        away = (rotations * rotations[:, 1:2]).sum(axis=-1, keepdims=True) < 0
        around[..., quaternions] = np.where(away, -rotations, rotations)
    a, b, c, d = np.moveaxis(around, 1, 0)
    shown = b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
    return unit_quaternions(shown, quaternions)


def _check(frames: int, period: float, shown: Mapping[int, float]) -> None:
    if frames < LEAST_FRAMES:
        raise BadValue("frames", f"at least {LEAST_FRAMES}", frames)
    if not (isfinite(period) and period > 0):
        raise BadValue("period", "seconds above 0", period)
    for frame, time in shown.items():
        if not 0 <= frame < frames:
            raise BadValue("frame", f"0 to {frames - 1}", frame)
        if not isfinite(time):
            raise BadValue(f"time shown at frame {frame}", "a finite number", time)


def _placed(frames: int, wanted: Mapping[int, float]) -> dict[int, float]:
    """The times wanted, in even steps, each stopped where those before it leave no room."""
    placed: dict[int, float] = {}
    for frame, time in wanted.items():
        low, high = -np.inf, np.inf
        for other, there in placed.items():
            ahead = (frame - other) % frames  # frames from the other one to this one
            turn = 0 if frame > other else frames
            low = max(low, there - turn + LEAST_STEP * ahead)
            high = min(high, there - turn + frames - LEAST_STEP * (frames - ahead))
        placed[frame] = min(max(time, low), high)
    return placed


def _steps(frames: int, order: Ints, times: Floats) -> Floats:
    """(M,) the steps from each frame to the next, in even steps.

    They minimise |step - 1|^2 + |difference of neighbouring steps|^2, each sum between two given
    frames is exact, and none is below the least step.
    """
    ways = np.diff(np.append(times, times[0] + frames))
    counts = np.diff(np.append(order, order[0] + frames))
    section = (np.searchsorted(order, np.arange(frames), side="right") - 1) % len(order)
    even = (ways / counts)[section]
    tight = even <= LEAST_STEP + _EXACT * frames
    least = tight.copy()
    for _ in range(_ROUNDS):
        steps, force = _with_least(even, section, tight, least)
        wrong = np.where(least, force < -_EXACT, steps < LEAST_STEP - _EXACT) & ~tight
        if not wrong.any():
            return np.maximum(steps, np.minimum(even, LEAST_STEP))
        least = least ^ wrong
        for each in np.unique(section[least & ~tight]).tolist():
            own = np.flatnonzero(section == each)
            if least[own].all():  # together they are more than all least steps
                least[own[np.argmax(steps[own])]] = False
    return even


def _with_least(even: Floats, section: Ints, tight: Bools, least: Bools) -> tuple[Floats, Floats]:
    """(M,) steps where some are least ones, and the force (M,) that holds each of those up.

    In `tight` sections all steps are the even ones of the section.
    """
    frames = len(even)
    held = np.where(tight, even, LEAST_STEP)
    free = np.flatnonzero(~least)
    if not len(free):
        return held, np.zeros(frames)
    ahead, back = np.roll(np.eye(frames), 1, axis=1), np.roll(np.eye(frames), -1, axis=1)
    stiff = 3 * np.eye(frames) - ahead - back  # half the second derivatives
    sections = np.unique(section[free])
    inside = (section[:, None] == sections).astype(np.float64)  # (M, S)
    pull = 1.0 - stiff[np.ix_(free, np.flatnonzero(least))] @ held[least]
    solved = np.linalg.solve(stiff[np.ix_(free, free)], np.column_stack([pull, inside[free]]))
    wanted = inside.T @ even - inside[least].T @ held[least]
    forces = np.linalg.solve(inside[free].T @ solved[:, 1:], wanted - inside[free].T @ solved[:, 0])
    steps = held.copy()
    steps[free] = solved[:, 0] + solved[:, 1:] @ forces
    return steps, stiff @ steps - 1.0 - inside @ forces
