"""Footplants detected where a take has no contacts, and the change that accepts them."""

from __future__ import annotations

from msgspec import Struct

from arcwright.server.messages.common import PointRef
from arcwright.server.messages.take_change import TakeChange


class FootplantInfo(Struct):
    """A detected footplant."""

    point: PointRef
    start: float  # s
    end: float  # s


class AcceptFootplants(TakeChange):
    """Make contacts of detected footplants; change the range of one, or leave it out."""

    include_heels: bool = False
    point: PointRef | None = None  # of that one
    was: float = 0.0  # s, the detected start of that one
    start: float | None = None  # s
    end: float | None = None  # s
    without: bool = False  # that one is left out
