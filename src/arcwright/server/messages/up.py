"""From a window to the server."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from arcwright.server.messages.change import Change
from arcwright.server.messages.words import MOST_KEYS, Name, OptionValues, Place3, Spot, Turn4


class _Up(Struct, tag_field="say", tag=str.lower, forbid_unknown_fields=True):
    pass


class Show(_Up):
    """The motion curves this window draws, and what of the document it plays."""

    character: Name
    take: Name
    points: Annotated[list[Spot], Meta(max_length=1000)]


class AskFrames(_Up):
    """Poses of whole frames, first to last."""

    character: Name
    take: Name
    first: int
    last: int
    bare: bool = False  # of the take without its layers


class AskKeys(_Up):
    """All keys of a take."""

    character: Name
    take: Name


class AskPlants(_Up):
    """The footplants that drags of whole motions would find; told when they are found."""

    character: Name
    take: Name
    heels: bool = False


class AskReduction(_Up):
    """How many key poses a take would need; answers follow until `CancelReduction`."""

    character: Name
    take: Name
    tolerance: float  # m
    poses: Literal["aligned", "per-channel"] = "aligned"


class CancelReduction(_Up):
    """The window wants to know no more about key poses."""


class Grab(_Up):
    """A hand takes hold with a tool."""

    hand: int
    tool: Name
    character: Name
    take: Name
    options: OptionValues
    keep_plants: bool = False  # footplants that are found become contacts, in the same step


class Move(_Up):
    """Where a hand now wants a point; a later move replaces one that waits."""

    hand: int
    point: Spot
    time: float  # s
    position: Place3 | None = None
    orientation: Turn4 | None = None
    time_scale: float | None = None
    axes: Annotated[list[Place3], Meta(max_length=3)] | None = None


class Tune(_Up):
    """Other options for a hand that already holds."""

    hand: int
    options: OptionValues


class LetGo(_Up):
    """The hand lets go: one undo step."""

    hand: int


class Forget(_Up):
    """The hand forgets what it did."""

    hand: int


class TakeOffer(_Up):
    """Lets go and takes the offer of one key."""

    hand: int


class Slide(_Up):
    """A change while the hand moves; `LetGo` keeps it."""

    hand: int
    change: Change


class Do(_Up):
    """A change at once."""

    change: Change


class DoAll(_Up):
    """Several changes as one undo step, each made for what those before it leave."""

    changes: Annotated[list[Change], Meta(min_length=1, max_length=1000)]

    def __post_init__(self) -> None:
        keys = sum(len(getattr(each, "keys", ())) for each in self.changes)
        if keys > MOST_KEYS:
            raise ValueError(f"Expected `array` of length <= {MOST_KEYS} keys, got {keys}")


class Undo(_Up):
    """Take back the last step."""


class Redo(_Up):
    """Do again what was taken back."""


class Travel(_Up):
    """Go to a step of the history; 0 is the beginning."""

    step: int


class Open(_Up):
    """A file of the folder, a built-in such as "biped:walk", or a document left by a crash."""

    kind: Literal["file", "builtin", "recover"]
    name: Annotated[str, Meta(max_length=1000)]


class Discard(_Up):
    """A document left by a crash is not wanted any more."""

    name: Name


class Bring(_Up):
    """An uploaded file: as a document of its own or added to this one.

    `POST upload?name=walk.bvh` with the file as body answers `{"upload": "..."}`.
    """

    upload: Name
    add: bool


class Save(_Up):
    """To the file it came from, or to another of the folder; `replace` one that is there."""

    name: Annotated[str, Meta(max_length=1000)] | None = None
    replace: bool = False


class Export(_Up):
    """A file for download."""

    format: Literal["glb", "bvh", "arc", "png"]
    character: Name
    take: Name


class ListFolder(_Up):
    """What can be opened."""

    folder: Annotated[str, Meta(max_length=1000)] = ""


class Cancel(_Up):
    """Stop a job."""

    job: int


Up: TypeAlias = (
    Show
    | AskFrames
    | AskKeys
    | AskPlants
    | AskReduction
    | CancelReduction
    | Grab
    | Move
    | Tune
    | LetGo
    | Forget
    | TakeOffer
    | Slide
    | Do
    | DoAll
    | Undo
    | Redo
    | Travel
    | Open
    | Discard
    | Bring
    | Save
    | Export
    | ListFolder
    | Cancel
)
