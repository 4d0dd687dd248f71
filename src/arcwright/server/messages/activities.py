"""Activities of takes, events detected in them, and changes of both."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from arcwright.server.messages.common import Name, PointRef
from arcwright.server.messages.take_change import TakeChange

ElementList = Annotated[list[Name], Meta(max_length=1000)]
PairList = Annotated[list[tuple[Name, Name]], Meta(max_length=1000)]


class ActivityObjectInfo(Struct):
    """A prop that takes part."""

    name: Name
    prop: Name  # its name in the scene
    anchors: ElementList


class EffectorInfo(Struct):
    """A point of the character that takes part."""

    name: Name
    point: PointRef


class ActivityEventInfo(Struct):
    """A moment, and what matters then."""

    time: float  # s
    name: Name  # "" for none
    elements: ElementList  # all that take part
    movable: ElementList
    scalable: ElementList
    replaceable: ElementList
    pairs: PairList  # constrained, constraining
    look_at: Name


class ProposedEventInfo(Struct):
    """A detected event, which nobody has accepted yet."""

    event: ActivityEventInfo
    kind: str
    confidence: float  # 0 to 1


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


class BeginActivity(TakeChange):
    """An activity without events: parts of the body, and all props."""


class AddToActivity(TakeChange):
    """Elements and events added to an activity, or to a new one of the take."""

    activity: Name  # "" for a new one
    objects: Annotated[list[ActivityObjectInfo], Meta(max_length=1000)]
    effectors: Annotated[list[EffectorInfo], Meta(max_length=1000)]
    events: Annotated[list[ActivityEventInfo], Meta(max_length=1000)]


class ChangeEvent(TakeChange):
    """An event as it should be: its time, elements, pairs, and what is looked at."""

    activity: Name
    event: Annotated[int, Meta(ge=0)]
    to: ActivityEventInfo


class RemoveElement(TakeChange):
    """An object or effector that takes no part any more; prop and joint stay."""

    activity: Name
    element: Name


class RemoveActivity(TakeChange):
    """An activity taken away; the take stays."""

    activity: Name
