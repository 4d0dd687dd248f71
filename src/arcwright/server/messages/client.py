"""Messages from a client to the server."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from arcwright.server.messages.change import Change
from arcwright.server.messages.common import (
    MOST_KEYS,
    Name,
    OptionValues,
    PointRef,
    Quat,
    Vec3,
)
from arcwright.server.messages.gestures import (
    CameraInfo,
    Names,
    Numbers,
    Pixels,
    Times,
)
from arcwright.server.messages.info import ClientKind


class _ClientMessage(Struct, tag_field="type", tag=True, forbid_unknown_fields=True):
    pass


class Introduce(_ClientMessage):
    """What kind of page the client is; from then on the server sends it who else is connected."""

    kind: ClientKind


class Subscribe(_ClientMessage):
    """The motion curves that the client shows, and the take that it plays."""

    character: Name
    take: Name
    points: Annotated[list[PointRef], Meta(max_length=1000)]


class RequestFrames(_ClientMessage):
    """Poses of whole frames, first to last."""

    character: Name
    take: Name
    first: int
    last: int
    without_layers: bool = False  # of the take without its layers


class RequestKeys(_ClientMessage):
    """All keys of a take."""

    character: Name
    take: Name


class RequestPose(_ClientMessage):
    """The pose of a take at a time, to be copied: `CopiedPose` answers."""

    character: Name
    take: Name
    time: float  # s


class RequestFootplants(_ClientMessage):
    """Detect the footplants of a take; the answer follows when they are found."""

    character: Name
    take: Name
    include_heels: bool = False


class RequestProposedEvents(_ClientMessage):
    """Detect the events of a take; the answer follows when they are found."""

    character: Name
    take: Name


class RequestRestOverlays(_ClientMessage):
    """What a tool draws of a take before a gesture; the answer follows when it is known."""

    tool: Name
    character: Name
    take: Name
    options: OptionValues = {}
    time: float = 0.0  # s, of the playhead, for tools whose drawing depends on it


class RequestReduction(_ClientMessage):
    """How many key poses a take needs; answers follow until `CancelReduction`."""

    character: Name
    take: Name
    tolerance: float  # m
    poses: Literal["aligned", "per-channel"] = "aligned"


class CancelReduction(_ClientMessage):
    """No more answers to `RequestReduction`."""


class BeginInteraction(_ClientMessage):
    """Begin an interaction with a tool."""

    interaction: int
    tool: Name
    character: Name
    take: Name
    options: OptionValues
    accept_footplants: bool = False  # detected footplants become contacts, in the same step
    point: PointRef | None = None  # that follows a performance
    channels: Names = []  # that follow the axes of a device
    recording: int | None = None  # of the document, whose samples are used again
    time: float = 0.0  # s, of the playhead, where a performance begins


class UpdateInteraction(_ClientMessage):
    """The target of a drag of a point or of a tool's handle; a later one replaces a queued one."""

    interaction: int
    point: PointRef | None  # null: a handle
    time: float  # s
    position: Vec3 | None = None
    orientation: Quat | None = None
    time_scale: float | None = None
    axes: Annotated[list[Vec3], Meta(max_length=3)] | None = None
    to_time: float | None = None  # s
    scale: Vec3 | None = None  # factors
    handle: Name | None = None  # that an overlay of the tool named


class AppendStroke(_ClientMessage):
    """More samples of a line drawn on the screen; none is dropped."""

    interaction: int
    camera: CameraInfo
    points: Pixels
    times: Times
    pressure: Numbers | None = None


class SetOptions(_ClientMessage):
    """Other options for an active interaction."""

    interaction: int
    options: OptionValues


class CommitInteraction(_ClientMessage):
    """End an interaction as one undo step."""

    interaction: int
    if_changed: bool = False  # where nothing would change, it stays open: InteractionUnchanged


class CancelInteraction(_ClientMessage):
    """End an interaction without a step."""

    interaction: int


class AcceptOffer(_ClientMessage):
    """End an interaction and apply its offer, such as an extra key."""

    interaction: int


class SolveFurther(_ClientMessage):
    """Solve the interaction that was committed last again, without a time limit, as a job."""

    interaction: int


class PreviewChange(_ClientMessage):
    """A change while the pointer moves; `CommitInteraction` applies it."""

    interaction: int
    change: Change


class ApplyChange(_ClientMessage):
    """Apply a change."""

    change: Change


class ApplyChanges(_ClientMessage):
    """Apply several changes as one undo step, one after the other."""

    changes: Annotated[list[Change], Meta(min_length=1, max_length=1000)]

    def __post_init__(self) -> None:
        keys = sum(len(getattr(each, "keys", ())) for each in self.changes)
        if keys > MOST_KEYS:
            raise ValueError(f"Expected `array` of length <= {MOST_KEYS} keys, got {keys}")


class Undo(_ClientMessage):
    """Undo the last step."""


class Redo(_ClientMessage):
    """Redo the last undone step."""


class GoToStep(_ClientMessage):
    """Go to a step of the history; 0 is the original."""

    step: int


class Open(_ClientMessage):
    """Open a file of the folder, a built-in such as "biped:walk", or a document left by a crash."""

    kind: Literal["file", "builtin", "recover"]
    name: Annotated[str, Meta(max_length=1000)]
    discard: bool = False  # the unsaved steps of the document whose place it takes


class DiscardRecovered(_ClientMessage):
    """Delete a document left by a crash."""

    name: Name


class ImportUpload(_ClientMessage):
    """Open an uploaded file as a document, or add it to this one; an audio file is only added.

    `POST upload?name=walk.bvh` with the file as body answers `{"upload": "..."}`.
    """

    upload: Name
    add: bool
    discard: bool = False  # as of `Open`


class ReplaceObject(_ClientMessage):
    """Put the prop of an uploaded file in the place of an object that a tool edits."""

    upload: Name
    tool: Name
    character: Name
    take: Name
    object: Name
    options: OptionValues


class Retarget(_ClientMessage):
    """Carry a take, with what a tool knows of it, to the character of an uploaded file."""

    upload: Name
    tool: Name
    character: Name
    take: Name


class Save(_ClientMessage):
    """Save to the document's file or another of the folder; `replace` an existing one."""

    name: Annotated[str, Meta(max_length=1000)] | None = None
    replace: bool = False


class Export(_ClientMessage):
    """Write a file for download."""

    format: Literal["glb", "bvh", "arc", "png"]
    character: Name
    take: Name


class ListFolder(_ClientMessage):
    """List what can be opened."""

    folder: Annotated[str, Meta(max_length=1000)] = ""


class CancelJob(_ClientMessage):
    """Cancel a job."""

    job: int


ClientMessage: TypeAlias = (
    Introduce
    | Subscribe
    | RequestFrames
    | RequestKeys
    | RequestPose
    | RequestFootplants
    | RequestProposedEvents
    | RequestRestOverlays
    | RequestReduction
    | CancelReduction
    | BeginInteraction
    | UpdateInteraction
    | AppendStroke
    | SetOptions
    | CommitInteraction
    | CancelInteraction
    | AcceptOffer
    | SolveFurther
    | PreviewChange
    | ApplyChange
    | ApplyChanges
    | Undo
    | Redo
    | GoToStep
    | Open
    | DiscardRecovered
    | ImportUpload
    | ReplaceObject
    | Retarget
    | Save
    | Export
    | ListFolder
    | CancelJob
)
