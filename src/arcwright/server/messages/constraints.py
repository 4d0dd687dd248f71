"""Constraints of a scene as they go both ways, their kinds, and the changes of them.

A constraint is sent as plain values, see `arcwright.scene.constraint_values`; the server checks
them when it makes the edit. Seconds, metres. Where a number is null, the motion determines it.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from arcwright.scene.quantity import QuantityKind
from arcwright.server.messages.common import Name, OptionValues, PointRef, Vec3
from arcwright.server.messages.take_change import TakeChange

ConstraintValues = Annotated[dict[Name, Any], Meta(max_length=40)]


class FieldInfo(Struct):
    """One field of a kind of constraint, for panels."""

    name: str
    quantity: QuantityKind
    label: str
    help: str
    unit: str
    low: float | None
    high: float | None
    choices: list[str]
    optional: bool  # may be null
    none: str  # what null means
    required: bool  # has no default
    default: Any


class ConstraintKindInfo(Struct):
    """A kind of constraint and its fields."""

    kind: str
    label: str
    help: str
    fields: list[FieldInfo]


class MassInfo(Struct):
    """A part of a character's weight."""

    point: PointRef
    share: float  # of the whole, which is 1


class ConstraintInfo(Struct):
    """A constraint of the scene."""

    index: int
    name: str  # as notes and steps name it
    title: str  # as lists name it
    character: str
    take: str  # "" is every one
    start: float  # s
    end: float  # s
    constraint: ConstraintValues
    line: list[Vec3]  # of a path: the way to draw
    masses: list[MassInfo]  # of balance and flight: whose mean is the center of mass


class AddConstraint(TakeChange):
    """A constraint of a character in a take; no take means every one."""

    constraint: ConstraintValues


class ChangeConstraint(TakeChange):
    """Another one in place of a constraint, by its place in the scene's list; its take stays."""

    index: int
    constraint: ConstraintValues


class RemoveConstraint(TakeChange):
    """A constraint taken away."""

    index: int


class SolveConstraints(TakeChange):
    """Solve constraints without a drag; options of the spacetime tool."""

    options: OptionValues
