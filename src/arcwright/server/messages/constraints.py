"""Constraints of a motion as they go both ways, and the changes of them.

Seconds, metres, m/s^2. Where a number is null, the motion itself determines it.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from arcwright.server.messages.common import OptionValues, PointRef, Quat, Vec3
from arcwright.server.messages.take_change import TakeChange


class HalfSpace(Struct, tag_field="shape", tag="half_space", forbid_unknown_fields=True):
    """All that lies behind a plane."""

    place: Vec3
    normal: Vec3  # out of it


class Box(Struct, tag_field="shape", tag="box", forbid_unknown_fields=True):
    """All between two corners, along the axes of the world."""

    low: Vec3
    high: Vec3


class Ball(Struct, tag_field="shape", tag="ball", forbid_unknown_fields=True):
    """All that is near a place."""

    middle: Vec3
    radius: float


class Cylinder(Struct, tag_field="shape", tag="cylinder", forbid_unknown_fields=True):
    """All around the line between the middles of two round ends."""

    start: Vec3
    end: Vec3
    radius: float


Region: TypeAlias = HalfSpace | Box | Ball | Cylinder


class _Constraint(Struct, tag_field="kind", tag=str.lower, forbid_unknown_fields=True):
    pass


class Apart(_Constraint):
    """Two points keep their distance, or one that is given."""

    point: PointRef
    other: PointRef
    start: float
    end: float
    size: float | None


class Meet(_Constraint):
    """A point is in the same place at two moments."""

    point: PointRef
    start: float
    end: float


class Follow(_Constraint):
    """A point goes by places, smoothly from one to the next."""

    point: PointRef
    times: Annotated[list[float], Meta(min_length=1, max_length=1000)]
    places: Annotated[list[Vec3], Meta(min_length=1, max_length=1000)]


class Turned(_Constraint):
    """The joint of a point is turned in a given way."""

    point: PointRef
    start: float
    end: float
    orientation: Quat


class Stay(_Constraint):
    """A point stays in a region, or out of it."""

    point: PointRef
    start: float
    end: float
    region: Region
    inside: bool


class Floor(_Constraint):
    """A point, or every foot, stays above a height, or above its lowest place."""

    start: float
    end: float
    height: float | None
    point: PointRef | None  # null: the feet


class Balance(_Constraint):
    """The centre of mass stays over what the character stands on."""

    start: float
    end: float
    around: float  # how far the support reaches beyond the points that stand


class Flight(_Constraint):
    """The centre of mass falls as it did, or with a gravity."""

    start: float
    end: float
    gravity: float | None


Constraint: TypeAlias = Apart | Meet | Follow | Turned | Stay | Floor | Balance | Flight


class MassInfo(Struct):
    """A part of a character's weight."""

    point: PointRef
    share: float  # of the whole, which is 1


class ConstraintInfo(Struct):
    """A constraint of the scene."""

    index: int
    name: str  # as notes and steps name it
    character: str
    take: str  # "" is every one
    start: float  # s
    end: float  # s
    constraint: Constraint
    line: list[Vec3]  # of a path: the way to draw
    masses: list[MassInfo]  # of balance and flight: whose mean is the centre of mass


class AddConstraint(TakeChange):
    """A constraint of a character in a take; no take means every one."""

    constraint: Constraint


class ChangeConstraint(TakeChange):
    """Another one in place of a constraint, by its place in the scene's list; its take stays."""

    index: int
    constraint: Constraint


class RemoveConstraint(TakeChange):
    """A constraint taken away."""

    index: int


class SolveConstraints(TakeChange):
    """Solve constraints, pins and contacts without a drag; options of the spacetime tool."""

    options: OptionValues
