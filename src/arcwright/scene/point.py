"""Point: any place on a character; Pin and Contact: wishes about points over time."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue


@dataclass(frozen=True, eq=False)
class Point:
    """A place that can be seen, grabbed and pinned: a joint and an offset in its frame."""

    joint: str
    offset: Floats = field(default_factory=lambda: np.zeros(3))  # (3,) m, in the joint
    character: str = ""  # name of the character or prop; "" is the first character

    def __post_init__(self) -> None:
        object.__setattr__(self, "offset", frozen(self.offset, "Point.offset", (3,)))


@dataclass(frozen=True, eq=False)
class Pin:
    """The point keeps the path it has, over [start, end]."""

    point: Point
    start: float  # s
    end: float  # s; equal to start for a single moment
    position: bool = True
    orientation: bool = False
    clip: str = ""  # the take it belongs to; "" is every one

    def __post_init__(self) -> None:
        _check_range(self, "Pin")


@dataclass(frozen=True, eq=False)
class Contact:
    """The point stays put over [start, end], in the world or relative to another point."""

    point: Point
    start: float  # s
    end: float  # s
    position: bool = True
    orientation: bool = False
    relative_to: Point | None = None
    clip: str = ""  # the take it belongs to; "" is every one

    def __post_init__(self) -> None:
        _check_range(self, "Contact")


def _check_range(wish: Pin | Contact, word: str) -> None:
    object.__setattr__(wish, "start", float(wish.start))
    object.__setattr__(wish, "end", float(wish.end))
    if not -np.inf < wish.start <= wish.end < np.inf:
        raise BadValue(f"{word}.end", f"at or after start ({wish.start} s)", wish.end)
    if not (wish.position or wish.orientation):
        raise BadValue(f"{word}.position", "position, orientation or both", "neither")
