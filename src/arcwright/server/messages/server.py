"""Messages from the server to a client."""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import Struct

from arcwright.server.messages.activities import (
    ActivityInfo,
    ActivityObjectInfo,
    EffectorInfo,
    ProposedEventInfo,
)
from arcwright.server.messages.common import ExtrapolationType, PointRef, Role
from arcwright.server.messages.constraints import ConstraintInfo, ConstraintKindInfo
from arcwright.server.messages.flow import FlowInfo
from arcwright.server.messages.footplants import FootplantInfo
from arcwright.server.messages.gestures import DragInfo, MeshInfo, Overlay, PoseInfo
from arcwright.server.messages.info import (
    Array,
    ClientInfo,
    FileInfo,
    NoteInfo,
    OfferInfo,
    PhoneLink,
    RecentInfo,
    RecordingInfo,
    RigInfo,
    StoredPoseInfo,
    TakeInfo,
    ToolInfo,
)
from arcwright.server.messages.puppets import GroundBlock
from arcwright.server.messages.sound import SoundInfo


class _ServerMessage(Struct, tag_field="type", tag=True):
    arrays: list[Array] = []


class Welcome(_ServerMessage, kw_only=True):
    """The first message: the server and what it offers."""

    version: str
    window: int
    tools: list[ToolInfo]
    constraint_kinds: list[ConstraintKindInfo]
    built_ins: list[str]
    recent: list[RecentInfo]
    folder: str  # the name of the opened folder, without where it is; "" for viewers
    role: Role
    phone: PhoneLink | None = None  # for those who may edit, where others may, too


class Clients(_ServerMessage, kw_only=True):
    """Who is connected; again whenever that changes."""

    clients: list[ClientInfo]


class SceneInfo(_ServerMessage, kw_only=True):
    """The rigs of the scene; again whenever they change."""

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
    constraints: list[ConstraintInfo]
    found_takes: dict[str, dict[str, dict[str, str]]]  # by tool, actor and empty option
    recordings: list[RecordingInfo]
    activities: list[ActivityInfo]
    poses: list[StoredPoseInfo]  # the pose library
    flow: FlowInfo | None
    roles: dict[str, dict[str, str]]  # by character and role: the take that was chosen
    ground: list[GroundBlock]
    sound: SoundInfo | None
    done: list[str]
    undone: list[str]
    warnings: list[str]


class Keys(_ServerMessage, kw_only=True):
    """Keys of channels. Rows of `keys` (K, 9): time, value, in dt, in dv, out dt, out dv,
    in kind, out kind, interpolation."""

    character: str
    take: str
    preview_of: int | None  # the interaction that this previews
    channels: list[int]
    counts: list[int]
    extrapolation: list[tuple[ExtrapolationType, ExtrapolationType]]


class CopiedPose(_ServerMessage, kw_only=True):
    """The answer to `RequestPose`."""

    character: str
    values: dict[str, float]  # by the names of channels


class Frames(_ServerMessage, kw_only=True):
    """Poses of frames: `poses` (F, J * stride + W)."""

    character: str
    take: str
    preview_of: int | None
    first: int
    without_layers: bool = False  # of the take without its layers


class Curve(_ServerMessage, kw_only=True):
    """A motion curve: `times` (T,), `positions` (T, 3), `orientations` (T, 4) xyzw, `speeds` (T,).

    Part of one where it does not begin at 0: only that stretch has changed. Long previews have
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
    """The footplants detected in a take."""

    character: str
    take: str
    footplants: list[FootplantInfo]


class ProposedEvents(_ServerMessage, kw_only=True):
    """Events detected in a take that its activity lacks, and the elements that they name."""

    character: str
    take: str
    objects: list[ActivityObjectInfo]
    effectors: list[EffectorInfo]
    events: list[ProposedEventInfo]  # by time
    problem: str  # why there are none; "" for none


class RestOverlays(_ServerMessage, kw_only=True):
    """What a tool draws of a take before a gesture."""

    tool: str
    character: str
    take: str
    overlays: list[Overlay]
    problem: str  # why there is nothing; "" for none


class ReductionInfo(_ServerMessage, kw_only=True):
    """How many key poses a take needs within a tolerance, once `share` is 1."""

    character: str
    take: str
    tolerance: float  # m
    poses: Literal["aligned", "per-channel"]
    share: float  # of the preparation
    key_poses: int = 0  # of single channels: at most
    error: float = 0.0  # m, at most


class Preview(_ServerMessage, kw_only=True):
    """An interaction as it stands: `pose0`, `pose1` ... (J * stride + W) are the `poses`.

    `mesh0`, `mesh1` ... (K, 4) are the vertices of the `meshes` that move: index, offset in m.
    """

    interaction: int
    poses: list[PoseInfo]
    meshes: list[MeshInfo]
    span: tuple[float, float] | None  # s; elsewhere nothing changes
    drag: DragInfo | None
    overlays: list[Overlay]


class Notes(_ServerMessage, kw_only=True):
    """Notes about an interaction whose pointer rests: residuals and what blocks it."""

    interaction: int
    notes: list[NoteInfo]
    offer: OfferInfo | None


class RetimedInfo(Struct, kw_only=True):
    """How a step moved the frames of a take in time: linear between these times."""

    character: str
    take: str
    before: list[float]  # s, rising; earlier times stay, later ones move as the last
    after: list[float]  # s


class InteractionEnded(_ServerMessage, kw_only=True):
    """An interaction was committed or cancelled: its previews are void."""

    interaction: int
    committed: bool
    label: str
    retimed: RetimedInfo | None = None  # where the step moved frames in time


class InteractionUnchanged(_ServerMessage, kw_only=True):
    """A commit with `if_changed` would change nothing: it stays open, its notes say why."""

    interaction: int


class Failure(_ServerMessage, kw_only=True):
    """A request failed: what happened, what was kept, what to do."""

    text: str


class Report(_ServerMessage, kw_only=True):
    """The outcome of a job; a warning states what was lost."""

    text: str
    severity: Literal["info", "warning"] = "info"
    notes: list[NoteInfo] = []  # what it left undone


class Job(_ServerMessage, kw_only=True):
    """The progress of a job; it has ended when `share` is 1."""

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
    """The recent documents of `Welcome` have changed."""

    recent: list[RecentInfo]


ServerMessage: TypeAlias = (
    Welcome
    | Clients
    | SceneInfo
    | Document
    | Keys
    | CopiedPose
    | Frames
    | Curve
    | Footplants
    | ProposedEvents
    | RestOverlays
    | ReductionInfo
    | Preview
    | Notes
    | InteractionEnded
    | InteractionUnchanged
    | Failure
    | Report
    | Job
    | Saved
    | Download
    | Folder
    | Recent
)
