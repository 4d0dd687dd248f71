"""From the server to a window."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from arcwright.server.messages.common import (
    ExtrapolationType,
    PointConstraintKind,
    PointRef,
    Vec3,
)
from arcwright.server.messages.constraints import ConstraintInfo
from arcwright.server.messages.footplants import FootplantInfo


class Array(Struct):
    """A part of the float block."""

    name: str
    shape: list[int]


class OptionInfo(Struct):
    """One option of a tool, for panels."""

    name: str
    kind: Literal["bool", "int", "float", "choice"]
    default: bool | int | float | str | None
    label: str
    help: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: list[str] = []
    optional: bool = False  # may be None


class ToolInfo(Struct):
    """A tool and its options."""

    name: str
    help: str
    options: list[OptionInfo]


class ChannelInfo(Struct):
    """A channel of a rig."""

    joint: int
    kind: str  # "rotate_x", ...
    label: str
    low: float | None
    high: float | None
    stiffness: float


class JointInfo(Struct):
    """What a joint is for, as the rig analysis tells."""

    role: str  # "root", "deform", "prop", "control"
    free: bool  # whether edits may change its length or scale in every take
    moves: list[str]  # takes that translate or scale it, and so leave it free
    can_free: bool  # has translation or scale that could be freed
    can_root: bool  # has translation, so that it could carry the body
    length: str  # what the animator said: "free", "locked" or nothing
    why: str  # it is free or not; of one that moves, in those takes


class RigInfo(Struct):
    """The joints of a character or prop."""

    name: str
    prop: bool
    joints: list[str]
    parents: list[int]
    analysis: list[JointInfo]  # of each joint
    root_set: bool  # whether the animator said which joint is the root
    nodes: list[int]  # of each joint in the model file
    channels: list[ChannelInfo]
    stride: int  # floats per joint in poses: 7 (position, quaternion xyzw) or 12 (3x4, by rows)
    weights: list[int]  # channels of morph weights, after the joints in poses
    carriers: list[tuple[int, int, int]]  # (node, first of `weights`, count) with morphs


class LayerInfo(Struct):
    """A layer of a take."""

    name: str
    start: float  # s
    end: float  # s
    weight: float  # 0 to 1
    muted: bool


class TakeInfo(Struct):
    """A take of a character."""

    name: str
    keyed: bool  # a clip with keys, not samples
    duration: float  # s
    rate: float
    loops: bool
    keys: int
    layers: list[LayerInfo]  # from the base up


class PointConstraintInfo(Struct):
    """A pin or contact."""

    kind: PointConstraintKind
    index: int
    name: str  # as notes name it
    point: PointRef
    start: float
    end: float
    position: bool
    orientation: bool
    relative_to: PointRef | None
    take: str  # "" is every one


class NoteInfo(Struct):
    """Something people should know."""

    text: str
    kind: str
    amount: float
    blocker: str


class OfferInfo(Struct):
    """What one key would buy."""

    text: str
    remaining: float  # m


class RecentInfo(Struct):
    """A file opened before, or a document left by a crash."""

    name: str  # as `Open` takes it
    label: str
    when: float  # s since 1970
    recover: bool
    damage: str = ""  # of a document left by a crash: what of it cannot be read


class FileInfo(Struct):
    """An entry of the folder."""

    name: str
    folder: bool
    size: int


class _ServerMessage(Struct, tag_field="type", tag=True):
    arrays: list[Array] = []


class Welcome(_ServerMessage, kw_only=True):
    """First of all."""

    version: str
    window: int
    tools: list[ToolInfo]
    built_ins: list[str]
    recent: list[RecentInfo]
    role: Literal["edit", "view"]  # whether this window may change anything


class SceneInfo(_ServerMessage, kw_only=True):
    """Who is in the scene; again whenever that changes."""

    model: str  # address of the model file
    rigs: list[RigInfo]
    scale: float  # m, height of the largest character
    unit: str  # what lengths are shown in: "m" or "cm"


class Document(_ServerMessage, kw_only=True):
    """The state of the document; again after every step."""

    revision: int
    name: str
    path: str | None
    saved: bool
    takes: dict[str, list[TakeInfo]]  # by character
    point_constraints: list[PointConstraintInfo]
    constraints: list[ConstraintInfo]
    done: list[str]
    undone: list[str]
    warnings: list[str]


class Keys(_ServerMessage, kw_only=True):
    """Keys of channels. Rows of `keys` (K, 9): time, value, in dt, in dv, out dt, out dv,
    in kind, out kind, interpolation."""

    character: str
    take: str
    preview_of: int | None  # the hand that this is only a preview of
    channels: list[int]
    counts: list[int]
    extrapolation: list[tuple[ExtrapolationType, ExtrapolationType]]


class Frames(_ServerMessage, kw_only=True):
    """Poses of frames: `poses` (F, J * stride + W)."""

    character: str
    take: str
    preview_of: int | None
    first: int
    without_layers: bool = False  # of the take without its layers


class Curve(_ServerMessage, kw_only=True):
    """A motion curve: `times` (T,), `positions` (T, 3), `orientations` (T, 4) xyzw, `speeds` (T,).

    Part of one where it does not begin at 0: only that stretch has changed. Long live parts have
    positions only.
    """

    character: str
    take: str
    preview_of: int | None
    point: PointRef
    first: int  # of the samples; a whole frame every `per_frame`
    total: int
    per_frame: int
    keys: list[float] | None  # s; None: as they were


class Footplants(_ServerMessage, kw_only=True):
    """The footplants that drags of whole motions would find in a take."""

    character: str
    take: str
    footplants: list[FootplantInfo]


class ReductionInfo(_ServerMessage, kw_only=True):
    """How many key poses a take would need within a tolerance, once `share` is 1."""

    character: str
    take: str
    tolerance: float  # m
    poses: Literal["aligned", "per-channel"]
    share: float  # of the preparation
    key_poses: int = 0  # of single channels: at most
    error: float = 0.0  # m, at most


class Preview(_ServerMessage, kw_only=True):
    """What a hand has done so far: `pose` (J * stride + W) at its time."""

    interaction: int
    character: str
    take: str
    time: float
    span: tuple[float, float]
    reached: Vec3
    remaining: float  # m, from the dragged point to its target


class Notes(_ServerMessage, kw_only=True):
    """What is in the way of a hand that rests."""

    interaction: int
    notes: list[NoteInfo]
    offer: OfferInfo | None


class InteractionEnded(_ServerMessage, kw_only=True):
    """A hand let go or forgot: its previews are void."""

    interaction: int
    committed: bool
    label: str


class Failure(_ServerMessage, kw_only=True):
    """Something did not work: what happened, what was kept, what to do."""

    text: str


class Report(_ServerMessage, kw_only=True):
    """What has come of work that this window asked for; a warning tells what was lost in it."""

    text: str
    severity: Literal["info", "warning"] = "info"
    notes: list[NoteInfo] = []  # what it left undone


class Job(_ServerMessage, kw_only=True):
    """Work that takes a while; gone when `share` is 1."""

    job: int
    label: str
    share: float
    cancel: bool


class Saved(_ServerMessage, kw_only=True):
    """Written to disk."""

    path: str


class Download(_ServerMessage, kw_only=True):
    """A file to fetch."""

    address: str
    name: str


class Folder(_ServerMessage, kw_only=True):
    """What can be opened."""

    folder: str
    entries: list[FileInfo]


class Recent(_ServerMessage, kw_only=True):
    """What `Welcome` told of recent documents has changed."""

    recent: list[RecentInfo]


ServerMessage: TypeAlias = (
    Welcome
    | SceneInfo
    | Document
    | Keys
    | Frames
    | Curve
    | Footplants
    | ReductionInfo
    | Preview
    | Notes
    | InteractionEnded
    | Failure
    | Report
    | Job
    | Saved
    | Download
    | Folder
    | Recent
)
