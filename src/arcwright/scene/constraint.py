"""Constraints: the one family of what edits keep - pins, contacts, distances, regions ...

A kind is a class with a `kind`; its fields are annotated with quantities. Nothing else is needed
for project files, gesture files, messages and the panel of the studio. A tool that solves the
kind adds its own row builder.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from arcwright.arrays import Floats
from arcwright.errors import BadValue
from arcwright.scene.point import Point
from arcwright.scene.quantity import MAX_DISTANCE, Quantity, check_fields, fields_of
from arcwright.scene.region import SHAPE_NAMES, Region

SUPPORT_MARGIN = 0.11  # m around the contact points: about half a foot
MIN_INTERVAL = 1e-6  # s between two positions of a path
MAX_GRAVITY = 1e4  # m/s^2, the strongest gravity that a flight may have
KINDS: dict[str, type[Constraint]] = {}
"""All kinds by name; a subclass with a `kind` adds itself."""

_POINT = Quantity("point", "Point")
_POSITION = Quantity("flag", "Position", "the position of the point is kept")
_ORIENTATION = Quantity("flag", "Orientation", "the orientation of its joint is kept")
_CHARACTER = Quantity("character", "Character")


def _bend(label: str, about: str) -> Quantity:
    return Quantity("number", label, about, "rad", low=-math.pi, high=math.pi, none="as found")


@dataclass(frozen=True, eq=False)
class Constraint:
    """The base of all kinds: a range of time, and the take that the constraint belongs to."""

    kind: ClassVar[str] = ""  # "distance": in files, messages and gesture files
    label: ClassVar[str] = ""  # "Keep distance": in menus
    noun: ClassVar[str] = ""  # "distance": at the end of its name

    take: Annotated[str, Quantity("take", "Take")] = field(default="", kw_only=True)  # "": every

    if TYPE_CHECKING:  # fields, or properties of kinds that derive them

        @property
        def start(self) -> float: ...  # noqa: D102
        @property
        def end(self) -> float: ...  # noqa: D102

    def __init_subclass__(cls, *, kind: str = "", label: str = "", noun: str = "") -> None:
        """Register a kind; without `kind` the class is only a base of others."""
        if kind:
            cls.kind, cls.label, cls.noun = kind, label or kind.capitalize(), noun or kind
            KINDS[kind] = cls

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.start <= self.end:
            where = f"{type(self).__name__}.end"
            raise BadValue(where, f"at or after start ({self.start:g} s)", self.end)

    @property
    def points(self) -> dict[str, Point]:
        """Its points by field."""
        return self._named_points(_point_fields(type(self))[0])

    @property
    def own_points(self) -> dict[str, Point]:
        """Its points on its own character: the first one, and all that it cannot do without."""
        return self._named_points(_point_fields(type(self))[1])

    def _named_points(self, names: tuple[str, ...]) -> dict[str, Point]:
        return {name: point for name in names if (point := getattr(self, name)) is not None}

    @property
    def subject(self) -> str:
        """The joints it is about: "LeftHand to RightHand"; "" for a whole character."""
        return " to ".join(point.joint for point in self.own_points.values())

    @property
    def name(self) -> str:
        """The name in notes and undo labels: "LeftHand to RightHand distance"."""
        return f"{self.subject} {self.noun}".strip()

    @property
    def title(self) -> str:
        """The name in lists."""
        return self.name[:1].upper() + self.name[1:]


_known_points: dict[type[Constraint], tuple[tuple[str, ...], tuple[str, ...]]] = {}


def _point_fields(kind: type[Constraint]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of all fields of a kind that hold points, and of those of its own character."""
    if kind not in _known_points:
        points = [each for each in fields_of(kind) if each.quantity.kind == "point"]
        own = (each.name for at, each in enumerate(points) if at == 0 or not each.optional)
        _known_points[kind] = tuple(each.name for each in points), tuple(own)
    return _known_points[kind]


@dataclass(frozen=True, eq=False)
class OnPoint(Constraint):
    """A constraint on a point. Of several bases the fields of the last one come first."""

    point: Annotated[Point, _POINT]


@dataclass(frozen=True, eq=False)
class OnPair(OnPoint):
    """A constraint on two points of a character."""

    other: Annotated[Point, Quantity("point", "Other point")]


@dataclass(frozen=True, eq=False)
class OverTime(Constraint):
    """A constraint from a start to an end."""

    start: Annotated[float, Quantity("time", "Start", unit="s")]
    end: Annotated[float, Quantity("time", "End", unit="s")]  # equal to start for a single time


@dataclass(frozen=True, eq=False)
class _FixedPoint(OverTime, OnPoint):
    position: Annotated[bool, _POSITION] = True
    orientation: Annotated[bool, _ORIENTATION] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.position or self.orientation):
            where = f"{type(self).__name__}.position"
            raise BadValue(where, "position, orientation or both", "neither")


@dataclass(frozen=True, eq=False)
class Pin(_FixedPoint, kind="pin"):
    """The point keeps its current path."""


@dataclass(frozen=True, eq=False)
class Contact(_FixedPoint, kind="contact"):
    """The point is fixed, in the world or relative to another point."""

    relative_to: Annotated[
        Point | None, Quantity("point", "Relative to", "the point it moves with", none="world")
    ] = None


@dataclass(frozen=True, eq=False)
class DistanceConstraint(OverTime, OnPair, kind="distance", label="Keep distance"):
    """Two points of a character keep their distance, or a given one."""

    distance: Annotated[
        float | None,
        Quantity("length", "Distance", unit="m", low=0, high=MAX_DISTANCE, none="as is"),
    ] = None

    @property
    def title(self) -> str:
        """The two joints."""
        return self.subject


@dataclass(frozen=True, eq=False)
class CoincidentConstraint(
    OverTime, OnPoint, kind="coincident", label="Match position", noun="position match"
):
    """The point has the same position at the start and at the end."""


@dataclass(frozen=True, eq=False)
class PathConstraint(OnPoint, kind="path", label="Follow path"):
    """The point follows a smooth path through given positions."""

    times: Annotated[Floats, Quantity("times", "Times", unit="s")]  # (K,) rising
    positions: Annotated[Floats, Quantity("positions", "Path points", unit="m")]  # (K, 3)

    def __post_init__(self) -> None:
        check_fields(self)
        expected = f"{len(self.times)}, one per time"
        if not len(self.times) or len(self.times) != len(self.positions):
            raise BadValue("PathConstraint.positions", expected, len(self.positions))
        if not (np.diff(self.times) > MIN_INTERVAL).all():
            raise BadValue("PathConstraint.times", "increasing times", self.times)

    @property
    def start(self) -> float:
        """The time of the first position, s."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """The time of the last position, s."""
        return float(self.times[-1])

    @property
    def title(self) -> str:
        """The joint."""
        return f"{self.subject} on path"


@dataclass(frozen=True, eq=False)
class OrientationConstraint(OverTime, OnPoint, kind="orientation", label="Keep orientation"):
    """The joint of the point has a given world orientation."""

    orientation: Annotated[Floats, Quantity("orientation", "Orientation")]  # (4,) wxyz


@dataclass(frozen=True, eq=False)
class RegionConstraint(OverTime, OnPoint, kind="region", label="Region"):
    """The point stays inside or outside a region."""

    region: Annotated[Region, Quantity("region", "Region")]
    inside: Annotated[bool, Quantity("flag", "Inside", "the point stays in it, not out")] = False

    @property
    def title(self) -> str:
        """The joint, and the shape of the region."""
        shape = SHAPE_NAMES[type(self.region)].replace("half_space", "plane")
        return f"{self.subject} {'inside' if self.inside else 'outside'} {shape}"


@dataclass(frozen=True, eq=False)
class FloorConstraint(OverTime, kind="floor"):
    """A point, or every foot, stays above a height or its lowest position."""

    height: Annotated[
        float | None,
        Quantity(
            *("length", "Height", "", "m"), low=-MAX_DISTANCE, high=MAX_DISTANCE, none="lowest"
        ),
    ] = None
    point: Annotated[Point | None, Quantity("point", "Point", none="feet")] = None
    character: Annotated[str, _CHARACTER] = ""  # whose feet; "" is the first character

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.point is not None and self.character:
            where = "FloorConstraint.character"
            raise BadValue(where, "none, as its point names it", self.character)

    @property
    def title(self) -> str:
        """The joint, or all feet."""
        return f"{self.subject or 'Feet'} above floor"


@dataclass(frozen=True, eq=False)
class BalanceConstraint(OverTime, kind="balance"):
    """The center of mass stays over the support, or as near as it was."""

    margin: Annotated[
        float,
        Quantity("length", "Support", "around the contact points", "m", low=0, high=MAX_DISTANCE),
    ] = SUPPORT_MARGIN
    character: Annotated[str, _CHARACTER] = ""  # whose; "" is the first character


@dataclass(frozen=True, eq=False)
class FlightConstraint(OverTime, kind="flight", label="Ballistic flight"):
    """The acceleration of the center of mass is kept; with a gravity it follows that parabola."""

    gravity: Annotated[
        float | None,
        Quantity(
            *("length", "Gravity", "9.81 on earth", "m/s²"),
            low=-MAX_GRAVITY,
            high=MAX_GRAVITY,
            none="as is",
        ),
    ] = None
    character: Annotated[str, _CHARACTER] = ""  # whose; "" is the first character


@dataclass(frozen=True, eq=False)
class HingeConstraint(OverTime, OnPoint, kind="hinge", label="Hinge limit"):
    """The joint bends about one axis only so far, as a knee or an elbow does."""

    axis: Annotated[
        Floats | None,
        Quantity("direction", "Axis", "of bending, in the axes of the parent", none="as found"),
    ] = None  # (3,)
    low: Annotated[float | None, _bend("Least bend", "0 is straight, below it is backwards")] = None
    high: Annotated[float | None, _bend("Most bend", "of the lower bone against the upper")] = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.low is not None and self.high is not None and self.low > self.high:
            raise BadValue("HingeConstraint.high", f"at least low ({self.low:g})", self.high)
