"""Footplants that are found where a take has no contacts: told before any drag, kept by an edit."""

from __future__ import annotations

from msgspec import Struct

from arcwright.server.messages.common import PointRef
from arcwright.server.messages.take_change import TakeChange


class FootplantInfo(Struct):
    """A footplant that drags of whole motions would keep."""

    point: PointRef
    start: float  # s
    end: float  # s


class AcceptFootplants(TakeChange):
    """The footplants that are found become contacts; one of them with another range, or none."""

    include_heels: bool = False
    point: PointRef | None = None  # of that one
    was: float = 0.0  # s, where that one starts as it is found
    start: float | None = None  # s
    end: float | None = None  # s
    without: bool = False  # that one is left out
