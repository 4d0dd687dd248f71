"""Soles: heels stay where they stand, and no part of a sole goes below the ground it stood on.

Toes stand by their contacts. While they do and the heel is down, the heel follows them: its target
is its original path, moved as the contact of the toes is. Elsewhere each point of the sole stays
above the lower of its original height and the ground: the level of the footplants before and
after, straight in between. So a foot rolls from heel to toes as it did. Where footplants are raised
or lowered, the body follows the mean of what its feet stand on.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Bools, Floats
from arcwright.kinematics.rig_analysis import analyse
from arcwright.kinematics.soles import Sole, soles
from arcwright.kinematics.trail import trail
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take
from arcwright.tools.spacetime.motion_constraint import (
    BODY,
    CONTACT,
    REGION,
    SOLE,
    MotionConstraint,
    Stance,
)
from arcwright.tools.spacetime.terms import NONE, Term

HEEL_UP = 0.1  # of a foot's length above the level of its toes: beyond, a heel does not stand
CLEAR = 0.15  # s before and after a region, in which a heel does not stand
SOLE_TOLERANCE = 3e-3  # m, by which a sole may be below the ground
SOLE_WEIGHT = 0.1  # of a constraint: with more, steps that lower a foot are tried again and again
HEEL_HUBER = 0.3e-3  # m, Huber threshold of heels that may rise
SOLE_MARGIN = 2e-3  # m below the bound, from which on a sole is pushed up


def sole_constraints(
    actor: Actor, take: Take, constraints: Sequence[MotionConstraint]
) -> list[MotionConstraint]:
    """Contacts of heels that stand, and the ground of both ends of each sole."""
    found: list[MotionConstraint] = []
    body = Point(take.rig.names[analyse(actor, take).root])
    for sole in soles(actor, take):
        own = [each for each in constraints if is_stance(each, sole.joints)]
        passed = [
            (each.start - CLEAR, each.end + CLEAR)
            for each in constraints
            if each.kind == REGION and each.point.joint in sole.joints
        ]
        if own:
            found += _heel_contacts(take, sole, own, passed)
            ground = _ground(take, sole, own)
            found += [
                MotionConstraint(
                    f"{point.joint} ground", SOLE, point, foot=sole.joints, ground=ground,
                    rise=rise, detected=True,
                )
                for point, rise in sole.points[1:]  # the ball lies between them
            ]  # fmt: skip
            found.append(
                MotionConstraint("body", BODY, body, foot=sole.joints, ground=ground, detected=True)
            )
    return found


def is_stance(constraint: MotionConstraint, foot: Sequence[str]) -> bool:
    """Whether a constraint holds a joint of a foot on the floor."""
    on_floor = constraint.carrier is None and constraint.other_point is None
    holds = constraint.kind == CONTACT and constraint.position and not constraint.foot
    return holds and on_floor and constraint.point.joint in foot


def _ground(take: Take, sole: Sole, own: Sequence[MotionConstraint]) -> tuple[Stance, ...]:
    found = []
    for each in sorted(own, key=lambda each: each.start):
        times = np.linspace(each.start, each.end, 9)
        level = float(trail(take, sole.ball, times).position[:, 1].mean())
        found.append(Stance(each.point.joint, each.start, each.end, level))
    return tuple(found)


def _heel_contacts(
    take: Take,
    sole: Sole,
    own: Sequence[MotionConstraint],
    passed: Sequence[tuple[float, float]],
) -> Iterator[MotionConstraint]:
    """Where a heel is down while its toes stand, unless its own joint has a contact.

    Not at times (s) at which the foot passes a region: it may tip to keep out.
    """
    if any(each.point.joint == sole.joints[0] for each in own):
        return
    for each in own:
        times = take.frame_times()
        times = times[(times >= each.start - 1e-9) & (times <= each.end + 1e-9)]
        if not len(times):
            continue
        ball, heel = (trail(take, point, times).position for point, _ in sole.points[:2])
        length = float(np.linalg.norm(ball[0] - heel[0]))
        down = heel[:, 1] - ball[:, 1] < sole.rise[0] + HEEL_UP * length
        for start, end in passed:
            down &= (times < start) | (times > end)
        for first, last in _runs(down):
            start, end = max(float(times[first]), each.start), min(float(times[last]), each.end)
            yield MotionConstraint(
                each.name, CONTACT, sole.heel, start, end,
                foot=sole.joints, detected=True,
            )  # fmt: skip


def _runs(flags: Bools) -> Iterator[tuple[int, int]]:
    """First and last index of each run of True, longer than one sample."""
    edge = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(int)))
    for first, end in zip(edge[::2].tolist(), edge[1::2].tolist(), strict=True):
        if end - first > 1:
            yield first, end - 1


def with_loose_heels(terms: Sequence[Term], constraints: Sequence[MotionConstraint]) -> list[Term]:
    """Terms whose heels hold only softly, so that they may rise over toes that stand."""
    heels = {at for at, each in enumerate(constraints) if each.kind == CONTACT and each.foot}
    found = []
    for term in terms:
        own = set(term.owner.tolist()) - {NONE}
        if own and own <= heels:
            nobody = np.full(len(term.owner), NONE)  # to rise is no violation
            term = replace(term, huber=HEEL_HUBER, owner=nobody)
        found.append(term)
    return found


class GroundLevel(NamedTuple):
    """The ground under a point of a sole at T samples, and how footplants move it."""

    height: Floats  # (T,) m
    stances: tuple[int, ...]  # K constraints
    share: Floats  # (T, K) of the height by which each of them is moved

    def moved(self, shifts: Mapping[int, Floats]) -> Floats:
        """(T,) m, by how much moved footplants raise the ground."""
        return self.displacement(shifts)[:, 1]

    def displacement(self, shifts: Mapping[int, Floats]) -> Floats:
        """(T, 3) m, by how much moved footplants move it, and what passes between them."""
        moved = np.zeros((len(self.height), 3))
        for at, index in enumerate(self.stances):
            if index in shifts:
                moved += self.share[:, at, None] * np.atleast_2d(shifts[index])
        return moved


def ground_level(
    constraint: MotionConstraint, constraints: Sequence[MotionConstraint], times: Floats
) -> GroundLevel:
    """The ground under a point, straight between the stances of its foot."""
    ends = np.array([[each.start, each.end] for each in constraint.ground]).ravel()
    height = np.interp(times, ends, np.repeat([each.level for each in constraint.ground], 2))
    stances, shares = [], []
    for at, stance in enumerate(constraint.ground):
        for index, each in enumerate(constraints):
            if is_stance(each, (stance.joint,)) and (each.start, each.end) == stance[1:3]:
                stances.append(index)
                own = np.repeat(np.arange(len(constraint.ground)) == at, 2).astype(float)
                shares.append(np.interp(times, ends, own))
    share = np.stack(shares, axis=1) if shares else np.zeros((len(times), 0))
    return GroundLevel(height + constraint.rise, tuple(stances), share)
