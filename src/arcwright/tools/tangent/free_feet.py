"""Free feet: what holds feet at times without a contact: a given floor, or the path they had."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Bools, Floats, Ints
from arcwright.kinematics.jacobian import point_jacobian
from arcwright.kinematics.places import places
from arcwright.kinematics.rig_analysis import ancestors
from arcwright.kinematics.sample import values_at
from arcwright.objectives.active_constraints import ActiveConstraint
from arcwright.objectives.point_tasks import CONSTRAINT_WEIGHT, PointTask
from arcwright.scene.point import Point
from arcwright.scene.take import Take
from arcwright.tools.tangent.heels import heels_behind, is_planted

FLOOR, SWING = "the floor", "swinging feet"
PATH_SHARE = 1e-5  # of the weight of a contact: all of a path's samples give way to the drag
PATH_SATURATION = 0.004  # m, Huber threshold: hips may lift feet off their path


@dataclass(frozen=True, eq=False)
class FreeFoot:
    """A point that stays above a height, or near its path."""

    contact: ActiveConstraint  # that plants the point, or the toes in front of it, somewhere
    point: Point
    floor: float | None = None  # m; None for its path at times without a contact
    standing: tuple[tuple[float, float], ...] = ()  # s, from when to when contacts hold it

    @property
    def name(self) -> str:
        """For notes."""
        return SWING if self.floor is None else FLOOR

    def task(self, take: Take, place: int, times: Floats, samples: Ints) -> PointTask:
        """The task at those of some samples of the times at which it is free."""
        if self.floor is not None:
            lowest = np.tile([0.0, self.floor, 0.0], (len(samples), 1))
            return PointTask(FLOOR, place, samples, lowest, None, CONSTRAINT_WEIGHT, above=True)
        held: Bools = np.zeros(len(samples), bool)
        for start, end in self.standing:
            held |= (times[samples] >= start) & (times[samples] <= end)
        samples = samples[~held]
        where = places(take.rig, [self.point])
        path = point_jacobian(take.rig, values_at(take, times[samples]), where, []).position[:, 0]
        weight = PATH_SHARE * CONSTRAINT_WEIGHT
        return PointTask(SWING, place, samples, path, None, weight, saturation=PATH_SATURATION)


def floored_feet(contacts: Sequence[ActiveConstraint], height: float) -> list[FreeFoot]:
    """All points that have a contact with the world, above a height."""
    found: dict[tuple[str, bytes], FreeFoot] = {}
    for each in contacts:
        if is_planted(each):
            point = each.constraint.point
            key = point.joint, point.offset.tobytes()
            found.setdefault(key, FreeFoot(each, point, height))
    return list(found.values())


def swinging_feet(
    take: Take, contacts: Sequence[ActiveConstraint], held: Sequence[Point]
) -> list[FreeFoot]:
    """Toes and heels of feet below a held point that are planted somewhere, along their paths."""
    below, found = _below(take, held), []
    for toe, heel in heels_behind(take.rig):
        own = [each for each in contacts if is_planted(each) and each.constraint.point.joint == toe]
        if own and {toe, heel.joint} <= below:
            standing = tuple((each.constraint.start, each.constraint.end) for each in own)
            points = own[0].constraint.point, heel
            found += [FreeFoot(own[0], point, None, standing) for point in points]
    return found


def _below(take: Take, held: Sequence[Point]) -> set[str]:
    """The joints below those of held points, which do not count themselves."""
    names, joints = take.rig.names, {point.joint for point in held}
    found = set()
    for joint, name in enumerate(names):
        above = {names[each] for each in np.flatnonzero(ancestors(take.rig, joint))}
        if above & joints and name not in joints:
            found.add(name)
    return found
