"""Changes of whole poses, of the pose library and of markers."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from arcwright.server.messages.common import JointList, Name
from arcwright.server.messages.take_change import TakeChange

PoseValues = Annotated[dict[Name, float], Meta(max_length=20_000)]  # by the names of channels
Picture = Annotated[str, Meta(max_length=60_000)]  # a data address


class PastePose(TakeChange):
    """A pose keyed on joints, or on all for none; mirrored on their counterparts."""

    time: float  # s
    joints: JointList
    values: PoseValues
    mirrored: bool = False
    weight: float = 1.0  # 0 leaves the pose that is there


class ApplyStoredPose(TakeChange):
    """A pose of the library keyed, as `PastePose`."""

    time: float  # s
    joints: JointList
    index: int
    mirrored: bool = False
    weight: float = 1.0


class MirrorPose(TakeChange):
    """Left and right of the pose that is there change places."""

    time: float  # s
    joints: JointList


class ResetPose(TakeChange):
    """The rest pose keyed."""

    time: float  # s
    joints: JointList


class TweenPose(TakeChange):
    """A pose at a share of the way from the key before to the key after."""

    time: float  # s
    joints: JointList
    share: float


class StorePose(TakeChange):
    """A pose put into the library."""

    time: float  # s
    joints: JointList
    name: Name
    picture: Picture = ""


class RenamePose(TakeChange):
    """Another name for a pose of the library."""

    index: int
    name: Name


class RemovePose(TakeChange):
    """A pose taken out of the library."""

    index: int


class AddMarker(TakeChange):
    """A marker at a time."""

    name: Name
    time: float  # s


class ChangeMarker(TakeChange):
    """A marker elsewhere, or under another name."""

    index: int
    name: Name | None = None
    time: float | None = None  # s


class RemoveMarker(TakeChange):
    """A marker taken away."""

    index: int
