"""Section: a named stretch of a take, such as a state of a performed puppet."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from arcwright.errors import BadValue


@dataclass(frozen=True)
class Section:
    """A name and where it starts; it ends where the next one starts, the last one with the take."""

    name: str
    start: float  # s

    def __post_init__(self) -> None:
        object.__setattr__(self, "start", float(self.start))
        if not isfinite(self.start):
            raise BadValue(f"Section.start of {self.name!r}", "seconds", self.start)
