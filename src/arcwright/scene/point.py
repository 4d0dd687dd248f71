"""Point: a position on a character or prop."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from arcwright.arrays import Floats, frozen


@dataclass(frozen=True, eq=False)
class Point:
    """A position on a character or prop: a joint and an offset in its frame."""

    joint: str
    offset: Floats = field(default_factory=lambda: np.zeros(3))  # (3,) m, in the joint
    character: str = ""  # name of the character or prop; "" is the first character

    def __post_init__(self) -> None:
        object.__setattr__(self, "offset", frozen(self.offset, "Point.offset", (3,)))
