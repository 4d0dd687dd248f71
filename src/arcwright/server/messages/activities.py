"""Activities of takes, what a tool draws of them before a gesture, and changes of their events."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from arcwright.server.messages.common import Name
from arcwright.server.messages.take_change import TakeChange


class ActivityObjectInfo(Struct):
    """A prop that takes part."""

    name: str
    prop: str  # its name in the scene
    anchors: list[str]


class EffectorInfo(Struct):
    """A point of the character that takes part."""

    name: str
    joint: str


class ActivityEventInfo(Struct):
    """A moment, and what matters then."""

    time: float  # s
    name: str  # "" for none
    elements: list[str]  # all that take part
    movable: list[str]
    scalable: list[str]
    replaceable: list[str]
    pairs: list[tuple[str, str]]  # constrained, constraining
    look_at: str


class ActivityInfo(Struct):
    """What a take is about."""

    name: str
    character: str
    take: str
    objects: list[ActivityObjectInfo]
    effectors: list[EffectorInfo]
    events: list[ActivityEventInfo]  # by time


class RenameEvent(TakeChange):
    """Another name for an event of an activity."""

    activity: Name
    event: Annotated[int, Meta(ge=0)]
    name: Name


class RemoveEvent(TakeChange):
    """An event of an activity taken away; the motion stays."""

    activity: Name
    event: Annotated[int, Meta(ge=0)]
