"""Contact detection: when the feet (or any points) of a take stand on the floor.

A point is in contact while it is slow and low. The height at which it stands is estimated from the
take, for left and right together: toe joints lie above the sole, captured floors slope and drift.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.feet import feet, rig_size, without_side
from arcwright.kinematics.feet import heels as heels_of
from arcwright.kinematics.places import Where, places
from arcwright.kinematics.trail import Trail, trail
from arcwright.scene.clip import Clip
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.take import Take

_PERSON = 1.7  # m, the size for which a rule is written


@dataclass(frozen=True)
class ContactRule:
    """Thresholds for a person of 1.7 m; lengths grow with size, speed with its square root."""

    speed: float = 0.45  # m/s, slower is at rest
    height: float = 0.06  # m above where the point stands
    slack: float = 1.5  # a contact once found lasts until a limit is exceeded by this factor
    shortest: float = 0.1  # s, shorter contacts are dropped
    gap: float = 0.1  # s, shorter gaps are closed
    smooth: float = 0.04  # s, over which speed is averaged
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
        times = {"speed": np.sqrt(scale), "height": scale, "climb": scale}
        values = {f.name: getattr(self, f.name) * times.get(f.name, 1.0) for f in fields(self)}
        return ContactRule(**values)


PLANTED = ContactRule(speed=0.2, slack=1.25)  # stricter than contact: excludes a rolling foot
FLAT = ContactRule(speed=0.12, slack=1.25)  # for heels: excludes a rising one


def find_contacts(
    take: Take,
    points: Sequence[Where] | None = None,
    rule: ContactRule | None = None,
    floor: float | None = None,
) -> tuple[Contact, ...]:
    """Contacts of the points (by default the toes or feet) in order of start.

    `floor` (m, world height at which the points stand) is estimated when not given: a low
    height among the slow moments, around each time, of the point and its other side.
    """
    where = places(take.rig, feet(take.rig) if points is None else points)
    rule = (rule or ContactRule()).sized(rig_size(take.rig))
    paths = trail(take, where, moments(take))
    marks = [
        Point(take.rig.names[joint], offset)
        for joint, offset in zip(where.joints, where.offsets, strict=True)
    ]
    speeds = [_averaged(path, rule.smooth) for path in paths]
    found = []
    for mark, path, speed in zip(marks, paths, speeds, strict=True):
        alike = [i for i, other in enumerate(marks) if without_side(other) == without_side(mark)]
        slow = [(paths[i], speeds[i] <= rule.speed) for i in alike]
        level = _standing_height(path.time, slow, rule) if floor is None else floor
        high = (path.position[:, 1] - level) / rule.height
        excess = np.maximum(speed / rule.speed, high)  # at most 1 in contact
        found += [Contact(mark, *span, take=take.name) for span in spans(path.time, excess, rule)]
    return tuple(sorted(found, key=lambda contact: (contact.start, contact.point.joint)))


_footplants: WeakKeyDictionary[Take, dict[bool, tuple[Contact, ...]]] = WeakKeyDictionary()


def footplants(take: Take, *, heels: bool = False) -> tuple[Contact, ...]:
    """Footplants of the toes, and of the heels with `heels`; none for a rig without feet.

    Cached per take: detection takes tens of milliseconds for long ones.
    """
    known = _footplants.setdefault(take, {})
    if heels not in known:
        known[heels] = _find_footplants(take, heels)
    return known[heels]


def _find_footplants(take: Take, heels: bool) -> tuple[Contact, ...]:
    # A take of one or two frames is at rest throughout.
    brief = min(PLANTED.shortest, take.duration)
    try:
        toes = find_contacts(take, rule=replace(PLANTED, shortest=brief))
    except BadValue:
        return ()
    behind = heels_of(take.rig) if heels else []
    return (*toes, *(find_contacts(take, behind, replace(FLAT, shortest=brief)) if behind else ()))


def moments(take: Take) -> Floats:
    """Frame times; for clips at least 60 per second, so that speeds do not depend on their rate."""
    rate = max(take.rate, 60.0) if isinstance(take.base, Clip) else take.rate
    return np.arange(int(np.floor(take.duration * rate + 1e-3)) + 1) / rate


def _averaged(path: Trail, window: float) -> Floats:
    """Speed (T,) averaged over a window of seconds."""
    if len(path) < 2:
        return path.speed
    half = int(window / 2 * (len(path) - 1) / (path.time[-1] - path.time[0]))
    total = np.concatenate([[0.0], np.cumsum(path.speed)])
    first = np.maximum(np.arange(len(path)) - half, 0)
    last = np.minimum(np.arange(len(path)) + half + 1, len(path))
    mean: Floats = (total[last] - total[first]) / (last - first)
    return mean


def _standing_height(time: Floats, slow: list[tuple[Trail, Bools]], rule: ContactRule) -> Floats:
    """The height (T,) at which points stand: low among slow moments near each time.

    Not the lowest, so that single bad frames do not count.
    """
    moment = np.concatenate([path.time[still] for path, still in slow])
    height = np.concatenate([path.position[still, 1] for path, still in slow])
    if not len(height):
        return np.zeros(len(time))
    lowest = float(np.quantile(height, 0.02))
    order = np.argsort(moment, kind="stable")
    moment, height = moment[order], height[order]
    grid = np.linspace(time[0], time[-1], 1 + int(np.ceil((time[-1] - time[0]) / 0.1)))
    first = np.searchsorted(moment, grid - rule.window)
    last = np.searchsorted(moment, grid + rule.window, "right")
    levels = [
        _low_quantile(height[a:b]) if b > a else lowest
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
    joined: list[tuple[int, int]] = []
    for first, last in _runs(excess <= rule.slack):
        if excess[first : last + 1].min() > 1:
            continue
        if joined and time[first] - time[joined[-1][1]] < rule.gap:
            joined[-1] = (joined[-1][0], last)
        else:
            joined.append((first, last))
    return [
        (float(time[first]), float(time[last]))
        for first, last in joined
        if time[last] - time[first] >= rule.shortest
    ]


def _runs(flags: Bools) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    edge = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(edge[::2], edge[1::2], strict=True)]
