"""Marker: a name at a time of a take, such as a beat or a line of speech."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from arcwright.errors import BadValue


@dataclass(frozen=True)
class Marker:
    """A name at a time."""

    name: str
    time: float  # s

    def __post_init__(self) -> None:
        object.__setattr__(self, "time", float(self.time))
        if not isfinite(self.time):
            raise BadValue(f"Marker.time of {self.name!r}", "seconds", self.time)
