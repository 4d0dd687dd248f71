"""Motion: sampled animation such as motion capture. (A clip has keys instead of samples.)"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arcwright.arrays import Floats, frozen
from arcwright.errors import BadValue


@dataclass(frozen=True, eq=False)
class Motion:
    """Channel values at increasing times, with linear interpolation between samples."""

    name: str
    time: Floats  # (T,) s
    values: Floats  # (T, C) m, rad or plain
    rate: float = 24.0  # frames per second

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", frozen(self.time, "Motion.time", ("T",)))
        object.__setattr__(self, "values", frozen(self.values, "Motion.values", ("T", "C")))
        object.__setattr__(self, "rate", float(self.rate))
        if len(self.time) == 0:
            raise BadValue("Motion.time", "at least one sample", "none")
        if len(self.time) != len(self.values):
            raise BadValue("Motion.values", f"{len(self.time)} rows, as in time", len(self.values))
        if not (np.diff(self.time) > 0).all():
            raise BadValue("Motion.time", "increasing times", "a time out of order")
        if not 0 < self.rate < float("inf"):
            raise BadValue("Motion.rate", "frames per second above 0", self.rate)

    @property
    def duration(self) -> float:
        """Time of the last sample, s."""
        return float(self.time[-1])
