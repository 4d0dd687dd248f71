"""Movement events: when a point of a body or a prop stops, turns back and leaves, from its path.

A stay is a dip of the speed: at most half of the lower peak beside it (by persistence, so that
jitter makes none), with at least 10 cm of movement before and after. A short stay is one event, a
long one two: arrival and departure.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Floats, Ints
from arcwright.kinematics.event_confidence import Measures, confidence
from arcwright.kinematics.stays import LEAVING, MovementRule, Stay, smoothed, stays

ARRIVALS = ("grab", "contact start", "reach", "closest", "rest start")
DEPARTURES = ("release", "contact end", "rest end")
KINDS = (*ARRIVALS, *DEPARTURES, "turn")
AROUND = 1.15  # of the distance to the mouth: a hand that drinks stays within
STEADY = 1.25  # of the median speed of a stay: slower is as steady
STOP = 1.2  # depth of a dip that counts as a stop on the way


@dataclass(frozen=True)
class MovementEvent:
    """A moment at which something happens to an element."""

    time: float  # s
    element: str
    kind: str  # one of KINDS
    confidence: float  # 0 to 1; from 0.5 on it meets all thresholds
    prop: str = ""
    place: tuple[float, float, float] | None = None  # m, of the element on the prop
    measures: Measures | None = None  # that the confidence comes from


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
    across: Floats | None = None  # (T, 3) unit vector on the ground, from right to left shoulder


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
    relative: Floats  # (T, 3) m, in the frame of the trunk
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
        relative = _turned(position - smoothed(path.pelvis, rule.smooth / step), path.across)
        return _Seen(position, relative, np.linalg.norm(velocity, axis=1), walk)


def _turned(offset: Floats, across: Floats | None) -> Floats:
    """Offsets (T, 3) along an axis on the ground, upwards and ahead; as they are without one."""
    if across is None:
        return offset
    ahead = np.stack([-across[:, 2], np.zeros(len(across)), across[:, 0]], axis=1)
    sums = [(offset * axis).sum(axis=1) for axis in (across, ahead)]
    return np.stack([sums[0], offset[:, 1], sums[1]], axis=1)


def _events_of(
    time: Floats, path: ElementPath, seen: _Seen, stay: Stay, rule: MovementRule
) -> list[MovementEvent]:
    """The events of one stay."""
    starts, ends = stay.before < rule.least, stay.after < rule.least
    lasts = starts or ends or time[stay.last] - time[stay.first] > rule.long
    level = float(np.median(seen.position[stay.first : stay.last + 1, 1]))
    seated = path.seat is not None and level < path.seat
    if path.seat is not None and not lasts:
        return []
    first, last = _arriving(time, seen.speed, stay, rule), _leaving(time, seen.speed, stay, rule)
    if seated:
        first, last = _on_level(seen.position[:, 1], stay, level, rule)
    if _walked_past(path, seen, stay, rule) and (lasts or not _raised(path, stay.lowest)):
        return []
    kind = _hand_kind(path, stay.first, rule)
    if kind == "closest":
        return _drinking(time, path, stay, _least_ratios(stay, rule), rule)
    if not lasts:
        middle = _turning(seen.position, stay.lowest, rule)
        return [
            _event(time, middle, path, kind or "turn", _measures(path, seen, stay, rule, "turn"))
        ]
    kinds = ("contact start", "contact end") if seated else (kind or "rest start", "rest end")
    sides = (starts, first, kinds[0], "arrival"), (ends, last, kinds[1], "departure")
    found = []
    for outside, at, named, group in sides:
        if not outside:
            found.append(_event(time, at, path, named, _measures(path, seen, stay, rule, group)))
    return found


def _walked_past(path: ElementPath, seen: _Seen, stay: Stay, rule: MovementRule) -> bool:
    """Whether a hand's stay is one on a body that walks: in the world it goes on."""
    walk = seen.walk[stay.first : stay.last + 1]
    return path.seat is None and bool(np.median(walk) > rule.walk)


def _raised(path: ElementPath, at: int) -> bool:
    """Whether a hand is above its shoulder."""
    return path.shoulder is not None and bool(path.position[at, 1] > path.shoulder[at, 1])


def _event(
    time: Floats, at: int, path: ElementPath, kind: str, measures: Measures
) -> MovementEvent:
    """An event of a hand or prop by its measures, of a pelvis by the least of them."""
    sure = confidence(measures)
    if path.seat is not None:
        sure = _confidence(measures.depth, measures.peak)
    return MovementEvent(float(time[at]), path.name, kind, sure, measures=measures)


def _measures(
    path: ElementPath, seen: _Seen, stay: Stay, rule: MovementRule, group: str
) -> Measures:
    """What tells whether a person marks an arrival, departure or turn at a stay."""
    peaks = [stay.peaks[0] / rule.quick, stay.peaks[1] / rule.quick]
    owns = [
        _own_way(path, seen, stay.since, stay.first, rule),
        _own_way(path, seen, stay.last, stay.until, rule),
    ]
    part = {"arrival": slice(0, 1), "departure": slice(1, 2), "turn": slice(0, 2)}[group]
    back = 1.0
    if group == "turn":
        turned = (1.0 - _cosine(seen.position, stay, rule)) / (1.0 - rule.back)
        back = max(turned, stay.depth / STOP)
    depth = stay.depth / -np.log(rule.dip)
    return Measures(depth, min(peaks[part]), min(owns[part]), back, group)


def _least_ratios(stay: Stay, rule: MovementRule) -> tuple[float, float]:
    """The least measure of a stay divided by its threshold, before and after."""
    depth = stay.depth / -np.log(rule.dip)
    before = min(depth, stay.before / rule.least, stay.peaks[0] / rule.quick)
    return before, min(depth, stay.after / rule.least, stay.peaks[1] / rule.quick)


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
    """The moment from which on an element is seen to stay.

    It has arrived where little is left to go, without its drift, or where it is nearly as slow as
    in its stay; a person marks the moment a little later.
    """
    steady = STEADY * float(np.median(speed[stay.first : stay.last + 1]))
    excess = speed[stay.first : stay.lowest + 1] - steady
    coming = excess[: int(np.argmax(excess <= 0)) + 1]
    ahead = np.cumsum(np.maximum(coming, 0.0)[::-1])[::-1] * float(time[1] - time[0])
    near = stay.first + int(np.argmax(ahead <= rule.arrived))
    since = stay.since + int(np.argmax(speed[stay.since : stay.lowest + 1]))
    quick = np.flatnonzero(speed[since : stay.lowest + 1] > speed[stay.lowest] + rule.calm)
    calm = since + int(quick[-1]) + 1 if len(quick) else near
    arrived = min(near, calm)
    later = arrived + round(rule.marked / float(time[1] - time[0]))
    return min(later, max(arrived, stay.lowest))


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


def _own_way(path: ElementPath, seen: _Seen, first: int, last: int, rule: MovementRule) -> float:
    """How far a hand gets in the trunk's frame, by that of one that moves on its own."""
    if path.shoulder is None or path.pelvis is None:
        return np.inf
    own = float(np.linalg.norm(seen.relative[last] - seen.relative[first]))
    arm = path.position[first : last + 1] - path.shoulder[first : last + 1]
    hangs = (-arm[:, 1] > np.cos(rule.hang) * np.linalg.norm(arm, axis=1)).all()
    return own / (rule.swing if hangs else rule.own)


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
