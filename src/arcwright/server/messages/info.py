"""Parts of server messages: descriptions of tools, rigs, takes, constraints and files."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from arcwright.server.messages.common import PointRef, Role


class Array(Struct):
    """A part of the float block."""

    name: str
    shape: list[int]


class PhoneLink(Struct):
    """The link by which a phone performs on the document."""

    link: str
    code: list[str]  # the same as a QR code, a row of "0" and "1" for each line


ClientKind = Literal["studio", "phone"]


class ClientInfo(Struct):
    """A connected client."""

    number: int
    kind: ClientKind
    role: Role
    editing: str  # the character of its interaction; "" for none


GestureKind = Literal["drag", "setting", "stroke", "performance"]


class OptionInfo(Struct):
    """One option of a tool, for panels."""

    name: str
    kind: Literal["bool", "int", "float", "choice", "take", "text"]
    default: bool | int | float | str | None
    label: str
    help: str
    unit: str = ""
    low: float | None = None
    high: float | None = None
    choices: list[str] = []
    optional: bool = False  # may be None


class ToolInfo(Struct):
    """A tool, the gestures it understands and its options."""

    name: str
    label: str
    help: str
    gestures: list[GestureKind]
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
    """What a joint is for, according to the rig analysis."""

    role: str  # "root", "deform", "prop", "control"
    free: bool  # whether edits may change its length or scale in every take
    moves: list[str]  # takes that translate or scale it, and so leave it free
    can_free: bool  # has translation or scale that could be freed
    can_root: bool  # has translation, so that it could carry the body
    length: str  # what the animator set: "free", "locked" or nothing
    why: str  # it is free or not; of one that moves, in those takes
    attached_to: str  # the joint that carries it in edits, "" for none but its parent
    attached_set: bool  # whether the animator chose that


class RigInfo(Struct):
    """The joints of a character or prop."""

    name: str
    prop: bool
    joints: list[str]
    parents: list[int]
    analysis: list[JointInfo]  # of each joint
    root_set: bool  # whether the animator chose the root
    nodes: list[int]  # of each joint in the model file
    channels: list[ChannelInfo]
    stride: int  # floats per joint in poses: 7 (position, quaternion xyzw) or 12 (3x4, by rows)
    weights: list[int]  # channels of morph weights, after the joints in poses
    carriers: list[tuple[int, int, int]]  # (node, first of `weights`, count) with morphs
    shapes: list[int]  # the node of each shape in the model file, -1 for none


class LayerInfo(Struct):
    """A layer of a take."""

    name: str
    start: float  # s
    end: float  # s
    weight: float  # 0 to 1
    muted: bool


class SectionInfo(Struct):
    """A named stretch of a take, which ends where the next one starts."""

    name: str
    start: float  # s


class MarkerInfo(Struct):
    """A marker of a take."""

    name: str
    time: float  # s


class StoredPoseInfo(Struct):
    """A pose of the library, without its values."""

    name: str
    character: str
    joints: list[str]  # that it poses
    picture: str  # a data address; "" for none


class RateCheckInfo(Struct):
    """A take whose falls do not fit its frame rate."""

    rate: float  # at which it falls with g
    text: str  # what is wrong


class TakeInfo(Struct):
    """A take of a character."""

    name: str
    keyed: bool  # a clip with keys, not samples
    baked: bool  # samples, or a key on every frame
    duration: float  # s
    rate: float
    loops: bool
    keys: int
    layers: list[LayerInfo]  # from the base up
    sections: list[SectionInfo]  # by start
    markers: list[MarkerInfo]  # by time
    lead_in: int = 0  # frames at the start that show a reference pose, such as a T-pose
    rate_check: RateCheckInfo | None = None  # where the frame rate seems wrong


class RecordingInfo(Struct):
    """A recording of the document, without its samples."""

    index: int
    character: str
    take: str
    item: str
    point: PointRef | None
    channels: list[str]
    device: str
    duration: float  # s
    tool: str
    options: dict[str, bool | int | float | str | None]  # other than by default


class NoteInfo(Struct):
    """A note for the animator."""

    text: str
    kind: str
    amount: float
    blocker: str


class OfferInfo(Struct):
    """What an extra key would gain."""

    text: str
    remaining: float  # m


class RecentInfo(Struct):
    """A file opened before, or a document left by a crash."""

    name: str  # as `Open` takes it
    label: str
    when: float  # s since 1970
    recover: bool
    damage: str = ""  # of a document left by a crash: what of it cannot be read
    differs: bool = True  # False: nothing but undone steps is missing in the user's file


class FileInfo(Struct):
    """An entry of the folder."""

    name: str
    folder: bool
    size: int
