"""Stances: when each foot of a take carries on the ground, with its heel, its ball or its toes.

A foot stands while any point of its sole rests, so a stance lasts from the heel's strike until the
toes leave. A take that walks in place stands on ground that moves: it is estimated and taken off.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.kinematics.feet import Foot, rig_size, whole_feet
from arcwright.kinematics.places import places
from arcwright.kinematics.resting import ContactRule, moments, rest_excess, rest_speed, spans
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.take import Take

STANCE = ContactRule()
LOW = 0.4  # of a rule's height: feet that are lower tell how the ground moves
RESTS = 0.2  # of the low moments: feet that rest for less do not stand on ground that rests
PASSES = 0.5  # of a rule's speed: how fast ground moves at least
STEADY = 0.5  # of the ground's speed: how much low feet differ from it, in the median


@dataclass(frozen=True)
class Stance:
    """A foot on the ground."""

    joint: str  # of the foot's main point, its toes
    start: float  # s
    end: float  # s


@dataclass(frozen=True, eq=False)
class SolePaths:
    """The points of all feet over time, and the ground under them."""

    feet: list[Foot]
    time: Floats  # (T,) s
    positions: Floats  # (T, P, 3) m
    ground: Floats  # (3,) m/s
    in_place: bool  # feet slide over the ground, or with it

    def column(self, point: Point) -> int:
        """Where a point is among the positions."""
        return next(i for i, each in enumerate(self.points) if each.joint == point.joint)

    def joints(self, toe: str) -> list[str]:
        """The joints of the foot with a main point."""
        foot = next(foot for foot in self.feet if foot.toe.joint == toe)
        return [point.joint for point in foot.points]

    @property
    def points(self) -> list[Point]:
        """(P,) the points of all feet."""
        return [point for foot in self.feet for point in foot.points]


_known: WeakKeyDictionary[Take, SolePaths] = WeakKeyDictionary()


def stances(take: Take) -> tuple[Stance, ...]:
    """The stances of all feet in order of start; of feet on moving ground, too.

    Raises where the rig has no feet.
    """
    paths, rule = sole_paths(take), STANCE.sized(rig_size(take.rig))
    rule = replace(rule, shortest=min(rule.shortest, take.duration))
    still = paths.positions - paths.time[:, None, None] * paths.ground
    excess = rest_excess(paths.time, paths.points, still, rule)
    found, at = [], 0
    for foot in paths.feet:
        own = excess[:, at : at + len(foot.points)].min(axis=1)
        at += len(foot.points)
        found += [Stance(foot.toe.joint, *span) for span in spans(paths.time, own, rule)]
    return tuple(sorted(found, key=lambda each: (each.start, each.joint)))


def sole_paths(take: Take) -> SolePaths:
    """The points of all feet of a take, and the ground under them; raises without feet."""
    known = _known.get(take)
    if known is None:
        feet, time = whole_feet(take.rig), moments(take)
        if not feet:
            raise BadValue("rig", "feet", "none")
        where = places(take.rig, [point for foot in feet for point in foot.points])
        positions = np.stack([each.position for each in trail(take, where, time)], axis=1)
        known = _known[take] = SolePaths(feet, time, positions, *_ground(take, time, positions))
    return known


def _ground(take: Take, time: Floats, positions: Floats) -> tuple[Floats, bool]:
    """(3,) m/s, what low feet have in common, and whether they do not rest."""
    rule = STANCE.sized(rig_size(take.rig))
    height = positions[..., 1]
    low = height - np.quantile(height, 0.05, axis=0) < LOW * rule.height
    if len(time) < 3 or not low.any():
        return np.zeros(3), False
    # Where a foot turns back, it is slow at one side only.
    speed = rest_speed(time, positions, rule.step, both=True)
    rests = float(np.mean(speed[low] <= rule.speed))
    velocity = np.gradient(positions, time, axis=0)[low] * [1.0, 0.0, 1.0]
    common = np.median(velocity, axis=0)
    passing = float(np.linalg.norm(common))
    apart = float(np.median(np.linalg.norm(velocity - common, axis=1)))
    if passing > PASSES * rule.speed and apart < STEADY * passing:
        return np.asarray(common), True
    return np.zeros(3), rests < RESTS
