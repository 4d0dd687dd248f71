"""Kept: wishes over a range of time, with or without anything to solve them with."""

from __future__ import annotations

from typing import Protocol

from arcwright.arrays import Floats
from arcwright.tools.spacetime.model import Range
from arcwright.tools.spacetime.tracks import Manner, Tracks
from arcwright.tools.spacetime.wishes import Wish


class Kept(Protocol):
    """What the lanes of wishes are made from."""

    @property
    def range(self) -> Range:
        """The part of the take that is looked at."""

    @property
    def paths(self) -> Floats:
        """(T, P, 3) m, where points are."""

    @property
    def wishes(self) -> tuple[Wish, ...]:
        """Those that bear on the range."""

    @property
    def manner(self) -> Manner:
        """How plants are kept."""

    @property
    def tracks(self) -> Tracks:
        """The lanes of the wishes as they are without a hand."""

    @property
    def hands(self) -> bool:
        """Whether anybody drags anything."""
