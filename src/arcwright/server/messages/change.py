"""Changes: edits that need no solver.

Indices of keys are those of the document the hand began with.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from arcwright.server.messages.about import AboutTake
from arcwright.server.messages.constraints import (
    AddConstraint,
    ApplyConstraints,
    ChangeConstraint,
    RemoveConstraint,
)
from arcwright.server.messages.layers import (
    BakeLayers,
    CopyLayer,
    FlattenLayers,
    MoveLayer,
    MuteLayer,
    RemoveLayer,
    RenameLayer,
    WeighLayer,
)
from arcwright.server.messages.plants import KeepPlants
from arcwright.server.messages.words import (
    BeyondWord,
    ChannelList,
    HandleAt,
    HandleWord,
    JointList,
    KeyList,
    Name,
    SegmentWord,
    Spot,
    WishKind,
)


class MoveKeys(AboutTake):
    """Keys scaled about a pivot, then moved."""

    keys: KeyList
    time: float = 0.0  # s
    value: float = 0.0
    scale_time: float = 1.0
    scale_value: float = 1.0
    pivot_time: float = 0.0  # s
    pivot_value: float = 0.0


class CopyKeys(AboutTake):
    """Copies of keys, `time` later."""

    keys: KeyList
    time: float  # s


class DeleteKeys(AboutTake):
    """Keys taken away; a curve never loses its last one."""

    keys: KeyList


class AddKeys(AboutTake):
    """Keys where the curves are; no channels means all of the character's."""

    channels: ChannelList
    time: float  # s


class MoveHandle(AboutTake):
    """A handle dragged to (dt, dv) from its key, dt above 0 on both sides."""

    handle: HandleAt
    dt: float  # s
    dv: float


class SetHandles(AboutTake):
    """What kind of handles keys have."""

    keys: KeyList
    kind: HandleWord


class SetInterpolation(AboutTake):
    """How the segments after keys run."""

    keys: KeyList
    kind: SegmentWord


class SetExtrapolation(AboutTake):
    """What curves do before their first and after their last key."""

    channels: ChannelList
    before: BeyondWord
    after: BeyondWord


class AddWish(AboutTake):
    """A pin or contact; a contact may be relative to another point."""

    kind: WishKind
    point: Spot
    start: float  # s
    end: float  # s
    position: bool = True
    orientation: bool = False
    relative_to: Spot | None = None


class ChangeWish(AboutTake):
    """A pin or contact, by its place in the scene's list, with another range or hold."""

    kind: WishKind
    index: int
    start: float  # s
    end: float  # s
    position: bool = True
    orientation: bool = False


class RemoveWish(AboutTake):
    """A pin or contact taken away."""

    kind: WishKind
    index: int


class FindContacts(AboutTake):
    """Contacts where feet stand still and hands hold things."""


class SetLimits(AboutTake):
    """How far a channel may go; None is no limit."""

    channel: int
    low: float | None
    high: float | None


class SetStiffness(AboutTake):
    """How much channels resist being moved; 1 is ordinary."""

    channels: ChannelList
    stiffness: float


class SetLengths(AboutTake):
    """Whether edits may change the length of joints: as the animator says, or as analysed ("")."""

    joints: JointList
    length: Literal["", "free", "locked"]


class SetRoot(AboutTake):
    """Which joint carries the body; -1 as analysed."""

    joint: int


class SetTiming(AboutTake):
    """Frame rate, length and looping of a take; a new rate keeps seconds or frames."""

    rate: float
    duration: float  # s
    loops: bool
    keep: Literal["seconds", "frames"] = "seconds"


class CopyTake(AboutTake):
    """A second take like this one."""

    name: Name


class RenameTake(AboutTake):
    """Another name for a take."""

    name: Name


class RemoveTake(AboutTake):
    """A take taken away."""


class FitTake(AboutTake):
    """Samples, or keys on every frame, and layers reduced to few key poses."""

    tolerance: float  # m
    poses: Literal["aligned", "per-channel"] = "aligned"


class RemoveActor(AboutTake):
    """A character or prop taken away, with its pins, contacts and constraints."""


Change: TypeAlias = (
    MoveKeys
    | CopyKeys
    | DeleteKeys
    | AddKeys
    | MoveHandle
    | SetHandles
    | SetInterpolation
    | SetExtrapolation
    | AddWish
    | ChangeWish
    | RemoveWish
    | AddConstraint
    | ChangeConstraint
    | RemoveConstraint
    | ApplyConstraints
    | FindContacts
    | KeepPlants
    | SetLimits
    | SetStiffness
    | SetLengths
    | SetRoot
    | SetTiming
    | CopyTake
    | RenameTake
    | RemoveTake
    | FitTake
    | RemoveActor
    | MuteLayer
    | WeighLayer
    | RenameLayer
    | MoveLayer
    | RemoveLayer
    | CopyLayer
    | FlattenLayers
    | BakeLayers
)
