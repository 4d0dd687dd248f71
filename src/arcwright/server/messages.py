"""What is said over the wire. Metres, seconds, radians; quaternions wxyz; names as in the scene.

A window sends `Up` messages as JSON. The server answers with `Down` messages: JSON, then a block
of float32 numbers whose parts the field `arrays` lists in order. `studio/src/wire/messages.ts` is
made from this file.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

Name = Annotated[str, Meta(max_length=200)]
Place3 = tuple[float, float, float]
Turn4 = tuple[float, float, float, float]  # wxyz
KeyAt = tuple[int, int]  # channel, key
HandleAt = tuple[int, int, int]  # channel, key, side: 0 in, 1 out
WishKind = Literal["pin", "contact"]
HandleWord = Literal["free", "aligned", "auto", "auto_clamped", "vector", "flat"]
SegmentWord = Literal["bezier", "linear", "step"]
BeyondWord = Literal["hold", "linear", "cycle", "cycle_offset", "mirror"]


class Spot(Struct, omit_defaults=True):
    """A point of a character: a joint and an offset in it."""

    joint: Name
    offset: Place3 = (0.0, 0.0, 0.0)  # m
    character: Name = ""


# Changes: edits that need no solver. Indices of keys are those of the document the hand began with.


class _Change(Struct, tag_field="change", tag=str.lower, forbid_unknown_fields=True):
    character: Name
    take: Name


class MoveKeys(_Change):
    """Keys scaled about a pivot, then moved."""

    keys: list[KeyAt]
    time: float = 0.0  # s
    value: float = 0.0
    scale_time: float = 1.0
    scale_value: float = 1.0
    pivot_time: float = 0.0  # s
    pivot_value: float = 0.0


class CopyKeys(_Change):
    """Copies of keys, `time` later."""

    keys: list[KeyAt]
    time: float  # s


class DeleteKeys(_Change):
    """Keys taken away; a curve never loses its last one."""

    keys: list[KeyAt]


class AddKeys(_Change):
    """Keys where the curves are; no channels means all of the character's."""

    channels: list[int]
    time: float  # s


class MoveHandle(_Change):
    """A handle dragged to (dt, dv) from its key, dt above 0 on both sides."""

    handle: HandleAt
    dt: float  # s
    dv: float


class SetHandles(_Change):
    """What kind of handles keys have."""

    keys: list[KeyAt]
    kind: HandleWord


class SetInterpolation(_Change):
    """How the segments after keys run."""

    keys: list[KeyAt]
    kind: SegmentWord


class SetExtrapolation(_Change):
    """What curves do before their first and after their last key."""

    channels: list[int]
    before: BeyondWord
    after: BeyondWord


class AddWish(_Change):
    """A pin or contact; a contact may be relative to another point."""

    kind: WishKind
    point: Spot
    start: float  # s
    end: float  # s
    position: bool = True
    orientation: bool = False
    relative_to: Spot | None = None


class ChangeWish(_Change):
    """A pin or contact, by its place in the scene's list, with another range or hold."""

    kind: WishKind
    index: int
    start: float  # s
    end: float  # s
    position: bool = True
    orientation: bool = False


class RemoveWish(_Change):
    """A pin or contact taken away."""

    kind: WishKind
    index: int


class FindContacts(_Change):
    """Contacts where the feet stand still."""


class SetLimits(_Change):
    """How far a channel may go; None is no limit."""

    channel: int
    low: float | None
    high: float | None


class SetStiffness(_Change):
    """How much channels resist being moved; 1 is ordinary."""

    channels: list[int]
    stiffness: float


class SetTiming(_Change):
    """Frame rate, length and looping of a take; a new rate keeps seconds or frames."""

    rate: float
    duration: float  # s
    loops: bool
    keep: Literal["seconds", "frames"] = "seconds"


class CopyTake(_Change):
    """A second take like this one."""

    name: Name


class RenameTake(_Change):
    """Another name for a take."""

    name: Name


class RemoveTake(_Change):
    """A take taken away."""


class FitTake(_Change):
    """Samples and layers turned into few keys."""

    tolerance: float  # m


class RemoveActor(_Change):
    """A character or prop taken away, with its pins and contacts."""


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
    | FindContacts
    | SetLimits
    | SetStiffness
    | SetTiming
    | CopyTake
    | RenameTake
    | RemoveTake
    | FitTake
    | RemoveActor
)


# From a window to the server.


class _Up(Struct, tag_field="say", tag=str.lower, forbid_unknown_fields=True):
    pass


class Show(_Up):
    """The motion curves this window draws, and what of the document it plays."""

    character: Name
    take: Name
    points: list[Spot]


class AskFrames(_Up):
    """Poses of whole frames, first to last."""

    character: Name
    take: Name
    first: int
    last: int


class AskKeys(_Up):
    """All keys of a take."""

    character: Name
    take: Name


class Grab(_Up):
    """A hand takes hold with a tool."""

    hand: int
    tool: Name
    character: Name
    take: Name
    options: dict[str, bool | int | float | str | None]


class Move(_Up):
    """Where a hand now wants a point; a later move replaces one that waits."""

    hand: int
    point: Spot
    time: float  # s
    position: Place3 | None = None
    orientation: Turn4 | None = None
    time_scale: float | None = None
    axes: list[Place3] | None = None


class Tune(_Up):
    """Other options for a hand that already holds."""

    hand: int
    options: dict[str, bool | int | float | str | None]


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


class Bring(_Up):
    """An uploaded file: as a document of its own or added to this one.

    `POST upload?name=walk.bvh` (and the page's own query) with the file as body answers
    `{"upload": "..."}`.
    """

    upload: Name
    add: bool


class Save(_Up):
    """To the file it came from, or to another of the folder."""

    name: Annotated[str, Meta(max_length=1000)] | None = None


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
    | Grab
    | Move
    | Tune
    | LetGo
    | Forget
    | TakeOffer
    | Slide
    | Do
    | Undo
    | Redo
    | Travel
    | Open
    | Bring
    | Save
    | Export
    | ListFolder
    | Cancel
)


# From the server to a window.


class Array(Struct):
    """A part of the float block."""

    name: str
    shape: list[int]


class OptionTold(Struct):
    """One option of a tool, for panels."""

    name: str
    kind: Literal["bool", "int", "float", "choice"]
    default: bool | int | float | str | None
    help: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: list[str] = []
    optional: bool = False  # may be None


class ToolTold(Struct):
    """A tool and its options."""

    name: str
    help: str
    options: list[OptionTold]


class ChannelTold(Struct):
    """A channel of a rig."""

    joint: int
    kind: str  # "rotate_x", ...
    label: str
    low: float | None
    high: float | None
    stiffness: float


class RigTold(Struct):
    """The joints of a character or prop."""

    name: str
    prop: bool
    joints: list[str]
    parents: list[int]
    nodes: list[int]  # of each joint in the model file
    channels: list[ChannelTold]
    stride: int  # floats per joint in poses: 7 (position, quaternion xyzw) or 12 (3x4, by rows)
    weights: list[int]  # channels of morph weights, after the joints in poses
    carriers: list[tuple[int, int, int]]  # (node, first of `weights`, count) with morphs


class TakeTold(Struct):
    """A take of a character."""

    name: str
    keyed: bool  # a clip with keys, not samples
    duration: float  # s
    rate: float
    loops: bool
    keys: int
    layers: int


class WishTold(Struct):
    """A pin or contact."""

    kind: WishKind
    index: int
    name: str  # as notes name it
    point: Spot
    start: float
    end: float
    position: bool
    orientation: bool
    relative_to: Spot | None
    take: str  # "" is every one


class NoteTold(Struct):
    """Something people should know."""

    text: str
    kind: str
    amount: float
    blocker: str


class OfferTold(Struct):
    """What one key would buy."""

    text: str
    remaining: float  # m


class RecentTold(Struct):
    """A file opened before, or a document left by a crash."""

    name: str  # as `Open` takes it
    label: str
    when: float  # s since 1970
    recover: bool


class FileTold(Struct):
    """An entry of the folder."""

    name: str
    folder: bool
    size: int


class _Down(Struct, tag_field="tell", tag=str.lower):
    arrays: list[Array] = []


class Welcome(_Down, kw_only=True):
    """First of all."""

    version: str
    window: int
    tools: list[ToolTold]
    built_ins: list[str]
    recent: list[RecentTold]


class Cast(_Down, kw_only=True):
    """Who is in the scene; again whenever that changes."""

    model: str  # address of the model file
    rigs: list[RigTold]
    scale: float  # m, height of the largest character
    unit: str  # what lengths are shown in: "m" or "cm"


class Document(_Down, kw_only=True):
    """The state of the document; again after every step."""

    revision: int
    name: str
    path: str | None
    saved: bool
    takes: dict[str, list[TakeTold]]  # by character
    wishes: list[WishTold]
    done: list[str]
    undone: list[str]
    warnings: list[str]


class Keys(_Down, kw_only=True):
    """Keys of channels. Rows of `keys` (K, 9): time, value, in dt, in dv, out dt, out dv,
    in kind, out kind, interpolation."""

    character: str
    take: str
    live: int | None  # the hand that this is only a preview of
    channels: list[int]
    counts: list[int]
    beyond: list[tuple[BeyondWord, BeyondWord]]


class Frames(_Down, kw_only=True):
    """Poses of frames: `poses` (F, J * stride + W)."""

    character: str
    take: str
    live: int | None
    first: int


class Curve(_Down, kw_only=True):
    """A motion curve: `times` (T,), `positions` (T, 3), `orientations` (T, 4) xyzw, `speeds` (T,).

    Part of one where it does not begin at 0: only that stretch has changed.
    """

    character: str
    take: str
    live: int | None
    point: Spot
    first: int  # of the samples; a whole frame every `per_frame`
    total: int
    per_frame: int
    keys: list[float] | None  # s; None: as they were


class Preview(_Down, kw_only=True):
    """What a hand has done so far: `pose` (J * stride + W) at its time."""

    hand: int
    character: str
    take: str
    time: float
    span: tuple[float, float]
    reached: Place3
    short: float  # m


class Notes(_Down, kw_only=True):
    """What is in the way of a hand that rests."""

    hand: int
    notes: list[NoteTold]
    offer: OfferTold | None


class HandEnded(_Down, kw_only=True):
    """A hand let go or forgot: its previews are void."""

    hand: int
    kept: bool
    label: str


class Failure(_Down, kw_only=True):
    """Something did not work: what happened, what was kept, what to do."""

    text: str


class Job(_Down, kw_only=True):
    """Work that takes a while; gone when `share` is 1."""

    job: int
    label: str
    share: float
    cancel: bool


class Saved(_Down, kw_only=True):
    """Written to disk."""

    path: str


class Download(_Down, kw_only=True):
    """A file to fetch."""

    address: str
    name: str


class Folder(_Down, kw_only=True):
    """What can be opened."""

    folder: str
    entries: list[FileTold]


Down: TypeAlias = (
    Welcome
    | Cast
    | Document
    | Keys
    | Frames
    | Curve
    | Preview
    | Notes
    | HandEnded
    | Failure
    | Job
    | Saved
    | Download
    | Folder
)
