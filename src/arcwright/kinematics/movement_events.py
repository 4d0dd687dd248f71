"""Movement events: when a point of a body or a prop stops, turns back and leaves, from its path.

A stay is a dip of the speed: at most half of the lower peak beside it (by persistence, so that
jitter makes none), with at least 10 cm of movement before and after. A short stay is one event, a
long one two: arrival and departure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints

ARRIVALS = ("grab", "contact start", "reach", "closest", "rest start")
DEPARTURES = ("release", "contact end", "rest end")
KINDS = (*ARRIVALS, *DEPARTURES, "turn")
ARRIVING, LEAVING = (0.35, 0.65), (0.2, 0.5)  # of a change of speed, through which its line goes
AROUND = 1.15  # of the distance to the mouth: a hand that drinks stays within
STEADY = 1.25  # of the median speed of a stay: slower is as steady
STOP = 1.2  # depth of a dip that counts as a stop on the way
_PERSON = 1.7  # m, the size for which a rule is written


@dataclass(frozen=True)
class MovementRule:
    """Thresholds for a person of 1.7 m; lengths grow with size, times and speeds with its root."""

    smooth: float = 0.05  # s, standard deviation of the filter before speeds are taken
    least: float = 0.1  # m, movement before and after a stay
    dip: float = 0.5  # of the lower peak beside it: the speed of a stay
    still: float = 0.06  # m/s, slower speeds hardly differ
    sway: float = 0.12  # m/s, the same of a pelvis
    quick: float = 0.3  # m/s, the peak beside a stay
    arrived: float = 0.012  # m that are left to go where an element arrives
    left: float = 0.005  # m from its place at which it leaves
    long: float = 0.4  # s, a longer stay has an arrival and a departure
    back: float = 0.5  # cosine between the ways into and out of a turn, at most
    walk: float = 0.5  # m/s of the pelvis on the ground: hands are seen from the body
    hang: float = 0.35  # rad from straight down in which a stretched arm hangs
    swing: float = 0.3  # m, movement from the body of an arm that hangs while it walks
    own: float = 0.05  # m, movement of a hand from the body
    coming: tuple[float, float] = ARRIVING
    mouth: float = 0.34  # m from the head in which a hand is at the mouth
    reach: float = 0.85  # of an arm's length from the shoulder: a reaching hand
    seat: float = 0.8  # of the standing height of the pelvis: lower is seated
    bend: float = 0.07  # m, vertical way of a pelvis that turns back
    settle: float = 0.04  # m, of height in which a pelvis is on its seat

    def sized(self, size: float) -> MovementRule:
        """The rule for a character of this size, m."""
        scale = size / _PERSON if size > 0 else 1.0
        powers = dict.fromkeys(
            ("least", "arrived", "left", "own", "mouth", "bend", "settle", "swing"), 1.0
        )
        powers |= dict.fromkeys(("smooth", "still", "sway", "quick", "long", "walk"), 0.5)
        return replace(self, **{n: getattr(self, n) * scale**p for n, p in powers.items()})


@dataclass(frozen=True)
class MovementEvent:
    """A moment at which something happens to an element."""

    time: float  # s
    element: str
    kind: str  # one of KINDS
    confidence: float  # 0 to 1; from 0.5 on it meets all thresholds
    prop: str = ""
    place: tuple[float, float, float] | None = None  # m, of the element on the prop


@dataclass(frozen=True, eq=False)
class ElementPath:
    """The path of an element at T moments, and what tells how it moves with the body."""

    name: str
    position: Floats  # (T, 3) m
    pelvis: Floats | None = None  # (T, 3) m; without one it is seen in the world
    shoulder: Floats | None = None  # (T, 3) m, of a hand
    head: Floats | None = None  # (T, 3) m
    arm: float = 0.0  # m, length of the stretched arm
    seat: float | None = None  # m, height below which a pelvis is seated, for the pelvis itself


@dataclass(frozen=True)
class Stay:
    """Moments in which an element stays, the depth of the dip, and the movement beside it."""

    first: int
    lowest: int
    last: int
    depth: float  # log of the ratio of speeds
    peaks: tuple[float, float] = (np.inf, np.inf)  # m/s before and after
    before: float = np.inf  # m
    after: float = np.inf  # m
    since: int = 0  # the movement before begins
    until: int = 0  # the movement after ends


def movement_events(
    time: Floats, path: ElementPath, rule: MovementRule
) -> tuple[MovementEvent, ...]:
    """Events of an element at moments that are equally spaced, in order of time."""
    if len(time) < 3:
        return ()
    seen = _Seen.of(time, path, rule)
    if path.seat is not None:
        rule = replace(rule, still=rule.sway, coming=LEAVING)
    events: list[MovementEvent] = []
    for stay in stays(time, seen.position, seen.speed, rule):
        events += _events_of(time, path, seen, stay, rule)
    if path.seat is not None:
        events = _with_bends(time, path, seen, events, rule)
    loose = replace(rule, dip=0.75, least=0.6 * rule.least)
    gap = 0.5 * rule.long
    for stay in stays(time, seen.position, seen.speed, loose):
        for event in _events_of(time, path, seen, stay, rule):
            if all(abs(event.time - other.time) > gap for other in events):
                events.append(replace(event, confidence=min(event.confidence, 0.45)))
    return tuple(sorted(events, key=lambda event: event.time))


@dataclass(frozen=True, eq=False)
class _Seen:
    """A smooth path, its speed as an observer sees it, and how the body walks."""

    position: Floats  # (T, 3) m, in the world
    relative: Floats  # (T, 3) m, from the pelvis along the world's axes
    speed: Floats  # (T,) m/s, from the body as far as it walks
    walk: Floats  # (T,) m/s of the pelvis on the ground

    @staticmethod
    def of(time: Floats, path: ElementPath, rule: MovementRule) -> _Seen:
        step = float(time[1] - time[0])
        position = smoothed(path.position, rule.smooth / step)
        if path.pelvis is None:
            speed = np.linalg.norm(np.gradient(position, step, axis=0), axis=1)
            return _Seen(position, position, speed, np.zeros(len(time)))
        pelvis = smoothed(path.pelvis, 5 * rule.smooth / step) * [1.0, 0.0, 1.0]
        carried = np.gradient(pelvis, step, axis=0)
        walk = np.linalg.norm(carried, axis=1)
        share = np.clip(2 * (walk / rule.walk - 1.0), 0.0, 1.0)
        if path.shoulder is None:
            share *= 0.0
        velocity = np.gradient(position, step, axis=0) - share[:, None] * carried
        relative = position - smoothed(path.pelvis, rule.smooth / step)
        return _Seen(position, relative, np.linalg.norm(velocity, axis=1), walk)


def stays(time: Floats, position: Floats, speed: Floats, rule: MovementRule) -> list[Stay]:
    """Dips of a speed (T,) that are deep enough, with movement enough between them."""
    dips = _dips(speed, rule)
    bounds = [0, *(low for low, _ in dips), len(speed) - 1]
    found = [
        _stay(speed, low, depth, (bounds[at], bounds[at + 2]), rule.coming)
        for at, (low, depth) in enumerate(dips)
    ]
    merged: list[Stay] = []
    for stay in found:
        if merged and _way(position, merged[-1], stay) < rule.least:
            stay = _joined(merged.pop(), stay)
        if merged and _way(position, merged[-1], stay) < rule.least:
            stay = _joined(merged.pop(), stay)
        merged.append(stay)
    ends = [Stay(0, 0, 0, 0.0), *merged, Stay(len(time) - 1, len(time) - 1, len(time) - 1, 0.0)]
    return [
        replace(
            stay,
            before=_way(position, ends[at], stay),
            after=_way(position, stay, ends[at + 2]),
            since=ends[at].last,
            until=ends[at + 2].first,
        )
        for at, stay in enumerate(merged)
    ]


def _dips(speed: Floats, rule: MovementRule) -> list[tuple[int, float]]:
    """Lowest moments between peaks, and their depth, after shallow ones are removed."""
    level = np.log(speed + rule.still)
    turns = [0, *(np.flatnonzero(np.diff(np.sign(np.diff(level)))) + 1).tolist(), len(level) - 1]
    shallow = -np.log(rule.dip)
    while len(turns) > 2:
        rises = np.abs(np.diff(level[turns]))
        at = int(np.argmin(rises))
        if rises[at] >= shallow:
            break
        if at == 0:
            del turns[1 if _keeps_end(level, turns) else 0]
        elif at == len(rises) - 1:
            del turns[-2 if _keeps_end(level, turns[::-1]) else -1]
        else:
            del turns[at : at + 2]
    found = []
    for at, moment in enumerate(turns):
        beside = [level[turns[other]] for other in (at - 1, at + 1) if 0 <= other < len(turns)]
        if len(turns) > 1 and min(beside) > level[moment]:
            found.append((moment, float(min(beside) - level[moment])))
    return found


def _keeps_end(level: Floats, turns: Sequence[int]) -> bool:
    """Whether a path's end is further from the third extremum than the second one is."""
    end, second, third = level[turns[0]], level[turns[1]], level[turns[2]]
    return bool(abs(end - third) >= abs(second - third))


def _stay(
    speed: Floats, low: int, depth: float, bounds: tuple[int, int], coming: tuple[float, float]
) -> Stay:
    """The moments around a dip, up to the neighbouring dips, in which it neither comes nor goes."""
    before, after = speed[bounds[0] : low + 1][::-1], speed[low : bounds[1] + 1]
    peaks = float(before.max()), float(after.max())
    steps = _steps_to_flank(before, coming), _steps_to_flank(after, LEAVING)
    return Stay(low - steps[0], low, low + steps[1], depth, peaks)


def _steps_to_flank(speed: Floats, flank: tuple[float, float]) -> int:
    """Moments from the first, slow one to where the rise of a speed to its peak begins.

    The line through the rise meets the lowest speed there: a constant acceleration begins.
    """
    peak = float(speed.max())
    rise = peak - float(speed[0])
    if rise <= 0:
        return len(speed) - 1
    low, high = (int(np.argmax(speed >= speed[0] + share * rise)) for share in flank)
    begin = low - (high - low) * flank[0] / (flank[1] - flank[0])
    return max(round(begin), 0)


def _joined(first: Stay, second: Stay) -> Stay:
    deeper = first if first.depth >= second.depth else second
    peaks = first.peaks[0], second.peaks[1]
    return Stay(first.first, deeper.lowest, second.last, deeper.depth, peaks)


def _way(position: Floats, first: Stay, second: Stay) -> float:
    """How far an element moves between two stays, at most from either."""
    between = position[first.last : second.first + 1]
    if not len(between):
        return 0.0
    away = [np.linalg.norm(between - end, axis=1).max() for end in (between[0], between[-1])]
    return float(max(away))


def _events_of(
    time: Floats, path: ElementPath, seen: _Seen, stay: Stay, rule: MovementRule
) -> list[MovementEvent]:
    """The events of one stay."""
    starts, ends = stay.before < rule.least, stay.after < rule.least
    lasts = starts or ends or time[stay.last] - time[stay.first] > rule.long
    depth = stay.depth / -np.log(rule.dip)
    before = min(depth, stay.before / rule.least, stay.peaks[0] / rule.quick)
    after = min(depth, stay.after / rule.least, stay.peaks[1] / rule.quick)
    level = float(np.median(seen.position[stay.first : stay.last + 1, 1]))
    seated = path.seat is not None and level < path.seat
    if path.seat is not None and not lasts:
        return []
    first, last = _arriving(time, seen.speed, stay, rule), _leaving(time, seen.speed, stay, rule)
    if seated:
        first, last = _on_level(seen.position[:, 1], stay, level, rule)
    kind = _hand_kind(path, stay.first, rule)
    if kind == "closest":
        return _drinking(time, path, stay, (before, after), rule)
    before = min(before, _swing(path, seen, stay.since, stay.first, rule))
    after = min(after, _swing(path, seen, stay.last, stay.until, rule))
    if not lasts:
        turned = (1.0 - _cosine(seen.position, stay, rule)) / (1.0 - rule.back)
        middle = float(time[_turning(seen.position, stay.lowest, rule)])
        turned = max(turned, stay.depth / STOP)
        sure = _confidence(before, after, turned)
        return [MovementEvent(middle, path.name, kind or "turn", sure)]
    kinds = ("contact start", "contact end") if seated else (kind or "rest start", "rest end")
    found = []
    if not starts:
        sure = _confidence(before)
        found.append(MovementEvent(float(time[first]), path.name, kinds[0], sure))
    if not ends:
        sure = _confidence(after)
        found.append(MovementEvent(float(time[last]), path.name, kinds[1], sure))
    return found


def _drinking(
    time: Floats, path: ElementPath, stay: Stay, ratios: tuple[float, float], rule: MovementRule
) -> list[MovementEvent]:
    """A hand arrives at the mouth, and turns back; between further stays there, it does neither."""
    came, goes_on = (_at_mouth(path, at, AROUND * rule.mouth) for at in (stay.since, stay.until))
    back = float(time[_turning(path.position, stay.lowest, rule)])
    if not goes_on and time[stay.last] - time[stay.first] <= rule.long:
        return [MovementEvent(back, path.name, "closest", _confidence(*ratios))]
    found = []
    if stay.before >= rule.least and not came:
        arrival = float(time[stay.first])
        found.append(MovementEvent(arrival, path.name, "closest", _confidence(ratios[0])))
    if stay.after >= rule.least and not goes_on:
        found.append(MovementEvent(back, path.name, "turn", _confidence(ratios[1])))
    return found


def _turning(position: Floats, lowest: int, rule: MovementRule) -> int:
    """The moment at which an element that turns back is seen to move again."""
    away = np.linalg.norm(position[lowest:] - position[lowest], axis=1) > rule.left
    return lowest + int(np.argmax(away)) if away.any() else lowest


def _arriving(time: Floats, speed: Floats, stay: Stay, rule: MovementRule) -> int:
    """The moment from which on an element is in its stay; what it drifts meanwhile is taken off."""
    steady = STEADY * float(np.median(speed[stay.first : stay.last + 1]))
    excess = speed[stay.first : stay.lowest + 1] - steady
    coming = excess[: int(np.argmax(excess <= 0)) + 1]
    ahead = np.cumsum(np.maximum(coming, 0.0)[::-1])[::-1] * float(time[1] - time[0])
    return stay.first + int(np.argmax(ahead <= rule.arrived))


def _leaving(time: Floats, speed: Floats, stay: Stay, rule: MovementRule) -> int:
    """The moment at which an element has left its stay; what it drifts meanwhile is taken off."""
    excess = np.maximum(speed[stay.last :] - speed[stay.lowest], 0.0)
    away = np.cumsum(excess) * float(time[1] - time[0]) > rule.left
    return stay.last + int(np.argmax(away)) if away.any() else stay.last


def _with_bends(
    time: Floats, path: ElementPath, seen: _Seen, events: list[MovementEvent], rule: MovementRule
) -> list[MovementEvent]:
    """Events of a pelvis, with those where it goes down and turns back up, without a rest."""
    height = seen.position[:, 1]
    found = list(events)
    for low in (np.flatnonzero(np.diff(np.sign(np.diff(height))) > 0) + 1).tolist():
        sides = height[: low + 1][::-1], height[low:]
        ways = [float(_until_below(side).max() - height[low]) for side in sides]
        off = np.flatnonzero(np.abs(height - height[low]) > rule.settle)
        first, last = _around(off, low, len(height))
        lasts = (last - first) * float(time[1] - time[0])
        sure = _confidence(min(ways) / rule.bend, 2 * rule.long / max(lasts, 1e-9))
        if sure >= 0.5:
            within = float(time[first]) - rule.long, float(time[last]) + rule.long
            found = [each for each in found if not within[0] < each.time < within[1]]
        if sure > 0.2:
            middle = float(time[_turning(seen.position, low, rule)])
            found.append(MovementEvent(middle, path.name, "turn", sure))
    return found


def _until_below(height: Floats) -> Floats:
    """Heights from the first one until one is lower than it."""
    below = np.flatnonzero(height < height[0])
    return height[: int(below[0])] if len(below) else height


def _around(flagged: Ints, at: int, count: int) -> tuple[int, int]:
    """First and last moment around one that lie between flagged ones."""
    after = int(np.searchsorted(flagged, at))
    first = int(flagged[after - 1]) + 1 if after > 0 else 0
    last = int(flagged[after]) - 1 if after < len(flagged) else count - 1
    return first, last


def _on_level(height: Floats, stay: Stay, level: float, rule: MovementRule) -> tuple[int, int]:
    """First and last moment around a stay at which a height is near its level."""
    off = np.abs(height - level) > rule.settle
    off[stay.lowest] = False
    before, after = np.flatnonzero(off[: stay.lowest]), np.flatnonzero(off[stay.lowest :])
    first = int(before[-1]) + 1 if len(before) else 0
    last = stay.lowest + int(after[0]) - 1 if len(after) else len(height) - 1
    return first, last


def _hand_kind(path: ElementPath, at: int, rule: MovementRule) -> str:
    """What a hand does at a stay: it is at the mouth, it reaches, or nothing of these."""
    if path.shoulder is None or path.head is None or not path.arm:
        return ""
    if _at_mouth(path, at, rule.mouth):
        return "closest"
    arm = path.position[at] - path.shoulder[at]
    length = float(np.linalg.norm(arm))
    hangs = -arm[1] > np.cos(3 * rule.hang) * length
    return "reach" if length > rule.reach * path.arm and not hangs else ""


def _at_mouth(path: ElementPath, at: int, distance: float) -> bool:
    """Whether a hand is near its head."""
    return path.head is not None and bool(
        np.linalg.norm(path.position[at] - path.head[at]) < distance
    )


def _swing(path: ElementPath, seen: _Seen, first: int, last: int, rule: MovementRule) -> float:
    """How much more than an arm that hangs and swings a hand does in a movement: 1 is the limit."""
    if path.shoulder is None or path.pelvis is None:
        return np.inf
    own = float(np.linalg.norm(np.ptp(seen.relative[first : last + 1], axis=0)))
    arm = path.position[first : last + 1] - path.shoulder[first : last + 1]
    hangs = (-arm[:, 1] > np.cos(rule.hang) * np.linalg.norm(arm, axis=1)).all()
    walks = seen.walk[first : last + 1].max() > rule.walk
    return own / (rule.swing if hangs and walks else rule.own)


def _cosine(position: Floats, stay: Stay, rule: MovementRule) -> float:
    """Between the last 10 cm into a stay and the first 10 cm out of it."""
    middle = position[(stay.first + stay.last) // 2]
    away = np.linalg.norm(position - middle, axis=1) >= rule.least
    before = np.flatnonzero(away[: stay.lowest])
    after = np.flatnonzero(away[stay.lowest :])
    if not len(before) or not len(after):
        return -1.0
    came = middle - position[before[-1]]
    left = position[stay.lowest + after[0]] - middle
    return float(came @ left / (np.linalg.norm(came) * np.linalg.norm(left)))


def _confidence(*ratios: float) -> float:
    """0 to 1 of measures divided by their thresholds: 0.5 where the least of them is 1."""
    least = max(min(ratios), 0.0)
    return float(min(least**2 / (1 + least**2), 0.99)) if np.isfinite(least) else 0.99


def smoothed(position: Floats, deviation: float) -> Floats:
    """Positions (T, 3) after a Gaussian filter; ends are repeated."""
    reach = int(np.ceil(3 * deviation))
    kernel = np.exp(-0.5 * (np.arange(-reach, reach + 1) / deviation) ** 2)
    kernel /= kernel.sum()
    padded = np.pad(position, ((reach, reach), (0, 0)), mode="edge")
    return np.stack([np.convolve(axis, kernel, "valid") for axis in padded.T], axis=1)
