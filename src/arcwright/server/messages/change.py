"""Changes: edits that need no solver.

Indices of keys are those of the document when the interaction began.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta

from arcwright.server.messages.activities import (
    AddToActivity,
    BeginActivity,
    ChangeEvent,
    RemoveActivity,
    RemoveElement,
    RemoveEvent,
    RenameEvent,
)
from arcwright.server.messages.common import (
    ChannelList,
    ExtrapolationType,
    HandleIndex,
    HandleType,
    InterpolationType,
    JointList,
    KeyList,
    Name,
    PixelList,
    Vec2,
)
from arcwright.server.messages.constraints import (
    AddConstraint,
    ChangeConstraint,
    RemoveConstraint,
    SolveConstraints,
)
from arcwright.server.messages.footplants import AcceptFootplants
from arcwright.server.messages.layers import (
    BakeLayers,
    CopyLayer,
    FlattenLayers,
    MoveLayer,
    MuteLayer,
    RemoveLayer,
    RenameLayer,
    SetLayerWeight,
)
from arcwright.server.messages.poses import (
    AddMarker,
    ApplyStoredPose,
    ChangeMarker,
    MirrorPose,
    PastePose,
    RemoveMarker,
    RemovePose,
    RenamePose,
    ResetPose,
    StorePose,
    TweenPose,
)
from arcwright.server.messages.puppets import SetGround, SetRole
from arcwright.server.messages.sound import ChangeSound, RemoveSound
from arcwright.server.messages.take_change import TakeChange


class MoveKeys(TakeChange):
    """Keys scaled about a pivot, then moved."""

    keys: KeyList
    time: float = 0.0  # s
    value: float = 0.0
    scale_time: float = 1.0
    scale_value: float = 1.0
    pivot_time: float = 0.0  # s
    pivot_value: float = 0.0


class CopyKeys(TakeChange):
    """Copies of keys, `time` later: duplicated, or pasted where they were copied before."""

    keys: KeyList
    time: float  # s
    pasted: bool = False


class DeleteKeys(TakeChange):
    """Keys taken away; a curve never loses its last one."""

    keys: KeyList


class AddKeys(TakeChange):
    """Keys where the curves are; no channels means all of the character's."""

    channels: ChannelList
    time: float  # s


class MoveHandle(TakeChange):
    """A handle dragged to (dt, dv) from its key, dt above 0 on both sides."""

    handle: HandleIndex
    dt: float  # s
    dv: float


class SetHandles(TakeChange):
    """What kind of handles keys have."""

    keys: KeyList
    kind: HandleType


class SetInterpolation(TakeChange):
    """How the segments after keys run."""

    keys: KeyList
    kind: InterpolationType


class SetExtrapolation(TakeChange):
    """What curves do before their first and after their last key."""

    channels: ChannelList
    before: ExtrapolationType
    after: ExtrapolationType


class DetectContacts(TakeChange):
    """Detect contacts: feet that stand still, hands that hold props."""


class SetLimits(TakeChange):
    """How far a channel may go; None is no limit."""

    channel: int
    low: float | None
    high: float | None


class SetStiffness(TakeChange):
    """How much channels resist being moved; 1 is ordinary."""

    channels: ChannelList
    stiffness: float


class SetLengths(TakeChange):
    """Whether edits may change the length of joints: set by the animator, or as analysed ("")."""

    joints: JointList
    length: Literal["", "free", "locked"]


class SetRoot(TakeChange):
    """Which joint carries the body; -1 as analysed."""

    joint: int


class SetAttached(TakeChange):
    """Which joint carries another one in edits: itself for none, -1 as analysed."""

    joint: int
    limb: int


class SetTiming(TakeChange):
    """Frame rate, length and looping of a take; a new rate keeps seconds or frames."""

    rate: float
    duration: float  # s
    loops: bool
    keep: Literal["seconds", "frames"] = "seconds"


class CopyTake(TakeChange):
    """A second take like this one."""

    name: Name


class RenameTake(TakeChange):
    """Another name for a take."""

    name: Name


class RemoveTake(TakeChange):
    """A take taken away."""


class FitTake(TakeChange):
    """Samples, or keys on every frame, and layers reduced to few key poses."""

    tolerance: float  # m
    poses: Literal["aligned", "per-channel"] = "aligned"


class MakeAvatar(TakeChange):
    """The pose and the colours of a photo: joints placed over it, pixels of garments."""

    marks: Annotated[dict[Name, Vec2], Meta(max_length=200)]  # pixels, x to the right and y down
    pixels: Annotated[dict[Name, PixelList], Meta(max_length=10)]  # of "top", "bottom", …
    flipped: Annotated[list[Name], Meta(max_length=200)]


class RemoveActor(TakeChange):
    """A character or prop taken away, with its constraints."""


Change: TypeAlias = (
    MoveKeys
    | CopyKeys
    | DeleteKeys
    | AddKeys
    | MoveHandle
    | SetHandles
    | SetInterpolation
    | SetExtrapolation
    | AddConstraint
    | ChangeConstraint
    | RemoveConstraint
    | SolveConstraints
    | DetectContacts
    | AcceptFootplants
    | SetLimits
    | SetStiffness
    | SetLengths
    | SetRoot
    | SetAttached
    | SetTiming
    | CopyTake
    | RenameTake
    | RemoveTake
    | FitTake
    | MakeAvatar
    | RemoveActor
    | BeginActivity
    | AddToActivity
    | RemoveActivity
    | RemoveElement
    | ChangeEvent
    | RenameEvent
    | RemoveEvent
    | MuteLayer
    | SetLayerWeight
    | RenameLayer
    | MoveLayer
    | RemoveLayer
    | CopyLayer
    | FlattenLayers
    | BakeLayers
    | PastePose
    | ApplyStoredPose
    | MirrorPose
    | ResetPose
    | TweenPose
    | StorePose
    | RenamePose
    | RemovePose
    | AddMarker
    | ChangeMarker
    | RemoveMarker
    | SetRole
    | SetGround
    | ChangeSound
    | RemoveSound
)
