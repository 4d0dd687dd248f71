"""Tool, Session, Preview, Note: the interface of every tool. To cancel, drop the session."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, Protocol, TypeAlias, runtime_checkable

from arcwright.arrays import Floats, Ints
from arcwright.curves.time_warp import TimeWarp
from arcwright.scene.constraint import Constraint
from arcwright.scene.edit import Edit
from arcwright.scene.rig import Rig
from arcwright.scene.scene import Actor, Scene
from arcwright.scene.target import Target
from arcwright.tools.gesture import Gesture
from arcwright.tools.overlay import Overlay

Unchanged: TypeAlias = Literal["no constraints", "all met", "no gain"]
NoteKind: TypeAlias = Literal[
    "residual", "swings", "jumps", "moved", "unfinished", "timing", "info"
]
Progress: TypeAlias = Callable[[float], None]  # called with the share of the work that is done


@dataclass(frozen=True, eq=False)
class Note:
    """Something people should know, in plain words; never an exception."""

    text: str
    kind: NoteKind
    amount: float = 0.0  # m, rad or s, as the text says
    blocker: str = ""  # the blocking constraint, by name


@dataclass(frozen=True, eq=False)
class PreviewPose:
    """A pose of one take as it would be now."""

    target: Target
    time: float  # s
    values: Floats  # (C,) channel values
    acted: bool = False  # the body is there now, whatever frame is shown
    rig: Rig | None = None  # of the values, where the edit gives the actor another one


@dataclass(frozen=True, eq=False)
class PreviewMesh:
    """Vertices of one part of a shape that move, as they would be now."""

    actor: str
    shape: int
    part: int
    vertices: Ints  # (K,) of the part
    offsets: Floats  # (K, 3) m, from where they are in the scene, in the shape's own space


@dataclass(frozen=True, eq=False)
class DragStatus:
    """How far a drag has come."""

    position: Floats  # (3,) m, where the held point or handle is now
    target: Floats | None  # (3,) m, where it should be, if the drag has a position
    remaining: float  # m, from one to the other; finishing may bring it closer


def _no_notes() -> tuple[Note, ...]:
    return ()


@dataclass(frozen=True, eq=False)
class Preview:
    """The edit as it would be now, and what a face draws during the interaction."""

    make_edit: Callable[[], Edit]
    make_notes: Callable[[], tuple[Note, ...]] = _no_notes
    make_span: Callable[[], tuple[float, float] | None] = lambda: None
    poses: tuple[PreviewPose, ...] = ()
    overlays: tuple[Overlay, ...] = ()
    drag: DragStatus | None = None  # where the latest gesture is a drag
    make_meshes: Callable[[], tuple[PreviewMesh, ...]] = lambda: ()

    @cached_property
    def meshes(self) -> tuple[PreviewMesh, ...]:
        """Vertices that move against the scene; computed on demand."""
        return self.make_meshes()

    @cached_property
    def edit(self) -> Edit:
        """The edit, built on demand: many previews are drawn without it."""
        return self.make_edit()

    @cached_property
    def span(self) -> tuple[float, float] | None:
        """Seconds; elsewhere in the take nothing changes, now or at the end. None: unknown."""
        return self.make_span()

    @cached_property
    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone; computed on demand.

        Once the gesture has moved on, only the remaining distance of this preview.
        """
        return self.make_notes()


@dataclass(frozen=True, eq=False)
class Offer:
    """A further edit that a tool suggests; the user may accept it."""

    text: str
    edit: Edit
    remaining: float  # m, how far the point would still be off


@dataclass(frozen=True, eq=False)
class Solved:
    """The outcome of solving constraints without a gesture."""

    edit: Edit  # one undo step; empty where everything holds already, or nothing would be gained
    notes: tuple[Note, ...]  # what still does not hold, and by how much
    used: Mapping[str, float]  # what was made of options that depend on the take, s
    unchanged: Unchanged | None = None  # why there is no step, where there is none
    warp: TimeWarp | None = None  # how it moves frames in time, where it does

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        notes = [{"text": each.text, "amount": each.amount} for each in self.notes]
        changed = {"changed": not self.edit.empty, "unchanged": self.unchanged}
        return changed | {"notes": notes, "used": dict(self.used)}


class Session(Protocol):
    """One use of a tool, from begin to finish. The scene it began with never changes."""

    def update(self, gesture: Gesture) -> Preview:
        """Follow the gesture: the edit as it would be now."""
        ...

    def set_options(self, options: Any) -> Preview:
        """Follow the options: the same as having begun with them and made the same gestures."""
        ...

    def finish(self) -> Edit:
        """End the gesture: one undo step."""
        ...

    def notes(self) -> tuple[Note, ...]:
        """What finishing now would leave undone."""
        ...

    def fork(self) -> Session:
        """A session that stands where this one does, for another thread."""
        ...


class Tool(Protocol):
    """A way to edit: its name is its folder, its command word and its message tag."""

    name: str
    label: str  # as people read it
    Options: type[Any]
    one_frame: bool  # whether pins hold at the held time only, and may slide between keys

    @property
    def gestures(self) -> tuple[type[Any], ...]:
        """Which gestures it understands."""
        ...

    def begin(self, scene: Scene, target: Target, options: Any) -> Session:
        """Prepare an edit; everything slow is done here."""
        ...


# What some tools and sessions can do besides.


@runtime_checkable
class Solves(Protocol):
    """A tool that meets constraints of a take, also without a gesture."""

    def solve(
        self,
        scene: Scene,
        target: Target,
        options: Any,
        constraints: Sequence[Constraint] = (),
        progress: Progress = ...,
    ) -> Solved:
        """Meet the constraints of the scene and the given ones."""
        ...


@runtime_checkable
class Detects(Protocol):
    """A tool that keeps contacts which it detects itself."""

    def detect(self, scene: Scene, target: Target, options: Any) -> Edit:
        """Make contacts of what it would detect; the edit is empty where there is nothing."""
        ...


@runtime_checkable
class FindsTakes(Protocol):
    """A tool with options that name takes, which it finds itself where they are left empty."""

    def find_takes(self, takes: Sequence[str]) -> Mapping[str, str]:
        """The take of each such option, of a character with these takes; none where it is made."""
        ...


@runtime_checkable
class Retargets(Protocol):
    """A tool that carries a take, with what it knows of it, to another character."""

    def retarget(self, scene: Scene, target: Target, new: Actor) -> tuple[Edit, tuple[Note, ...]]:
        """The undo step that puts a character in the place of the target's, and what is left."""
        ...


@runtime_checkable
class Offers(Protocol):
    """A session that can suggest a further edit."""

    def offer(self) -> Offer | None:
        """Such as an additional key; None where nothing would be gained."""
        ...


@runtime_checkable
class SolvesFurther(Protocol):
    """A session whose finish is limited in time, and which can go on without that limit."""

    def solve_further(self, progress: Progress) -> Edit:
        """The undo step that finishing would give with more time; `progress` may raise."""
        ...


@runtime_checkable
class Retimes(Protocol):
    """A session whose result may move frames in time; previews stay at the old times."""

    def warp_of(self, result: Edit) -> TimeWarp | None:
        """How a result of this session or a fork of it moves frames in time; None: they stay."""
        ...

    def warp(self) -> TimeWarp | None:
        """How finishing moves frames in time; None where they stay."""
        ...


@runtime_checkable
class Reviews(Protocol):
    """A session whose previews are of fewer samples than its result."""

    def result_overlays(self) -> tuple[Overlay, ...] | None:
        """What is drawn of the result; None where the last preview already draws it."""
        ...


@runtime_checkable
class DrawsAtRest(Protocol):
    """A session with something to draw before its first gesture, such as handles."""

    def rest_overlays(self) -> tuple[Overlay, ...]:
        """What is drawn before the first gesture."""
        ...


@runtime_checkable
class ReplacesObjects(Protocol):
    """A session that can put another prop in the place of something that it edits."""

    def replace_object(self, element: str, new: Actor) -> Preview:
        """Replace the object of this name; raises where it may not be."""
        ...


@runtime_checkable
class Runs(Protocol):
    """A session with a clock, which goes on without a gesture."""

    def advance(self, to_time: float) -> Preview:
        """Go on to a time since the beginning, s, in ticks of a fixed length."""
        ...
