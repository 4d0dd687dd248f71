"""From a window to the server."""

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


class _ClientMessage(Struct, tag_field="type", tag=True, forbid_unknown_fields=True):
    pass


class Subscribe(_ClientMessage):
    """The motion curves this window draws, and what of the document it plays."""

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


class RequestFootplants(_ClientMessage):
    """The footplants that drags of whole motions would find; told when they are found."""

    character: Name
    take: Name
    include_heels: bool = False


class RequestReduction(_ClientMessage):
    """How many key poses a take would need; answers follow until `CancelReduction`."""

    character: Name
    take: Name
    tolerance: float  # m
    poses: Literal["aligned", "per-channel"] = "aligned"


class CancelReduction(_ClientMessage):
    """The window wants to know no more about key poses."""


class BeginInteraction(_ClientMessage):
    """A hand takes hold with a tool."""

    interaction: int
    tool: Name
    character: Name
    take: Name
    options: OptionValues
    accept_footplants: bool = False  # footplants that are found become contacts, in the same step


class UpdateInteraction(_ClientMessage):
    """Where a hand now wants a point; a later move replaces one that waits."""

    interaction: int
    point: PointRef
    time: float  # s
    position: Vec3 | None = None
    orientation: Quat | None = None
    time_scale: float | None = None
    axes: Annotated[list[Vec3], Meta(max_length=3)] | None = None


class SetOptions(_ClientMessage):
    """Other options for a hand that already holds."""

    interaction: int
    options: OptionValues


class CommitInteraction(_ClientMessage):
    """The hand lets go: one undo step."""

    interaction: int


class CancelInteraction(_ClientMessage):
    """The hand forgets what it did."""

    interaction: int


class AcceptOffer(_ClientMessage):
    """Lets go and takes the offer of one key."""

    interaction: int


class PreviewChange(_ClientMessage):
    """A change while the hand moves; `CommitInteraction` keeps it."""

    interaction: int
    change: Change


class ApplyChange(_ClientMessage):
    """A change at once."""

    change: Change


class ApplyChanges(_ClientMessage):
    """Several changes as one undo step, each made for what those before it leave."""

    changes: Annotated[list[Change], Meta(min_length=1, max_length=1000)]

    def __post_init__(self) -> None:
        keys = sum(len(getattr(each, "keys", ())) for each in self.changes)
        if keys > MOST_KEYS:
            raise ValueError(f"Expected `array` of length <= {MOST_KEYS} keys, got {keys}")


class Undo(_ClientMessage):
    """Take back the last step."""


class Redo(_ClientMessage):
    """ApplyChange again what was taken back."""


class GoToStep(_ClientMessage):
    """Go to a step of the history; 0 is the beginning."""

    step: int


class Open(_ClientMessage):
    """A file of the folder, a built-in such as "biped:walk", or a document left by a crash."""

    kind: Literal["file", "builtin", "recover"]
    name: Annotated[str, Meta(max_length=1000)]


class DiscardRecovered(_ClientMessage):
    """A document left by a crash is not wanted any more."""

    name: Name


class ImportUpload(_ClientMessage):
    """An uploaded file: as a document of its own or added to this one.

    `POST upload?name=walk.bvh` with the file as body answers `{"upload": "..."}`.
    """

    upload: Name
    add: bool


class Save(_ClientMessage):
    """To the file it came from, or to another of the folder; `replace` one that is there."""

    name: Annotated[str, Meta(max_length=1000)] | None = None
    replace: bool = False


class Export(_ClientMessage):
    """A file for download."""

    format: Literal["glb", "bvh", "arc", "png"]
    character: Name
    take: Name


class ListFolder(_ClientMessage):
    """What can be opened."""

    folder: Annotated[str, Meta(max_length=1000)] = ""


class CancelJob(_ClientMessage):
    """Stop a job."""

    job: int


ClientMessage: TypeAlias = (
    Subscribe
    | RequestFrames
    | RequestKeys
    | RequestFootplants
    | RequestReduction
    | CancelReduction
    | BeginInteraction
    | UpdateInteraction
    | SetOptions
    | CommitInteraction
    | CancelInteraction
    | AcceptOffer
    | PreviewChange
    | ApplyChange
    | ApplyChanges
    | Undo
    | Redo
    | GoToStep
    | Open
    | DiscardRecovered
    | ImportUpload
    | Save
    | Export
    | ListFolder
    | CancelJob
)
