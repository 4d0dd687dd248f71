"""Point: a position on a character; Pin and Contact: constraints on a point over time."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue


@dataclass(frozen=True, eq=False)
class Point:
    """A position on a character or prop: a joint and an offset in its frame."""

    joint: str
    offset: Floats = field(default_factory=lambda: np.zeros(3))  # (3,) m, in the joint
    character: str = ""  # name of the character or prop; "" is the first character

    def __post_init__(self) -> None:
        object.__setattr__(self, "offset", frozen(self.offset, "Point.offset", (3,)))


@dataclass(frozen=True, eq=False)
class Pin:
    """Pin: the point keeps its current path over [start, end]."""

    point: Point
    start: float  # s
    end: float  # s; equal to start for a single time
    position: bool = True
    orientation: bool = False
    clip: str = ""  # the take it belongs to; "" is every one

    def __post_init__(self) -> None:
        _check_range(self, "Pin")


@dataclass(frozen=True, eq=False)
class Contact:
    """Contact: the point is fixed over [start, end], in the world or relative to another point."""

    point: Point
    start: float  # s
    end: float  # s
    position: bool = True
    orientation: bool = False
    relative_to: Point | None = None
    clip: str = ""  # the take it belongs to; "" is every one

    def __post_init__(self) -> None:
        _check_range(self, "Contact")


def _check_range(constraint: Pin | Contact, kind: str) -> None:
    object.__setattr__(constraint, "start", float(constraint.start))
    object.__setattr__(constraint, "end", float(constraint.end))
    if not -np.inf < constraint.start <= constraint.end < np.inf:
        raise BadValue(f"{kind}.end", f"at or after start ({constraint.start} s)", constraint.end)
    if not (constraint.position or constraint.orientation):
        raise BadValue(f"{kind}.position", "position, orientation or both", "neither")
