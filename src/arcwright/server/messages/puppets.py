"""Changes of what puppets need to know: roles of takes, and the ground."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from arcwright.server.messages.common import Name, Vec2
from arcwright.server.messages.take_change import TakeChange


class GroundBlock(Struct, forbid_unknown_fields=True):
    """A box or ramp that stands on the ground: its top goes from one height to another along z."""

    x: Vec2  # m
    z: Vec2  # m
    heights: Vec2  # m, at the lower and at the higher z


GroundBlocks = Annotated[list[GroundBlock], Meta(max_length=200)]


class SetRole(TakeChange):
    """A role given to a take; without one it is left to tools."""

    role: Name


class SetGround(TakeChange):
    """The blocks on the ground; character and take are those that are shown."""

    blocks: GroundBlocks
