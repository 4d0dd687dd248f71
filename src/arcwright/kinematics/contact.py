"""Contact detection: when the feet (or any points) of a take stand on the floor.

A point is in contact while it is slow and low (`kinematics/resting.py`). Footplants are those parts
of stances (`kinematics/stances.py`) in which a point of the foot stays put and can be held there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.errors import BadValue
from arcwright.kinematics.feet import feet, rig_size
from arcwright.kinematics.feet import heels as heels_of
from arcwright.kinematics.places import Where, places
from arcwright.kinematics.resting import (
    ContactRule,
    contact_runs,
    moments,
    rest_excess,
    spans,
    spans_of_runs,
)
from arcwright.kinematics.stances import STANCE, SolePaths, Stance, sole_paths, stances
from arcwright.kinematics.trail import trail
from arcwright.scene.constraint import Contact
from arcwright.scene.point import Point
from arcwright.scene.take import Take

PLANTED = ContactRule(
    speed=0.2, slack=1.25, shortest=0.1, gap=0.1, held=True
)  # excludes a foot that rolls
FLAT = ContactRule(
    speed=0.12, slack=1.25, shortest=0.1, gap=0.1, held=True
)  # for heels: excludes a rising one
SHORT = 0.4  # of a stance: shorter footplants of short stances are dropped
LIFT = 0.4  # of a rule's height: how far a planted point may be above its lowest in the stance
BRIEF = 3.0  # steps of a rule: a point that rests for less in a stance is followed while it rolls
ROLL = 0.12  # of a rule's height: how far it may be, before and after, from where it rests


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
    time = moments(take)
    marks = [
        Point(take.rig.names[joint], offset)
        for joint, offset in zip(where.joints, where.offsets, strict=True)
    ]
    if not marks:
        return ()
    positions = np.stack([each.position for each in trail(take, where, time)], axis=1)
    excess = rest_excess(time, marks, positions, rule, floor)
    found = [
        Contact(mark, *span, take=take.name)
        for mark, ratio in zip(marks, excess.T, strict=True)
        for span in spans(time, ratio, rule)
    ]
    return tuple(sorted(found, key=lambda contact: (contact.start, contact.point.joint)))


_footplants: WeakKeyDictionary[Take, dict[bool, tuple[Contact, ...]]] = WeakKeyDictionary()


def footplants(take: Take, *, heels: bool = False) -> tuple[Contact, ...]:
    """Footplants of the toes, and of the heels with `heels`; none for a rig without feet.

    None for a take that walks in place, either: its feet stand on ground that moves. Cached per
    take: detection takes tens of milliseconds for long ones.
    """
    known = _footplants.setdefault(take, {})
    if heels not in known:
        known[heels] = _find_footplants(take, heels)
    return known[heels]


def _find_footplants(take: Take, heels: bool) -> tuple[Contact, ...]:
    try:
        paths = sole_paths(take)
    except BadValue:
        return ()
    if paths.in_place:
        return ()
    standing = stances(take)
    toes = [foot.toe for foot in paths.feet]
    found = _plants(take, paths, standing, toes, PLANTED)
    if heels:
        found += _plants(take, paths, standing, heels_of(take.rig), FLAT)
    return tuple(found)


def _plants(
    take: Take,
    paths: SolePaths,
    standing: Sequence[Stance],
    points: Sequence[Point],
    rule: ContactRule,
) -> list[Contact]:
    """The parts of stances in which points rest, in order of start."""
    # A take of one or two frames is at rest throughout.
    rule = replace(rule.sized(rig_size(take.rig)), shortest=min(rule.shortest, take.duration))
    positions = paths.positions[:, [paths.column(point) for point in points]]
    held, near = (
        rest_excess(paths.time, points, positions, each)
        for each in (rule, STANCE.sized(rig_size(take.rig)))
    )
    brief = int(np.searchsorted(paths.time, BRIEF * rule.step))
    found = []
    for index, point in enumerate(points):
        for stance in standing:
            if point.joint not in paths.joints(stance.joint):
                continue
            first, last = np.searchsorted(paths.time, [stance.start - 1e-9, stance.end + 1e-9])
            part = slice(first, last)
            rests = _at_rest(
                positions[part, index], held[part, index], near[part, index], brief, rule
            )
            least = min(rule.shortest, SHORT * (stance.end - stance.start))
            during = spans_of_runs(paths.time[part], rests, replace(rule, shortest=least))
            found += [Contact(point, *span, take=take.name) for span in during]
    return sorted(found, key=lambda contact: (contact.start, contact.point.joint))


def _at_rest(
    position: Floats, held: Floats, near: Floats, brief: int, rule: ContactRule
) -> list[tuple[int, int]]:
    """Runs of a stance's moments in which a point (T, 3) stays put.

    Where it rests for no more than `brief` moments, as in a run, also before and after as long as
    it is hardly elsewhere; where it never rests, around the moment nearest to that, if in contact.
    """
    lift = (position[:, 1] - np.quantile(position[:, 1], 0.1)) / (LIFT * rule.height)
    runs = contact_runs(np.maximum(held, lift), rule)
    best = int(np.argmin(np.maximum(near, lift)))
    if not runs and max(near[best], lift[best]) <= 1:
        runs = [(best, best)]
    if any(last - first >= brief for first, last in runs):
        return runs
    return [_widened(position, lift <= 1, run, ROLL * rule.height) for run in runs]


def _widened(position: Floats, low: Bools, run: tuple[int, int], reach: float) -> tuple[int, int]:
    """A run and the moments around it at which a point is low and within reach of its ends."""
    first, last = run
    while first > 0 and low[first - 1] and _apart(position, first - 1, run[0]) <= reach:
        first -= 1
    while last + 1 < len(low) and low[last + 1] and _apart(position, last + 1, run[1]) <= reach:
        last += 1
    return first, last


def _apart(position: Floats, one: int, other: int) -> float:
    return float(np.linalg.norm(position[one] - position[other]))
