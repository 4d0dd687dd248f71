"""Floors: feet that are planted somewhere in a clip stay above the ground while they swing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import places
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.kinematics.sample import quarter_frames, values_at
from arcwright.objectives.active_constraints import ActiveConstraint
from arcwright.objectives.point_tasks import CONSTRAINT_WEIGHT, PointTask
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.tools.tangent.heels import heels_behind, is_planted

FLOOR = "the floor"
GROUND_SHARE = 0.01  # of the weight of a contact: feet are pushed up, hips still get to the target
MOST_MOMENTS = 40  # at which a heel is looked at while its toes stand


@dataclass(frozen=True, eq=False)
class Floor:
    """A height, in m, that a point stays above."""

    contact: ActiveConstraint  # that plants the point, or the toes in front of it, somewhere
    point: Point
    height: float
    share: float = 1.0  # of the weight of a contact
    lifts: bool = True  # whether it also lifts what was lower before
    standing: tuple[tuple[float, float], ...] = ()  # s, when the contacts themselves hold it

    def task(self, take: Take, place: int, times: Floats, samples: Ints) -> PointTask:
        """The task to stay above it, at samples where no contact holds it."""
        held: Bools = np.zeros(len(samples), bool)
        for start, end in self.standing:
            held |= (times[samples] >= start) & (times[samples] <= end)
        samples = samples[~held]
        lowest = np.tile([0.0, self.height, 0.0], (len(samples), 1))
        if not self.lifts:
            before = _heights(take, [self.point], times[samples])[:, 0]
            lowest[:, 1] = np.minimum(lowest[:, 1], before)
        weight = self.share * CONSTRAINT_WEIGHT
        return PointTask(FLOOR, place, samples, lowest, None, weight, above=True)


def given_floors(contacts: Sequence[ActiveConstraint], height: float) -> list[Floor]:
    """Floors of one height under all points that have a contact with the world."""
    found: dict[tuple[str, bytes], Floor] = {}
    for each in contacts:
        if is_planted(each):
            point = each.constraint.point
            found.setdefault((point.joint, point.offset.tobytes()), Floor(each, point, height))
    return list(found.values())


def ground_floors(
    take: Take, contacts: Sequence[ActiveConstraint], held: Sequence[Point], time: float
) -> list[Floor]:
    """Floors under the toes and heels of swinging feet below a held point.

    As low as the foot stands in its contacts around a time: the last before it and the first after.
    """
    below = _hanging(take, held)
    planted = [each for each in contacts if is_planted(each)]
    found = []
    for toe, heel in heels_behind(take.rig):
        own = [each for each in planted if each.constraint.point.joint == toe]
        if toe in below and heel.joint in below and own:
            found += _foot_floors(take, own, heel, time)
    return found


def _hanging(take: Take, held: Sequence[Point]) -> set[str]:
    """The joints below a held one; not those of which a point is held."""
    rig, joints = take.rig, {point.joint for point in held}
    names = rig.names
    return {
        name
        for at, name in enumerate(names)
        if name not in joints
        and any(names[j] in joints for j in np.flatnonzero(ancestors(rig, at)))
    }


def _foot_floors(
    take: Take, contacts: Sequence[ActiveConstraint], heel: Point, time: float
) -> list[Floor]:
    """Floors of one foot, from its contacts."""
    near = sorted(contacts, key=lambda each: _away(each, time))[:2]
    points = [near[0].constraint.point, heel]
    moments = np.concatenate(
        [
            quarter_frames(
                max(each.constraint.start, 0.0),
                min(each.constraint.end, take.duration),
                take.rate,
                MOST_MOMENTS,
            )
            for each in near
        ]
    )
    lowest = _heights(take, points, moments).min(axis=0)
    standing = tuple((each.constraint.start, each.constraint.end) for each in contacts)
    return [
        Floor(near[0], point, float(height), GROUND_SHARE, lifts=False, standing=standing)
        for point, height in zip(points, lowest, strict=True)
    ]


def _away(contact: ActiveConstraint, time: float) -> float:
    """Seconds between a time and a contact."""
    return max(contact.constraint.start - time, time - contact.constraint.end, 0.0)


def _heights(take: Take, points: Sequence[Point], times: Floats) -> Floats:
    """(T, P) m."""
    where = places(take.rig, points)
    found: Floats = point_jacobian(take.rig, values_at(take, times), where, []).position[..., 1]
    return found
