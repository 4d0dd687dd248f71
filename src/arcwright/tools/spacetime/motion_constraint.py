"""A compiled constraint: what it holds, when, and the points of a prepared edit it is about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from arcwright.arrays import Floats
from arcwright.kinematics.forward import forward
from arcwright.kinematics.regions import RegionPass
from arcwright.kinematics.sample import values_at
from arcwright.scene.constraint import Constraint
from arcwright.scene.point import Point
from arcwright.scene.scene import Actor
from arcwright.scene.take import Take

CONTACT, PATH, DISTANCE, FLOOR, MEET = "contact", "path", "distance", "floor", "meet"
REGION, BALANCE, FLIGHT, SOLE, BODY = "region", "balance", "flight", "sole", "body"


@dataclass(frozen=True, eq=False)
class Carrier:
    """A joint of another actor that a point is fixed to."""

    actor: Actor
    take: Take | None
    joint: int

    def matrices(self, times: Floats) -> Floats:
        """(T, 4, 4) world_from_joint."""
        rig = self.actor.rig
        values = np.tile(rig.channels.default, (len(times), 1))
        if self.take is not None:
            values = values_at(self.take, times)
        return forward(rig, values, [self.joint])[:, 0]


class Stance(NamedTuple):
    """When a joint of a foot stands, and the level of the ground there."""

    joint: str
    start: float  # s
    end: float  # s
    level: float = 0.0  # m, of the ball of the foot


@dataclass(frozen=True, eq=False)
class MotionConstraint:
    """A constraint on a take from start to end; "meet" is about these two times only."""

    name: str  # for notes: "LeftFoot contact"
    kind: str
    point: Point
    start: float = -np.inf  # s
    end: float = np.inf  # s
    position: bool = True
    orientation: bool = False
    other_point: Point | None = None  # of the same character: fixed to it, or at a distance
    carrier: Carrier | None = None
    distance: float | None = None  # m; None for the original one
    rest_distance: float | None = None  # m, the distance once contacts that slide stand still
    source: Constraint | None = None  # the scene constraint, if it is neither pin nor contact
    detected: bool = False  # a footplant that is no contact of the scene
    group: tuple[Point, ...] = ()  # points of a weighted mean
    shares: Floats | None = None  # (G,) weights of the mean
    passes: tuple[RegionPass, ...] = ()  # through the region that the point should stay out of
    foot: tuple[str, ...] = ()  # joints of the foot of a region, or whose contacts it follows
    ground: tuple[Stance, ...] = ()  # when that foot stands, in the order of time
    rise: float = 0.0  # m, of a point of the sole above its ball while the foot is flat
    point_index: int = -1  # of its points among those of a prepared edit
    other_index: int = -1
    group_indices: tuple[int, ...] = ()

    def overlaps(self, start: float, end: float) -> bool:
        """Whether it concerns a range of time."""
        if self.kind == MEET:
            return self.start >= start and self.end <= end
        return self.start <= end and self.end >= start


def is_footplant(constraint: MotionConstraint) -> bool:
    """Whether a constraint is a contact fixed in the world, which a drag can move elsewhere."""
    fixed = constraint.carrier is None and constraint.other_point is None
    return constraint.kind == CONTACT and constraint.position and fixed
