"""Prop contacts from paths: when an element carries a prop, and which prop it is on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.movement_events import ElementPath, MovementEvent
from arcwright.kinematics.stays import smoothed

_PERSON = 1.7  # m, the size for which a rule is written
_ARRIVING = {"rest start": "contact start", "reach": "contact start", "turn": "contact start"}
_LEAVING = {"rest end": "contact end"}


@dataclass(frozen=True)
class CarryRule:
    """Thresholds for a person of 1.7 m; lengths grow with size, times and speeds with its root."""

    slide: float = 0.15  # m/s on the prop, slower is held
    moves: float = 0.05  # m/s, a prop that is slower lies
    away: float = 0.2  # m from the box around a prop in which a hand can carry it
    touch: float = 0.06  # m from a prop that lies in which a hand touches it
    seat: float = 0.25  # m from a prop in which a pelvis sits on it
    grip: float = 0.005  # m, how far a hand is from its place on the prop where a hold begins
    again: float = 0.4  # s, shorter gaps in a hold are closed
    shortest: float = 0.15  # s, a shorter carry is none
    smooth: float = 0.033  # s, standard deviation of the filter before speeds are taken
    moment: float = 0.2  # s in which a grab or release is one event with a stay's

    def sized(self, size: float) -> CarryRule:
        """The rule for a character of this size, m."""
        scale = size / _PERSON if size > 0 else 1.0
        powers = dict.fromkeys(("away", "touch", "seat", "grip"), 1.0)
        powers |= dict.fromkeys(("slide", "moves", "again", "shortest", "smooth", "moment"), 0.5)
        return replace(self, **{n: getattr(self, n) * scale**p for n, p in powers.items()})


@dataclass(frozen=True, eq=False)
class PropPath:
    """The path of a prop at T moments, and the box around it in its own frame."""

    name: str
    frames: Floats  # (T, 4, 4) world from prop
    low: Floats  # (3,) m
    high: Floats  # (3,) m


@dataclass(frozen=True, eq=False)
class _OnProp:
    """An element as a prop sees it."""

    prop: PropPath
    place: Floats  # (T, 3) m, on the prop
    away: Floats  # (T,) m from the box around it
    slide: Floats  # (T,) m/s
    moves: Bools  # (T,)


@dataclass(frozen=True)
class Hold:
    """An element carries a prop."""

    prop: str
    first: int
    last: int
    place: tuple[float, float, float]  # m, on the prop
    confidence: float


def events_with_props(
    time: Floats,
    path: ElementPath,
    events: Sequence[MovementEvent],
    props: Sequence[PropPath],
    rule: CarryRule,
) -> tuple[MovementEvent, ...]:
    """The events of an element with those at which it grabs, releases, meets or leaves props."""
    if len(time) < 3 or not props:
        return tuple(events)
    seen = [_on_prop(time, path, prop, rule) for prop in props]
    holds = [hold for each in seen for hold in _holds(time, each, rule)] if path.arm else []
    found = [_renamed(time, path, event, seen, holds, rule) for event in events]
    for hold in holds:
        for kind, at in (("grab", hold.first), ("release", hold.last)):
            if 0 < at < len(time) - 1:
                given = hold.prop, hold.place
                moment = _moment(found, float(time[at]), rule)
                found = [each for each in found if not _same_moment(each, moment, kind, rule)]
                found.append(MovementEvent(moment, path.name, kind, hold.confidence, *given))
    return tuple(sorted(found, key=lambda event: event.time))


def _moment(events: Sequence[MovementEvent], time: float, rule: CarryRule) -> float:
    """The time of a grab or release: that of the turn, where an element stops for a moment only."""
    turns = [each.time for each in events if each.kind in ("turn", "reach")]
    near = [each for each in turns if abs(each - time) < rule.moment]
    return min(near, key=lambda each: abs(each - time)) if near else time


def _same_moment(event: MovementEvent, time: float, kind: str, rule: CarryRule) -> bool:
    """Whether a grab or release at a time is what an event of a stay shows."""
    other = ("release", "rest end", "contact end") if kind == "grab" else ("rest start", "grab")
    return abs(event.time - time) < rule.moment and event.kind not in other


def _on_prop(time: Floats, path: ElementPath, prop: PropPath, rule: CarryRule) -> _OnProp:
    step = float(time[1] - time[0])
    homogeneous = np.append(path.position, np.ones((len(time), 1)), axis=1)[..., None]
    place: Floats = np.linalg.solve(prop.frames, homogeneous)[:, :3, 0].astype(np.float64)
    outside = np.maximum(np.maximum(prop.low - place, place - prop.high), 0.0)
    paths: list[Floats] = [place, prop.frames[:, :3, 3]]
    speeds = [
        np.linalg.norm(np.gradient(smoothed(each, rule.smooth / step), step, axis=0), axis=1)
        for each in paths
    ]
    away: Floats = np.linalg.norm(outside, axis=1)
    return _OnProp(prop, place, away, speeds[0], speeds[1] > rule.moves)


def _holds(time: Floats, on: _OnProp, rule: CarryRule) -> list[Hold]:
    """When an element carries a prop, from where it has its place on it until it leaves that."""
    carried = on.moves & (on.slide < rule.slide) & (on.away < rule.away)
    found: list[Hold] = []
    for begin, end in _runs(carried):
        if time[end] - time[begin] < rule.shortest:
            continue
        if found and time[begin] - time[found[-1].last] < rule.again:
            begin = found.pop().first
        first = begin - _steps_in_place(on.place[: begin + 1][::-1], rule)
        last = end + _steps_in_place(on.place[end:], rule)
        place = np.median(on.place[begin : end + 1], axis=0)
        slide = float(np.median(on.slide[begin : end + 1])) / rule.slide
        x, y, z = place.tolist()
        found.append(Hold(on.prop.name, first, last, (x, y, z), 0.5 + 0.49 * (1.0 - slide)))
    return found


def _steps_in_place(place: Floats, rule: CarryRule) -> int:
    """How many moments after the first one an element keeps its place."""
    left = np.flatnonzero(np.linalg.norm(place - place[0], axis=1) > rule.grip)
    return int(left[0]) - 1 if len(left) else len(place) - 1


def _renamed(
    time: Floats,
    path: ElementPath,
    event: MovementEvent,
    seen: Sequence[_OnProp],
    holds: Sequence[Hold],
    rule: CarryRule,
) -> MovementEvent:
    """The event of a stay on a prop that lies, with that prop."""
    at = int(np.argmin(np.abs(time - event.time)))
    if any(hold.first <= at <= hold.last for hold in holds):
        return event
    limit = rule.touch if path.arm else rule.seat
    near = [each for each in seen if each.away[at] < limit and not each.moves[at]]
    kind = _ARRIVING.get(event.kind) or _LEAVING.get(event.kind) or event.kind
    if not near or kind not in ("contact start", "contact end"):
        return event
    if not path.arm and kind != event.kind:
        return event
    nearest = min(near, key=lambda each: float(each.away[at]))
    x, y, z = nearest.place[at].tolist()
    return replace(event, kind=kind, prop=nearest.prop.name, place=(x, y, z))


def _runs(flags: Bools) -> list[tuple[int, int]]:
    """First and last index of each run of True."""
    edge = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(edge[::2], edge[1::2], strict=True)]
