"""Resting points: how far a point of a body is from standing on the floor, at each moment.

A point stands while it is slow and low. For contacts its speed is the lesser of those over a short
step before and after, so that the first and last moment count, at any frame rate; for what is to be
held in place, it is their mean. The height at which a point stands is estimated from the take, for
left and right together: toe joints lie above the sole, captured floors slope and drift.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.feet import without_side
from arcwright.scene.clip import Clip
from arcwright.scene.point import Point
from arcwright.scene.take import Take

_PERSON = 1.7  # m, the size for which a rule is written


@dataclass(frozen=True)
class ContactRule:
    """Thresholds for a person of 1.7 m.

    Others move alike: lengths grow with size, speeds and times with its square root.
    """

    speed: float = 0.5  # m/s: a point on the floor that is slower is in contact
    height: float = 0.085  # m above where the point stands: one at rest that is lower is in contact
    slack: float = 1.15  # a contact once found lasts until the limit is exceeded by this factor
    shortest: float = 0.045  # s, shorter contacts are dropped
    gap: float = 0.03  # s, shorter gaps are closed
    step: float = 0.033  # s, over which speed is measured
    held: bool = False  # whether points must rest before and after, not at one side only
    climb: float = 0.2  # m, how far the floor may rise above its lowest place
    window: float = 1.0  # s before and after, in which the floor height is estimated

    def __post_init__(self) -> None:
        for name in (field.name for field in fields(self)):
            if not 0 <= getattr(self, name) < np.inf:
                raise BadValue(f"ContactRule.{name}", "0 or more", getattr(self, name))
        if not (self.speed > 0 and self.height > 0 and self.slack >= 1):
            raise BadValue("ContactRule", "speed and height above 0, slack 1 or more", self)

    def sized(self, size: float) -> ContactRule:
        """The rule for a character of this size, m."""
        scale = size / _PERSON if size > 0 else 1.0
        powers = {"height": 1.0, "climb": 1.0}
        powers |= dict.fromkeys(("speed", "shortest", "gap", "step"), 0.5)
        sized = {name: getattr(self, name) * scale**power for name, power in powers.items()}
        return replace(self, **sized)


def moments(take: Take) -> Floats:
    """Frame times; for clips at least 60 per second, so that speeds do not depend on their rate."""
    rate = max(take.rate, 60.0) if isinstance(take.base, Clip) else take.rate
    return np.arange(int(np.floor(take.duration * rate + 1e-3)) + 1) / rate


def rest_excess(
    time: Floats,
    points: Sequence[Point],
    positions: Floats,
    rule: ContactRule,
    floor: float | None = None,
) -> Floats:
    """(T, P) how far points at positions (T, P, 3) are from resting on the floor: 1 is the limit.

    The root of (speed / limit)² + (height / limit)²: what moves is low, what is high rests.
    """
    speed = rest_speed(time, positions, rule.step, both=rule.held)
    height = positions[..., 1]
    excess = np.empty(height.shape)
    for index, point in enumerate(points):
        alike = [i for i, each in enumerate(points) if without_side(each) == without_side(point)]
        level: Floats | float | None = floor
        if level is None:
            level = standing_height(time, height[:, alike], speed[:, alike] <= rule.speed, rule)
        above = np.maximum(height[:, index] - level, 0.0)
        excess[:, index] = np.hypot(speed[:, index] / rule.speed, above / rule.height)
    return excess


def rest_speed(time: Floats, positions: Floats, step: float, *, both: bool = False) -> Floats:
    """(T, ...) m/s of positions (T, ..., 3): the lesser of those a step before and after.

    With `both`, their mean.
    """
    count = len(time)
    if count < 2:
        return np.zeros(positions.shape[:-1])
    rate = (count - 1) / (time[-1] - time[0])
    frames = min(max(round(step * rate), 1), count - 1)
    speed = np.linalg.norm(positions[frames:] - positions[:-frames], axis=-1) * rate / frames
    beyond = np.full((frames, *speed.shape[1:]), np.inf)
    after, before = np.append(speed, beyond, axis=0), np.append(beyond, speed, axis=0)
    lesser: Floats = np.minimum(after, before)
    if not both:
        return lesser
    greater = np.maximum(after, before)
    return np.where(np.isfinite(greater), (lesser + greater) / 2, lesser)


def standing_height(time: Floats, height: Floats, slow: Bools, rule: ContactRule) -> Floats:
    """The height (T,) at which points (T, P) stand: low among slow moments near each time.

    Not the lowest, so that single bad frames do not count.
    """
    at, _ = np.nonzero(slow)
    moment, low = time[at], height[slow]
    if not len(low):
        return np.full(len(time), np.quantile(height, 0.02) if height.size else 0.0)
    lowest = float(np.quantile(low, 0.02))
    grid = np.linspace(time[0], time[-1], 1 + int(np.ceil((time[-1] - time[0]) / 0.1)))
    first = np.searchsorted(moment, grid - rule.window)
    last = np.searchsorted(moment, grid + rule.window, "right")
    levels = [
        _low_quantile(low[a:b]) if b > a else lowest
        for a, b in zip(first.tolist(), last.tolist(), strict=True)
    ]
    return np.interp(time, grid, np.minimum(levels, lowest + rule.climb))


def _low_quantile(heights: Floats) -> float:
    """The 0.1 quantile; faster than `np.quantile`."""
    at, share = divmod(0.1 * (len(heights) - 1), 1.0)
    low = int(at)
    high = min(low + 1, len(heights) - 1)
    parted = np.partition(heights, (low, high))
    return float(parted[low] + share * (parted[high] - parted[low]))


def spans(time: Floats, excess: Floats, rule: ContactRule) -> list[tuple[float, float]]:
    """Start and end of each run of moments in contact."""
    return spans_of_runs(time, contact_runs(excess, rule), rule)


def contact_runs(excess: Floats, rule: ContactRule) -> list[tuple[int, int]]:
    """First and last moment of each run in contact."""
    runs = runs_of(excess <= rule.slack)
    return [(first, last) for first, last in runs if excess[first : last + 1].min() <= 1]


def spans_of_runs(
    time: Floats, runs: Sequence[tuple[int, int]], rule: ContactRule
) -> list[tuple[float, float]]:
    """Start and end of runs of moments, without short gaps and short runs.

    A run lasts for half a frame more at each end.
    """
    frame = (time[-1] - time[0]) / (len(time) - 1) if len(time) > 1 else 0.0
    joined: list[tuple[int, int]] = []
    for first, last in runs:
        if joined and time[first] - time[joined[-1][1]] - frame < rule.gap:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return [
        (float(time[first]), float(time[last]))
        for first, last in joined
        if time[last] - time[first] + frame >= rule.shortest
    ]


def runs_of(flags: Bools) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    edge = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(edge[::2], edge[1::2], strict=True)]
